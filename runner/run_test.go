package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

func TestErrorsAreCountedApart(t *testing.T) {
	p := testPlan(100, 1, 8)
	worker := fake(func(ctx context.Context, task agent.Task) (*agent.Outcome, error) {
		if strings.HasSuffix(task.Input, "7") {
			return &agent.Outcome{Rounds: 1}, &agent.ModelError{Class: agent.ErrNetwork, Message: "connection reset"}
		}
		return answer("x"), nil
	})
	s := &sink{}
	sum, err := execute(t.Context(), p, []arm{{"main", worker}}, Options{Writer: s, Scorer: fine})
	require.NoError(t, err)
	assert.Equal(t, Summary{Planned: 100, Done: 100, Errors: 10}, sum)
	assert.True(t, sum.Complete())
	require.Len(t, s.trials, 100)
	for _, trial := range s.trials {
		assert.Equal(t, strings.HasSuffix(trial.Case, "7"), trial.Error != nil)
		assert.Equal(t, trial.Error == nil, trial.Scores != nil, "a score or an error, never both")
	}
}

func TestNothingMeasuredIsNotASuccess(t *testing.T) {
	for _, class := range []agent.ErrorClass{agent.ErrAuth, agent.ErrServer, agent.ErrRateLimit} {
		s := &sink{}
		sum, err := execute(t.Context(), testPlan(5, 1, 2), []arm{{"main", failing(class, 401)}}, Options{Writer: s, Scorer: fine})
		require.NoError(t, err)
		assert.Equal(t, 5, sum.Errors)
		assert.Equal(t, string(class), s.trials[0].Error.Class)
		assert.Equal(t, 401, s.trials[0].Error.Status)
	}
}

func TestAbortAfter(t *testing.T) {
	bad := failing(agent.ErrAuth, 401)
	mixed := func(at int, other error) fake { // the call numbered at does something else
		n := 0
		return func(ctx context.Context, task agent.Task) (*agent.Outcome, error) {
			if n++; n != at {
				return bad(ctx, task)
			}
			if other == nil {
				return answer("x"), nil
			}
			return nil, other
		}
	}
	for _, c := range []struct {
		name    string
		agent   fake
		after   int
		done    int
		aborted bool
	}{
		{"wrong key", bad, 4, 4, true},
		{"at the first", bad, 1, 1, true},
		{"off", bad, 0, 20, false},
		{"more than there are", bad, 21, 20, false},
		{"as many as there are", bad, 20, 20, false},
		{"no connection", failing(agent.ErrNetwork, 0), 4, 4, true},
		{"no such model", failing(agent.ErrRequest, 404), 4, 4, true},
		{"refused, which may be about the one request", failing(agent.ErrRequest, 400), 4, 20, false},
		{"no JSON", failing(agent.ErrReply, 200), 4, 4, true},
		{"server down for a moment", failing(agent.ErrServer, 503), 4, 20, false},
		{"slow", failing(agent.ErrTimeout, 0), 4, 20, false},
		{"one success first", mixed(1, nil), 4, 20, false},
		{"one success just in time", mixed(4, nil), 4, 20, false},
		{"success too late", mixed(5, nil), 4, 4, true},
		{"another error in between", mixed(2, &agent.ModelError{Class: agent.ErrRateLimit}), 4, 20, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &sink{}
			sum, err := execute(t.Context(), testPlan(20, 1, 1), []arm{{"main", c.agent}}, Options{Writer: s, AbortAfter: c.after})
			require.NoError(t, err)
			assert.Equal(t, c.done, sum.Done)
			assert.Len(t, s.trials, c.done)
			assert.Equal(t, c.aborted, sum.Aborted)
			assert.Equal(t, c.aborted, sum.Reason != "")
			assert.False(t, sum.Interrupted)
			assert.Equal(t, 20-c.done, sum.Unfinished())
		})
	}
	// A run in which a trial did succeed is never given up when it is resumed.
	resumed, err := execute(t.Context(), testPlan(20, 1, 1), []arm{{"main", bad}}, Options{Writer: &sink{}, AbortAfter: 4,
		Done: map[results.Key]bool{{Case: testPlan(20, 1, 1).Cases[19].ID, Arm: "main"}: true}})
	require.NoError(t, err)
	assert.Equal(t, 19, resumed.Done)
	sum, err := execute(t.Context(), testPlan(20, 1, 1), []arm{{"main", bad}}, Options{Writer: &sink{}, AbortAfter: 4,
		Redact: func(s string) string { return strings.ReplaceAll(s, "luck", "[…]") }})
	require.NoError(t, err)
	assert.Equal(t, "stopped early with 16 trials unfinished: the first 4 all failed, the first with auth (HTTP 401): no […]", sum.Reason)
	sum, err = execute(t.Context(), testPlan(9, 1, 1), []arm{{"main", failing(agent.ErrNetwork, 0)}}, Options{Writer: &sink{}, AbortAfter: 1})
	require.NoError(t, err)
	assert.Contains(t, sum.Reason, "network: no luck")
}

