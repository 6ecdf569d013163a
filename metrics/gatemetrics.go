package metrics

import (
	"math"
	"math/big"
	"slices"
	"strconv"
)

// figure is one number of a summary, as a gate sees it.
type figure struct {
	value, lo, hi *float64
	exact         *big.Rat // the value where it is known exactly, as a quotient of counts
	n             int
	reason        string // why there is no value
}

// metric is a figure that gates know, by its path in the JSON report.
type metric struct {
	name    string
	rate    bool                         // between 0 and 1
	of      func(*Arm) figure            // nil: only by skill
	ofSkill func(*SkillRow) figure       // nil: not by skill
	ofTag   func(tag *TagSummary) figure // nil: not by tag
}

// metricTable lists every metric in the order of the report.
var metricTable = slices.Concat([]metric{
	{name: "cases", of: counted(func(a *Arm) int { return a.Cases }, trials)},
	{name: "trials", of: counted(trials, trials)},
	{name: "scored", of: counted(scored, trials)},
	{name: "errors", of: counted(func(a *Arm) int { return a.Errors }, trials)},
	{name: "refusals", of: counted(func(a *Arm) int { return a.Refusals }, scored)},
	{name: "selection.accuracy", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Selection.Accuracy }),
		ofTag: func(t *TagSummary) figure { return t.Selection.figure() }},
	{name: "selection.accuracy_errors_as_wrong", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Selection.AccuracyErrorsWrong })},
	{name: "selection.level1", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Selection.Level1 })},
	{name: "selection.over_trigger", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Selection.OverTrigger })},
	{name: "selection.under_trigger", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Selection.UnderTrigger })},
}, averaged("macro", func(a *Arm) *PRF { return &a.Selection.Macro }),
	averaged("micro", func(a *Arm) *PRF { return &a.Selection.Micro }),
	averaged("weighted", func(a *Arm) *PRF { return &a.Selection.Weighted }), []metric{
		{name: "selection.precision", rate: true, ofSkill: func(r *SkillRow) figure { return r.Precision.figure() }},
		{name: "selection.recall", rate: true, ofSkill: func(r *SkillRow) figure { return r.Recall.figure() }},
		{name: "selection.f1", rate: true, ofSkill: skillF1},
		{name: "args.exact", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Args.Exact }),
			ofSkill: func(r *SkillRow) figure { return r.ArgsExact.figure() },
			ofTag:   func(t *TagSummary) figure { return t.ArgsExact.figure() }},
		{name: "args.exact_given_selection", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Args.ExactGivenSelection })},
		{name: "args.per_argument", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Args.PerArgument })},
		{name: "args.first_try_valid", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Args.FirstTryValid })},
		{name: "args.repaired_valid", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Args.RepairedValid })},
		{name: "args.faults.missing", of: counted(func(a *Arm) int { return a.Args.Faults.Missing }, labelledTrials)},
		{name: "args.faults.extra", of: counted(func(a *Arm) int { return a.Args.Faults.Extra }, labelledTrials)},
		{name: "args.faults.type", of: counted(func(a *Arm) int { return a.Args.Faults.Type }, labelledTrials)},
		{name: "args.faults.value", of: counted(func(a *Arm) int { return a.Args.Faults.Value }, labelledTrials)},
		{name: "args.unlabelled", of: counted(func(a *Arm) int { return a.Args.Unlabelled }, scored)},
		{name: "calls.exact", rate: true, of: estimated(func(a *Arm) *Estimate { return &a.Calls.Exact })},
		{name: "trials_detail.pass_at_k", rate: true, of: repeated(func(d *TrialsDetail) *float64 { return d.PassAtK })},
		{name: "trials_detail.pass_hat_k", rate: true, of: repeated(func(d *TrialsDetail) *float64 { return d.PassHatK })},
		{name: "trials_detail.consistency", rate: true, of: consistent},
		{name: "trials_detail.flaky", of: repeated(func(d *TrialsDetail) *float64 { return finite(float64(len(d.Flaky))) })},
	}, spreads("tokens.prompt", func(a *Arm) *Spread { return &a.Tokens.Prompt }),
	spreads("tokens.completion", func(a *Arm) *Spread { return &a.Tokens.Completion }),
	spreads("tokens.level1.prompt", func(a *Arm) *Spread { return &a.Tokens.Level1.Prompt }),
	spreads("tokens.level1.completion", func(a *Arm) *Spread { return &a.Tokens.Level1.Completion }),
	spreads("tokens.level2.prompt", func(a *Arm) *Spread { return &a.Tokens.Level2.Prompt }),
	spreads("tokens.level2.completion", func(a *Arm) *Spread { return &a.Tokens.Level2.Completion }), []metric{
		{name: "rounds.mean", of: func(a *Arm) figure { return figure{value: a.Rounds.Mean, n: a.Rounds.N} }},
		{name: "latency_ms.p50", of: latency(func(l *Latency) *float64 { return l.P50 })},
		{name: "latency_ms.p95", of: latency(func(l *Latency) *float64 { return l.P95 })},
		{name: "cost_usd", of: func(a *Arm) figure {
			return figure{value: a.CostUSD, n: a.Trials, reason: "no prices are known"}
		}},
		{name: "parse_tiers.native", of: counted(func(a *Arm) int { return a.ParseTiers.Native }, scored)},
		{name: "parse_tiers.json", of: counted(func(a *Arm) int { return a.ParseTiers.JSON }, scored)},
		{name: "parse_tiers.fragment", of: counted(func(a *Arm) int { return a.ParseTiers.Fragment }, scored)},
		{name: "parse_tiers.pattern", of: counted(func(a *Arm) int { return a.ParseTiers.Pattern }, scored)},
		{name: "parse_tiers.none", of: counted(func(a *Arm) int { return a.ParseTiers.None }, scored)},
		{name: "repairs", of: counted(func(a *Arm) int { return a.Repairs }, scored)},
		{name: "retries", of: func(a *Arm) figure {
			if a.Retries == nil {
				return figure{n: a.Trials, reason: "a stable summary leaves it out"}
			}
			return counted(func(a *Arm) int { return *a.Retries }, trials)(a)
		}},
	})

