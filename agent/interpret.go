package agent

import (
	"fmt"
	"slices"
	"strings"
)

// turn is what the calls of one reply came to.
type turn struct {
	tier     Tier
	notes    []note     // one a call: what the model is told of it
	attempts []*attempt // one a call; nil where it is not the call of a skill
	chosen   []selection
	category *stage // the category that was chosen
	none     bool   // the reply says that no skill fits
	answer   string // given along with that
	refused  string // why the first refused call was refused
}

// idle tells that no call of the reply led on.
func (t *turn) idle() bool {
	made := slices.ContainsFunc(t.attempts, func(at *attempt) bool { return at != nil })
	return !made && len(t.chosen) == 0 && t.category == nil
}

// valid returns the calls whose arguments are right.
func (t *turn) valid() []*attempt {
	var list []*attempt
	for _, at := range t.attempts {
		if at != nil && at.call.Valid {
			list = append(list, at)
		}
	}
	return list
}

// refusals counts the calls that the model is told an error of.
func (t *turn) refusals() (n int) {
	for _, told := range t.notes {
		if told.kind == noteRefused {
			n++
		}
	}
	return n
}

// attempt is one call of a skill, from its first arguments to the last.
type attempt struct {
	entry *entry
	call  Call
}

func (at *attempt) faults() string { return strings.Join(at.call.Faults, "\n") }

// interpret finds out what one call of a reply asks for, and takes it up in the turn. It returns what the model
// is told of it; of the call of a skill that is known only later.
func (r *run) interpret(t *turn, i int, c *rawCall) note {
	switch {
	case c.none:
		return t.chooseNone(c.args)
	case c.category:
		return r.chooseCategory(t, c.name)
	case r.isChooser(c.name, selectSkill):
		name, ok := r.chosenName(c)
		if !ok {
			return t.refuse("select_skill needs {\"name\": NAME}, given " + clip(orElse(c.args, "nothing"), 200))
		}
		return r.chooseSkill(t, name, c.flags)
	case r.isChooser(c.name, selectCategory):
		name, _ := r.chosenName(c)
		return r.chooseCategory(t, name)
	case c.name == "" && r.step.offer.entry != nil && !r.agent.native(): // nothing but arguments
		return r.attempt(t, i, r.step.offer.entry, c)
	}
	e, normalized, ok := r.view.skills.find(c.name)
	if !ok {
		if r.step.stage.level < 2 {
			r.out.Selected = append(r.out.Selected, clip(c.name, 200))
		}
		return t.refuse(r.unknown(c.name))
	}
	if normalized {
		c.flags = append(c.flags, flagNormalized)
	}
	return r.interpretSkill(t, i, e, c)
}

// interpretSkill takes up a call that names a skill: its call where it is offered, else its selection.
func (r *run) interpretSkill(t *turn, i int, e *entry, c *rawCall) note {
	level := r.step.stage.level
	switch {
	case r.view.flat || e == r.step.offer.entry:
		return r.attempt(t, i, e, c)
	case !c.given: // {"skill": NAME}
		return r.chooseSkill(t, e.name(), c.flags)
	case level == 2:
		return t.refuse(fmt.Sprintf("%s is not offered now: %s", e.name(), r.expected()))
	case slices.Contains(r.view.loaded, e):
		r.out.Selected = append(r.out.Selected, e.name())
		return r.attempt(t, i, e, c)
	}
	return r.direct(t, i, e, c)
}

// direct takes up a call of a skill that was not selected first. It counts as the selection, and as the call
// too when its arguments happen to be right.
func (r *run) direct(t *turn, i int, e *entry, c *rawCall) note {
	already := slices.ContainsFunc(t.chosen, func(s selection) bool { return s.entry == e })
	if !already {
		r.out.Selected = append(r.out.Selected, e.name())
	}
	c.flags = append(c.flags, flagDirect)
	if b := bind(e, *c); len(b.faults) == 0 {
		return r.attempt(t, i, e, c)
	}
	if !already {
		t.chosen = append(t.chosen, selection{e, c.flags})
	}
	return note{kind: noteChosen, skill: e.name(), text: e.detail}
}

// attempt takes up the call of a skill: a new one, or the next try of one whose arguments were refused.
func (r *run) attempt(t *turn, i int, e *entry, c *rawCall) note {
	at := r.reopened(t, e)
	first := at == nil
	if first {
		at = &attempt{entry: e, call: Call{Skill: e.name()}}
		if !r.view.flat {
			at.call.Level1 = e.name()
		}
		if r.step.offer.entry == e {
			addFlags(&at.call, r.step.offer.flags)
		}
	} else {
		at.call.Repairs++
	}
	b := bind(e, *c)
	r.emitBinding(e, &b)
	at.call.Args, at.call.Dropped, at.call.Aliased, at.call.Faults = b.args, b.dropped, b.aliased, b.faults
	at.call.Tier, at.call.Valid = t.tier, len(b.faults) == 0
	at.call.FirstValid = at.call.FirstValid || first && at.call.Valid
	addFlags(&at.call, c.flags)
	addFlags(&at.call, b.flags)
	t.attempts[i] = at
	return note{}
}

// reopened returns the earliest open call of the skill that this turn has not tried again yet.
func (r *run) reopened(t *turn, e *entry) *attempt {
	for _, at := range r.open {
		if at.entry == e && !slices.Contains(t.attempts, at) {
			return at
		}
	}
	return nil
}

func addFlags(c *Call, flags []string) {
	for _, f := range flags {
		if !slices.Contains(c.Flags, f) {
			c.Flags = append(c.Flags, f)
		}
	}
}

// refuse notes that a call leads nowhere, and why.
func (t *turn) refuse(why string) note {
	t.refused = orElse(t.refused, why)
	return refusal(why)
}

// parser returns the reader of replies for the step.
func (r *run) parser() *parser {
	p := &parser{native: r.agent.native(), strict: r.agent.opts.Strict, known: r.known}
	if e := r.step.offer.entry; e != nil && !p.native {
		p.own = e.args.declares
	}
	return p
}

// known tells whether a name stands for anything that can be called or chosen.
func (r *run) known(name string) bool {
	_, _, ok := r.view.skills.find(name)
	return ok || r.isChooser(name, selectSkill) || r.isChooser(name, selectCategory)
}