func TestAppendComesBeforeCounting(t *testing.T) {
	s := &sink{}
	var seen []Progress
	o := Options{Writer: s, Progress: func(p Progress) { // called serially, so that it needs no lock of its own
		seen = append(seen, p)
		s.mu.Lock()
		defer s.mu.Unlock()
		assert.GreaterOrEqual(t, len(s.trials), p.Done)
	}}
	worker := fake(func(ctx context.Context, task agent.Task) (*agent.Outcome, error) {
		if task.Input == "question c3" {
			return nil, &agent.ModelError{Class: agent.ErrServer}
		}
		return answer("x"), nil
	})
	_, err := execute(t.Context(), testPlan(50, 2, 16), []arm{{"main", worker}}, o)
	require.NoError(t, err)
	require.Len(t, seen, 100)
	for i, p := range seen {
		assert.Equal(t, i+1, p.Done)
		assert.Equal(t, 100, p.Planned)
	}
	assert.Equal(t, 2, seen[99].Errors)
}

func TestFullDiskStopsTheRun(t *testing.T) {
	s := &sink{fail: func(n int, _ *results.Trial) error {
		if n == 5 {
			return fmt.Errorf("write trials.jsonl: %w", syscall.ENOSPC)
		}
		return nil
	}}
	asked := 0
	worker := fake(func(ctx context.Context, task agent.Task) (*agent.Outcome, error) { asked++; return good(ctx, task) })
	last := Progress{}
	sum, err := execute(t.Context(), testPlan(1000, 1, 1), []arm{{"main", worker}}, Options{Writer: s, Progress: func(p Progress) { last = p }})
	require.ErrorIs(t, err, syscall.ENOSPC)
	assert.ErrorContains(t, err, `record case "c6", arm "main", repetition 0`)
	assert.Equal(t, 5, sum.Done)
	assert.Equal(t, 5, last.Done)
	assert.Equal(t, 6, asked, "nothing is asked that cannot be kept")
	assert.True(t, sum.Aborted)
	assert.Contains(t, sum.Reason, "995 trials unfinished")
}

func TestTooLargeTrialIsAnError(t *testing.T) {
	s := &sink{fail: func(_ int, t *results.Trial) error {
		if t.Case == "c2" && len(t.Calls) > 0 {
			return fmt.Errorf("%w: 70 MB", results.ErrTooLarge)
		}
		return nil
	}}
	sum, err := execute(t.Context(), testPlan(3, 1, 1), []arm{{"main", fake(good)}}, Options{Writer: s, Scorer: fine})
	require.NoError(t, err)
	assert.Equal(t, Summary{Planned: 3, Done: 3, Errors: 1}, sum)
	trial := s.trials[1]
	assert.Equal(t, &results.Problem{Class: "invalid_reply", Message: "trial is too large for the run file: 70 MB"}, trial.Error)
	assert.Nil(t, trial.Scores)
	assert.Empty(t, trial.Answer)
}

func TestScorer(t *testing.T) {
	boom := errors.New("boom")
	byCase := func(what map[string]any) scorer {
		return func(c *datasets.Case, t *results.Trial) (*results.Scores, error) {
			switch v := what[c.ID].(type) {
			case error:
				return nil, v
			case string:
				panic(v)
			case bool:
				return nil, nil
			}
			return &results.Scores{Selection: true}, nil
		}
	}
	s := &sink{}
	sum, err := execute(t.Context(), testPlan(3, 1, 1), []arm{{"main", fake(good)}}, Options{Writer: s, Scorer: byCase(map[string]any{"c2": "bad scorer"})})
	require.NoError(t, err, "a panic is the trial's")
	assert.Equal(t, Summary{Planned: 3, Done: 3, Errors: 1}, sum)
	assert.Equal(t, "internal", s.trials[1].Error.Class)
	assert.Contains(t, s.trials[1].Error.Message, "panic: bad scorer at github.com/skilleval/skilleval/runner.")
	assert.Nil(t, s.trials[1].Scores)
	assert.NotNil(t, s.trials[2].Scores)

	sum, err = execute(t.Context(), testPlan(3, 1, 1), []arm{{"main", fake(good)}}, Options{Writer: &sink{}, Scorer: byCase(map[string]any{"c2": boom})})
	require.ErrorIs(t, err, boom, "an error is the run's")
	assert.ErrorContains(t, err, `case "c2", arm "main", repetition 0`)
	assert.Equal(t, 1, sum.Done)
	_, err = execute(t.Context(), testPlan(3, 1, 1), []arm{{"main", fake(good)}}, Options{Writer: &sink{}, Scorer: byCase(map[string]any{"c2": true})})
	require.ErrorContains(t, err, "no scores")

	refusing := scorer(func(*datasets.Case, *results.Trial) (*results.Scores, error) { return nil, boom })
	_, err = execute(t.Context(), testPlan(3, 1, 1), []arm{{"main", failing(agent.ErrServer, 500)}}, Options{Writer: &sink{}, Scorer: refusing})
	require.NoError(t, err, "errors are not scored at all")
}

