package metrics

import (
	"fmt"

	"github.com/skilleval/skilleval/results"
)

// Source is a run to summarise: its header, and its trials in canonical order (case, arm in the header's order,
// repetition). A *results.Run is one.
type Source interface {
	Header() results.Header
	Trials(yield func(*results.Trial) error) error
}

// SummaryOptions say how to summarise.
type SummaryOptions struct {
	Stable bool     // leave out what differs between two equal runs: LatencyMS and Retries
	Seed   int64    // of the bootstrap behind the intervals of F1
	Skills []string // names of the catalogue, for Selection.Unmeasured
}

// Summarize reads a run once and makes a summary for each arm, in the header's order; an arm that the header does not
// name comes after those, in order of appearance. It keeps a few numbers a case and trial, and the trials that are to be
// listed as failures or errors. A trial that is neither scored nor an error, or whose scores cannot be, is an error.
func Summarize(src Source, o SummaryOptions) ([]Arm, error) {
	header := src.Header()
	s := &summary{header: &header, units: units{}}
	for _, a := range header.Arms {
		s.arm(a.Name)
	}
	if err := src.Trials(s.add); err != nil {
		return nil, err
	}
	arms := make([]Arm, len(s.arms))
	for i, a := range s.arms {
		arms[i] = a.finish(&header, o)
	}
	return arms, nil
}

// summary is a run in the middle of being read.
type summary struct {
	header *results.Header
	arms   []*armState
	units  units // numbers of cases and clusters: a case without a group is its own cluster
}

// arm returns the state of an arm.
func (s *summary) arm(name string) *armState {
	for _, a := range s.arms {
		if a.out.Arm == name {
			return a
		}
	}
	a := newArmState(name)
	s.arms = append(s.arms, a)
	return a
}

// add takes one trial.
func (s *summary) add(t *results.Trial) error {
	if err := check(t); err != nil {
		return fmt.Errorf("trial of case %s, arm %s, repetition %d: %w", t.Case, t.Arm, t.Repetition, err)
	}
	id := s.units.of(t.Case)
	cluster := id
	if t.Group != "" {
		cluster = s.units.of(t.Group)
	}
	a := s.arm(t.Arm)
	if !a.openCase(id, t.Case) {
		return fmt.Errorf("trials of case %s, arm %s, are not together: read them in canonical order", t.Case, t.Arm)
	}
	a.add(t, cluster)
	return nil
}

// maxArguments is more labelled arguments than any case has.
const maxArguments = 1 << 20

// check refuses trials that figures cannot be made from.
func check(t *results.Trial) error {
	s := t.Scores
	switch {
	case t.Repetition < 0:
		return fmt.Errorf("the repetition is negative")
	case t.Error != nil:
		return nil
	case s == nil:
		return fmt.Errorf("it has neither scores nor an error: score the run again")
	case s.Right < 0 || s.Right > s.Labelled || s.Labelled > maxArguments:
		return fmt.Errorf("%d right of %d labelled arguments cannot be", s.Right, s.Labelled)
	case s.Selection && len(s.Pairs) == 0:
		return fmt.Errorf("its scores hold no pairs of skills: score the run again")
	case s.Args != nil && *s.Args && !s.Selection:
		return fmt.Errorf("its arguments are right and its selection is not: score the run again")
	}
	return nil
}
