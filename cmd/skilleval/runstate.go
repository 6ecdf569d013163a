package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/skilleval/skilleval/results"
)

// commandOf is the command that made a run.
func commandOf(h *results.Header) string {
	switch {
	case h.AB != nil:
		return "ab"
	case len(h.Arms) > 0 && h.Arms[0].Catalog != "": // arms that say their catalogue are those of an ablation
		return "ablate"
	}
	return "run"
}

// toFinish says how a run is continued.
func toFinish(h *results.Header, dir string) string {
	return fmt.Sprintf("continue it with the same \"skilleval %s\" command as before and --resume --out %s", commandOf(h), dir)
}

// measuredNote says how many of the cases that were planned a run measured; "" where it measured all. A run of
// "ab --sequential" stops when its answer is clear, and is complete.
func measuredNote(h *results.Header, which string, measured int) string {
	if measured >= h.Cases || measured == 0 {
		return ""
	}
	note := fmt.Sprintf("%s measured %d of %d planned cases", which, measured, h.Cases)
	if len(h.Notes) > 0 {
		note += ": " + strings.Join(h.Notes, "; ")
	}
	return note
}

// armOf finds an arm of a run by name; "" is the only one of a run that has one.
func armOf(h results.Header, dir, name, flags string) (*results.Arm, error) {
	var names []string
	for i := range h.Arms {
		if h.Arms[i].Name == name || name == "" && len(h.Arms) == 1 {
			return &h.Arms[i], nil
		}
		names = append(names, h.Arms[i].Name)
	}
	if name == "" {
		return nil, fmt.Errorf("%s has several arms: choose one with %s; they are %s", dir, flags, strings.Join(names, ", "))
	}
	return nil, fmt.Errorf("%s has no arm %q: its arms are %s", dir, name, strings.Join(names, ", "))
}

// unfinished is the error of a run that did not reach its end.
func (a *app) unfinished(p *performed) error {
	sum, resume := p.summary, fmt.Sprintf("continue with the same command and --resume --out %s", p.dir)
	switch {
	case a.replies.unwritten() != nil && !sum.Complete():
		return failWith(exitServer, fmt.Errorf("%w; the run stopped with %d trials unfinished, since a replay would lack what it went on to ask: make room, then %s",
			a.replies.unwritten(), sum.Unfinished(), resume))
	case sum.Interrupted:
		a.say("interrupted after %d of %d trials; %s", sum.Done+sum.Skipped, sum.Planned, resume)
		return failWith(exitInterrupted, nil)
	case !sum.Complete() && a.replies != nil && a.replies.missing.Load() > 0:
		return a.replayed(failWith(exitServer, errors.New(sum.Reason)))
	case !sum.Complete():
		if sum.Aborted && !sum.TimedOut {
			resume += ", or with --allow-errors N to go on all the same"
		}
		return failWith(exitServer, fmt.Errorf("%s; %s", sum.Reason, resume))
	}
	return nil
}
