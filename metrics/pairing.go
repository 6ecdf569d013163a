package metrics

import (
	"fmt"
	"math"

	"github.com/skilleval/skilleval/internal/stats"
)

// pairing collects the paired outcomes of a set of cases.
type pairing struct {
	cases, wins, losses  int
	bothRight, bothWrong int
	single               bool // one trial a case on both sides
	clusters             map[string]int32
	sums                 []stats.PairedCluster
	a, b                 ratio
}

func newPairing() *pairing { return &pairing{single: true, clusters: map[string]int32{}} }

func (p *pairing) add(cluster string, a, b *sideCase, single bool) {
	unit, ok := p.clusters[cluster]
	if !ok {
		unit = int32(len(p.sums))
		p.clusters[cluster] = unit
		p.sums = append(p.sums, stats.PairedCluster{})
	}
	x, y := a.share(), b.share()
	s := &p.sums[unit]
	s.A, s.B, s.N = s.A+x, s.B+y, s.N+1
	p.a.add(unit, a.right, a.scored)
	p.b.add(unit, b.right, b.scored)
	p.cases++
	p.single = p.single && single
	switch {
	case y > x:
		p.wins++
	case y < x:
		p.losses++
	case x == 1:
		p.bothRight++
	case x == 0:
		p.bothWrong++
	}
}

// paired is the result of the tests on a pairing.
type paired struct {
	difference Estimate
	p          float64
	midP       *float64
	method     string
}

// test compares the sides: exactly by McNemar where every case is one pair, by permuting clusters otherwise.
func (p *pairing) test(seed int64) paired {
	if p.cases == 0 {
		return paired{difference: Estimate{Reason: nothingPaired}, p: 1, method: "none"}
	}
	diff, iv, method, ok := stats.PairedDifference(p.sums)
	e := Estimate{Value: finite(diff), N: p.cases, Method: method}
	if ok {
		e.Lo, e.Hi = finite(iv.Lo), finite(iv.Hi)
	}
	if len(p.sums) != p.cases {
		e.Clusters = len(p.sums)
	}
	if p.simple() {
		exact, mid := stats.McNemar(p.losses, p.wins)
		return paired{e, exact, &mid, "mcnemar-exact"}
	}
	sums := make([]float64, len(p.sums))
	for i, s := range p.sums {
		sums[i] = s.B - s.A
	}
	return paired{e, stats.SignFlip(sums, stats.PermutationOptions{Seed: seed}), nil, "cluster-permutation"}
}

// simple reports that every cluster is one case with one trial a side.
func (p *pairing) simple() bool { return p.single && len(p.sums) == p.cases }

// discordant is the share of cases on which the sides differ, with a little weight on there being some: none seen among
// few cases does not mean that there are none.
func (p *pairing) discordant() float64 {
	return (float64(p.wins+p.losses) + 0.5) / (float64(p.cases) + 1)
}

// sensitivity says how small a difference these cases can find, and how many would find the one that was asked for.
func (c *comparer) sensitivity() {
	if c.all.cases == 0 {
		return
	}
	if c.all.simple() {
		if d, ok := stats.MinDetectable(c.all.cases, c.all.discordant(), alpha, power); ok {
			c.out.MinDetectable = finite(d)
		}
		if n, ok := stats.CasesNeeded(c.opts.Detect, c.all.discordant(), alpha, power); ok {
			c.out.CasesNeeded = &n
		}
		return
	}
	if d, ok := stats.MinDetectableClustered(c.all.sums, alpha, power); ok {
		c.out.MinDetectable = finite(d)
		n := int(math.Ceil(float64(c.all.cases) * (d / c.opts.Detect) * (d / c.opts.Detect)))
		c.out.CasesNeeded = &n
	}
}

// verdict draws the conclusion.
func (c *comparer) verdict() (Verdict, string) {
	o := c.out
	switch {
	case o.Cases == 0:
		return TooFewCases, nothingPaired
	case o.PValue <= alpha && *o.Difference.Value > 0:
		return BBetter, fmt.Sprintf("%s is better: %+.1f points, p = %.4f", o.B, *o.Difference.Value*100, o.PValue)
	case o.PValue <= alpha && *o.Difference.Value < 0:
		return ABetter, fmt.Sprintf("%s is better: %+.1f points from %s to %s, p = %.4f", o.A, *o.Difference.Value*100, o.A, o.B, o.PValue)
	case o.CasesNeeded == nil:
		return TooFewCases, fmt.Sprintf("too few cases: no number of such cases finds a difference of %.0f points", o.Detect*100)
	case *o.CasesNeeded > o.Cases:
		return TooFewCases, fmt.Sprintf("too few cases: about %d find a difference of %.0f points four times in five; there are %d", *o.CasesNeeded, o.Detect*100, o.Cases)
	}
	return NoDifference, fmt.Sprintf("no difference shown: one of %.0f points would have been found four times in five", o.Detect*100)
}
