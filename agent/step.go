package agent

import (
	"fmt"
	"slices"
)

// step is where a task stands: what the next request offers.
type step struct {
	stage   *stage
	offer   selection // level 2 of two-level and grouped: the skill whose arguments are asked for
	repairs int       // errors given back at this step without any progress
}

// selection is a skill that was chosen.
type selection struct {
	entry *entry
	flags []string
}

// record notes what came of each call, in order: valid ones are complete, refused ones go back to the model
// or, when they went back often enough, are complete as they are and end the task.
func (r *run) record(t *turn) {
	for i, at := range t.attempts {
		switch {
		case at == nil: // no call of a skill, and answered already
		case at.call.Valid:
			r.out.Calls = append(r.out.Calls, at.call)
			t.notes[i] = note{kind: noteResult, skill: at.entry.name(), text: at.call.Result}
		case at.call.Repairs >= r.agent.opts.MaxRepairs:
			r.out.Calls = append(r.out.Calls, at.call)
			r.fail(FaultInvalidArgs, fmt.Sprintf("%s: %s", at.entry.name(), at.faults()))
		default:
			r.open = append(r.open, at)
			t.notes[i] = refusal(fmt.Sprintf("invalid arguments for %s:\n%s", at.entry.name(), at.faults()))
		}
	}
}

// abandon closes the open calls that a turn did not try again, as they are.
func (r *run) abandon(again []*attempt) {
	for _, at := range r.open {
		if !slices.Contains(again, at) {
			r.out.Calls = append(r.out.Calls, at.call)
		}
	}
	r.open = nil
}

// advance moves to the next step: back to arguments that were refused, on to the next chosen skill, or back to
// the start to choose again.
func (r *run) advance(t *turn) {
	completed := t.valid()
	r.queue = slices.Concat(t.chosen, r.queue)
	r.consume(completed)
	switch {
	case r.done:
	case len(r.open) > 0:
		if !r.view.flat && r.step.offer.entry != r.open[0].entry {
			r.offer(selection{entry: r.open[0].entry})
		}
	case r.task.Until == untilCall && slices.ContainsFunc(r.out.Calls, func(c Call) bool { return c.Valid }):
		r.done = true
	case len(r.queue) > 0:
		r.offer(r.queue[0])
		r.queue = r.queue[1:]
	case t.category != nil:
		r.step = step{stage: t.category}
	default:
		r.step = step{stage: r.view.first}
	}
}

// offer asks for the arguments of a chosen skill next.
func (r *run) offer(s selection) { r.step = step{stage: s.entry.stage, offer: s} }

// consume takes a skill that was chosen twice and called twice in one turn out of the queue: it has had its
// call.
func (r *run) consume(completed []*attempt) {
	current := r.step.offer.entry
	for _, at := range completed {
		if at.entry == current {
			current = nil // the call of the step itself
			continue
		}
		same := func(s selection) bool { return s.entry == at.entry }
		if i := slices.IndexFunc(r.queue, same); i >= 0 {
			r.queue = slices.Delete(slices.Clone(r.queue), i, i+1)
		}
	}
}
