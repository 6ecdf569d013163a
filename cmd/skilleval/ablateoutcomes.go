package main

import (
	"encoding/json"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/results"
)

// outcomes is what a comparison of selection needs of a run, read once for all the arms: a comparison reads its source from
// end to end, and to decode the run anew for each arm would take the square of their number.
type outcomes struct {
	cases []caseName
	arms  map[string][]outcome
}

type caseName struct{ id, group string }

// outcome is one trial.
type outcome struct {
	of      int32 // index in cases
	right   bool
	measure bool // false: an error
}

// readOutcomes reads a run in canonical order.
func readOutcomes(src metrics.Source) (*outcomes, error) {
	o := &outcomes{arms: map[string][]outcome{}}
	err := src.Trials(func(t *results.Trial) error {
		if n := len(o.cases); n == 0 || o.cases[n-1].id != t.Case {
			o.cases = append(o.cases, caseName{t.Case, t.Group})
		}
		right, ok := metrics.Right(t, metrics.MetricSelection)
		o.arms[t.Arm] = append(o.arms[t.Arm], outcome{int32(len(o.cases) - 1), right, ok && t.Error == nil})
		return nil
	})
	return o, err
}

// side is one arm of the run, for a comparison.
func (o *outcomes) side(arm string) metrics.Side {
	return metrics.Side{Source: armOutcomes{o, arm}, Arm: arm, Label: arm}
}

// armOutcomes is the source of one arm: trials without anything but their outcome.
type armOutcomes struct {
	*outcomes
	arm string
}

// Header is empty: prices are no part of the comparison.
func (armOutcomes) Header() results.Header { return results.Header{} }

// Trials yields the arm's trials in the run's order.
func (s armOutcomes) Trials(yield func(*results.Trial) error) error {
	nothing := json.RawMessage(`{"none":true}`) // what was expected is settled: the trial is right or not
	for _, o := range s.arms[s.arm] {
		c := s.cases[o.of]
		t := &results.Trial{Case: c.id, Group: c.group, Arm: s.arm, Expect: nothing}
		if o.measure {
			t.Scores = &results.Scores{Selection: o.right}
		} else {
			t.Error = &results.Problem{}
		}
		if err := yield(t); err != nil {
			return err
		}
	}
	return nil
}
