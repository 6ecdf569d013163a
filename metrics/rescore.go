package metrics

import (
	"encoding/json"
	"fmt"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// Rescore is a source whose trials are scored again from the calls they hold, against the expectation that was stored
// with them. Trials that are errors stay errors.
func Rescore(src Source, scorer *Scorer) Source { return &rescored{src, scorer} }

type rescored struct {
	Source
	scorer *Scorer
}

// Trials yields the trials with fresh scores.
func (r *rescored) Trials(yield func(*results.Trial) error) error {
	return r.Source.Trials(func(t *results.Trial) error {
		if t.Error != nil {
			return yield(t)
		}
		c := datasets.Case{ID: t.Case, Group: t.Group, Tags: t.Tags}
		if err := json.Unmarshal(t.Expect, &c.Expect); err != nil {
			return fmt.Errorf("case %s: stored expectation: %w", t.Case, err)
		}
		if len(t.Accept) > 0 {
			if err := json.Unmarshal(t.Accept, &c.Accept); err != nil {
				return fmt.Errorf("case %s: stored alternatives: %w", t.Case, err)
			}
		}
		scores, err := r.scorer.Score(&c, t)
		if err != nil {
			return fmt.Errorf("case %s: %w", t.Case, err)
		}
		fresh := *t
		fresh.Scores = scores
		return yield(&fresh)
	})
}
