package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

// caseRules is what rules say of single cases.
type caseRules struct {
	rules    []metrics.CaseRule
	unscored map[string]bool // cases of which every trial is an error
}

// reported is the trials of a report as a source.
type reported struct {
	header results.Header
	report *reports.Report
}

// Header implements metrics.Source.
func (r reported) Header() results.Header { return r.header }

// Trials implements metrics.Source.
func (r reported) Trials(yield func(*results.Trial) error) error { return r.report.Trials(yield) }

// holdGolden holds the golden cases of a report on a run against their own outcomes, where any gate is given, and lists
// those that are not right in it.
func holdGolden(rep *reports.Report, h results.Header, gates []metrics.Gate) (*caseRules, error) {
	if len(gates) == 0 || len(rep.Arms) == 0 {
		return &caseRules{}, nil
	}
	src := reported{h, rep}
	arm := rep.Arms[0].Arm
	checked, err := metrics.GateAgainst(nil, src, nil, metrics.GateOptions{Arm: arm, Summary: metrics.SummaryOptions{Stable: true, Seed: h.Seed}})
	if err != nil {
		return nil, failWith(exitServer, err)
	}
	held, err := explainCases(checked.Cases, src, arm, nil)
	if err != nil {
		return nil, failWith(exitServer, err)
	}
	rep.Findings = append(rep.Findings, caseFindings(held.rules)...)
	return held, nil
}

// goldenOutcome is what the trials of one case came to.
type goldenOutcome struct {
	scored, wrong int
	first         string // what is wrong with the first trial that is not right
}

// explainCases says of each golden case that is not right what is wrong with it, and whether the baseline had it right.
func explainCases(rules []metrics.CaseRule, src metrics.Source, arm string, base *metrics.Baseline) (*caseRules, error) {
	outcomes := map[string]*goldenOutcome{}
	for _, r := range rules {
		if r.Rule == metrics.RuleGolden {
			outcomes[r.Case] = nil // until a trial is seen
		}
	}
	out := &caseRules{rules: slices.Clone(rules), unscored: map[string]bool{}}
	if len(outcomes) == 0 {
		return out, nil
	}
	if err := src.Trials(func(t *results.Trial) error {
		if o, asked := outcomes[t.Case]; asked && t.Arm == arm {
			if o == nil {
				o = &goldenOutcome{}
				outcomes[t.Case] = o
			}
			o.add(t)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for i := range out.rules {
		r := &out.rules[i]
		o := outcomes[r.Case]
		switch {
		case r.Rule != metrics.RuleGolden || o == nil: // not in the run
		case o.scored == 0:
			out.unscored[r.Case] = true
		case o.wrong > 0:
			r.Message = o.sentence(r.Case, rightIn(base, r.Case))
		}
	}
	return out, nil
}

func (o *goldenOutcome) add(t *results.Trial) {
	right, scored := metrics.Right(t, metrics.MetricCalls)
	if !scored {
		return
	}
	o.scored++
	if !right {
		o.wrong++
		if o.first == "" {
			o.first = whatIsWrong(t)
		}
	}
}

// sentence words the failure of a golden case.
func (o *goldenOutcome) sentence(id string, before bool) string {
	state := "is not right"
	if before {
		state = "is broken (it is right in the baseline)"
	}
	if o.scored > 1 {
		state += fmt.Sprintf(" in %d of %d trials", o.wrong, o.scored)
	}
	return fmt.Sprintf("golden case %s %s: %s", id, state, reports.Clip(o.first, 300))
}

// rightIn reports whether a baseline has a case right in all its scored trials.
func rightIn(base *metrics.Baseline, id string) bool {
	if base == nil {
		return false
	}
	i, found := slices.BinarySearchFunc(base.Cases, id, func(c metrics.BaselineCase, id string) int { return strings.Compare(c.Case, id) })
	return found && isRight(&base.Cases[i])
}

// isRight reports whether a case is right, in selection and labelled arguments, in all its scored trials, and has one.
func isRight(c *metrics.BaselineCase) bool { return c.Calls[1] > 0 && c.Calls[0] == c.Calls[1] }

// whatIsWrong says what keeps a scored trial from being right.
func whatIsWrong(t *results.Trial) string {
	var detail []string
	if t.Fault != nil {
		detail = append(detail, strings.TrimSuffix(t.Fault.Class+": "+t.Fault.Message, ": "))
	}
	if t.Scores.Selection {
		return "arguments: " + strings.Join(append(detail, t.Scores.Diffs...), "; ")
	}
	var want, got []string
	for _, p := range t.Scores.Pairs {
		if p.Want != "" {
			want = append(want, p.Want)
		}
	}
	for _, c := range t.Calls {
		got = append(got, c.Skill)
	}
	chosen := fmt.Sprintf("selection: want %s, got %s", skillsOrNone(want), skillsOrNone(got))
	return strings.Join(append([]string{chosen}, detail...), "; ")
}

func skillsOrNone(names []string) string {
	if len(names) == 0 {
		return "no skill"
	}
	return strings.Join(names, ", ")
}

// decide turns case rules into the exit code. A case whose trials are all errors was not measured, which is no failure of
// the skills.
func (c *caseRules) decide() error {
	var failed, unmeasured []string
	for _, r := range c.rules {
		switch {
		case !r.Fail:
		case r.Rule == metrics.RuleGolden && c.unscored[r.Case]:
			unmeasured = append(unmeasured, r.Message)
		default:
			failed = append(failed, r.Message)
		}
	}
	code, messages := exitFailed, failed
	if len(failed) == 0 {
		code, messages = exitServer, unmeasured
	}
	switch len(messages) {
	case 0:
		return nil
	case 1:
		return failWith(code, errors.New(messages[0]))
	}
	return failWith(code, fmt.Errorf("%s (and %d more)", messages[0], len(messages)-1))
}