// MetricNames returns the metrics that a gate may name, in the order of the report. selection.precision,
// selection.recall and selection.f1 need [skill=NAME].
func MetricNames() []string {
	names := make([]string, len(metricTable))
	for i := range metricTable {
		names[i] = metricTable[i].name
	}
	return names
}

// findMetric returns a metric by name, or nil.
func findMetric(name string) *metric {
	for i := range metricTable {
		if metricTable[i].name == name {
			return &metricTable[i]
		}
	}
	return nil
}

// filterable returns the metrics that can be had by "skill" or by "tag".
func filterable(by string) []string {
	var names []string
	for _, m := range metricTable {
		if by == "skill" && m.ofSkill != nil || by == "tag" && m.ofTag != nil {
			names = append(names, m.name)
		}
	}
	return names
}

func trials(a *Arm) int         { return a.Trials }
func scored(a *Arm) int         { return a.Scored }
func labelledTrials(a *Arm) int { return a.Args.Exact.N }

// counted is a count over n(a) trials.
func counted(value, n func(*Arm) int) func(*Arm) figure {
	return func(a *Arm) figure {
		v := value(a)
		return figure{value: finite(float64(v)), exact: big.NewRat(int64(v), 1), n: n(a)}
	}
}

// estimated is a rate with its interval.
func estimated(e func(*Arm) *Estimate) func(*Arm) figure {
	return func(a *Arm) figure { return e(a).figure() }
}

// figure recovers the exact quotient: a value is a count of hits over N, correctly rounded.
func (e *Estimate) figure() figure {
	f := figure{value: e.Value, lo: e.Lo, hi: e.Hi, n: e.N, reason: e.Reason}
	if e.Value != nil && e.N > 0 {
		f.exact = big.NewRat(int64(math.Round(*e.Value*float64(e.N))), int64(e.N))
	}
	return f
}

// averaged are the three figures of one average.
func averaged(name string, of func(*Arm) *PRF) []metric {
	return []metric{
		{name: "selection." + name + ".precision", rate: true, of: func(a *Arm) figure { return figure{value: of(a).Precision, n: of(a).N} }},
		{name: "selection." + name + ".recall", rate: true, of: func(a *Arm) figure { return figure{value: of(a).Recall, n: of(a).N} }},
		{name: "selection." + name + ".f1", rate: true, of: func(a *Arm) figure {
			return figure{value: of(a).F1, lo: of(a).F1Lo, hi: of(a).F1Hi, n: of(a).N}
		}},
	}
}

// skillF1 is 2TP/(2TP+FP+FN) of one skill; n is the number of calls expected and made.
func skillF1(r *SkillRow) figure {
	return figure{value: r.F1, n: r.Support + r.Predicted}
}

// oneRepetition is why a run has no figure over repetitions.
const oneRepetition = "there is one repetition only"

// consistent is the share of pairs of trials that agree: a mean of shares, and no quotient of counts.
func consistent(a *Arm) figure {
	if a.TrialsDetail == nil {
		return figure{reason: oneRepetition}
	}
	c := &a.TrialsDetail.Consistency
	return figure{value: c.Value, lo: c.Lo, hi: c.Hi, n: c.N, reason: c.Reason}
}

// repeated is a figure over repetitions.
func repeated(value func(*TrialsDetail) *float64) func(*Arm) figure {
	return func(a *Arm) figure {
		if a.TrialsDetail == nil {
			return figure{reason: oneRepetition}
		}
		return figure{value: value(a.TrialsDetail), n: a.TrialsDetail.N, reason: "no case has all its repetitions scored"}
	}
}

// spreads are the figures of a count over trials.
func spreads(name string, of func(*Arm) *Spread) []metric {
	return []metric{
		{name: name + ".mean", of: func(a *Arm) figure { return figure{value: of(a).Mean, n: of(a).N} }},
		{name: name + ".p50", of: func(a *Arm) figure { return figure{value: of(a).P50, n: of(a).N} }},
		{name: name + ".p95", of: func(a *Arm) figure { return figure{value: of(a).P95, n: of(a).N} }},
		{name: name + ".total", of: func(a *Arm) figure {
			return figure{value: finite(float64(of(a).Total)), exact: new(big.Rat).SetInt64(of(a).Total), n: of(a).N}
		}},
	}
}

// latency is a figure that a stable summary leaves out.
func latency(value func(*Latency) *float64) func(*Arm) figure {
	return func(a *Arm) figure {
		if a.LatencyMS == nil {
			return figure{reason: "a stable summary leaves it out"}
		}
		return figure{value: value(a.LatencyMS), n: a.LatencyMS.N}
	}
}

// number is the value to compare: the exact quotient, else the value to 12 significant digits, so that a mean of 0.7
// and 0.9 is 0.8 and not 0.7999999999999999.
func (f *figure) number() *big.Rat {
	if f.exact != nil {
		return f.exact
	}
	n, ok := new(big.Rat).SetString(strconv.FormatFloat(*f.value, 'g', 12, 64))
	if !ok {
		return new(big.Rat)
	}
	return n
}
