package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/internal/tokens"
	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

// compareArms adds to a report what a run of two descriptions is made for: their comparison. It reads nothing but the run
// file, so that the run and a later report say the same.
func compareArms(rep *reports.Report, run *results.Run, src metrics.Source) error {
	h := run.Header()
	if len(h.Arms) != 2 || len(h.AB.Descriptions) != 2 {
		return failWith(exitUsage, fmt.Errorf("run.json: ab: %d arms and %d descriptions: a comparison has two of each", len(h.Arms), len(h.AB.Descriptions)))
	}
	if err := (&comparisonFlags{metric: h.AB.Metric, detect: h.AB.Detect}).check(); err != nil {
		return failWith(exitUsage, fmt.Errorf("run.json: ab: %w", err))
	}
	options := metrics.CompareOptions{Metric: h.AB.Metric, Seed: h.Seed, Detect: h.AB.Detect, Skill: h.AB.Skill}
	if h.AB.Sequential {
		var err error
		if options.SequentialP, err = sequentialP(run, src); err != nil {
			return failWith(exitServer, err)
		}
	}
	side := func(i int) metrics.Side {
		return metrics.Side{Source: src, Arm: h.Arms[i].Name, Label: h.Arms[i].Name}
	}
	var err error
	if rep.Comparison, err = metrics.Compare(side(0), side(1), options); err != nil {
		return failWith(exitServer, err)
	}
	if rep.Stable {
		rep.Comparison.LatencyMS = nil
	}
	part := func(i int) reports.ABSide {
		text := h.AB.Descriptions[i]
		return reports.ABSide{From: h.Arms[i].Label, Description: text, Tokens: tokens.Count(text)}
	}
	rep.AB = &reports.AB{Skill: h.AB.Skill, A: part(0), B: part(1)}
	return nil
}

// sequentialP takes the looks of a sequential run again, over the batches of cases that it finished.
func sequentialP(run *results.Run, src metrics.Source) (*float64, error) {
	var cases []datasets.Case
	err := run.Cases(func(raw json.RawMessage) error {
		c, err := datasets.Parse(raw)
		cases = append(cases, c)
		return err
	})
	if err != nil {
		return nil, err
	}
	h := run.Header()
	l := newLooks(cases, h.AB.Metric, h.Seed)
	recorded := make(map[string]int, len(cases)) // trials, errors included
	err = src.Trials(func(t *results.Trial) error {
		recorded[t.Case]++
		l.note(t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, batch := range l.batches {
		unfinished := func(c datasets.Case) bool { return recorded[c.ID]/len(h.Arms) < h.Repetitions }
		if slices.ContainsFunc(batch, unfinished) {
			break
		}
		if l.look(batch); l.clear() {
			break
		}
	}
	return l.pValue(), nil
}
