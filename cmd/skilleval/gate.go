package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

// gateSettings are the flags of gate that no other command has, and what they were read as.
type gateSettings struct {
	baseline         string
	arm              string
	strictDelta      bool
	allowMismatch    bool
	onNew, onRemoved string
	options          metrics.GateOptions
}

func newGateCommand(a *app) *cobra.Command {
	var s settings
	var g gateSettings
	cmd := &cobra.Command{
		Use:   "gate RUN",
		Short: "Hold a run against thresholds and a baseline",
		Long: `gate reads a run directory and decides whether it is good enough: by thresholds on its figures, by its change against
a baseline, and by its golden cases. It asks no model.

A gate is METRIC OP NUMBER, with [skill=NAME] or [tag=NAME] after a metric that has parts, and delta(METRIC) for the
change against the baseline. A change in what single cases show, such as delta(selection.accuracy), is measured on the
cases both have, and fails only when its 95 % interval shows the loss; --strict-delta compares the point. A change in
tokens, cost, latency or rounds is a plain difference. A gate over nothing measured fails.

Cases tagged golden must be right whatever the averages: in every scored trial the skills called are those expected and,
where the case labels arguments, the arguments match. The baseline is a file of "skilleval baseline set", a run
directory, or git:REV[:PATH] for the file in a git revision.

Exit codes: 0 everything holds; 1 a gate, a golden case or a case policy failed; 2 usage, an unreadable run or baseline,
or a baseline of another experiment; 3 more errors in the run than --allow-errors, or an incomplete run: nothing is
decided then.`,
		Example: `  skilleval gate my-run --gate "selection.accuracy >= 0.9" --gate "errors <= 0"
  skilleval gate my-run --baseline skilleval-baseline.json --gate "delta(selection.accuracy) >= -0.02"
  skilleval gate my-run --baseline .skilleval/runs/20260302-101500-1f2e3d --gate "delta(tokens.prompt.mean) <= 50" --on-removed-cases fail`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.resolveEnvironment(cmd.Flags(), a.env); err != nil {
				return failWith(exitUsage, err)
			}
			return a.gate(cmd.Context(), args[0], &s, &g)
		},
	}
	f := cmd.Flags()
	s.outputFlags(f)
	s.gateFlags(f)
	f.IntVar(&s.allowErrors, "allow-errors", 0, "most trials that may be errors before the exit code is 3")
	g.flags(f)
	return cmd
}

func (g *gateSettings) flags(f *pflag.FlagSet) {
	f.StringVar(&g.baseline, "baseline", "", "baseline `FILE`, run directory, or git:REV[:FILE]")
	f.StringVar(&g.arm, "arm", "", "`NAME` of the arm, in a run of several")
	f.BoolVar(&g.strictDelta, "strict-delta", false, "a delta gate compares the point, not the interval")
	f.BoolVar(&g.allowMismatch, "allow-mismatch", false, "compare with a baseline of another model, prompt or labels")
	f.StringVar(&g.onNew, "on-new-cases", "warn", "allow, warn about or fail cases the baseline does not have (`POLICY`)")
	f.StringVar(&g.onRemoved, "on-removed-cases", "warn", "allow, warn about or fail cases that only the baseline has (`POLICY`)")
}

// gate is the command from top to bottom: parse everything, read, report, decide.
func (a *app) gate(ctx context.Context, dir string, s *settings, g *gateSettings) error {
	gates, outs, err := g.parse(s)
	if err != nil {
		return err
	}
	if err := spare(outs, []string{g.baseline}, ""); err != nil {
		return err
	}
	run, base, err := openBoth(ctx, dir, g.baseline)
	if err != nil {
		return failWith(exitUsage, err)
	}
	h := run.Header()
	if err := gatesFit(gates, h, s.stable); err != nil {
		return err
	}
	names, err := skillNames(h)
	if err != nil {
		return failWith(exitUsage, err)
	}
	g.options.Summary = metrics.SummaryOptions{Stable: s.stable, Seed: h.Seed, Skills: names}
	checked, err := metrics.GateAgainst(gates, run, base, g.options)
	if err != nil {
		return notCompared(dir, err)
	}
	if len(gates)+checked.Golden == 0 && !g.policyFails() {
		return failWith(exitUsage, fmt.Errorf(`nothing to check: write --gate EXPR, such as --gate "selection.accuracy >= 0.9", or tag cases %q`, "golden"))
	}
	if err := knownTags(gates, &checked.Arm); err != nil {
		return err
	}
	held, err := explainCases(checked.Cases, run, checked.Arm.Arm, base)
	if err != nil {
		return failWith(exitServer, fmt.Errorf("%s: %w", dir, err))
	}
	arms := []metrics.Arm{checked.Arm}
	if err := nameRequests(run, arms); err != nil {
		return failWith(exitServer, fmt.Errorf("%s: %w", dir, err))
	}
	rep := &reports.Report{Run: reports.RunPart(h, s.stable), Arms: arms, Gates: checked.Gates,
		Findings: caseFindings(held.rules), Notes: checked.Notes, Stable: s.stable, Trials: run.Trials}
	if note := measuredNote(&h, "the run", checked.Arm.Cases); note != "" {
		rep.Notes = append(rep.Notes, note)
	}
	if !s.stable {
		rep.Notes = append(rep.Notes, run.Notes()...)
	}
	if err := a.writeReports(outs, rep); err != nil {
		return err
	}
	if !h.Complete {
		return failWith(exitServer, fmt.Errorf("%s: the run is not complete: %d trials are finished; nothing is decided (%s)",
			dir, checked.Arm.Trials, toFinish(&h, dir)))
	}
	if err := decide(rep, s.allowErrors); err != nil {
		return err
	}
	return held.decide()
}

