package runner_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/runner"
	"github.com/skilleval/skilleval/skills"
)

// polite is a model that never calls anything.
type polite struct{}

func (polite) Chat(context.Context, *agent.Request) (*agent.Reply, error) {
	return &agent.Reply{Content: "You are welcome.", FinishReason: "stop"}, nil
}

// strict scores a trial as right when nothing was called.
type strict struct{}

func (strict) Score(c *datasets.Case, t *results.Trial) (*results.Scores, error) {
	return &results.Scores{Selection: c.Expect.None && len(t.Calls) == 0}, nil
}

// A plan of two cases is run into a run file, as cmd does it.
func ExampleRun() {
	base, err := os.MkdirTemp("", "runner")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(base)
	dir := filepath.Join(base, "run")

	registry, err := skills.NewRegistry(&skills.Skill{Name: "get_weather", Description: "Weather of a city."})
	if err != nil {
		log.Fatal(err)
	}
	a, err := agent.New(polite{}, registry, agent.Options{})
	if err != nil {
		log.Fatal(err)
	}
	h := results.Header{ID: "example", Arms: []results.Arm{{Name: "main"}}, Repetitions: 1}
	w, err := results.Create(dir, h, nil)
	if err != nil {
		log.Fatal(err)
	}
	plan := runner.Plan{
		Cases: []datasets.Case{
			{ID: "thanks-1", Input: "thanks", Expect: datasets.Expectation{None: true}},
			{ID: "rain-1", Input: "Will it rain?", Expect: datasets.Expectation{Calls: []datasets.ExpectedCall{{Skill: "get_weather"}}}},
		},
		Arms:        []runner.Arm{{Name: "main", Agent: a}},
		Repetitions: 1,
		Concurrency: 8,
	}
	summary, err := runner.Run(context.Background(), plan, runner.Options{Writer: w, Scorer: strict{}})
	if err != nil {
		log.Fatal(err)
	}
	h.Complete = summary.Complete()
	if err := w.Finish(h); err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Done, "of", summary.Planned, "errors", summary.Errors)

	run, err := results.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	_ = run.Trials(func(t *results.Trial) error {
		fmt.Println(t.Case, t.Scores.Selection)
		return nil
	})
	// Output:
	// 2 of 2 errors 0
	// rain-1 false
	// thanks-1 true
}
