package metrics

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/internal/stats"
)

// delta holds a gate on a change against a baseline. A metric that is known by the case is compared on the common
// cases: the gate fails only when the 95 % interval of the difference shows the loss, or, strictly, when the point
// does. Any other metric is the plain difference of two figures, whose point decides. Nothing measured fails.
func (g Gate) delta(base *Baseline, head *Arm, j *joined, strict bool) GateResult {
	r := GateResult{Expr: g.Expr, Metric: g.of()}
	switch share := g.share(); {
	case share != nil:
		g.paired(&r, j.pairs, share, strict)
	case g.Skill != "":
		g.pooled(&r, j.pairs)
	case g.Metric == "tokens.prompt.mean":
		g.promptTokens(&r, j.pairs)
		noteSources(&r, base.TokensSource, head.Tokens.Source)
	default:
		g.unpaired(&r, base, head)
		if countsTokens(g.Metric) {
			noteSources(&r, base.TokensSource, head.Tokens.Source)
		}
	}
	return r
}

// share is where a case's row holds the metric; nil for a metric that is not one of cases.
func (g *Gate) share() func(*BaselineCase) Share {
	all := map[string]func(*BaselineCase) Share{
		"selection.accuracy":                 func(c *BaselineCase) Share { return c.Selection },
		"selection.accuracy_errors_as_wrong": func(c *BaselineCase) Share { return Share{c.Selection[0], c.Trials} },
		"selection.level1":                   func(c *BaselineCase) Share { return c.Level1 },
		"selection.over_trigger":             func(c *BaselineCase) Share { return c.Over },
		"selection.under_trigger":            func(c *BaselineCase) Share { return c.Under },
		"args.exact":                         func(c *BaselineCase) Share { return c.Args },
		"calls.exact":                        func(c *BaselineCase) Share { return c.Calls },
	}
	if g.Skill != "" {
		all = map[string]func(*BaselineCase) Share{
			"selection.recall": func(c *BaselineCase) Share { s := c.Skills[g.Skill]; return Share{s[2], s[0]} },
			"args.exact":       func(c *BaselineCase) Share { s := c.Skills[g.Skill]; return Share{s[4], s[3]} },
		}
	}
	return all[g.Metric]
}

// paired compares the mean share of the common cases that both sides measured.
func (g *Gate) paired(r *GateResult, pairs []casePair, share func(*BaselineCase) Share, strict bool) {
	units := map[string]int{}
	var clusters []stats.PairedCluster
	var sum fractions
	for _, p := range pairs {
		a, b := share(p.base), share(p.head)
		if a[1] == 0 || b[1] == 0 || g.Tag != "" && !slices.Contains(p.head.Tags, g.Tag) {
			continue
		}
		i, ok := units[p.head.cluster()]
		if !ok {
			i = len(clusters)
			units[p.head.cluster()] = i
			clusters = append(clusters, stats.PairedCluster{})
		}
		c := &clusters[i]
		c.A, c.B, c.N = c.A+float64(a[0])/float64(a[1]), c.B+float64(b[0])/float64(b[1]), c.N+1
		sum.add(b[0], b[1])
		sum.add(-a[0], a[1])
		r.N++
	}
	_, iv, _, ok := stats.PairedDifference(clusters)
	if r.N == 0 || !ok {
		r.Note = "nothing was measured: no common case has a figure on both sides"
		return
	}
	point := sum.mean(r.N)
	r.Value, r.Lo, r.Hi = value(point), finite(iv.Lo), finite(iv.Hi)
	threshold := g.threshold()
	t, _ := threshold.Float64()
	met := holds(point.Cmp(threshold), g.Op)
	r.Pass = met
	if !strict && g.Op != "!=" {
		r.Pass = !lossShown(g.Op, t, iv)
	}
	interval := fmt.Sprintf("the 95 %% interval, %.3f to %.3f,", iv.Lo, iv.Hi)
	switch excluded := shown(g.Op, t, iv); {
	case r.Pass && !met:
		r.Note = fmt.Sprintf("the point misses the threshold, but n = %d does not show it: %s holds the threshold", r.N, interval)
	case r.Pass && !excluded:
		r.Note = fmt.Sprintf("n = %d is too small to rule it out: %s reaches beyond the threshold", r.N, interval)
	case !r.Pass && !lossShown(g.Op, t, iv):
		r.Note = fmt.Sprintf("the point decides; n = %d does not: %s holds the threshold", r.N, interval)
	}
}

// lossShown reports that the whole interval is on the wrong side of the threshold.
func lossShown(op string, t float64, iv stats.Interval) bool {
	switch op {
	case ">=":
		return iv.Hi < t
	case ">":
		return iv.Hi <= t
	case "<=":
		return iv.Lo > t
	case "<":
		return iv.Lo >= t
	case "==":
		return t < iv.Lo || t > iv.Hi
	}
	return iv.Lo == t && iv.Hi == t
}