func TestPanicOfAnAgent(t *testing.T) {
	worker := fake(func(_ context.Context, task agent.Task) (*agent.Outcome, error) {
		switch task.Input {
		case "question c1":
			panic(fmt.Sprintf("with %s", "s3cret"))
		case "question c2":
			var nowhere *agent.Outcome
			return nowhere, errors.New(nowhere.Answer)
		}
		return answer("x"), nil
	})
	s := &sink{}
	sum, err := execute(t.Context(), testPlan(3, 1, 1), []arm{{"main", worker}}, Options{Writer: s, Scorer: fine,
		Redact: func(s string) string { return strings.ReplaceAll(s, "s3cret", "[…]") }})
	require.NoError(t, err)
	assert.Equal(t, Summary{Planned: 3, Done: 3, Errors: 2}, sum)
	assert.Equal(t, "internal", s.trials[0].Error.Class)
	assert.Contains(t, s.trials[0].Error.Message, "panic: with […] at ")
	assert.Contains(t, s.trials[0].Error.Message, "(run_test.go:")
	assert.Contains(t, s.trials[1].Error.Message, "nil pointer")
	assert.NotNil(t, s.trials[1].Calls, "written as an empty list")
}

func TestOtherErrorsOfAnAgent(t *testing.T) {
	s := &sink{}
	worker := fake(func(context.Context, agent.Task) (*agent.Outcome, error) { return nil, errors.New("odd") })
	_, err := execute(t.Context(), testPlan(1, 1, 1), []arm{{"main", worker}}, Options{Writer: s})
	require.NoError(t, err)
	assert.Equal(t, &results.Problem{Class: "internal", Message: "odd"}, s.trials[0].Error)
}

func TestCheck(t *testing.T) {
	a := realAgent(t, model(nil))
	for _, c := range []struct {
		want   string
		change func(*Plan, *Options)
	}{
		{"no cases", func(p *Plan, o *Options) { p.Cases = nil }},
		{"no arms", func(p *Plan, o *Options) { p.Arms = nil }},
		{"0 repetitions", func(p *Plan, o *Options) { p.Repetitions = 0 }},
		{"concurrency 0", func(p *Plan, o *Options) { p.Concurrency = 0 }},
		{"negative time limit", func(p *Plan, o *Options) { p.TrialTimeout = -1 }},
		{"negative time limit", func(p *Plan, o *Options) { p.RunTimeout = -1 }},
		{"no writer", func(p *Plan, o *Options) { o.Writer = nil }},
		{"case 2 has no id", func(p *Plan, o *Options) { p.Cases[1].ID = "" }},
		{`case id "c1" appears twice`, func(p *Plan, o *Options) { p.Cases[1].ID = "c1" }},
		{`arm 2: name "main" is empty or taken`, func(p *Plan, o *Options) { p.Arms = append(p.Arms, p.Arms[0]) }},
		{`arm 1: name "" is empty`, func(p *Plan, o *Options) { p.Arms[0].Name = "" }},
		{`arm "main" has no agent`, func(p *Plan, o *Options) { p.Arms[0].Agent = nil }},
	} {
		p, o := testPlan(3, 1, 1), Options{Writer: &sink{}}
		p.Arms = []Arm{{"main", a}}
		require.NoError(t, check(&p, &o))
		c.change(&p, &o)
		sum, err := Run(t.Context(), p, o)
		require.ErrorContains(t, err, c.want)
		assert.Zero(t, sum)
	}
}
