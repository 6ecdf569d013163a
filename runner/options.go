package runner

import (
	"errors"
	"fmt"
	"time"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/results"
)

// Appender takes finished trials. It must be safe for concurrent use; when Append returns nil the trial is safe.
// A *results.Writer is one.
type Appender interface {
	Append(*results.Trial) error
}

// Options is what a run needs beside its plan. Only Writer is required.
type Options struct {
	Writer Appender
	// Done holds trials of an earlier session that need not be asked again.
	Done map[results.Key]bool
	// Scorer scores trials that are not errors; nil: they are recorded without scores.
	Scorer Scorer
	// Progress is called after each trial that is on disk, one call at a time; nil: not called.
	Progress func(Progress)
	// AbortAfter stops the run early when its first n finished trials all failed in a way that more trials
	// cannot mend: no connection, refused key, refused request, replies that are none. 0: never.
	AbortAfter int
	// Now is the clock of StartedAt and LatencyMS; nil: time.Now.
	Now func() time.Time
	// Redact takes secrets out of a text; nil: texts stay as they are. It is applied to every text that came
	// from a model, a server or an error before the text is appended or observed, after scoring.
	Redact func(string) string
	// Observe receives every event of every trial: in order within a trial, concurrently for different trials.
	Observe func(key results.Key, e agent.Event)
}

// Progress is how far a run is. Done counts the trials that are on disk, those of earlier sessions included, so
// that Done/Planned is the share of the work; Errors counts this session's.
type Progress struct{ Done, Planned, Errors int }

// Summary is what a session of a run came to. Planned = Skipped + Done + [Summary.Unfinished].
type Summary struct {
	Planned int // trials of the plan
	Done    int // finished and recorded in this session, errors included
	Skipped int // finished in an earlier session
	Errors  int // of Done

	// Interrupted: the caller's context ended before the last trial did.
	Interrupted bool
	// Aborted: the run stopped itself, by AbortAfter, its time limit or an error of the run.
	Aborted bool
	// TimedOut: it was Plan.RunTimeout that stopped it; Aborted is set too.
	TimedOut bool
	// Reason says in words why trials are unfinished; "" when none are.
	Reason string
}

// Unfinished is the number of planned trials that are not recorded. The run can be resumed for them.
func (s Summary) Unfinished() int { return s.Planned - s.Skipped - s.Done }

// Complete reports whether every planned trial is recorded, errors included.
func (s Summary) Complete() bool { return s.Unfinished() == 0 }

// check refuses a plan that cannot be run, before anything is asked.
func check(p *Plan, o *Options) error {
	switch {
	case len(p.Cases) == 0:
		return errors.New("plan has no cases")
	case len(p.Arms) == 0:
		return errors.New("plan has no arms")
	case p.Repetitions < 1:
		return fmt.Errorf("plan has %d repetitions; it needs at least 1", p.Repetitions)
	case p.Concurrency < 1:
		return fmt.Errorf("plan has concurrency %d; it needs at least 1", p.Concurrency)
	case p.TrialTimeout < 0 || p.RunTimeout < 0:
		return errors.New("plan has a negative time limit; 0 means none")
	case o.Writer == nil:
		return errors.New("run has no writer for its trials")
	}
	ids := make(map[string]bool, len(p.Cases))
	for i := range p.Cases {
		id := p.Cases[i].ID
		if id == "" {
			return fmt.Errorf("case %d has no id", i+1)
		}
		if ids[id] {
			return fmt.Errorf("case id %q appears twice", id)
		}
		ids[id] = true
	}
	names := make(map[string]bool, len(p.Arms))
	for i, a := range p.Arms {
		if a.Name == "" || names[a.Name] {
			return fmt.Errorf("arm %d: name %q is empty or taken", i+1, a.Name)
		}
		if a.Agent == nil {
			return fmt.Errorf("arm %q has no agent", a.Name)
		}
		names[a.Name] = true
	}
	return nil
}
