package runner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/results"
)

// performer is what a trial needs of an agent.
type performer interface {
	Run(ctx context.Context, t agent.Task) (*agent.Outcome, error)
}

// arm is one variant of the plan.
type arm struct {
	name  string
	agent performer
}

// The causes with which a run stops itself.
var (
	errRunTimeout = errors.New("time limit of the run")
	errHopeless   = errors.New("every trial failed")
)

// job is one session of a run. Everything but the fields under mu is written before the first trial starts.
type job struct {
	plan Plan
	arms []arm
	o    Options
	stop context.CancelCauseFunc // ends the session; trials in flight are left unfinished

	mu       sync.Mutex // guards what follows, and serialises Progress
	summary  Summary
	hopeless int    // trials that failed beyond mending, while no other kind has finished
	first    string // the first of them
}

// Run performs every trial of the plan that is not in o.Done. Trials that fail are recorded with their error
// class and without scores. When ctx ends, the run's time is over, or AbortAfter strikes, trials in flight are
// left unrecorded, everything finished is on disk, and the error is nil: the Summary says what happened and the
// run can be resumed. The error is not nil when the plan cannot be run, a trial could not be written, or the
// scorer failed; the Summary then still counts what is on disk.
func Run(ctx context.Context, p Plan, o Options) (Summary, error) {
	if err := check(&p, &o); err != nil {
		return Summary{}, err
	}
	arms := make([]arm, len(p.Arms))
	for i, a := range p.Arms {
		arms[i] = arm{a.Name, a.Agent}
	}
	return execute(ctx, p, arms, o)
}

// execute is Run after the checks, with the arms' agents behind an interface.
func execute(ctx context.Context, p Plan, arms []arm, o Options) (Summary, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	j := &job{plan: p, arms: arms, o: o}
	j.summary.Planned = len(p.Cases) * len(arms) * p.Repetitions
	j.summary.Skipped = j.finished()
	session, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	j.stop = stop
	if p.RunTimeout > 0 {
		var cancel context.CancelFunc
		session, cancel = context.WithTimeoutCause(session, p.RunTimeout, errRunTimeout)
		defer cancel()
	}
	err := j.all(session)
	return j.conclude(ctx, context.Cause(session), err), err
}

// finished counts the trials of the plan that an earlier session finished. It goes through those, not through the plan,
// which may be any number of times larger.
func (j *job) finished() int {
	if len(j.o.Done) == 0 {
		return 0
	}
	cases, arms := make(map[string]bool, len(j.plan.Cases)), make(map[string]bool, len(j.arms))
	for i := range j.plan.Cases {
		cases[j.plan.Cases[i].ID] = true
	}
	for _, a := range j.arms {
		arms[a.name] = true
	}
	n := 0
	for k, done := range j.o.Done {
		if done && cases[k.Case] && arms[k.Arm] && k.Repetition >= 0 && k.Repetition < j.plan.Repetitions {
			n++
		}
	}
	return n
}

// all runs the trials. It is the only place that starts goroutines: one for each trial, at most
// Plan.Concurrency at a time, the next as soon as one ends. A goroutine owns its unit and what it makes of it;
// the cases, arms and options are shared and only read; the counters belong to job.mu.
func (j *job) all(session context.Context) error {
	group, ctx := errgroup.WithContext(session)
	group.SetLimit(j.plan.Concurrency)
	for u := range j.units {
		if ctx.Err() != nil {
			break
		}
		if !j.o.Done[u.key()] {
			group.Go(func() error { return j.do(ctx, u) })
		}
	}
	return group.Wait()
}

// count notes a trial that is on disk.
func (j *job) count(t *results.Trial) {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := &j.summary
	s.Done++
	if t.Error != nil {
		s.Errors++
	}
	j.watch(t)
	if j.o.Progress != nil {
		j.o.Progress(Progress{Done: s.Skipped + s.Done, Planned: s.Planned, Errors: s.Errors})
	}
}

// watch stops a session whose first trials show that none can succeed; one that goes on with a run in which a trial did
// succeed is never stopped. The caller holds j.mu.
func (j *job) watch(t *results.Trial) {
	if j.o.AbortAfter <= 0 || j.summary.Skipped > 0 || j.hopeless != j.summary.Done-1 || t.Error == nil || !beyondMending(t.Error) {
		return
	}
	if j.hopeless++; j.hopeless == 1 {
		j.first = describe(t.Error)
	}
	if j.hopeless == j.o.AbortAfter {
		j.stop(errHopeless)
	}
}

// beyondMending reports the errors of a wrong address, key, model or server. A status 400 may be about the one request
// alone: a prompt that is too long, a content that is refused.
func beyondMending(p *results.Problem) bool {
	switch agent.ErrorClass(p.Class) {
	case agent.ErrNetwork, agent.ErrAuth, agent.ErrReply:
		return true
	case agent.ErrRequest:
		return p.Status != http.StatusBadRequest
	}
	return false
}

func describe(p *results.Problem) string {
	if p.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d): %s", p.Class, p.Status, p.Message)
	}
	return p.Class + ": " + p.Message
}

// conclude says why trials are unfinished, if any are. The cause is nil or what ended the session.
func (j *job) conclude(ctx context.Context, cause, err error) Summary {
	s := j.summary
	n := s.Unfinished()
	switch {
	case n == 0:
	case err != nil:
		s.Aborted = true
		s.Reason = fmt.Sprintf("stopped by an error with %d trials unfinished", n)
	case errors.Is(cause, errHopeless):
		s.Aborted = true
		s.Reason = fmt.Sprintf("stopped early with %d trials unfinished: the first %d all failed, the first with %s", n, j.hopeless, j.first)
	case errors.Is(cause, errRunTimeout):
		s.Aborted, s.TimedOut = true, true
		s.Reason = fmt.Sprintf("the run's time limit of %v was reached with %d trials unfinished", j.plan.RunTimeout, n)
	case ctx.Err() != nil:
		s.Interrupted = true
		s.Reason = fmt.Sprintf("interrupted with %d trials unfinished", n)
	default:
		s.Interrupted = true
		s.Reason = fmt.Sprintf("%d trials were cancelled before they finished", n)
	}
	return s
}
