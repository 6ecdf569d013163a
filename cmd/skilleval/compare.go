package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

func newCompareCommand(a *app) *cobra.Command {
	var s settings
	var c comparisonFlags
	var o compareFlags
	cmd := &cobra.Command{
		Use:   "compare BASE HEAD",
		Short: "Compare two runs, paired by case",
		Long: `compare pairs two runs on the cases that both have and says whether one is better. Runs of other datasets, models or
prompts are refused, with what differs, unless --allow-mismatch is given; other skills are what is compared. Of a run of
several arms, as ab and ablate make them, --arm chooses one.

With --require the exit code is 1 when the comparison does not show what is required, and 3 when that is not known:
because a run is incomplete, or more of its trials are errors than --allow-errors.`,
		Example: `  skilleval compare base-run head-run
  skilleval compare base-run head-run --metric calls -o markdown --require not-worse`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.resolveEnvironment(cmd.Flags(), a.env); err != nil {
				return failWith(exitUsage, err)
			}
			return a.compare([2]string{args[0], args[1]}, &s, &c, &o)
		},
	}
	s.outputFlags(cmd.Flags())
	c.register(cmd)
	o.register(cmd.Flags())
	return cmd
}

func (a *app) compare(dirs [2]string, s *settings, c *comparisonFlags, o *compareFlags) error {
	if err := c.check(); err != nil {
		return err
	}
	if o.allowErrors < 0 {
		return failWith(exitUsage, fmt.Errorf("--allow-errors %d: want 0 or more", o.allowErrors))
	}
	outs, err := s.outputs()
	if err != nil {
		return err
	}
	runs, err := openRuns(dirs[0], dirs[1])
	if err != nil {
		return err
	}
	sides, headers, err := o.sides(runs, dirs)
	if err != nil {
		return err
	}
	notes, err := mismatches(runs, headers)
	if err != nil {
		return failWith(exitUsage, err)
	}
	if len(notes) > 0 && !o.allowMismatch {
		return failWith(exitUsage, fmt.Errorf("%s and %s are not alike: %s; --allow-mismatch compares them all the same", dirs[0], dirs[1], strings.Join(notes, "; ")))
	}
	options := metrics.CompareOptions{Metric: c.metric, Seed: headers[0].Seed, Detect: c.detect}
	if x, y := headers[0].AB, headers[1].AB; x != nil && y != nil && x.Skill == y.Skill { // arms of runs on one skill's description
		options.Skill = x.Skill
	}
	comparison, err := metrics.Compare(sides[0], sides[1], options)
	if err != nil {
		return failWith(exitUsage, err)
	}
	if s.stable {
		comparison.LatencyMS = nil
	}
	comparison.Notes = append(append(notes, partNotes(comparison, headers)...), caseNotes(comparison)...)
	if err := a.writeReports(outs, &reports.Report{Comparison: comparison, Stable: s.stable}); err != nil {
		return err
	}
	if c.require == "" {
		return nil
	}
	if err := o.measured(comparison, headers, dirs); err != nil {
		return err
	}
	if err := c.demand(comparison); err != nil || c.require == "" {
		return err
	}
	a.say("%s", c.met(comparison))
	return nil
}

// partNotes says of each side which part of it was measured, where that is not all.
func partNotes(c *metrics.Comparison, headers [2]results.Header) []string {
	var notes []string
	for i, cases := range []int{c.Cases + c.Unscored.N + c.OnlyA.N, c.Cases + c.Unscored.N + c.OnlyB.N} {
		which := []string{c.A, c.B}[i]
		if note := measuredNote(&headers[i], which, cases); note != "" {
			notes = append(notes, note)
		}
		if !headers[i].Complete {
			notes = append(notes, which+" is not complete")
		}
	}
	return notes
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

// compareFlags are the settings of compare alone.
type compareFlags struct {
	arm, baseArm, headArm string
	allowMismatch         bool
	allowErrors           int
}

func (o *compareFlags) register(f *pflag.FlagSet) {
	f.BoolVar(&o.allowMismatch, "allow-mismatch", false, "compare runs of other datasets, models or prompts all the same")
	f.StringVar(&o.arm, "arm", "", "`NAME` of the arm, in runs of several")
	f.StringVar(&o.baseArm, "base-arm", "", "`NAME` of the arm of BASE, where it is not that of --arm")
	f.StringVar(&o.headArm, "head-arm", "", "`NAME` of the arm of HEAD, where it is not that of --arm")
	f.IntVar(&o.allowErrors, "allow-errors", 0, "most trials of a side that may be errors before --require exits 3")
}

// sides chooses the arm of each run; the headers are those of runs that have this arm alone.
func (o *compareFlags) sides(runs [2]*results.Run, dirs [2]string) (sides [2]metrics.Side, headers [2]results.Header, err error) {
	var faults []error
	for i, name := range []string{cmp.Or(o.baseArm, o.arm), cmp.Or(o.headArm, o.arm)} {
		label := []string{"base", "head"}[i]
		h := runs[i].Header()
		arm, err := armOf(h, dirs[i], name, "--arm NAME, or --"+label+"-arm NAME for this side alone")
		if err != nil {
			faults = append(faults, err)
			continue
		}
		h.Prompt.Catalog = cmp.Or(arm.Catalog, h.Prompt.Catalog)
		h.Prompt.Order = cmp.Or(arm.Order, h.Prompt.Order)
		h.Prompt.Protocol = cmp.Or(arm.Protocol, h.Prompt.Protocol)
		headers[i], sides[i] = h, metrics.Side{Source: runs[i], Arm: arm.Name, Label: label}
	}
	if err := errors.Join(faults...); err != nil {
		return sides, headers, failWith(exitUsage, err)
	}
	return sides, headers, nil
}

// measured refuses to decide on runs of which too much is missing: that is no property of what is compared.
func (o *compareFlags) measured(c *metrics.Comparison, headers [2]results.Header, dirs [2]string) error {
	for i, n := range []int{c.ErrorsA, c.ErrorsB} {
		switch h := &headers[i]; {
		case !h.Complete:
			return failWith(exitServer, fmt.Errorf("--require: %s: the run is not complete; nothing is decided (%s)", dirs[i], toFinish(h, dirs[i])))
		case n > o.allowErrors:
			return failWith(exitServer, fmt.Errorf("--require: %s: %d trials are errors and were not scored; nothing is decided (the command that made it asks them again with --resume, --allow-errors %d accepts them)", dirs[i], n, n))
		}
	}
	switch {
	case c.Cases > 0 || c.ErrorsA+c.ErrorsB > 0:
	case c.Unscored.N > 0 && c.Metric == metrics.MetricArgs:
		return failWith(exitUsage, errors.New("--require: no case that both runs have labels arguments, so that --metric args compares nothing: label some, or choose another metric"))
	default:
		return failWith(exitUsage, fmt.Errorf("--require: there is nothing to compare: %s", strings.Join(caseNotes(c), "; ")))
	}
	return nil
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
