package results_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/skilleval/skilleval/results"
)

// A run is written trial by trial, in any order, and read back in canonical order.
func Example() {
	base, err := os.MkdirTemp("", "results")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(base)
	dir := filepath.Join(base, "run")

	h := results.Header{ID: "example", Arms: []results.Arm{{Name: "main"}}, Repetitions: 1}
	w, err := results.Create(dir, h, func(yield func(json.RawMessage) error) error {
		return yield(json.RawMessage(`{"id":"rain-1","input":"Will it rain in Oslo?"}`))
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, id := range []string{"rain-2", "rain-1"} {
		if err := w.Append(&results.Trial{Case: id, Arm: "main", Expect: json.RawMessage(`{"none":true}`)}); err != nil {
			log.Fatal(err)
		}
	}
	h.Complete = true
	if err := w.Finish(h); err != nil {
		log.Fatal(err)
	}

	run, err := results.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	err = run.Trials(func(t *results.Trial) error {
		fmt.Println(t.Case, t.Arm, t.Repetition)
		return nil
	})
	fmt.Println(run.Len(), err)
	// Output:
	// rain-1 main 0
	// rain-2 main 0
	// 2 <nil>
}
