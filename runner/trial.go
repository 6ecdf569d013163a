package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// ClassInternal is the error class of a trial that failed by a defect of the program: a panic, or an error of
// the agent that is neither the model's nor the server's.
const ClassInternal agent.ErrorClass = "internal"

// errUnfinished marks a trial that was cut off from outside: it is not recorded.
var errUnfinished = errors.New("trial is unfinished")

// do performs one trial, records it and counts it. Its error ends the run.
func (j *job) do(ctx context.Context, u unit) error {
	if ctx.Err() != nil {
		return nil
	}
	start := j.o.Now()
	out, err := j.ask(ctx, u)
	if errors.Is(err, errUnfinished) {
		return nil
	}
	t, rerr := record(u, out)
	if rerr != nil {
		return rerr
	}
	t.Error = problem(err)
	t.StartedAt = start.UTC().Format(time.RFC3339Nano)
	t.LatencyMS = float64(j.o.Now().Sub(start).Microseconds()) / 1000
	if err := j.score(u.c, t); err != nil {
		return fmt.Errorf("score case %q, arm %q, repetition %d: %w", u.c.ID, u.arm.name, u.repetition, err)
	}
	redactTrial(t, j.o.Redact)
	if err := j.append(t); err != nil {
		return fmt.Errorf("record case %q, arm %q, repetition %d: %w", u.c.ID, u.arm.name, u.repetition, err)
	}
	j.count(t)
	return nil
}

// repetitionKey is the context key of a trial's repetition.
type repetitionKey struct{}

// Repetition is which repetition of its case, from 0, a request is made for; ok is false outside of a run. A response
// cache needs it: repetitions are independent trials and must not share a reply.
func Repetition(ctx context.Context) (n int, ok bool) {
	n, ok = ctx.Value(repetitionKey{}).(int)
	return n, ok
}

// ask lets the agent do its task under the trial's time limit. The outcome is never nil. The error is nil,
// errUnfinished, or a *agent.ModelError.
func (j *job) ask(ctx context.Context, u unit) (*agent.Outcome, error) {
	limited, cancel := context.WithValue(ctx, repetitionKey{}, u.repetition), context.CancelFunc(func() {})
	if j.plan.TrialTimeout > 0 {
		limited, cancel = context.WithTimeout(limited, j.plan.TrialTimeout)
	}
	defer cancel()
	var out *agent.Outcome
	err := guard(func() (err error) {
		out, err = u.arm.agent.Run(limited, j.task(u))
		return err
	})
	if out == nil {
		out = &agent.Outcome{}
	}
	switch {
	case err == nil:
		return out, nil
	case over(ctx):
		return out, errUnfinished
	}
	return out, j.classify(limited, err)
}

// classify makes a *agent.ModelError of any error of a trial that was not cut off from outside.
func (j *job) classify(limited context.Context, err error) error {
	var m *agent.ModelError
	if !errors.As(err, &m) {
		m = &agent.ModelError{Class: ClassInternal, Message: err.Error(), Err: err}
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			m.Class = agent.ErrTimeout
		case errors.Is(err, context.Canceled):
			m.Class = agent.ErrCancelled
		}
	}
	// When the trial's own limit struck, the transport may call it a cancellation or a broken connection.
	late := over(limited) && (m.Class == agent.ErrCancelled || m.Class == agent.ErrNetwork || m.Class == agent.ErrTimeout)
	switch {
	case late:
		return &agent.ModelError{Class: agent.ErrTimeout, Status: m.Status, Retries: m.Retries, Err: err,
			Message: fmt.Sprintf("the trial took longer than its limit of %v: %s", j.plan.TrialTimeout, m.Message)}
	case m.Class == agent.ErrCancelled:
		return errUnfinished
	}
	return m
}

// over reports whether a context has ended or is about to: a connection keeps the deadline by a timer of its own,
// which may be the first to go off.
func over(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return ctx.Err() != nil || limited && !time.Now().Before(deadline)
}

// guard calls f and turns a panic into an error that names the place.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &agent.ModelError{Class: ClassInternal, Message: fmt.Sprintf("panic: %v%s", v, panicPlace())}
		}
	}()
	return f()
}

// panicPlace is " at function (file:line)" of the panic that is being recovered, or "".
func panicPlace() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" at %s (%s:%d)", f.Function, filepath.Base(f.File), f.Line)
		}
	}
	return ""
}

// problem is the record of an error of ask.
func problem(err error) *results.Problem {
	var m *agent.ModelError
	if !errors.As(err, &m) {
		return nil
	}
	return &results.Problem{Class: string(m.Class), Message: m.Message, Status: m.Status}
}

// score fills in t.Scores, unless t is an error. A panic of the scorer makes it one.
func (j *job) score(c *datasets.Case, t *results.Trial) error {
	if j.o.Scorer == nil || t.Error != nil {
		return nil
	}
	var failed error
	crash := guard(func() error {
		t.Scores, failed = j.o.Scorer.Score(c, t)
		return nil
	})
	if crash != nil {
		t.Error = problem(crash)
		return nil
	}
	if failed == nil && t.Scores == nil {
		failed = errors.New("the scorer returned no scores")
	}
	return failed
}

// append writes the trial. One that does not fit into the run file is recorded as an error without its content,
// so that no reply, however large, ends the run.
func (j *job) append(t *results.Trial) error {
	err := j.o.Writer.Append(t)
	if !errors.Is(err, results.ErrTooLarge) {
		return err
	}
	t.Error = &results.Problem{Class: string(agent.ErrReply), Message: err.Error()}
	t.Scores, t.Fault, t.Selected, t.Answer, t.Refusal = nil, nil, nil, "", ""
	t.Calls = []results.Call{}
	return j.o.Writer.Append(t)
}
