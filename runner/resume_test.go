package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/results"
)

// chooser answers as a model would, after a delay, from nothing but the request.
func chooser(delay func() time.Duration) model {
	return func(ctx context.Context, req *agent.Request) (*agent.Reply, error) {
		if err := wait(ctx, delay()); err != nil {
			return nil, &agent.ModelError{Class: agent.ErrCancelled, Message: err.Error(), Err: err}
		}
		last := req.Messages[len(req.Messages)-1]
		h := trialHash(0, fmt.Sprint(len(req.Messages), last.Content, len(req.Tools)), 0)
		usage := agent.Usage{Prompt: len(last.Content), Completion: 5}
		seed := ""
		if req.Seed != nil {
			seed = fmt.Sprint(*req.Seed)
		}
		switch {
		case h[0]%5 == 0:
			return nil, &agent.ModelError{Class: agent.ErrServer, Status: 503, Message: "busy " + seed}
		case len(req.Messages) > 4 || h[0]%5 == 1:
			return &agent.Reply{Content: "done " + seed, Usage: usage}, nil
		case len(req.Tools) == 1 && req.Tools[0].Name == "select_skill":
			return &agent.Reply{ToolCalls: []agent.ToolCall{{ID: "1", Name: "select_skill", Arguments: `{"name":"weather"}`}}, Usage: usage}, nil
		}
		return &agent.Reply{ToolCalls: []agent.ToolCall{{ID: "2", Name: "weather", Arguments: `{"city":"` + seed + `"}`}}, Usage: usage}, nil
	}
}

// session runs a plan of two arms into dir under synthetic time.
func session(t *testing.T, ctx context.Context, dir string, concurrency int, random uint64, resume bool, progress func(Progress)) Summary {
	t.Helper()
	o := Options{Scorer: fine, Progress: progress}
	var w *results.Writer
	if resume {
		var run *results.Run
		var err error
		w, run, err = results.Resume(dir)
		require.NoError(t, err)
		o.Done = run.Finished()
	} else {
		w = create(t, dir, "new", "old")
	}
	o.Writer = w
	var delays atomic.Uint64
	a := realAgent(t, chooser(func() time.Duration {
		h := trialHash(int64(random), "", int(delays.Add(1)))
		return time.Duration(h[0]) * time.Millisecond
	}))
	p := testPlan(40, 2, concurrency)
	p.SendSeed, p.Arms = true, []Arm{{"new", a}, {"old", a}}
	sum, err := Run(ctx, p, o)
	require.NoError(t, err)
	require.NoError(t, w.Finish(results.Header{ID: "t", Arms: []results.Arm{{Name: "new"}, {Name: "old"}}, Complete: sum.Complete()}))
	return sum
}

func TestSameTrialsWhateverTheConcurrency(t *testing.T) {
	base := t.TempDir()
	want := ""
	for i, concurrency := range []int{1, 64, 64, 7, 2} {
		dir := filepath.Join(base, fmt.Sprint(i))
		synctest.Test(t, func(t *testing.T) {
			sum := session(t, t.Context(), dir, concurrency, uint64(i), false, nil)
			require.True(t, sum.Complete())
			require.Positive(t, sum.Errors)
			require.Less(t, sum.Errors, sum.Done)
		})
		got := canonical(t, dir)
		if i == 0 {
			want = got
		}
		require.Equal(t, want, got, "concurrency %d", concurrency)
	}
}

func TestInterruptedRunIsFinishedByResume(t *testing.T) {
	base := t.TempDir()
	undisturbed := filepath.Join(base, "undisturbed")
	synctest.Test(t, func(t *testing.T) { session(t, t.Context(), undisturbed, 8, 1, false, nil) })
	want := canonical(t, undisturbed)
	for _, after := range []int{1, 50, 159} {
		dir := filepath.Join(base, fmt.Sprint(after))
		var first Summary
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			first = session(t, ctx, dir, 8, 2, false, func(p Progress) {
				if p.Done == after {
					cancel()
				}
			})
		})
		require.True(t, first.Interrupted)
		run, err := results.Open(dir)
		require.NoError(t, err)
		require.Equal(t, first.Done, run.Len(), "everything finished is on disk, and nothing else")
		require.False(t, run.Header().Complete)
		scored := len(run.Finished())
		require.Equal(t, first.Done-first.Errors, scored)

		synctest.Test(t, func(t *testing.T) {
			second := session(t, t.Context(), dir, 8, 3, true, nil)
			require.Equal(t, Summary{Planned: 160, Skipped: scored, Done: 160 - scored, Errors: second.Errors}, second)
		})
		run, err = results.Open(dir)
		require.NoError(t, err)
		require.Equal(t, 160, run.Len())
		require.True(t, run.Header().Complete)
		require.Equal(t, want, canonicalWithNotes(t, dir))
	}
}

// canonicalWithNotes is canonical for a run in which errors were asked again, which is noted.
func canonicalWithNotes(t *testing.T, dir string) string {
	t.Helper()
	run, err := results.Open(dir)
	require.NoError(t, err)
	copied := filepath.Join(t.TempDir(), "copy")
	w := create(t, copied, "new", "old")
	require.NoError(t, run.Trials(func(trial *results.Trial) error { return w.Append(trial) }))
	require.NoError(t, w.Close())
	return canonical(t, copied)
}

// The key that the reader gives is the key that the writer wrote.
func TestResumeOfACompleteRunAsksNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w := create(t, dir, "A", "B")
	p := testPlan(30, 3, 8)
	p.Cases[3].ID = "../../odd \"id\"\n杭州"
	arms := []arm{{"A", fake(good)}, {"B", fake(good)}}
	_, err := execute(t.Context(), p, arms, Options{Writer: w, Scorer: fine})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	before := canonical(t, dir)

	w, run, err := results.Resume(dir)
	require.NoError(t, err)
	called := fake(func(context.Context, agent.Task) (*agent.Outcome, error) { t.Error("asked again"); return nil, nil })
	sum, err := execute(t.Context(), p, []arm{{"A", called}, {"B", called}}, Options{Writer: w, Done: run.Finished(), Scorer: fine})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	assert.Equal(t, Summary{Planned: 180, Skipped: 180}, sum)
	assert.Equal(t, before, canonical(t, dir))
}