// knownTags refuses gates on a tag that no case of a run has. In a run with errors it may be theirs.
func knownTags(gates []metrics.Gate, arm *metrics.Arm) error {
	var faults []error
	for _, g := range gates {
		if g.Tag != "" && arm.Errors == 0 && !slices.ContainsFunc(arm.Tags, func(t metrics.TagSummary) bool { return t.Tag == g.Tag }) {
			faults = append(faults, fmt.Errorf("--gate %q: no case has the tag %q", g.Expr, g.Tag))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitUsage, err)
	}
	return nil
}

// openBoth opens a run and reads a baseline at the same time; the faults of both are reported.
func openBoth(ctx context.Context, dir, baseline string) (*results.Run, *metrics.Baseline, error) {
	var base *metrics.Baseline
	var baseErr error
	var read sync.WaitGroup
	read.Go(func() { base, baseErr = readBaseline(ctx, baseline) })
	run, err := results.Open(dir)
	read.Wait()
	return run, base, errors.Join(baseErr, err)
}

// parse reads every flag before any file is read; all faults are reported at once.
func (g *gateSettings) parse(s *settings) ([]metrics.Gate, []output, error) {
	var gates []metrics.Gate
	var faults []error
	for _, expr := range s.gate {
		gate, err := metrics.ParseGate(expr)
		if err == nil && gate.NeedsBaseline() && g.baseline == "" {
			err = fmt.Errorf("%s: delta(…) compares with a baseline: name one with --baseline", gate.Expr)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("--gate: %w", err))
			continue
		}
		gates = append(gates, gate)
	}
	g.options = metrics.GateOptions{Arm: g.arm, StrictDelta: g.strictDelta, AllowMismatch: g.allowMismatch}
	var err error
	if g.options.OnNew, err = metrics.ParsePolicy(g.onNew); err != nil {
		faults = append(faults, fmt.Errorf("--on-new-cases: %w", err))
	}
	if g.options.OnRemoved, err = metrics.ParsePolicy(g.onRemoved); err != nil {
		faults = append(faults, fmt.Errorf("--on-removed-cases: %w", err))
	}
	if g.baseline == "" && g.policyFails() {
		faults = append(faults, errors.New("--on-new-cases and --on-removed-cases fail against a baseline: name one with --baseline"))
	}
	if s.allowErrors < 0 {
		faults = append(faults, fmt.Errorf("--allow-errors %d: want 0 or more", s.allowErrors))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, nil, failWith(exitUsage, err)
	}
	outs, err := s.outputs()
	return gates, outs, err
}

func (g *gateSettings) policyFails() bool {
	return g.options.OnNew == metrics.PolicyFail || g.options.OnRemoved == metrics.PolicyFail
}

// notCompared tells a baseline or an arm that does not fit from a run that cannot be read.
func notCompared(dir string, err error) error {
	var mismatch *metrics.BaselineMismatchError
	switch {
	case errors.As(err, &mismatch):
		return failWith(exitUsage, fmt.Errorf(`%s: %w (--allow-mismatch compares all the same; "skilleval baseline set" makes a new baseline)`, dir, err))
	case errors.Is(err, metrics.ErrArm):
		return failWith(exitUsage, fmt.Errorf("%s: %w", dir, err))
	}
	return failWith(exitServer, fmt.Errorf("%s: %w", dir, err))
}

// listedCases is how many cases of one rule are listed; the rest is counted.
const listedCases = 50

// caseFindings lists the cases that rules speak of, at most so many of each rule.
func caseFindings(rules []metrics.CaseRule) []reports.Finding {
	var out []reports.Finding
	for from := 0; from < len(rules); {
		to := from
		for to < len(rules) && rules[to].Rule == rules[from].Rule {
			to++
		}
		for _, r := range rules[from:min(to, from+listedCases)] {
			out = append(out, reports.Finding{Rule: r.Rule, Severity: severity(r), Message: r.Message, Case: r.Case})
		}
		if more := to - from - listedCases; more > 0 {
			out = append(out, reports.Finding{Rule: rules[from].Rule, Severity: severity(rules[from]), Message: fmt.Sprintf("and %d more cases", more)})
		}
		from = to
	}
	return out
}

func severity(r metrics.CaseRule) string {
	switch {
	case r.Fail:
		return "error"
	case r.Rule == metrics.RuleLost:
		return "note"
	}
	return "warning"
}
