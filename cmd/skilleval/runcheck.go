package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/results"
)

// maxTrials is as many repetitions of a case as a run file can hold: they are numbered from 0 to 2³¹ − 1.
const maxTrials = 1 << 31

// check refuses settings that make no run.
func (s *settings) check() error {
	var faults []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	refuse(s.trials < 1, "--trials %d: want at least 1", s.trials)
	refuse(int64(s.trials) > maxTrials, "--trials %d: want at most %d", s.trials, int64(maxTrials))
	refuse(s.concurrency < 1, "--concurrency %d: want at least 1", s.concurrency)
	refuse(s.limit < 0, "--limit %d: want 0 for all, or a number of cases", s.limit)
	refuse(s.maxRounds < 1, "--max-rounds %d: want at least 1", s.maxRounds)
	refuse(s.maxRepairs < 0, "--max-repairs %d: want 0 for none, or more", s.maxRepairs)
	refuse(s.attempts < 1, "--attempts %d: want at least 1", s.attempts)
	refuse(s.maxTokens < 0, "--max-tokens %d: want a positive number, or leave it out", s.maxTokens)
	refuse(s.rpm < 0 || s.tpm < 0, "--rpm %d --tpm %d: want 0 for no limit, or a positive number", s.rpm, s.tpm)
	refuse(s.timeout < 0 || s.runTimeout < 0 || s.requestTimeout < 0, "--timeout, --run-timeout and --request-timeout must not be negative")
	refuse(s.allowErrors < 0, "--allow-errors %d: want 0 or more", s.allowErrors)
	for _, c := range []struct{ flag, value, accepted string }{
		{"until", s.until, "answer, call"}, {"catalog", s.catalog, "two-level, flat, grouped"}, {"protocol", s.protocol, "native, text"},
		{"rendering", s.rendering, "list, xml"}, {"order", s.order, "question-first, catalog-first"}, {"placement", s.placement, "user, system"},
	} {
		refuse(!slices.Contains(strings.Split(c.accepted, ", "), c.value), "%s %q is not known: write one of %s", s.where(c.flag), c.value, c.accepted)
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitUsage, err)
	}
	return nil
}

// parseGates parses every --gate before anything is spent.
func parseGates(exprs []string) ([]metrics.Gate, error) {
	var gates []metrics.Gate
	var faults []error
	for _, e := range exprs {
		g, err := metrics.ParseGate(e)
		if err == nil && g.NeedsBaseline() {
			err = fmt.Errorf("gate %q: delta(…) compares with a baseline: use the command gate", e)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("--gate: %w", err))
			continue
		}
		gates = append(gates, g)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, failWith(exitUsage, err)
	}
	return gates, nil
}

// gatesFit refuses gates that this run cannot measure: of skills and tags that it does not have, of costs without prices.
func (j *job) gatesFit() error {
	h := results.Header{}
	if j.set.file != nil {
		h.Prices = j.set.file.prices
	}
	if err := gatesFit(j.gates, h, j.set.stable); err != nil {
		return err
	}
	var faults []error
	for _, g := range j.gates {
		if g.Skill != "" {
			if _, err := skillNamed(j.catalog, g.Skill); err != nil {
				faults = append(faults, fmt.Errorf("--gate %q: %w", g.Expr, err))
			}
		}
		if g.Tag != "" && !slices.ContainsFunc(j.cases, func(c datasets.Case) bool { return slices.Contains(c.Tags, g.Tag) }) {
			faults = append(faults, fmt.Errorf("--gate %q: no case has the tag %q", g.Expr, g.Tag))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitUsage, err)
	}
	return nil
}

// gatesFit refuses gates on figures that a run or report does not have, and on skills that it does not know.
func gatesFit(gates []metrics.Gate, h results.Header, stable bool) error {
	known, err := skillNames(h)
	if err != nil {
		return failWith(exitUsage, err)
	}
	var faults []error
	for _, g := range gates {
		if g.Skill != "" && len(known) > 0 && !slices.Contains(known, g.Skill) {
			faults = append(faults, fmt.Errorf("--gate %q: %w", g.Expr, unknownSkill(g.Skill, known)))
		}
		if strings.HasPrefix(g.Metric, "cost") && h.Prices == nil {
			faults = append(faults, fmt.Errorf("--gate %q: no prices are known: give them in skilleval.yaml", g.Expr))
		}
		if stable && (strings.HasPrefix(g.Metric, "latency") || g.Metric == "retries") {
			faults = append(faults, fmt.Errorf("--gate %q: --stable leaves this figure out", g.Expr))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitUsage, err)
	}
	return nil
}
