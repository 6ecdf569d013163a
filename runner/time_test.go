package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/results"
)

// wait is a request that takes so long, unless its context ends.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// slow takes so long for a case and reports the end of its context in one of the ways agents do.
func slow(took func(task agent.Task) time.Duration, fail func(error) error) fake {
	return func(ctx context.Context, task agent.Task) (*agent.Outcome, error) {
		if err := wait(ctx, took(task)); err != nil {
			return &agent.Outcome{Rounds: 1}, fail(err)
		}
		return answer(task.Input), nil
	}
}

func always(d time.Duration) func(agent.Task) time.Duration {
	return func(agent.Task) time.Duration { return d }
}

func classed(class agent.ErrorClass) func(error) error {
	return func(err error) error { return &agent.ModelError{Class: class, Message: "broken off", Err: err} }
}

func TestOneCaseThatNeverAnswers(t *testing.T) {
	for name, fail := range map[string]func(error) error{
		"plain": func(err error) error { return fmt.Errorf("read body: %w", err) }, "timeout": classed(agent.ErrTimeout),
		"called cancelled": classed(agent.ErrCancelled), "called network": classed(agent.ErrNetwork),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := testPlan(40, 1, 2)
				p.TrialTimeout = 5 * time.Second
				worker := slow(func(task agent.Task) time.Duration {
					if task.Input == "question c3" {
						return time.Hour
					}
					return 100 * time.Millisecond
				}, fail)
				s := &sink{}
				start := time.Now()
				sum, err := execute(t.Context(), p, []arm{{"main", worker}}, Options{Writer: s, Scorer: fine, AbortAfter: 1})
				require.NoError(t, err)
				assert.Equal(t, Summary{Planned: 40, Done: 40, Errors: 1}, sum)
				assert.Equal(t, 5*time.Second+100*time.Millisecond, time.Since(start), "the others went on meanwhile")
				last := s.trials[39]
				assert.Equal(t, "c3", last.Case)
				assert.Equal(t, "timeout", last.Error.Class)
				assert.Contains(t, last.Error.Message, "longer than its limit of 5s")
				assert.InDelta(t, 5000, last.LatencyMS, 0.001)
				assert.Nil(t, last.Scores)
			})
		})
	}
}

func TestTimeoutOfAnAttemptKeepsItsMessage(t *testing.T) {
	s := &sink{}
	p := testPlan(1, 1, 1)
	p.TrialTimeout = time.Hour
	_, err := execute(t.Context(), p, []arm{{"main", failing(agent.ErrTimeout, 0)}}, Options{Writer: s})
	require.NoError(t, err)
	assert.Equal(t, &results.Problem{Class: "timeout", Message: "no luck"}, s.trials[0].Error)
	s = &sink{}
	deadline := fake(func(context.Context, agent.Task) (*agent.Outcome, error) { return nil, context.DeadlineExceeded })
	_, err = execute(t.Context(), p, []arm{{"main", deadline}}, Options{Writer: s})
	require.NoError(t, err)
	assert.Equal(t, "timeout", s.trials[0].Error.Class)
}

func TestServerErrorAtTheDeadlineKeepsItsClass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := testPlan(1, 1, 1)
		p.TrialTimeout = time.Second
		s := &sink{}
		_, err := execute(t.Context(), p, []arm{{"main", slow(always(time.Hour), classed(agent.ErrServer))}}, Options{Writer: s})
		require.NoError(t, err)
		assert.Equal(t, &results.Problem{Class: "server", Message: "broken off"}, s.trials[0].Error)
	})
}

func TestRunTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := testPlan(10, 1, 2)
		p.RunTimeout, p.TrialTimeout = 2500*time.Millisecond, time.Minute
		s := &sink{}
		start := time.Now()
		sum, err := execute(t.Context(), p, []arm{{"main", slow(always(time.Second), classed(agent.ErrTimeout))}}, Options{Writer: s})
		require.NoError(t, err)
		assert.Equal(t, 2500*time.Millisecond, time.Since(start))
		assert.Equal(t, Summary{Planned: 10, Done: 4, Aborted: true, TimedOut: true,
			Reason: "the run's time limit of 2.5s was reached with 6 trials unfinished"}, sum)
		assert.Len(t, s.trials, 4, "trials in flight are not recorded, not even as timeouts")
	})
}

func TestRunTimeoutAfterTheLastTrialIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := testPlan(2, 1, 2)
		p.RunTimeout = time.Second
		deaf := fake(func(context.Context, agent.Task) (*agent.Outcome, error) {
			time.Sleep(2 * time.Second)
			return answer("x"), nil
		})
		sum, err := execute(t.Context(), p, []arm{{"main", deaf}}, Options{Writer: &sink{}})
		require.NoError(t, err)
		assert.Equal(t, Summary{Planned: 2, Done: 2}, sum, "what was finished counts")
	})
}

