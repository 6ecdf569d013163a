package metrics

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Policy says what a case that only one of run and baseline has means.
type Policy string

// The policies; "" is PolicyWarn.
const (
	PolicyAllow Policy = "allow" // nothing
	PolicyWarn  Policy = "warn"  // it is listed
	PolicyFail  Policy = "fail"  // it is listed, and the run fails
)

// ParsePolicy reads a policy by name; the error lists the known ones.
func ParsePolicy(name string) (Policy, error) {
	switch p := Policy(name); p {
	case PolicyAllow, PolicyWarn, PolicyFail:
		return p, nil
	}
	return "", fmt.Errorf("unknown policy %q: write one of %s, %s, %s", clipRunes(name, 60), PolicyAllow, PolicyWarn, PolicyFail)
}

// The rules of a [CaseRule].
const (
	RuleGolden  = "golden-case"  // tagged golden, and not right, or not measured
	RuleLost    = "lost-case"    // right less often than in the baseline; listed, and fails nothing by itself
	RuleNew     = "new-case"     // not in the baseline
	RuleRemoved = "removed-case" // in the baseline only
)

// CaseRule is a single case that a rule speaks of.
type CaseRule struct {
	Rule    string
	Case    string
	Fail    bool // the run fails by it
	Message string
}

// GateOptions say how to hold a run against gates and a baseline.
type GateOptions struct {
	Arm           string         // of the run; "": its only one
	Summary       SummaryOptions // of the arm's figures
	StrictDelta   bool           // a delta gate compares the point, not the interval
	AllowMismatch bool           // compare in spite of another model, prompt or label
	OnNew         Policy         // for cases that the baseline does not have
	OnRemoved     Policy         // for cases that only the baseline has
}

// Gating is the outcome of [GateAgainst].
type Gating struct {
	Arm    Arm // the summary of the arm
	Gates  []GateResult
	Cases  []CaseRule // golden cases first, then lost, new and removed ones, each by id
	Golden int        // cases tagged golden, of the run and of the baseline
	Notes  []string   // what a reader of the comparison must know
}

// BaselineMismatchError says in what a run and a baseline differ that makes their comparison one of other things.
type BaselineMismatchError struct{ Differences []string }

// Error lists the differences.
func (e *BaselineMismatchError) Error() string {
	return "the run cannot be held against the baseline: " + strings.Join(e.Differences, "; ")
}

// GateAgainst reads a run once and holds it against gates, the golden cases and, where base is not nil, a baseline.
// A case tagged golden must be right in all its scored trials, and have one. The error is a [*BaselineMismatchError]
// when model or prompt differ, when a common case has another label, and when no case is common, unless AllowMismatch
// is set; a case with another label is then left out of every difference.
func GateAgainst(gates []Gate, head Source, base *Baseline, o GateOptions) (*Gating, error) {
	current, arm, err := describeArm(head.Header(), o.Arm)
	if err != nil {
		return nil, err
	}
	out := &Gating{}
	if base != nil {
		if err := out.mismatch(settingsThatDiffer(base, current), o); err != nil {
			return nil, err
		}
	}
	bySkill := slices.ContainsFunc(gates, func(g Gate) bool { return g.Delta && g.Skill != "" })
	summary, err := current.collect(&rowSource{Source: head, arm: arm, labels: base != nil, skills: bySkill}, o.Summary)
	if err != nil {
		return nil, err
	}
	out.Arm = *summary
	j := join(base, current)
	if base != nil {
		if err := out.mismatch(j.differences(), o); err != nil {
			return nil, err
		}
		out.remark(base, current, j)
	}
	for _, g := range gates {
		if g.Delta && base != nil {
			out.Gates = append(out.Gates, g.delta(base, summary, j, o.StrictDelta))
			continue
		}
		out.Gates = append(out.Gates, g.Check(summary))
	}
	out.golden(current, j, o)
	out.lost(j)
	out.list(RuleNew, j.added, o.OnNew, "is not in the baseline")
	out.list(RuleRemoved, j.removed, o.OnRemoved, "is in the baseline, not in the run")
	return out, nil
}

// mismatch refuses differences, or notes them where they are allowed.
func (r *Gating) mismatch(differences []string, o GateOptions) error {
	if len(differences) > 0 && !o.AllowMismatch {
		return &BaselineMismatchError{differences}
	}
	r.Notes = append(r.Notes, differences...)
	return nil
}

// settingsThatDiffer names the settings that make another experiment of a run. Skills and descriptions are what a
// change is about; they are none of them.
func settingsThatDiffer(base, current *Baseline) []string {
	var out []string
	out = append(out, fieldsThatDiffer("model", base.Model, current.Model)...)
	return append(out, fieldsThatDiffer("prompt", base.Prompt, current.Prompt)...)
}

