package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

// lintOptions are the flags of lint beyond the common ones.
type lintOptions struct {
	settings
	explain      string
	rules        bool
	fix          bool
	changedSince string
	since        *changes // read from changedSince; nil without it
}

func newLintCommand(a *app) *cobra.Command {
	var o lintOptions
	cmd := &cobra.Command{
		Use:   "lint [PATH…]",
		Short: "Find what is wrong with skills, before a model is asked",
		Long: `lint holds rules against skills: the format, names, descriptions, parameters, files, and the catalogue as a whole.
PATH is a folder of skills, one skill, or a SKILL.md; without any, the suite's skills are looked at.

An error is what keeps a skill from being loaded or a catalogue from being run; what hosts accept is a warning or a note
at most. Where one file keeps a skill from being loaded, what else can be read of it is looked at.

Rules are raised, lowered and switched on and off in ` + lintConfigFile + ` (or --lint-config FILE). It is looked for in the
folder of the skills and those above it up to the working directory, then beside skilleval.yaml, then in the working
directory; the first one counts, and which one it is is said. --explain ID shows what a rule takes:

  rules:
    secret: error             # hosts accept such a file, your CI need not
    name-underscore: warning  # off by default: functions have underscores, the open format forbids them
    description-too-long: {severity: error, max: 800}
  overrides:
    - paths: ["vendor/**"]
      rules: {description-use-when: off}`,
		Example: `  skilleval lint my-suite
  skilleval lint my-skills --level warning
  skilleval lint my-skills --fail-on never -o sarif=lint.sarif
  skilleval lint --rules
  skilleval lint --explain missing-cross-reference
  skilleval lint my-skills --fix -o json`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.lint(cmd.Context(), &o, args, cmd.Flags()) },
	}
	f := cmd.Flags()
	o.catalogueFlags(f)
	o.lintFlags(f)
	o.outputFlags(f)
	f.StringVar(&o.accepted, "accepted", "", "reviewed pairs, which are no finding: a YAML `FILE` (default: "+acceptedFile+" beside the suite)")
	f.StringVar(&o.level, "level", string(lint.Note), "lowest `SEVERITY` that is listed: error, warning or note; the rest is counted")
	f.StringVar(&o.explain, "explain", "", "explain the rule `ID` and exit")
	f.BoolVar(&o.rules, "rules", false, "list the rules and exit")
	f.BoolVar(&o.fix, "fix", false, "first mend the files where that needs no judgement")
	f.StringVar(&o.changedSince, "changed-since", "", "only findings of files that changed since the merge base with `REV`")
	return cmd
}

func (a *app) lint(ctx context.Context, o *lintOptions, args []string, flags *pflag.FlagSet) error {
	if o.rules || o.explain != "" {
		return a.explainRules(o.explain)
	}
	o.decides = true
	su, err := a.openSkills(args, &o.settings, flags)
	if err != nil {
		return err
	}
	outs, err := o.outputs()
	if err != nil {
		return err
	}
	limit, err := failOn(o.failOn)
	if err != nil {
		return failWith(exitUsage, fmt.Errorf("%s: %w", o.where("fail-on"), err))
	}
	least, err := o.leastListed()
	if err != nil {
		return err
	}
	config, further := o.lintConfigPath(su)
	lo, err := a.lintOptions(ctx, o, config, further)
	if err != nil {
		return failWith(exitUsage, err)
	}
	c, err := su.catalogue()
	if err != nil {
		return err
	}
	if err := spareInputs(outs, su, c, config, su.acceptedPath()); err != nil {
		return err
	}
	if o.fix {
		if c, err = a.mend(su, c, lo); err != nil {
			return err
		}
	}
	a.sayOutside(o.since, slices.Concat(c.Skills, c.Broken))
	lo.Descriptions = su.described
	if lo.Pairs, err = nearPairs(ctx, su, c, lo.Only); err != nil {
		return err
	}
	found, err := lint.Run(c, lo)
	if err != nil {
		return failWith(exitUsage, err)
	}
	listed, left := listFrom(found, least)
	r := lintReport(listed)
	if left != "" {
		r.Notes = append(r.Notes, left)
	}
	placeReport(ctx, r)
	for i, f := range listed.Findings {
		r.Findings[i].Fingerprint = f.FingerprintAt(fromRoot(r, f.Path))
	}
	if err := a.writeReports(outs, r); err != nil {
		return err
	}
	a.saySummary(found, o.fix)
	if limit != "" && slices.ContainsFunc(found.Findings, func(f lint.Finding) bool { return f.Severity.AtLeast(limit) }) {
		return failWith(exitFailed, nil)
	}
	return nil
}

