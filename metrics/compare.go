package metrics

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/skilleval/skilleval/internal/stats"
	"github.com/skilleval/skilleval/results"
)

// The metrics that sides can be compared by.
const (
	MetricSelection = "selection"
	MetricArgs      = "args"
	MetricCalls     = "calls" // selection and arguments
)

// alpha is the level of every test, power the chance with which a detectable difference is found.
const (
	alpha = 0.05
	power = 0.8
)

// Side is one side of a comparison: an arm of a run.
type Side struct {
	Source Source
	Arm    string
	Label  string // how the side is called in the report
}

// CompareOptions say how to compare.
type CompareOptions struct {
	Metric string  // one of the Metric… constants; "": MetricSelection
	Seed   int64   // of the permutation test
	Detect float64 // difference that should be found; 0: 0.10
	// Skill is the skill whose description differs between the sides; "": none in particular. The verdict does not say
	// that there is no difference while too few cases expect it.
	Skill string
	// SequentialP is the always-valid p-value of a run that was looked at while it went on; it takes the place of the
	// test that is only valid for a number of cases fixed beforehand. nil: the number was fixed.
	SequentialP *float64
}

// listedCases is how many ids a [CaseList] names.
const listedCases = 20

// Compare pairs two sides by case and says whether one is better. A case counts with the mean of its scored trials; cases
// of one group are one cluster. With one trial a case and no groups the test is McNemar's exact one and the interval
// Newcombe's; otherwise whole clusters are permuted, and the interval is that of stats.PairedDifference.
func Compare(a, b Side, o CompareOptions) (*Comparison, error) {
	o.Metric = cmp.Or(o.Metric, MetricSelection)
	o.Detect = cmp.Or(o.Detect, 0.10)
	if !slices.Contains([]string{MetricSelection, MetricArgs, MetricCalls}, o.Metric) {
		return nil, fmt.Errorf("unknown metric %q: write %s, %s or %s", o.Metric, MetricSelection, MetricArgs, MetricCalls)
	}
	c := &comparer{opts: o, all: newPairing(), units: units{}, skills: map[string]*pairing{}, tags: map[string]*pairing{},
		out: &Comparison{A: a.Label, B: b.Label, Metric: o.Metric, Detect: o.Detect, Skill: o.Skill, Flipped: []Flip{}}}
	if err := c.merge(read(a, o.Metric), read(b, o.Metric)); err != nil {
		return nil, err
	}
	c.conclude(a, b)
	return c.out, nil
}

// comparer collects a comparison.
type comparer struct {
	opts   CompareOptions
	out    *Comparison
	all    *pairing
	units  units // numbers of the clusters
	skills map[string]*pairing
	tags   map[string]*pairing
	a, b   sideTotals

	accuracyA, accuracyB ratio
}

// sideTotals sums what is compared beside the metric.
type sideTotals struct {
	trials  int
	tokens  results.Tokens
	spent   results.Tokens
	latency float64
}

func (t *sideTotals) add(c *sideCase) {
	t.trials += c.trials
	t.tokens.Prompt += c.tokens.Prompt
	t.tokens.Completion += c.tokens.Completion
	t.spent.Prompt += c.spent.Prompt
	t.spent.Completion += c.spent.Completion
	t.latency += c.latency
}

