package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/skills"
)

// comparisonFlags are the settings of ab and compare.
type comparisonFlags struct {
	metric  string
	detect  float64
	require string
}

func (c *comparisonFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.metric, "metric", metrics.MetricSelection, "what is compared: selection, args or calls (both) (`METRIC`)")
	f.Float64Var(&c.detect, "detect", 0.10, "difference that should be found four times in five, for the number of cases needed; also the loss that not-worse rules out")
	f.StringVar(&c.require, "require", "", "exit 1 unless the second side is `WHAT`: better, or not-worse (it is better, or the whole 95 % interval of the difference lies above -DETECT, and the skill's own cases did not lose more)")
}

func (c *comparisonFlags) check() error {
	var faults []error
	switch c.metric {
	case metrics.MetricSelection, metrics.MetricArgs, metrics.MetricCalls:
	default:
		faults = append(faults, fmt.Errorf("--metric %q: write selection, args or calls", c.metric))
	}
	if !(c.detect > 0 && c.detect <= 1) {
		faults = append(faults, fmt.Errorf("--detect %v: want a difference above 0 and at most 1", c.detect))
	}
	if c.require != "" && c.require != "better" && c.require != "not-worse" {
		faults = append(faults, fmt.Errorf("--require %q: write better or not-worse", c.require))
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitUsage, err)
	}
	return nil
}

// measurable refuses a metric that applies to no case.
func (c *comparisonFlags) measurable(cases []datasets.Case) error {
	labelled := func(k datasets.Case) bool {
		return k.Expect.LabelsArgs() || slices.ContainsFunc(k.Accept, func(e datasets.Expectation) bool { return e.LabelsArgs() })
	}
	if c.metric == metrics.MetricArgs && !slices.ContainsFunc(cases, labelled) {
		return failWith(exitUsage, errors.New("--metric args: no case labels arguments, so that there is nothing to compare: label some, or write --metric selection"))
	}
	return nil
}

// demand turns a comparison into the exit code of --require. Not worse is non-inferiority at the margin of --detect: the
// whole 95 % interval of the difference lies above -detect, or the second side is better; and the cases that expect the
// skill under test, which may be few, did not lose more than detect.
func (c *comparisonFlags) demand(cmp *metrics.Comparison) error {
	switch lo := cmp.Difference.Lo; {
	case c.require == "":
		return nil
	case cmp.Cases == 0 || lo == nil:
		return failWith(exitServer, fmt.Errorf("--require %s: %s", c.require, cmp.VerdictText))
	case c.require == "not-worse" && lostOwn(cmp) < -c.detect:
		return failWith(exitFailed, fmt.Errorf("--require not-worse: the cases that expect %s lost %s points, and --detect %v allows %s: %s",
			cmp.Skill, points(-lostOwn(cmp)), c.detect, points(c.detect), cmp.VerdictText))
	case cmp.Verdict == metrics.BBetter || c.require == "not-worse" && *lo > -c.detect:
		return nil
	case c.require == "better":
		return failWith(exitFailed, fmt.Errorf("--require better: %s", cmp.VerdictText))
	case cmp.Verdict == metrics.ABetter:
		return failWith(exitFailed, fmt.Errorf("--require not-worse: worse: %s", cmp.VerdictText))
	default:
		return failWith(exitFailed, fmt.Errorf("--require not-worse: undecided: the interval reaches %s points, and --detect %v allows %s: more cases, or a larger --detect",
			points(*lo), c.detect, points(-c.detect)))
	}
}

// lostOwn is the difference among the cases that expect the skill under test: few of many cases, which the average hides.
func lostOwn(cmp *metrics.Comparison) float64 {
	for _, row := range cmp.PerSkill {
		if cmp.Skill != "" && row.Skill == cmp.Skill && row.Difference.Value != nil {
			return *row.Difference.Value
		}
	}
	return 0
}

// points is a difference of shares in percentage points.
func points(difference float64) string {
	return strings.Replace(strconv.FormatFloat(100*difference, 'f', 1, 64), "-", "−", 1)
}

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
	rep, err := a.summarize(done.run, s.stable, nil, nil)
	if err != nil {
		return err
	}
	if err := a.writeReports(j.outputs, a.withReplies(rep)); err != nil {
		return err
	}
	if err := a.unfinished(done); err != nil {
		return err
	}
	if err := decide(rep, s.allowErrors); err != nil {
		return a.replayed(err)
	}
	return c.demand(rep.Comparison)
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
	if _, err := disclose(c, name, "summary"); err != nil {
		return "", err
	}
	if s, ok := c.Get(name); ok && s.Unavailable != "" {
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