// shown reports that the whole interval is on the right side of the threshold.
func shown(op string, t float64, iv stats.Interval) bool {
	switch op {
	case ">=":
		return iv.Lo >= t
	case ">":
		return iv.Lo > t
	case "<=":
		return iv.Hi <= t
	case "<":
		return iv.Hi < t
	case "==":
		return iv.Lo == t && iv.Hi == t
	}
	return t < iv.Lo || t > iv.Hi
}

// pooled compares precision or F1 of one skill, whose denominators are calls made and not cases, over the common cases.
func (g *Gate) pooled(r *GateResult, pairs []casePair) {
	var a, b SkillShare
	for _, p := range pairs {
		x, y := p.base.Skills[g.Skill], p.head.Skills[g.Skill]
		r.N += oneIf(x != SkillShare{} || y != SkillShare{})
		for i := range a {
			a[i], b[i] = a[i]+x[i], b[i]+y[i]
		}
	}
	of := func(s SkillShare) *big.Rat {
		up, down := s[2], s[1]
		if g.Metric == "selection.f1" {
			up, down = 2*s[2], s[0]+s[1]
		}
		if down == 0 {
			return nil
		}
		return big.NewRat(int64(up), int64(down))
	}
	x, y := of(a), of(b)
	if x == nil || y == nil {
		r.Note = fmt.Sprintf("nothing was measured of %q on one side or both, on the common cases", g.Skill)
		return
	}
	g.point(r, x, y, "on the common cases")
}

// promptTokens compares the mean prompt tokens of the common cases that are scored on both sides.
func (g *Gate) promptTokens(r *GateResult, pairs []casePair) {
	var a, b fractions
	for _, p := range pairs {
		if p.base.Selection[1] == 0 || p.head.Selection[1] == 0 {
			continue
		}
		a.add(p.base.Prompt, p.base.Selection[1])
		b.add(p.head.Prompt, p.head.Selection[1])
		r.N++
	}
	if r.N == 0 {
		r.Note = "nothing was measured: no common case is scored on both sides"
		return
	}
	g.point(r, a.mean(r.N), b.mean(r.N), "on the common cases")
}

// unpaired compares two figures, each over its own cases.
func (g *Gate) unpaired(r *GateResult, base *Baseline, head *Arm) {
	before, measured := base.Figures[g.Metric]
	now := g.figure(head)
	switch {
	case !measured || before.N == 0:
		r.Note = "nothing was measured in the baseline"
		return
	case now.n == 0 || now.value == nil:
		r.Note = "nothing was measured"
		if now.reason != "" {
			r.Note += ": " + now.reason
		}
		return
	}
	r.N = now.n
	old := figure{value: &before.Value}
	g.point(r, old.number(), now.number(), fmt.Sprintf("not paired: n = %d before", before.N))
}

// point decides by the difference alone.
func (g *Gate) point(r *GateResult, before, now *big.Rat, how string) {
	d := new(big.Rat).Sub(now, before)
	r.Value = value(d)
	r.Pass = holds(d.Cmp(g.threshold()), g.Op)
	r.Note = fmt.Sprintf("from %s to %s, %s; without an interval the point decides", shortNumber(before), shortNumber(now), how)
}

// shortNumber writes at most 4 decimals.
func shortNumber(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return r.FloatString(4)
}

// countsTokens reports a metric whose size depends on who counted the tokens.
func countsTokens(metric string) bool {
	return strings.HasPrefix(metric, "tokens.") || metric == "cost_usd"
}

// noteSources warns of token counts that were made in two ways.
func noteSources(r *GateResult, before, now string) {
	if before != now {
		r.Note += fmt.Sprintf("; tokens are counted otherwise: %s, in the baseline %s", now, before)
	}
}

func value(r *big.Rat) *float64 {
	f, _ := r.Float64()
	return finite(f)
}

// fractions is an exact sum of fractions with few different denominators.
type fractions map[int]int64

func (f *fractions) add(up, down int) {
	if *f == nil {
		*f = fractions{}
	}
	(*f)[down] += int64(up)
}

// maxDenominators is how many different denominators are summed exactly: no run has more, and the sum would grow long.
const maxDenominators = 256

// mean is the sum over n.
func (f fractions) mean(n int) *big.Rat {
	sum := new(big.Rat)
	if len(f) > maxDenominators {
		about := 0.0
		for _, down := range slices.Sorted(maps.Keys(f)) {
			about += float64(f[down]) / float64(down)
		}
		return sum.SetFloat64(about / float64(n))
	}
	for _, down := range slices.Sorted(maps.Keys(f)) {
		sum.Add(sum, big.NewRat(f[down], int64(down)))
	}
	return sum.Quo(sum, big.NewRat(int64(n), 1))
}
