package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/skills"
)

func newSkillsCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "skills",
		Short:   "Look at a catalogue of skills",
		Example: "  skilleval skills list --skills my-skills\n  skilleval skills show get_weather",
	}
	cmd.AddCommand(newSkillsListCommand(a), newSkillsShowCommand(a))
	return cmd
}

func newSkillsListCommand(a *app) *cobra.Command {
	var s settings
	var available bool
	cmd := &cobra.Command{
		Use:   "list [SUITE]",
		Short: "List the skills, and what could not be loaded",
		Long: `list loads a catalogue and says what was found, loaded and failed; nothing is skipped silently. Each tolerance that
loading applied is in the JSON report. Equal names are listed with their paths. list only looks, and exits 0: run refuses
a catalogue with failures or equal names.`,
		Example: `  skilleval skills list
  skilleval skills list --skills my-skills -o json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			su, err := a.openSuite(args, &s, cmd.Flags())
			if err != nil {
				return err
			}
			outs, err := s.outputs()
			if err != nil {
				return err
			}
			c, err := su.catalogue()
			if err != nil {
				return err
			}
			if err := spare(outs, append(su.inputs(), skillFiles(c)...), ""); err != nil {
				return err
			}
			return a.writeReports(outs, &reports.Report{Skills: skillList(c, available)})
		},
	}
	s.catalogueFlags(cmd.Flags())
	s.outputFlags(cmd.Flags())
	cmd.Flags().BoolVar(&available, "available", false, "only the skills whose requirements are met")
	return cmd
}

// skillList describes a catalogue for a report.
func skillList(c *skills.Catalog, onlyAvailable bool) *reports.SkillList {
	l := &reports.SkillList{Found: c.Found, Loaded: c.Found - len(c.Failures), Failed: len(c.Failures),
		List: []reports.SkillItem{}, Failures: places(c.Failures), Notes: places(c.Notes)}
	for _, s := range c.Skills {
		if onlyAvailable && s.Unavailable != "" {
			continue
		}
		l.List = append(l.List, reports.SkillItem{Name: s.Name, Path: s.Path, Description: s.Description,
			Available: s.Unavailable == "", Unavailable: s.Unavailable, Tolerated: places(s.Tolerated)})
	}
	for _, d := range c.Duplicates {
		l.Duplicates = append(l.Duplicates, reports.Duplicate{Name: d.Name, Paths: d.Paths})
	}
	for _, d := range c.Shadowed {
		l.Shadowed = append(l.Shadowed, reports.Duplicate{Name: d.Name, Paths: d.Paths})
	}
	return l
}

func places(notes []skills.Note) []reports.Place {
	out := make([]reports.Place, len(notes))
	for i, n := range notes {
		out[i] = reports.Place{Code: n.Code, Path: n.Path, Line: n.Line, Column: n.Column, Message: n.Message}
	}
	return out
}

func newSkillsShowCommand(a *app) *cobra.Command {
	var s settings
	var level string
	cmd := &cobra.Command{
		Use:   "show NAME [SUITE]",
		Short: "Show one skill as the model sees it",
		Long: `show prints a skill at one of the disclosure levels: summary (its line in the catalogue), detail (what level 2
injects, with the schema), or a resource of the skill by its path.`,
		Example: `  skilleval skills show get_weather
  skilleval skills show get_weather --level summary
  skilleval skills show pdf --skills my-skills --level references/forms.md`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			su, err := a.openSuite(args[1:], &s, cmd.Flags())
			if err != nil {
				return err
			}
			c, err := su.catalogue()
			if err != nil {
				return err
			}
			text, err := disclose(c, args[0], level)
			if err != nil {
				return failWith(exitUsage, err)
			}
			return a.print(a.redactData(plainLines(text)) + "\n")
		},
	}
	s.catalogueFlags(cmd.Flags())
	cmd.Flags().StringVar(&level, "level", "detail", "summary, detail, or the `PATH` of a resource inside the skill")
	return cmd
}

// skillNamed finds a skill of a catalogue; the error names the nearest.
func skillNamed(c *skills.Catalog, name string) (*skills.Skill, error) {
	if s, ok := c.Get(name); ok {
		return s, nil
	}
	known := make([]string, len(c.Skills))
	for i, s := range c.Skills {
		known[i] = s.Name
	}
	return nil, unknownSkill(name, known)
}

// disclose renders one skill at a level.
func disclose(c *skills.Catalog, name, level string) (string, error) {
	s, err := skillNamed(c, name)
	if err != nil {
		return "", err
	}
	switch level {
	case "summary":
		return skills.Render([]*skills.Skill{s}, skills.RenderOptions{}).Text, nil
	case "detail":
		text := skills.Detail(s)
		if s.Parameters != nil {
			var schema strings.Builder
			enc := json.NewEncoder(&schema)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			if err := enc.Encode(s.Parameters); err != nil {
				return "", err
			}
			text += "\n\nParameters (JSON Schema):\n" + schema.String()
		}
		return text, nil
	}
	data, err := s.Resource(level)
	if err != nil {
		return "", fmt.Errorf("--level: write summary, detail, or the path of a file inside the skill: %w", err)
	}
	return string(data), nil
}

// unknownSkill names the nearest of the skills there are.
func unknownSkill(name string, known []string) error {
	if best := nearest(name, known); best != "" {
		return fmt.Errorf("no skill is named %q: did you mean %q?", name, best)
	}
	return fmt.Errorf("no skill is named %q: \"skilleval skills list\" lists the %d there are", name, len(known))
}

// plainLines makes multi-line text safe for a terminal, line by line.
func plainLines(text string) string {
	var b strings.Builder
	for line := range lines(text) {
		b.WriteString(reports.Plain(line) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
