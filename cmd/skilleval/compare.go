package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

func newCompareCommand(a *app) *cobra.Command {
	var s settings
	var c comparisonFlags
	var allowMismatch bool
	cmd := &cobra.Command{
		Use:   "compare BASE HEAD",
		Short: "Compare two runs, paired by case",
		Long: `compare pairs two runs on the cases that both have and says whether one is better. Runs of other datasets, models or
prompts are refused, with what differs, unless --allow-mismatch is given; other skills are what is compared.`,
		Example: `  skilleval compare base-run head-run
  skilleval compare base-run head-run --metric calls -o markdown --require not-worse`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.resolveEnvironment(cmd.Flags(), a.env); err != nil {
				return failWith(exitUsage, err)
			}
			return a.compare(args[0], args[1], &s, &c, allowMismatch)
		},
	}
	s.outputFlags(cmd.Flags())
	c.register(cmd)
	cmd.Flags().BoolVar(&allowMismatch, "allow-mismatch", false, "compare runs of other datasets, models or prompts all the same")
	return cmd
}

func (a *app) compare(base, head string, s *settings, c *comparisonFlags, allowMismatch bool) error {
	if err := c.check(); err != nil {
		return err
	}
	outs, err := parseOutputs(s.output)
	if err != nil {
		return err
	}
	runs, err := openRuns(base, head)
	if err != nil {
		return err
	}
	notes := mismatches(runs[0].Header(), runs[1].Header())
	if len(notes) > 0 && !allowMismatch {
		return failWith(exitUsage, fmt.Errorf("%s and %s are not alike: %s; --allow-mismatch compares them all the same", base, head, strings.Join(notes, "; ")))
	}
	comparison, err := metrics.Compare(side(runs[0], "base"), side(runs[1], "head"),
		metrics.CompareOptions{Metric: c.metric, Seed: runs[0].Header().Seed, Detect: c.detect})
	if err != nil {
		return failWith(exitUsage, err)
	}
	if s.stable {
		comparison.LatencyMS = nil
	}
	comparison.Notes = append(notes, caseNotes(comparison)...)
	if err := a.writeReports(outs, &reports.Report{Comparison: comparison, Stable: s.stable}); err != nil {
		return err
	}
	return c.demand(comparison)
}

// openRuns opens both runs at once: reading their index is most of the time.
func openRuns(base, head string) ([2]*results.Run, error) {
	var runs [2]*results.Run
	var errs [2]error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runs[0], errs[0] = results.Open(base)
	}()
	runs[1], errs[1] = results.Open(head)
	<-done
	for _, err := range errs {
		if err != nil {
			return runs, failWith(exitUsage, err)
		}
	}
	return runs, nil
}

// side is the first arm of a run.
func side(r *results.Run, label string) metrics.Side {
	return metrics.Side{Source: r, Arm: r.Header().Arms[0].Name, Label: label}
}

// mismatches lists what differs between two runs beside what is compared.
func mismatches(a, b results.Header) []string {
	var out []string
	differ := func(what string, x, y any) {
		p, _ := json.Marshal(x)
		q, _ := json.Marshal(y)
		if string(p) != string(q) {
			out = append(out, fmt.Sprintf("%s: %s and %s", what, p, q))
		}
	}
	differ("dataset", a.DatasetDigest, b.DatasetDigest)
	differ("model", a.Model, b.Model)
	differ("prompt", a.Prompt, b.Prompt)
	differ("trials", a.Repetitions, b.Repetitions)
	return out
}

// caseNotes says which cases could not be paired.
func caseNotes(c *metrics.Comparison) []string {
	var out []string
	for _, l := range []struct {
		list metrics.CaseList
		what string
	}{{c.OnlyA, "only in " + c.A}, {c.OnlyB, "only in " + c.B}, {c.Unscored, "not scored on both sides"}} {
		if l.list.N > 0 {
			out = append(out, fmt.Sprintf("%d cases %s are not compared: %s", l.list.N, l.what, strings.Join(l.list.IDs, ", ")))
		}
	}
	return out
}