// merge walks both sides in the order of their case ids.
func (c *comparer) merge(ra, rb *reader) error {
	defer close(ra.stop)
	defer close(rb.stop)
	a, b := &cursor{r: ra}, &cursor{r: rb}
	for a.peek() != nil || b.peek() != nil {
		var err error
		switch x, y := a.peek(), b.peek(); {
		case y == nil || x != nil && x.id < y.id:
			err = c.alone(&c.out.OnlyA, &c.out.ErrorsA, a.take())
		case x == nil || y.id < x.id:
			err = c.alone(&c.out.OnlyB, &c.out.ErrorsB, b.take())
		default:
			err = c.pair(a.take(), b.take())
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(ra.err, rb.err)
}

func (c *comparer) alone(list *CaseList, errs *int, s *sideCase) error {
	*errs += s.errors
	list.add(s.id)
	_, err := s.wanted()
	return err
}

func (l *CaseList) add(id string) {
	if l.N++; l.N <= listedCases {
		l.IDs = append(l.IDs, id)
	}
}

// pair takes one case that both sides have.
func (c *comparer) pair(a, b *sideCase) error {
	want, err := a.wanted()
	if err == nil && !bytes.Equal(a.expect, b.expect) {
		_, err = b.wanted()
	}
	if err != nil {
		return err
	}
	c.out.ErrorsA += a.errors
	c.out.ErrorsB += b.errors
	if a.scored == 0 || b.scored == 0 {
		c.out.Unscored.add(a.id)
		return nil
	}
	c.a.add(a)
	c.b.add(b)
	o := outcome{unit: c.units.of(a.cluster), a: a.share(), b: b.share(), single: a.scored == 1 && b.scored == 1}
	c.all.add(o)
	c.accuracyA.add(o.unit, a.right, a.scored)
	c.accuracyB.add(o.unit, b.right, b.scored)
	c.accuracyA.closeCase()
	c.accuracyB.closeCase()
	eachOnce(want, func(skill string) { group(c.skills, skill).add(o) })
	eachOnce(a.tags, func(tag string) { group(c.tags, tag).add(o) })
	if o.a != o.b {
		c.out.Flipped = append(c.out.Flipped, Flip{Case: a.id, From: a.verdict(), To: b.verdict(),
			FromCalls: callTexts(a.calls), ToCalls: callTexts(b.calls), Want: append([]string{}, want...)})
	}
	return nil
}

// eachOnce calls yield for each different name.
func eachOnce(names []string, yield func(string)) {
	for i, name := range names {
		if !slices.Contains(names[:i], name) {
			yield(name)
		}
	}
}

func group(m map[string]*pairing, key string) *pairing {
	if m[key] == nil {
		m[key] = newPairing()
	}
	return m[key]
}

// conclude makes the figures.
func (c *comparer) conclude(a, b Side) {
	out := c.out
	t := c.all.test(c.opts.Seed)
	out.Cases, out.Clusters = c.all.cases, len(c.all.sums)
	out.Wins, out.Losses, out.Ties = c.all.wins, c.all.losses, c.all.cases-c.all.wins-c.all.losses
	out.BothRight, out.BothWrong = c.all.bothRight, c.all.bothWrong
	out.AccuracyA, out.AccuracyB = c.accuracyA.estimate(nothingPaired), c.accuracyB.estimate(nothingPaired)
	out.Difference, out.PValue, out.MidP, out.Method = t.difference, t.p, t.midP, t.method
	if p := c.opts.SequentialP; p != nil {
		out.PValue, out.MidP, out.Method = *p, nil, "beta-binomial-martingale"
	}
	c.verdict()
	out.PerSkill = differences(c.skills, c.opts.Seed, func(d *GroupDifference, name string) { d.Skill = name })
	adjust(out.PerSkill)
	out.PerTag = differences(c.tags, c.opts.Seed, func(d *GroupDifference, name string) { d.Tag = name })
	c.costs(a.Source.Header(), b.Source.Header())
}

// nothingPaired is the reason of figures that stand on no case.
const nothingPaired = "no case is scored on both sides"

// differences makes the rows of a grouping, by name.
func differences(m map[string]*pairing, seed int64, label func(*GroupDifference, string)) []GroupDifference {
	out := make([]GroupDifference, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		p := m[name]
		t := p.test(seed)
		d := GroupDifference{Cases: p.cases, Difference: t.difference, PValue: t.p, Gained: p.wins, Lost: p.losses}
		label(&d, name)
		out = append(out, d)
	}
	return out
}

// adjust corrects the p-values for the number of skills.
func adjust(rows []GroupDifference) {
	p := make([]float64, len(rows))
	for i := range rows {
		p[i] = rows[i].PValue
	}
	for i, q := range stats.Holm(p) {
		rows[i].PAdjusted = &q
	}
}

// costs fills in tokens, latency and money.
func (c *comparer) costs(a, b results.Header) {
	mean := func(sum float64, n int) *float64 {
		if n == 0 {
			return nil
		}
		return finite(sum / float64(n))
	}
	out := c.out
	out.Prompt = newMeanPair(mean(float64(c.a.tokens.Prompt), c.a.trials), mean(float64(c.b.tokens.Prompt), c.b.trials))
	out.Completion = newMeanPair(mean(float64(c.a.tokens.Completion), c.a.trials), mean(float64(c.b.tokens.Completion), c.b.trials))
	latency := newMeanPair(mean(c.a.latency, c.a.trials), mean(c.b.latency, c.b.trials))
	out.LatencyMS = &latency
	if a.Prices != nil && b.Prices != nil {
		cost := newMeanPair(spentUSD(c.a.spent, a.Prices), spentUSD(c.b.spent, b.Prices))
		out.CostUSD = &cost
	}
}

func spentUSD(t results.Tokens, p *results.Prices) *float64 {
	return finite((float64(t.Prompt)*p.Prompt + float64(t.Completion)*p.Completion) / 1e6)
}
