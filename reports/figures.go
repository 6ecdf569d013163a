package reports

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/skilleval/skilleval/metrics"
)

// figure is one line of the headline table.
type figure struct {
	label string
	e     metrics.Estimate
}

// headline lists an arm's rates in reading order: what was chosen, then how it was filled, then both.
func headline(a *metrics.Arm) []figure {
	fs := []figure{
		{"selection accuracy", a.Selection.Accuracy},
	}
	if a.Errors > 0 {
		fs = append(fs, figure{"  counting errors as wrong", a.Selection.AccuracyErrorsWrong})
	}
	if a.Selection.Level1.N > 0 {
		fs = append(fs, figure{"  named at level 1", a.Selection.Level1})
	}
	return append(fs,
		figure{"  called when none fits", a.Selection.OverTrigger},
		figure{"  silent when one fits", a.Selection.UnderTrigger},
		figure{"arguments exact", a.Args.Exact},
		figure{"  given right selection", a.Args.ExactGivenSelection},
		figure{"  per argument", a.Args.PerArgument},
		figure{"  valid at first try", a.Args.FirstTryValid},
		figure{"  valid after repairs", a.Args.RepairedValid},
		figure{"selection and arguments", a.Calls.Exact},
	)
}

// percent formats a rate: "71.6 %"; "–" when it was not measured.
func percent(v *float64) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v*100, 'f', 1, 64) + " %"
}

// interval formats the 95 % interval of a rate in per cent.
func interval(e metrics.Estimate) string {
	if e.Lo == nil || e.Hi == nil {
		return "–"
	}
	return fmt.Sprintf("[%.1f, %.1f]", *e.Lo*100, *e.Hi*100)
}

// number formats a plain figure with the given decimals; "–" when it was not measured.
func number(v *float64, decimals int) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v, 'f', decimals, 64)
}

// name shows a skill's name, or what stands for no call.
func name(skill string) string {
	if skill == "" {
		return "(none)"
	}
	return skill
}

// names joins skills with an arrow-free comma list.
func names(skills []string) string {
	if len(skills) == 0 {
		return "(none)"
	}
	return strings.Join(skills, ", ")
}

// mistakes returns the confusion cells off the diagonal, the most frequent first, then by name.
func mistakes(a *metrics.Arm) []metrics.Confusion {
	var off []metrics.Confusion
	for _, c := range a.Selection.Confusion {
		if c.Want != c.Got {
			off = append(off, c)
		}
	}
	sort.SliceStable(off, func(i, j int) bool {
		if off[i].N != off[j].N {
			return off[i].N > off[j].N
		}
		if off[i].Want != off[j].Want {
			return off[i].Want < off[j].Want
		}
		return off[i].Got < off[j].Got
	})
	return off
}

// counts formats a class → n map in name order: "rate_limit 2, timeout 1".
func counts(m map[string]int) string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for i, k := range keys {
		keys[i] = fmt.Sprintf("%s %d", k, m[k])
	}
	return strings.Join(keys, ", ")
}

// costs is one line on tokens, rounds, time and money.
func costs(a *metrics.Arm) string {
	parts := []string{
		fmt.Sprintf("%s prompt + %s completion tokens a trial (%s)", number(a.Tokens.Prompt.Mean, 0),
			number(a.Tokens.Completion.Mean, 0), tokenSource(a.Tokens.Source)),
		fmt.Sprintf("%s rounds", number(a.Rounds.Mean, 2)),
	}
	if a.LatencyMS != nil {
		parts = append(parts, fmt.Sprintf("latency p50 %s ms, p95 %s ms", number(a.LatencyMS.P50, 0), number(a.LatencyMS.P95, 0)))
	}
	if a.CostUSD != nil {
		parts = append(parts, fmt.Sprintf("%s USD in all", number(a.CostUSD, 4)))
	} else {
		parts = append(parts, "price unknown")
	}
	return strings.Join(parts, " · ")
}

func tokenSource(s string) string {
	if s == "" {
		return "none counted"
	}
	return s
}

// handling is one line on how replies were read.
func handling(a *metrics.Arm) string {
	t := a.ParseTiers
	s := fmt.Sprintf("replies read as: native %d, json %d, fragment %d, pattern %d, no call %d · repairs %d",
		t.Native, t.JSON, t.Fragment, t.Pattern, t.None, a.Repairs)
	if a.Retries != nil {
		s += fmt.Sprintf(" · retries %d", *a.Retries)
	}
	return s
}

// scoredLine says how many trials the figures stand on.
func scoredLine(a *metrics.Arm) string {
	s := fmt.Sprintf("%d cases, %d trials: %d scored, %d errors", a.Cases, a.Trials, a.Scored, a.Errors)
	if a.Errors > 0 {
		s += " (" + counts(a.ErrorClasses) + ")"
	}
	if len(a.FaultClasses) > 0 {
		s += "; model faults, scored as wrong: " + counts(a.FaultClasses)
	}
	if a.Refusals > 0 {
		s += fmt.Sprintf("; refusals: %d", a.Refusals)
	}
	return s
}

// modelName marks the offline baseline for what it is.
func modelName(model string) string {
	if model == "builtin:lexical" {
		return model + " (lexical baseline, not a language model)"
	}
	return model
}
