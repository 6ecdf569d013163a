package reports

import (
	"fmt"
	"slices"
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
		fs = append(fs, figure{"  chosen at level 1", a.Selection.Level1})
	}
	return append(fs,
		figure{"  over-trigger: called when none fits", a.Selection.OverTrigger},
		figure{"  under-trigger: silent when one fits", a.Selection.UnderTrigger},
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

// largestTags returns the n tags with the most cases, in the order of their names; of as large ones the first by name.
func largestTags(tags []metrics.TagSummary, n int) []metrics.TagSummary {
	if len(tags) <= n {
		return tags
	}
	most := slices.Clone(tags)
	slices.SortStableFunc(most, func(a, b metrics.TagSummary) int { return b.Cases - a.Cases })
	most = most[:n]
	slices.SortFunc(most, func(a, b metrics.TagSummary) int { return strings.Compare(a.Tag, b.Tag) })
	return most
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

// Counted is a number with its noun: "1 case", "2 cases".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// trialsLines say how repetitions agree, with what each figure means; none for a single one.
func trialsLines(a *metrics.Arm) []string {
	d := a.TrialsDetail
	if d == nil {
		return nil
	}
	c := d.Consistency
	consistency := fmt.Sprintf("consistency %s %s, n = %d: pairs of a case's trials that made the same selection (same skills, same order), mean over cases; errors are in no pair",
		percent(c.Value), interval(c), c.N)
	if c.Value == nil {
		consistency = "consistency –: " + c.Reason
	}
	return []string{
		fmt.Sprintf("of %d trials a case (selection and arguments): at least one right (pass@%d) %s, all right (pass^%d) %s, n = %d; flaky: %d%s",
			d.K, d.K, percent(d.PassAtK), d.K, percent(d.PassHatK), d.N, len(d.Flaky), flakyNames(d.Flaky)),
		consistency,
	}
}

func flakyNames(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return " (" + clipList(ids, listed) + ")"
}

// f1Line is the averages over skills, and what they leave out.
func f1Line(a *metrics.Arm) string {
	s := fmt.Sprintf("F1 macro %s (%s), micro %s, weighted %s", number(a.Selection.Macro.F1, 3), Counted(a.Selection.Macro.N, "skill"),
		number(a.Selection.Micro.F1, 3), number(a.Selection.Weighted.F1, 3))
	if n := len(a.Selection.Unmeasured); n > 0 {
		s += "; not measured (no case, no call): " + clipList(a.Selection.Unmeasured, listed)
	}
	return s
}

// failureRow is one case that went wrong, its repetitions together.
type failureRow struct {
	metrics.Failure
	times int
}

// failureRows joins the repetitions of a case that went wrong in the same way.
func failureRows(fs []metrics.Failure) []failureRow {
	var out []failureRow
	for _, f := range fs {
		if last := len(out) - 1; last >= 0 && out[last].Case == f.Case && out[last].What == f.What {
			out[last].times++
			continue
		}
		out = append(out, failureRow{f, 1})
	}
	return out
}

// label is the case, and how often when more than once.
func (r failureRow) label() string {
	if r.times > 1 {
		return fmt.Sprintf("%s (%d×)", r.Case, r.times)
	}
	return r.Case
}

// shortDetail is the detail without the part that is the same in every row: where the request went.
func (r failureRow) shortDetail() string {
	detail := strings.Join(r.Detail, "; ")
	if strings.HasPrefix(detail, "POST ") {
		if _, after, ok := strings.Cut(detail, "): "); ok {
			return after
		}
	}
	return detail
}

// scoredLine says how many trials the figures stand on.
func scoredLine(a *metrics.Arm) string {
	s := fmt.Sprintf("%s, %s: %d scored, %s", Counted(a.Cases, "case"), Counted(a.Trials, "trial"), a.Scored, Counted(a.Errors, "error"))
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