// fieldsThatDiffer compares two values of one type by their JSON fields.
func fieldsThatDiffer(what string, base, current any) []string {
	fields := func(v any) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		if raw, err := json.Marshal(v); err != nil || json.Unmarshal(raw, &m) != nil {
			return nil
		}
		return m
	}
	a, b := fields(base), fields(current)
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	text := func(raw json.RawMessage) string {
		if raw == nil {
			return "nothing"
		}
		return clipRunes(string(raw), 60)
	}
	var out []string
	for name := range names {
		if x, y := a[name], b[name]; string(x) != string(y) {
			out = append(out, fmt.Sprintf("%s %s is %s, in the baseline %s", what, name, text(y), text(x)))
		}
	}
	slices.Sort(out)
	return out
}

// joined pairs the cases of a baseline and a run.
type joined struct {
	pairs      []casePair // same case, same label
	relabelled []string
	added      []*BaselineCase // of the run
	removed    []*BaselineCase // of the baseline
}

type casePair struct{ base, head *BaselineCase }

// join merges the sorted rows. Without a baseline nothing is new.
func join(base, current *Baseline) *joined {
	j := &joined{}
	if base == nil {
		return j
	}
	a, b := base.Cases, current.Cases
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Case < b[0].Case:
			j.removed = append(j.removed, &a[0])
			a = a[1:]
		case len(a) == 0 || b[0].Case < a[0].Case:
			j.added = append(j.added, &b[0])
			b = b[1:]
		default:
			if a[0].Label == b[0].Label {
				j.pairs = append(j.pairs, casePair{&a[0], &b[0]})
			} else {
				j.relabelled = append(j.relabelled, a[0].Case)
			}
			a, b = a[1:], b[1:]
		}
	}
	return j
}

// differences names what is wrong with the cases.
func (j *joined) differences() []string {
	var out []string
	if n := len(j.relabelled); n > 0 {
		list := strings.Join(j.relabelled[:min(n, 5)], ", ")
		if n > 5 {
			list += fmt.Sprintf(" and %d more", n-5)
		}
		out = append(out, fmt.Sprintf("%d cases expect something else than in the baseline and cannot be compared: %s", n, list))
	}
	if len(j.pairs) == 0 && len(j.relabelled) == 0 {
		out = append(out, fmt.Sprintf("no case is common: the run has %d, the baseline %d", len(j.added), len(j.removed)))
	}
	return out
}

// remark says what else a reader must know: what was compared, and which digests differ.
func (r *Gating) remark(base, current *Baseline, j *joined) {
	note := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	note("compared with the baseline on %d common cases; %d are new, %d were removed", len(j.pairs), len(j.added), len(j.removed))
	if base.DatasetDigest != current.DatasetDigest {
		note("the dataset is not that of the baseline: its digest differs")
	}
	if base.SkillsDigest != current.SkillsDigest {
		note("the skills are not those of the baseline: their digest differs")
	}
	if base.Repetitions != current.Repetitions {
		note("%d repetitions, in the baseline %d: each case counts once, by its mean", current.Repetitions, base.Repetitions)
	}
	untagged := 0
	for _, p := range j.pairs {
		untagged += oneIf(p.base.Golden() && !p.head.Golden())
	}
	if untagged > 0 {
		note("%d cases are golden in the baseline and no longer so", untagged)
	}
}

// golden holds every golden case against its own outcome. One that the run does not have was not measured.
func (r *Gating) golden(current *Baseline, j *joined, o GateOptions) {
	fail := func(c *BaselineCase, format string, args ...any) {
		r.Cases = append(r.Cases, CaseRule{RuleGolden, c.Case, true, fmt.Sprintf("golden case %s ", c.Case) + fmt.Sprintf(format, args...)})
	}
	for i := range current.Cases {
		c := &current.Cases[i]
		if !c.Golden() {
			continue
		}
		r.Golden++
		switch right, n := c.Calls[0], c.Calls[1]; {
		case n == 0:
			fail(c, "was not measured: its trials are errors")
		case right < n:
			fail(c, "is broken: %d of %d trials are right", right, n)
		}
	}
	for _, c := range j.removed {
		if c.Golden() && o.OnRemoved != PolicyAllow {
			r.Golden++
			fail(c, "was not measured: the run does not have it")
		}
	}
}

// lost lists the cases that the run has right in a smaller share of its trials than the baseline: what a failed delta gate
// is made of. Golden ones are listed as such.
func (r *Gating) lost(j *joined) {
	for _, p := range j.pairs {
		before, now := p.base.Calls, p.head.Calls
		if !p.head.Golden() && before[1] > 0 && now[1] > 0 && now[0]*before[1] < before[0]*now[1] {
			r.Cases = append(r.Cases, CaseRule{Rule: RuleLost, Case: p.base.Case,
				Message: fmt.Sprintf("case %s: right in %d of %d trials, in the baseline in %d of %d", p.base.Case, now[0], now[1], before[0], before[1])})
		}
	}
}

// list adds a row for each case that only one side has.
func (r *Gating) list(rule string, cases []*BaselineCase, p Policy, what string) {
	if p == PolicyAllow {
		return
	}
	for _, c := range cases {
		r.Cases = append(r.Cases, CaseRule{rule, c.Case, p == PolicyFail, fmt.Sprintf("case %s %s", c.Case, what)})
	}
}
