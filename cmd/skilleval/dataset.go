package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/skills"
)

func newDatasetCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "dataset",
		Short:   "Check and describe labelled cases",
		Example: "  skilleval dataset check my-suite\n  skilleval dataset stats my-suite",
	}
	cmd.AddCommand(newDatasetCheckCommand(a), newDatasetStatsCommand(a))
	return cmd
}

func newDatasetCheckCommand(a *app) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "check [SUITE]",
		Short: "Find faults in the cases and their labels",
		Long: `check holds the cases against each other and against the skills: duplicates, contradictions, unknown skills,
arguments that the skill's own schema refuses, skills with too few cases. It exits 1 when a finding is an error.`,
		Example: `  skilleval dataset check my-suite
  skilleval dataset check --skills my-skills --dataset cases.jsonl -o json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.decides = true
			in, err := a.openCases(args, &s, cmd)
			if err != nil {
				return err
			}
			found := datasets.Check(in.cases, in.skills)
			if in.suite.embedded("dataset") {
				found = withoutFewCases(found) // the sample is to be looked at, not to be decided on
			}
			rep := &reports.Report{Findings: findings(found)}
			errs := 0
			for _, f := range rep.Findings {
				if f.Severity == "error" {
					errs++
				}
			}
			rep.Notes = []string{fmt.Sprintf("%s checked against %s: %s, %s", reports.Counted(len(in.cases), "case"), reports.Counted(len(in.skills), "skill"), reports.Counted(errs, "error"), reports.Counted(len(rep.Findings)-errs, "warning"))}
			if err := a.writeReports(in.outputs, rep); err != nil {
				return err
			}
			if errs > 0 {
				return failWith(exitFailed, nil)
			}
			return nil
		},
	}
	s.inputFlags(cmd.Flags())
	s.outputFlags(cmd.Flags())
	return cmd
}

func newDatasetStatsCommand(a *app) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:     "stats [SUITE]",
		Short:   "Count what the cases cover",
		Example: "  skilleval dataset stats my-suite\n  skilleval dataset stats --filter tag:zh -o json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.openCases(args, &s, cmd)
			if err != nil {
				return err
			}
			stats := datasets.Describe(in.cases, in.skills)
			return a.writeReports(in.outputs, &reports.Report{Dataset: stats, Counts: countTables(stats), Notes: stats.Warnings})
		},
	}
	s.inputFlags(cmd.Flags())
	s.outputFlags(cmd.Flags())
	return cmd
}

// countTables shows the statistics of a dataset as tables.
func countTables(s datasets.Stats) []reports.CountTable {
	convert := func(title string, counts []datasets.Count) reports.CountTable {
		t := reports.CountTable{Title: title}
		for _, c := range counts {
			t.Rows = append(t.Rows, reports.Count{Name: c.Name, N: c.N})
		}
		return t
	}
	return []reports.CountTable{
		{Title: "cases", Rows: []reports.Count{{Name: "all", N: s.Cases}, {Name: "no skill should be used", N: s.None}, {Name: "one call", N: s.Single},
			{Name: "several calls", N: s.Multi}, {Name: "with an earlier conversation", N: s.WithHistory}, {Name: "with labelled arguments", N: s.LabelledCases},
			{Name: "labelled arguments", N: s.LabelledArgs}, {Name: "independent clusters", N: s.Clusters}}},
		convert("cases by script", s.Scripts), convert("cases by tag", s.Tags), convert("cases by skill", s.Skills),
	}
}

// caseInputs is what the dataset commands look at.
type caseInputs struct {
	suite   *suite
	cases   []datasets.Case
	skills  []*skills.Skill
	outputs []output
}

// openCases loads it.
func (a *app) openCases(args []string, s *settings, cmd *cobra.Command) (*caseInputs, error) {
	su, err := a.openSuite(args, s, cmd.Flags())
	if err != nil {
		return nil, err
	}
	in := &caseInputs{suite: su}
	if in.outputs, err = s.outputs(); err != nil {
		return nil, err
	}
	c, err := su.catalogue()
	if err != nil {
		return nil, err
	}
	if err := c.Err(); err != nil {
		return nil, failWith(exitUsage, err)
	}
	if err := spare(in.outputs, append(su.inputs(), skillFiles(c)...), ""); err != nil {
		return nil, err
	}
	in.skills = c.Skills
	if in.cases, err = su.cases(); err != nil {
		return nil, withLabelFaults(err, in.cases, c.Skills)
	}
	return in, nil
}

// withoutFewCases leaves out what is true of most suites and no mistake: too few cases of a skill for small differences.
func withoutFewCases(faults datasets.Faults) datasets.Faults {
	return slices.DeleteFunc(slices.Clone(faults), func(f datasets.Fault) bool { return f.Rule == datasets.RuleFewCases })
}

func findings(faults datasets.Faults) []reports.Finding {
	out := make([]reports.Finding, len(faults))
	for i, f := range faults {
		message := f.Message
		if f.Path != "" {
			message = f.Path + ": " + message
		}
		if f.Case != "" {
			message = "case " + f.Case + ": " + message
		}
		out[i] = reports.Finding{Rule: f.Rule, Severity: f.Severity, Message: message, Path: f.File, Line: f.Line, Column: f.Column, Case: f.Case}
	}
	return out
}
