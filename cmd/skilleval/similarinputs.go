package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/skilleval/skilleval/internal/llm"
	"github.com/skilleval/skilleval/internal/transport"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/similarity"
)

// addConfusion reads from a run how often one skill was called in the place of another.
func addConfusion(so *similarity.Options, dir string) error {
	if dir == "" {
		return nil
	}
	run, err := results.Open(dir)
	if err != nil {
		return fmt.Errorf("--run: %w", err)
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
		return fmt.Errorf("--run: %w", err)
	}
	so.Confusion = func(a, b string) *similarity.Confusion {
		return &similarity.Confusion{AasB: taken[[2]string{a, b}], BasA: taken[[2]string{b, a}], N: wanted[a] + wanted[b]}
	}
	so.Confused = slices.SortedFunc(maps.Keys(taken), func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	return nil
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
	limited := transport.NewLimit(transport.Base(s.concurrency), transport.LimitConfig{RPM: s.rpm, TPM: s.tpm})
	kept, err := a.keepReplies(transport.NewRetry(limited, transport.RetryConfig{MaxAttempts: s.attempts, AttemptTimeout: s.requestTimeout}), s)
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
