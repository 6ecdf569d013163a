package metrics

import (
	"encoding/json"
	"strings"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// What a [Failure] is, when it is no fault or error class.
const (
	whatSelection = "selection"
	whatArguments = "arguments"
)

// failure describes a scored trial that is not right.
func (a *armState) failure(t *results.Trial) Failure {
	f := Failure{Case: t.Case, Repetition: t.Repetition, Want: []string{}, Got: make([]string, len(t.Calls))}
	for _, p := range t.Scores.Pairs {
		if p.Want != "" {
			f.Want = append(f.Want, a.classes.names[a.classes.id(p.Want)])
		}
	}
	for i, c := range t.Calls {
		f.Got[i] = a.classes.names[a.classes.id(c.Skill)]
	}
	switch {
	case selectionFault(t):
		f.What = t.Fault.Class
	case !t.Scores.Selection:
		f.What = whatSelection
	case t.Fault != nil:
		f.What = t.Fault.Class
	default:
		f.What = whatArguments
	}
	if t.Fault != nil && t.Fault.Message != "" {
		f.Detail = append(f.Detail, t.Fault.Message)
	}
	f.Detail = append(f.Detail, t.Scores.Diffs...)
	for _, p := range t.Scores.Pairs {
		if p.Want == "" && p.Got != "" {
			f.Detail = append(f.Detail, p.Got+": not expected")
		}
	}
	return f
}

// errorFailure describes a trial that is an error. What was wanted is read from its own expectation.
func errorFailure(t *results.Trial) Failure {
	f := Failure{Case: t.Case, Repetition: t.Repetition, What: t.Error.Class, Want: []string{}, Got: calledSkills(t.Calls)}
	if f.What == "" {
		f.What = "unknown"
	}
	var e datasets.Expectation
	if readExpectation(t.Expect, &e) == nil {
		f.Want = append(f.Want, e.Skills()...)
	}
	if t.Error.Message != "" {
		f.Detail = []string{t.Error.Message}
	}
	return f
}

// labelledCall is an expected call whose arguments are labelled, and whether they were right.
type labelledCall struct {
	skill string
	exact bool
}

// labelledCalls returns the labelled calls of the expectation that a scored trial with labelled arguments was held
// against, as its pairs say. In a run file whose pairs do not, which of them were not exact is read from the lines of
// [results.Scores.Diffs].
func labelledCalls(t *results.Trial) []labelledCall {
	var out []labelledCall
	for _, p := range t.Scores.Pairs {
		if p.Args != nil && p.Want != "" {
			out = append(out, labelledCall{p.Want, *p.Args})
		}
	}
	if len(out) > 0 {
		return out
	}
	e := usedExpectation(t)
	for i := range e.Calls {
		if !labelled(&e.Calls[i]) {
			continue
		}
		prefix := diffPrefix(i, e.Calls[i].Skill)
		exact := true
		for _, line := range t.Scores.Diffs {
			exact = exact && !strings.HasPrefix(line, prefix)
		}
		out = append(out, labelledCall{e.Calls[i].Skill, exact})
	}
	return out
}

// usedExpectation returns the expectation that the scores were made with: the case's own when the selection is wrong,
// else the first with labels that the selection and the lines of difference fit. Expectations of the same skills that
// label the arguments of different ones among them cannot always be told apart.
func usedExpectation(t *results.Trial) *datasets.Expectation {
	var own datasets.Expectation
	var accepted []datasets.Expectation
	if readExpectation(t.Expect, &own) != nil {
		return &own
	}
	if !t.Scores.Selection || len(t.Accept) == 0 || json.Unmarshal(t.Accept, &accepted) != nil {
		return &own
	}
	for _, e := range append([]datasets.Expectation{own}, accepted...) {
		if e.LabelsArgs() && selected(&e, t.Calls) && fits(&e, t.Scores.Diffs) {
			return &e
		}
	}
	return &own
}

// fits reports whether every line of difference speaks of a labelled call of e.
func fits(e *datasets.Expectation, diffs []string) bool {
	for _, line := range diffs {
		found := false
		for i := range e.Calls {
			found = found || labelled(&e.Calls[i]) && strings.HasPrefix(line, diffPrefix(i, e.Calls[i].Skill))
		}
		if !found {
			return false
		}
	}
	return true
}
