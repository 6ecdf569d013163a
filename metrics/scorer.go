package metrics

import (
	"encoding/json"
	"fmt"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/datasets/match"
	"github.com/skilleval/skilleval/results"
)

// Scorer scores trials against their cases. It is safe for concurrent use once its fields are set, and a score
// depends on nothing but the case and the trial.
type Scorer struct {
	// Flat says whether an arm offers its whole catalogue at once, so that there is no level 1 to score; nil: no
	// arm does.
	Flat func(arm string) bool

	defaults map[string]map[string]json.RawMessage // by skill, by argument
}

// NewScorer returns a scorer that knows the skills' JSON Schemas by name. It needs them for their defaults: an
// argument that is left out, or given without being labelled, is judged by its default. A skill with no schema has
// none.
func NewScorer(schemas map[string]json.RawMessage) *Scorer {
	s := &Scorer{defaults: make(map[string]map[string]json.RawMessage, len(schemas))}
	for name, schema := range schemas {
		s.defaults[name] = match.Defaults(schema)
	}
	return s
}

// The classes of [results.Trial.Fault] that a score depends on; package agent declares them.
const (
	faultUnparsable   = "unparsable"
	faultUnknownSkill = "unknown_skill"
	faultInvalidArgs  = "invalid_arguments"
	faultMaxRounds    = "max_rounds"
	faultEmpty        = "empty_reply"
)

// Score scores one finished trial. Selection is right when the skills called are those of the case's expectation or
// of one of the accepted ones, as a sequence where the order is strict and as a multiset otherwise, and, for none,
// when no skill was called. A trial with a fault is wrong in selection whatever was called; only invalid_arguments
// leaves the selection to the calls, and makes the arguments wrong.
//
// The expectation that is used is the first one that is met in full; else, among those with the right selection, the
// first with the most right arguments; else the case's own. An error is returned for a trial that ended in an error
// (an error is never an answer) and for a case whose expectations cannot be read.
func (s *Scorer) Score(c *datasets.Case, t *results.Trial) (*results.Scores, error) {
	if t.Error != nil {
		return nil, fmt.Errorf("case %s: the trial ended in an error (%s): an error is counted, not scored", c.ID, t.Error.Class)
	}
	if t.Case != "" && t.Case != c.ID {
		return nil, fmt.Errorf("case %s: the trial is of case %s", c.ID, t.Case)
	}
	used, err := s.judge(&c.Expect, t)
	if err != nil {
		return nil, fmt.Errorf("case %s: expect: %w", c.ID, err)
	}
	for i := range c.Accept {
		v, err := s.judge(&c.Accept[i], t)
		if err != nil {
			return nil, fmt.Errorf("case %s: accept[%d]: %w", c.ID, i, err)
		}
		if v.betterThan(used) {
			used = v
		}
	}
	return &results.Scores{
		Selection: used.selection,
		Level1:    s.level1(c, t),
		Args:      used.args,
		Labelled:  used.labelled,
		Right:     used.right,
		Faults:    used.faults,
		Diffs:     used.diffs,
		Pairs:     pairs(used, t),
	}, nil
}

// verdict is what one expectation makes of a trial.
type verdict struct {
	expect          *datasets.Expectation
	selection       bool
	args            *bool         // nil when no arguments are labelled
	calls           map[int]*bool // by index of the labelled call: whether its arguments are right
	labelled, right int
	faults          results.ArgFaults
	diffs           []string
}

// full reports whether the expectation is met in full.
func (v *verdict) full() bool { return v.selection && (v.args == nil || *v.args) }

// betterThan reports whether a later expectation is to be used rather than an earlier one.
func (v *verdict) betterThan(earlier *verdict) bool {
	switch {
	case v.full() != earlier.full():
		return v.full()
	case v.full():
		return false
	case v.selection != earlier.selection:
		return v.selection
	default:
		return v.selection && v.right > earlier.right
	}
}

// judge holds a trial against one expectation.
func (s *Scorer) judge(e *datasets.Expectation, t *results.Trial) (*verdict, error) {
	switch {
	case e.None && len(e.Calls) > 0:
		return nil, fmt.Errorf("has both calls and none: write one of them")
	case !e.None && len(e.Calls) == 0:
		return nil, fmt.Errorf(`has neither calls nor none: write "none": true when no skill should be called`)
	}
	v := &verdict{expect: e, selection: !selectionFault(t) && selected(e, t.Calls)}
	if !e.LabelsArgs() {
		return v, nil
	}
	if err := s.judgeArgs(v, t); err != nil {
		return nil, err
	}
	return v, nil
}

// selectionFault reports whether the trial's fault makes its selection wrong whatever was called.
func selectionFault(t *results.Trial) bool {
	return t.Fault != nil && t.Fault.Class != faultInvalidArgs
}

// labelled tells "args": {} (no arguments) from no "args" at all (not labelled).
func labelled(c *datasets.ExpectedCall) bool {
	return c.Args != nil
}

// level1 compares the skills chosen at level 1, as a set (where the order is strict, in order of first choice), with
// those of any of the case's expectations; nil in an arm without level 1. A skill is chosen by select_skill, or by being
// called at once: that is a choice made at level 1 too, and what it skips is level 2. Nothing chosen is right for none,
// unless the reply could not be used at all.
func (s *Scorer) level1(c *datasets.Case, t *results.Trial) *bool {
	if s.Flat != nil && s.Flat(t.Arm) {
		return nil
	}
	named := distinct(t.Selected)
	right := level1Right(&c.Expect, t, named)
	for i := range c.Accept {
		right = right || level1Right(&c.Accept[i], t, named)
	}
	return &right
}

func level1Right(e *datasets.Expectation, t *results.Trial, named []string) bool {
	if e.None {
		return len(named) == 0 && !selectionFault(t)
	}
	return sameSkills(distinct(e.Skills()), named, e.Order == "strict")
}
