package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skilleval/skilleval/skills"
)

const (
	maxParallel  = 8                      // calls of one turn that run at the same time
	retryBackoff = 100 * time.Millisecond // before the first retry; doubled before each further one
)

// StubExecutor runs nothing. It answers with the task's declared result for the skill, else with the
// skill's own, else with {"status":"ok","skill":NAME}. It is what evaluations use by default.
type StubExecutor struct{}

// Execute implements [Executor].
func (StubExecutor) Execute(_ context.Context, s *skills.Skill, _ json.RawMessage, t *Task) (string, error) {
	for _, declared := range []json.RawMessage{t.Results[s.Name], s.Result} {
		if len(declared) == 0 {
			continue
		}
		if text, ok := textOf(declared); ok {
			return text, nil
		}
		return string(declared), nil
	}
	return fmt.Sprintf(`{"status":"ok","skill":%s}`, quoteJSON(s.Name)), nil
}

// executeAll runs the calls whose arguments are valid, side by side, and fills in their results. The error is
// that of the task's own context.
func (r *run) executeAll(ctx context.Context, work []*attempt) error {
	if len(work) == 1 {
		r.executeOne(ctx, work[0])
	} else {
		var group errgroup.Group
		group.SetLimit(maxParallel)
		for _, at := range work {
			group.Go(func() error {
				r.executeOne(ctx, at) // each writes to its own attempt alone
				return nil
			})
		}
		_ = group.Wait() // no function returns an error
	}
	for _, at := range work {
		r.emitExecution(at)
	}
	return ctx.Err()
}

func (r *run) executeOne(ctx context.Context, at *attempt) {
	started := time.Now()
	text, err := r.agent.execute(ctx, at.entry, at.call.Args, r.task)
	at.call.Elapsed = time.Since(started)
	if err != nil {
		at.call.Failed = err.Error()
		text = fmt.Sprintf("Error: %s failed: %s", at.entry.name(), at.call.Failed)
	}
	limit := at.entry.skill.ResultLimit
	if limit <= 0 {
		limit = r.agent.opts.ResultLimit
	}
	at.call.Result = Summarize(text, limit)
}

// execute runs one call within its time, retries included. An executor that does not heed its context is
// left behind.
func (a *Agent) execute(ctx context.Context, e *entry, args json.RawMessage, t *Task) (string, error) {
	limit := e.skill.Timeout
	if limit <= 0 {
		limit = a.opts.CallTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("timed out after %s", limit))
	defer cancel()
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := a.tries(ctx, e, args, t)
		done <- result{text, err}
	}()
	select {
	case got := <-done:
		if errors.Is(got.err, context.DeadlineExceeded) && ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return got.text, got.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// tries waits for one of the skill's slots and runs the call until it succeeds, its retries are used up, or its
// time is.
func (a *Agent) tries(ctx context.Context, e *entry, args json.RawMessage, t *Task) (text string, err error) {
	if e.slots != nil {
		select {
		case e.slots <- struct{}{}:
			defer func() { <-e.slots }()
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	for try := 0; ; try++ {
		text, err = a.opts.Executor.Execute(ctx, e.skill, args, t)
		if err == nil || try >= e.skill.Retries || ctx.Err() != nil {
			return text, err
		}
		select {
		case <-time.After(retryBackoff << min(try, 10)):
		case <-ctx.Done():
			return "", err
		}
	}
}