// failOn reads the severity from which on findings fail the command; "" for never.
func failOn(value string) (lint.Severity, error) {
	switch s := lint.Severity(value); s {
	case lint.Error, lint.Warning, lint.Note:
		return s, nil
	case "never":
		return "", nil
	}
	return "", fmt.Errorf("%q is not known: write error, warning, note or never", value)
}

// mend changes the files of a catalogue where that needs no judgement, and loads it again.
func (a *app) mend(su *suite, c *skills.Catalog, lo lint.Options) (*skills.Catalog, error) {
	if su.embedded("skills") {
		return nil, failWith(exitUsage, errors.New("--fix: the built-in suite is no file: name a folder of skills"))
	}
	if err := a.fixSkills(c, lo); err != nil {
		return nil, err
	}
	return su.catalogue()
}

// lintReport puts findings into a report.
func lintReport(found lint.Report) *reports.Report {
	r := &reports.Report{Findings: make([]reports.Finding, len(found.Findings)),
		Skills: &reports.SkillList{Found: found.Found, Loaded: found.Loaded, Failed: found.Failed, List: []reports.SkillItem{}, Failures: []reports.Place{}}}
	for i, f := range found.Findings {
		r.Findings[i] = reports.Finding{Rule: f.Rule, Severity: string(f.Severity), Message: f.Message, Hint: f.Hint, Path: f.Path,
			Line: f.Line, Column: f.Column, Skill: f.Skill, Related: places(f.Related)}
	}
	for _, rule := range lint.Rules() {
		r.Rules = append(r.Rules, reports.Rule{ID: rule.ID, Title: rule.Title, Doc: rule.Doc, Severity: string(rule.Severity)})
	}
	return r
}

func (a *app) saySummary(r lint.Report, fixed bool) {
	a.say("found %d, loaded %d, failed %d; %s, %s, %s in %s", r.Found, r.Loaded, r.Failed, reports.Counted(r.Count(lint.Error), "error"),
		reports.Counted(r.Count(lint.Warning), "warning"), reports.Counted(r.Count(lint.Note), "note"), reports.Counted(r.Files(), "file"))
	mendable := 0
	for _, f := range r.Findings {
		if f.Fix != nil {
			mendable++
		}
	}
	if mendable > 0 && !fixed {
		a.say("%d of %s can be mended with --fix", mendable, reports.Counted(len(r.Findings), "finding"))
	}
}

// explainRules prints the documentation of one rule, or the list of all.
func (a *app) explainRules(id string) error {
	var b strings.Builder
	if id == "" {
		for _, r := range lint.Rules() {
			fmt.Fprintf(&b, "%-28s %-8s %s\n", r.ID, r.Severity, r.Title)
		}
	} else {
		r, err := lint.Find(id)
		if err != nil {
			return failWith(exitUsage, fmt.Errorf("--explain: %w", err))
		}
		fmt.Fprintf(&b, "%s: %s\nseverity: %s\n", r.ID, r.Title, r.Severity)
		keys := r.ID + ": error, warning, note or off"
		if r.Limit > 0 {
			fmt.Fprintf(&b, "max: %d %s\n", r.Limit, r.Unit)
			keys = fmt.Sprintf("%s: {severity: %s, max: %d}", r.ID, lint.Error, r.Limit)
		}
		fmt.Fprintf(&b, "\n%s\nIn %s, below rules:\n\n    %s\n", r.Doc, lintConfigFile, keys)
	}
	return a.print(b.String())
}

// nearPairs finds the descriptions that sound alike; those that a reviewer accepted are marked.
func nearPairs(ctx context.Context, su *suite, c *skills.Catalog, only func(string) bool) ([]similarity.Pair, error) {
	o := similarity.Options{Least: similarity.Near}
	if only != nil {
		o.Only = func(t *similarity.Text) bool { return su.touched(only, t) }
	}
	var err error
	if o.Accepted, err = su.acceptedPairs(skillTexts(c)); err != nil {
		return nil, failWith(exitUsage, err)
	}
	found, err := similarity.Find(ctx, skillTexts(c), o)
	if err != nil {
		return nil, failWith(exitServer, err)
	}
	return found.Pairs, nil
}
