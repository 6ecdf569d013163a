package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/skills"
)

// fake is an agent that is one function.
type fake func(ctx context.Context, t agent.Task) (*agent.Outcome, error)

func (f fake) Run(ctx context.Context, t agent.Task) (*agent.Outcome, error) { return f(ctx, t) }

// answer is an outcome with one valid call.
func answer(text string) *agent.Outcome {
	return &agent.Outcome{Answer: text, Rounds: 2, Selected: []string{"weather"},
		Calls: []agent.Call{{Skill: "weather", Args: json.RawMessage(`{"city":"Oslo"}`), Tier: agent.TierNative, Valid: true, FirstValid: true}}}
}

func good(_ context.Context, t agent.Task) (*agent.Outcome, error) { return answer(t.Input), nil }

// failing always fails with a class.
func failing(class agent.ErrorClass, status int) fake {
	return func(context.Context, agent.Task) (*agent.Outcome, error) {
		return &agent.Outcome{}, &agent.ModelError{Class: class, Status: status, Message: "no luck"}
	}
}

// sink keeps trials in the order they are appended.
type sink struct {
	mu     sync.Mutex
	trials []*results.Trial
	fail   func(n int, t *results.Trial) error // nil: never
}

func (s *sink) Append(t *results.Trial) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		if err := s.fail(len(s.trials), t); err != nil {
			return err
		}
	}
	s.trials = append(s.trials, t)
	return nil
}

// keys names the trials that were appended, in order.
func (s *sink) keys() []string {
	var list []string
	for _, t := range s.trials {
		list = append(list, fmt.Sprintf("%s/%s/%d", t.Case, t.Arm, t.Repetition))
	}
	return list
}

// scorer is a Scorer that is one function.
type scorer func(c *datasets.Case, t *results.Trial) (*results.Scores, error)

func (f scorer) Score(c *datasets.Case, t *results.Trial) (*results.Scores, error) { return f(c, t) }

var fine = scorer(func(*datasets.Case, *results.Trial) (*results.Scores, error) {
	return &results.Scores{Selection: true}, nil
})

func testCases(n int) []datasets.Case {
	list := make([]datasets.Case, n)
	for i := range list {
		id := fmt.Sprintf("c%d", i+1)
		list[i] = datasets.Case{ID: id, Input: "question " + id, Expect: datasets.Expectation{None: true}}
	}
	return list
}

func testPlan(cases, repetitions, concurrency int) Plan {
	return Plan{Cases: testCases(cases), Repetitions: repetitions, Concurrency: concurrency, Seed: 7}
}

// realAgent is a two-level agent over a model.
func realAgent(t testing.TB, m agent.Model) *agent.Agent {
	t.Helper()
	schema := json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	registry, err := skills.NewRegistry(
		&skills.Skill{Name: "weather", Description: "Weather of a city.", Parameters: schema},
		&skills.Skill{Name: "air", Description: "Air quality of a city.", Parameters: schema})
	require.NoError(t, err)
	a, err := agent.New(m, registry, agent.Options{})
	require.NoError(t, err)
	return a
}

// model is an agent.Model that is one function.
type model func(ctx context.Context, req *agent.Request) (*agent.Reply, error)

func (f model) Chat(ctx context.Context, req *agent.Request) (*agent.Reply, error) {
	return f(ctx, req)
}

// create opens a run file for the arms named.
func create(t testing.TB, dir string, arms ...string) *results.Writer {
	t.Helper()
	h := results.Header{ID: "t"}
	for _, a := range arms {
		h.Arms = append(h.Arms, results.Arm{Name: a})
	}
	w, err := results.Create(dir, h, nil)
	require.NoError(t, err)
	return w
}

// canonical is the run file in canonical order without its times, as text.
func canonical(t testing.TB, dir string) string {
	t.Helper()
	run, err := results.Open(dir)
	require.NoError(t, err)
	require.Empty(t, run.Notes())
	var out []byte
	require.NoError(t, run.Trials(func(trial *results.Trial) error {
		_, err := time.Parse(time.RFC3339Nano, trial.StartedAt)
		require.NoError(t, err)
		trial.StartedAt, trial.LatencyMS = "", 0
		line, err := json.Marshal(trial)
		out = append(append(out, line...), '\n')
		return err
	}))
	return string(out)
}
