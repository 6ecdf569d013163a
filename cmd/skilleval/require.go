package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/metrics"
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
	case c.require == "not-worse" && cmp.Skill != "" && !slices.ContainsFunc(cmp.PerSkill, func(g metrics.GroupDifference) bool { return g.Skill == cmp.Skill }):
		return failWith(exitFailed, fmt.Errorf("--require not-worse: no case expects %s: nothing is shown of it", cmp.Skill))
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

// met says why a comparison satisfies --require.
func (c *comparisonFlags) met(cmp *metrics.Comparison) string {
	if cmp.Verdict == metrics.BBetter {
		return fmt.Sprintf("--require %s holds: %s", c.require, cmp.VerdictText)
	}
	return fmt.Sprintf("--require %s holds: the 95 %% interval of the difference reaches %s points, and --detect %v allows %s", c.require, points(*cmp.Difference.Lo), c.detect, points(-c.detect))
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
