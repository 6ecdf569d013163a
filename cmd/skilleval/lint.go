package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

// lintConfigFile is the configuration of lint in the working directory.
const lintConfigFile = ".skilleval-lint.yaml"

// lintOptions are the flags of lint beyond the common ones.
type lintOptions struct {
	settings
	explain      string
	rules        bool
	fix          bool
	changedSince string
}

func newLintCommand(a *app) *cobra.Command {
	var o lintOptions
	cmd := &cobra.Command{
		Use:   "lint [PATH…]",
		Short: "Find what is wrong with skills, before a model is asked",
		Long: `lint holds rules against skills: the format, names, descriptions, parameters, files, and the catalogue as a whole.
PATH is a folder of skills, one skill, or a SKILL.md; without any, the suite's skills are looked at.

An error is what keeps a skill from being loaded or a catalogue from being run; what hosts accept is a warning or a note
at most. Rules are raised, lowered and switched off in ` + lintConfigFile + ` (or --lint-config FILE):

  rules:
    name-underscore: off
    description-too-long: {severity: error, max: 800}
  overrides:
    - paths: ["vendor/**"]
      rules: {description-use-when: off}`,
		Example: `  skilleval lint
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
	lo, err := o.lintOptions(ctx, su)
	if err != nil {
		return failWith(exitUsage, err)
	}
	c, err := a.lintCatalogue(su, o.fix, lo)
	if err != nil {
		return err
	}
	if err := spareSkills(outs, c); err != nil {
		return err
	}
	if lo.Pairs, err = nearPairs(ctx, su, c, lo.Only); err != nil {
		return err
	}
	found, err := lint.Run(c, lo)
	if err != nil {
		return failWith(exitUsage, err)
	}
	r := lintReport(found)
	placeReport(ctx, r)
	if err := a.writeReports(outs, r); err != nil {
		return err
	}
	a.saySummary(found, o.fix)
	if limit != "" && slices.ContainsFunc(found.Findings, func(f lint.Finding) bool { return f.Severity.AtLeast(limit) }) {
		return failWith(exitFailed, nil)
	}
	return nil
}

// openSkills opens the suite, or the skills at the paths that are named in its place.
func (a *app) openSkills(paths []string, s *settings, flags *pflag.FlagSet) (*suite, error) {
	if len(paths) > 0 && len(s.skills) > 0 {
		return nil, failWith(exitUsage, errors.New("both PATH and --skills are given: name the skills once"))
	}
	if len(paths) == 1 && paths[0] == sampleName {
		return a.openSuite(paths, s, flags)
	}
	for _, p := range paths {
		if err := flags.Set("skills", p); err != nil {
			return nil, failWith(exitUsage, err)
		}
	}
	return a.openSuite(nil, s, flags)
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

// lintOptions reads the configuration and finds out what changed.
func (o *lintOptions) lintOptions(ctx context.Context, su *suite) (lint.Options, error) {
	var lo lint.Options
	file := o.lintConfig
	switch {
	case o.origin["lint-config"] == fromFile && !su.embedded("lint-config"):
		file = su.path(file)
	case file == "" && exists(lintConfigFile):
		file = lintConfigFile
	}
	if file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return lo, fmt.Errorf("%s: %w", o.where("lint-config"), err)
		}
		if lo.Config, err = lint.ParseConfig(file, data); err != nil {
			return lo, err
		}
	}
	if o.given("changed-since") {
		only, err := changedSince(ctx, o.changedSince)
		if err != nil {
			return lo, fmt.Errorf("%s: %w", o.where("changed-since"), err)
		}
		lo.Only = only
	}
	return lo, nil
}

// lintCatalogue loads the skills, mended first if that is asked for.
func (a *app) lintCatalogue(su *suite, fix bool, lo lint.Options) (*skills.Catalog, error) {
	c, err := su.catalogue()
	if err != nil || !fix {
		return c, err
	}
	if su.embedded("skills") {
		return nil, failWith(exitUsage, errors.New("--fix: the built-in suite is no file: name a folder of skills"))
	}
	if err := a.fixSkills(c, lo); err != nil {
		return nil, err
	}
	return su.catalogue()
}

// spareSkills refuses reports that would take the place of a skill's file.
func spareSkills(outs []output, c *skills.Catalog) error {
	toFile := slices.ContainsFunc(outs, func(o output) bool { return o.path != "" && o.path != "-" })
	if !toFile {
		return nil
	}
	return spare(outs, skillFiles(c), "")
}

// skillTexts gives the descriptions of a catalogue as texts to compare; the id of each is the path of its SKILL.md.
func skillTexts(c *skills.Catalog) []similarity.Text {
	texts := make([]similarity.Text, len(c.Skills))
	for i, s := range c.Skills {
		texts[i] = similarity.Text{ID: s.Path, Name: s.Name, Description: s.Description, UseWhen: s.UseWhen, DoNotUseWhen: s.DoNotUseWhen}
		schema, err := s.Schema()
		if err != nil { // loading refuses such a skill
			continue
		}
		for _, p := range schema.Properties() {
			texts[i].Parameters = append(texts[i].Parameters, strings.TrimSpace(p.Name+" "+p.Description))
		}
	}
	return texts
}

// nearPairs finds the descriptions that sound alike; those that a reviewer accepted are marked.
func nearPairs(ctx context.Context, su *suite, c *skills.Catalog, only func(string) bool) ([]similarity.Pair, error) {
	o := similarity.Options{Least: similarity.Near}
	if only != nil {
		o.Only = func(t *similarity.Text) bool { return only(t.ID) }
	}
	var err error
	if o.Accepted, err = su.acceptedPairs(); err != nil {
		return nil, failWith(exitUsage, err)
	}
	found, err := similarity.Find(ctx, skillTexts(c), o)
	if err != nil {
		return nil, failWith(exitServer, err)
	}
	return found.Pairs, nil
}

// lintReport puts findings into a report.
func lintReport(found lint.Report) *reports.Report {
	r := &reports.Report{Findings: make([]reports.Finding, len(found.Findings)),
		Skills: &reports.SkillList{Found: found.Found, Loaded: found.Loaded, Failed: found.Failed, List: []reports.SkillItem{}, Failures: []reports.Place{}}}
	for i, f := range found.Findings {
		r.Findings[i] = reports.Finding{Rule: f.Rule, Severity: string(f.Severity), Message: f.Message, Hint: f.Hint, Path: f.Path,
			Line: f.Line, Column: f.Column, Skill: f.Skill, Fingerprint: f.Fingerprint(), Related: places(f.Related)}
	}
	for _, rule := range lint.Rules() {
		r.Rules = append(r.Rules, reports.Rule{ID: rule.ID, Title: rule.Title, Doc: rule.Doc, Severity: string(rule.Severity)})
	}
	return r
}

func (a *app) saySummary(r lint.Report, fixed bool) {
	a.say("found %d, loaded %d, failed %d; %d errors, %d warnings, %d notes in %d files", r.Found, r.Loaded, r.Failed,
		r.Count(lint.Error), r.Count(lint.Warning), r.Count(lint.Note), r.Files())
	mendable := 0
	for _, f := range r.Findings {
		if f.Fix != nil {
			mendable++
		}
	}
	if mendable > 0 && !fixed {
		a.say("%d of the findings can be mended with --fix", mendable)
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
		if r.Limit > 0 {
			fmt.Fprintf(&b, "max: %d %s\n", r.Limit, r.Unit)
		}
		b.WriteString("\n" + r.Doc)
	}
	if _, err := fmt.Fprint(a.Out, b.String()); err != nil {
		return failWith(exitServer, err)
	}
	return nil
}
