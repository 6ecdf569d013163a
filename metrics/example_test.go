package metrics_test

import (
	"encoding/json"
	"fmt"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/results"
)

// run is a run in memory; a run directory is read with results.Open.
type run []*results.Trial

func (r run) Header() results.Header {
	return results.Header{Arms: []results.Arm{{Name: "main"}}, Repetitions: 1}
}

func (r run) Trials(yield func(*results.Trial) error) error {
	for _, t := range r {
		if err := yield(t); err != nil {
			return err
		}
	}
	return nil
}

func Example() {
	scorer := metrics.NewScorer(nil)
	var r run
	for i, city := range []string{"Oslo", "Oslo", "Bergen"} {
		c := datasets.Case{ID: fmt.Sprint("rain-", i), Expect: datasets.Expectation{
			Calls: []datasets.ExpectedCall{{Skill: "get_weather", Args: json.RawMessage(`{"city":"Oslo"}`)}},
		}}
		args, _ := json.Marshal(map[string]string{"city": city})
		t := &results.Trial{Case: c.ID, Arm: "main", Selected: []string{"get_weather"},
			Calls: []results.Call{{Skill: "get_weather", Args: args, Valid: true, FirstValid: true}}}
		t.Expect, _ = json.Marshal(c.Expect)
		t.Scores, _ = scorer.Score(&c, t)
		r = append(r, t)
	}

	arms, _ := metrics.Summarize(r, metrics.SummaryOptions{})
	exact := arms[0].Args.Exact
	fmt.Printf("args.exact %.3f (%.3f to %.3f, n = %d, %s)\n", *exact.Value, *exact.Lo, *exact.Hi, exact.N, exact.Method)
	for _, f := range arms[0].Failures {
		fmt.Println(f.Case, f.What, f.Detail)
	}

	gate, _ := metrics.ParseGate("args.exact >= 0.9")
	result := gate.Check(&arms[0])
	fmt.Println(result.Pass, result.Note)
	// Output:
	// args.exact 0.667 (0.208 to 0.939, n = 3, wilson)
	// rain-2 arguments [call 1 get_weather: city: want "Oslo", got "Bergen"]
	// false n = 3 does not decide it: the 95 % interval, 0.208 to 0.939, holds the threshold
}
