package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/skilleval/skilleval/internal/llm"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/similarity"
)

// addConfusion reads from a run how often one skill was called in the place of another.
// A run of other skills is refused, skills that it does not have are noted.
func addConfusion(so *similarity.Options, dir string, texts []similarity.Text) ([]reports.Place, error) {
	if dir == "" {
		return nil, nil
	}
	run, err := results.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	names, err := skillNames(run.Header())
	if err != nil {
		return nil, fmt.Errorf("--run %s: %w", dir, err)
	}
	missing := 0
	for _, t := range texts {
		if !slices.Contains(names, t.Name) {
			missing++
		}
	}
	var notes []reports.Place
	switch {
	case missing == len(texts):
		return nil, fmt.Errorf("--run %s: the run has none of these skills: name the suite that it was made with, as PATH", dir)
	case missing > 0:
		notes = []reports.Place{{Path: dir, Message: fmt.Sprintf("%d of %d skills are not in this run", missing, len(texts))}}
	}
	wanted, taken := map[string]int{}, map[[2]string]int{}
	err = run.Trials(func(t *results.Trial) error {
		if t.Error != nil || t.Scores == nil {
			return nil
		}
		for _, p := range t.Scores.Pairs {
			wanted[p.Want]++
			if p.Want != p.Got {
				taken[[2]string{p.Want, p.Got}]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("--run: %w", err)
	}
	so.Confusion = func(a, b string) *similarity.Confusion {
		return &similarity.Confusion{AasB: taken[[2]string{a, b}], BasA: taken[[2]string{b, a}], N: wanted[a] + wanted[b]}
	}
	so.Confused = slices.SortedFunc(maps.Keys(taken), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	return notes, nil
}

// embed asks the server for an embedding of every text; nil when none are asked for.
func (a *app) embed(ctx context.Context, s *settings, texts []similarity.Text) ([][]float32, error) {
	if s.embeddingModel == "" {
		return nil, nil
	}
	key, _ := a.env(s.apiKeyEnv)
	a.hide(key)
	if s.baseURL == "" && key == "" && s.replay == "" {
		return nil, failWith(exitUsage, fmt.Errorf("--embedding-model %s: %s is not set and no --base-url is given: set the key, or name a server", s.embeddingModel, s.apiKeyEnv))
	}
	kept, err := a.keepReplies(s.server(), s)
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	e, err := llm.NewEmbedder(llm.Config{BaseURL: s.baseURL, APIKey: key, Model: s.embeddingModel, HTTPClient: &http.Client{Transport: kept}, Redact: a.redact})
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	inputs := make([]string, len(texts))
	for i, t := range texts {
		inputs[i] = t.Name + ": " + t.Description
	}
	vectors, err := e.Embed(ctx, inputs)
	if err != nil {
		return nil, a.replayed(failWith(exitServer, fmt.Errorf("embeddings: %w", err)))
	}
	return vectors, nil
}