// A connection may report the run's deadline before the context does.
func TestDeadlineSeenByTheConnectionFirst(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	assert.True(t, over(ctx))
	assert.True(t, over(lagging{ctx}))
	assert.False(t, over(t.Context()))
	ctx, cancel2 := context.WithTimeout(t.Context(), time.Hour)
	assert.False(t, over(ctx))
	cancel2()
	assert.True(t, over(ctx))
}

// lagging is a context whose timer has not gone off yet.
type lagging struct{ context.Context }

func (lagging) Err() error { return nil }

func TestInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &sink{}
		o := Options{Writer: s, Progress: func(p Progress) {
			if p.Done == 3 {
				cancel()
			}
		}}
		start := time.Now()
		sum, err := execute(ctx, testPlan(10, 1, 2), []arm{{"main", slow(always(time.Second), classed(agent.ErrCancelled))}}, o)
		require.NoError(t, err)
		assert.True(t, sum.Interrupted)
		assert.False(t, sum.Aborted)
		assert.Equal(t, len(s.trials), sum.Done)
		assert.Zero(t, sum.Errors)
		assert.LessOrEqual(t, sum.Done, 4)
		assert.Contains(t, sum.Reason, "interrupted with")
		assert.Equal(t, 2*time.Second, time.Since(start), "at once")
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	called := fake(func(context.Context, agent.Task) (*agent.Outcome, error) { return nil, errors.New("called") })
	sum, err := execute(ctx, testPlan(10, 1, 2), []arm{{"main", called}}, Options{Writer: &sink{}})
	require.NoError(t, err)
	assert.Equal(t, Summary{Planned: 10, Interrupted: true, Reason: "interrupted with 10 trials unfinished"}, sum)
}

func TestCancelledByTheModelAlone(t *testing.T) {
	s := &sink{}
	sum, err := execute(t.Context(), testPlan(3, 1, 1), []arm{{"main", failing(agent.ErrCancelled, 0)}}, Options{Writer: s})
	require.NoError(t, err)
	assert.Empty(t, s.trials)
	assert.True(t, sum.Interrupted)
	assert.Equal(t, "3 trials were cancelled before they finished", sum.Reason)
}

func TestAbortLeavesTrialsInFlightUnrecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		worker := fake(func(ctx context.Context, task agent.Task) (*agent.Outcome, error) {
			if task.Input == "question c1" {
				return failing(agent.ErrAuth, 401)(ctx, task)
			}
			return &agent.Outcome{}, classed(agent.ErrCancelled)(wait(ctx, time.Hour))
		})
		s := &sink{}
		start := time.Now()
		sum, err := execute(t.Context(), testPlan(100, 1, 8), []arm{{"main", worker}}, Options{Writer: s, AbortAfter: 1})
		require.NoError(t, err)
		assert.Equal(t, []string{"c1/main/0"}, s.keys())
		assert.True(t, sum.Aborted)
		assert.Zero(t, time.Since(start))
	})
}

// All slots are busy from the first trial to the last: no batches, no barriers.
func TestSlotsStayBusy(t *testing.T) {
	const slots, trials = 32, 1000
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := execute(t.Context(), testPlan(trials, 1, slots), []arm{{"main", slow(always(50*time.Millisecond), classed(agent.ErrTimeout))}}, Options{Writer: &sink{}})
		require.NoError(t, err)
		assert.Equal(t, 32*50*time.Millisecond, time.Since(start), "⌈1000/32⌉ rounds")
	})
	synctest.Test(t, func(t *testing.T) {
		var sum, longest time.Duration
		took := map[string]time.Duration{}
		p := testPlan(trials, 1, slots)
		random := rand.New(rand.NewPCG(1, 2))
		for _, c := range p.Cases {
			d := time.Duration(1+random.IntN(500)) * time.Millisecond
			took[c.Input], sum, longest = d, sum+d, max(longest, d)
		}
		var now, peak atomic.Int64
		worker := slow(func(task agent.Task) time.Duration { return took[task.Input] }, classed(agent.ErrTimeout))
		start := time.Now()
		_, err := execute(t.Context(), p, []arm{{"main", fake(func(ctx context.Context, task agent.Task) (*agent.Outcome, error) {
			if n := now.Add(1); n > peak.Load() {
				peak.Store(n)
			}
			defer now.Add(-1)
			return worker(ctx, task)
		})}}, Options{Writer: &sink{}})
		require.NoError(t, err)
		assert.LessOrEqual(t, time.Since(start), sum/slots+longest)
		assert.EqualValues(t, slots, peak.Load(), "never more than allowed, and all of them")
	})
}
