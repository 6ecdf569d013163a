package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/skills"
)

func newABCommand(a *app) *cobra.Command {
	var s settings
	var c comparisonFlags
	var skill string
	var sequential bool
	cmd := &cobra.Command{
		Use:   "ab A B [SUITE]",
		Short: "Compare two descriptions of one skill",
		Long: `ab runs the suite under two descriptions of one skill, everything else equal, and says which is better, how sure that
is, which cases flipped, and what it did to every other skill. The arms are interleaved case by case, with equal seeds.

A and B are each a SKILL.md or its directory, a text file, REV:PATH of a git revision, or the text itself. Files are UTF-8.
A text that looks like a path or like REV:PATH is refused when there is no such file: text:… is the text itself, whatever
it looks like.`,
		Example: `  skilleval ab old.md new.md --skill get_weather
  skilleval ab "Current weather for a city." "Current weather and rain forecast for a city. Do not use for air quality." --skill get_weather
  skilleval ab old.md "text:Weather/forecast of a city" --skill get_weather
  skilleval ab old.md new.md my-suite --skill get_weather --sequential
  skilleval ab old.md my-suite/skills/get_weather my-suite --skill get_weather --require not-worse`,
		Args: cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ab(cmd.Context(), args, &s, &c, abFlags{skill, sequential}, cmd)
		},
	}
	f := cmd.Flags()
	s.inputFlags(f)
	s.modelFlags(f)
	s.promptFlags(f)
	s.runFlags(f)
	s.outputFlags(f)
	c.register(cmd)
	f.StringVar(&skill, "skill", "", "`NAME` of the skill, where neither side names it")
	f.BoolVar(&sequential, "sequential", false, "look after every 20 cases and stop when the answer is clear; false alarms stay below 5 %")
	return cmd
}

// abFlags are the settings of ab alone.
type abFlags struct {
	skill      string
	sequential bool
}

// ab is the command from top to bottom: read both sides, check everything, run both arms, compare.
func (a *app) ab(ctx context.Context, args []string, s *settings, c *comparisonFlags, own abFlags, cmd *cobra.Command) error {
	sides, err := readSides(ctx, args[0], args[1])
	if err != nil {
		return failWith(exitUsage, err)
	}
	if err := c.check(); err != nil {
		return err
	}
	j, err := a.prepare(args[2:], s, cmd)
	if err != nil {
		return err
	}
	if err := spareFiles(s.writes(j.outputs), sides.files(), ""); err != nil {
		return err
	}
	if err := c.measurable(j.cases); err != nil {
		return err
	}
	skill, err := sides.skillName(own.skill, j.catalog)
	if err != nil {
		return failWith(exitUsage, err)
	}
	if j.arms, err = sides.arms(j, skill); err != nil {
		return err
	}
	j.ab = &results.AB{Skill: skill, Descriptions: []string{sides[0].text, sides[1].text}, Metric: c.metric, Detect: c.detect, Sequential: own.sequential}
	if own.sequential {
		j.looks = newLooks(j.cases, c.metric, s.seed)
	}
	done, err := a.perform(ctx, j)
	if err != nil {
		return err
	}
	rep, err := a.publish(done, j)
	if err != nil {
		return err
	}
	if err := c.demand(rep.Comparison); err != nil || c.require == "" {
		return err
	}
	a.say("%s", c.met(rep.Comparison))
	return nil
}

// pairOfSides is both descriptions.
type pairOfSides [2]*description

// readSides reads both; the same text twice is refused.
func readSides(ctx context.Context, first, second string) (pairOfSides, error) {
	a, errA := readDescription(ctx, first)
	b, errB := readDescription(ctx, second)
	if errA != nil {
		errA = fmt.Errorf("description A: %w", errA)
	}
	if errB != nil {
		errB = fmt.Errorf("description B: %w", errB)
	}
	if err := errors.Join(errA, errB); err != nil {
		return pairOfSides{}, err
	}
	if strings.Join(strings.Fields(a.text), " ") == strings.Join(strings.Fields(b.text), " ") {
		return pairOfSides{}, fmt.Errorf("%s and %s hold the same description: there is nothing to compare", a.label, b.label)
	}
	return pairOfSides{a, b}, nil
}

// skillName decides which skill is meant: --skill, or the name in a side.
func (p pairOfSides) skillName(flag string, c *skills.Catalog) (string, error) {
	name := flag
	for _, d := range p {
		if flag == "" && d.skill != "" {
			if name != "" && name != d.skill {
				return "", fmt.Errorf("the sides name two skills, %q and %q: say which one is meant with --skill NAME", name, d.skill)
			}
			name = d.skill
		}
	}
	if name == "" {
		return "", errors.New("neither side names the skill: give --skill NAME")
	}
	s, err := skillNamed(c, name)
	if err != nil {
		return "", err
	}
	if s.Unavailable != "" {
		return "", fmt.Errorf("skill %s is not offered to the model, so that its description makes no difference: %s", name, s.Unavailable)
	}
	return name, nil
}

// files are the files that the sides were read from.
func (p pairOfSides) files() []string {
	var files []string
	for _, d := range p {
		if d.file != "" {
			files = append(files, d.file)
		}
	}
	return files
}

// arms makes one arm a side: the catalogue with that side's description.
func (p pairOfSides) arms(j *job, skill string) ([]armPlan, error) {
	var arms []armPlan
	for i, d := range p {
		c, err := j.catalog.WithDescriptions(map[string]string{skill: d.text})
		if err != nil {
			return nil, failWith(exitUsage, err)
		}
		list := availableSkills(c)
		ag, err := j.set.newAgent(j.model, list)
		if err != nil {
			return nil, err
		}
		arms = append(arms, armPlan{results.Arm{Name: string(rune('A' + i)), Label: d.label, SkillsDigest: skills.Digest(list)}, ag})
	}
	if arms[0].SkillsDigest == arms[1].SkillsDigest {
		return nil, failWith(exitUsage, fmt.Errorf("both sides offer the model the same skills: the descriptions of %s make no difference to it", skill))
	}
	return arms, nil
}
