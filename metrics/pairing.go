package metrics

import (
	"cmp"
	"slices"

	"github.com/skilleval/skilleval/internal/stats"
)

// pairing collects the paired outcomes of a set of cases.
type pairing struct {
	cases, wins, losses  int
	bothRight, bothWrong int
	single               bool // one trial a case on both sides
	sums                 []stats.PairedCluster
	units                []int32         // the cluster of each sum
	places               map[int32]int32 // cluster to its place in sums, once a cluster came after a later one
}

// outcome is one case on both sides: its cluster, how often it is right, and whether that is one trial a side.
type outcome struct {
	unit   int32
	a, b   float64
	single bool
}

func newPairing() *pairing { return &pairing{single: true} }

// place returns the place of a cluster in sums, and makes one. The numbers of clusters mostly rise; while they do, no map
// is needed.
func (p *pairing) place(unit int32) int32 {
	n := int32(len(p.units))
	if p.places == nil && n > 0 && unit <= p.units[n-1] {
		if i, ok := slices.BinarySearch(p.units, unit); ok {
			return int32(i)
		}
		p.places = make(map[int32]int32, n)
		for i, u := range p.units {
			p.places[u] = int32(i)
		}
	}
	if i, ok := p.places[unit]; ok {
		return i
	}
	if p.places != nil {
		p.places[unit] = n
	}
	p.units = append(p.units, unit)
	p.sums = append(p.sums, stats.PairedCluster{})
	return n
}

func (p *pairing) add(o outcome) {
	place := p.place(o.unit)
	s := &p.sums[place]
	s.A, s.B, s.N = s.A+o.a, s.B+o.b, s.N+1
	p.cases++
	p.single = p.single && o.single
	switch {
	case o.b > o.a:
		p.wins++
	case o.b < o.a:
		p.losses++
	case o.a == 1:
		p.bothRight++
	case o.a == 0:
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

// sensitivity says how small a difference these cases find with the power of the package, and how many would find the one
// that is asked for; nil where none does.
func (p *pairing) sensitivity(detect float64) (least *float64, needed *int) {
	switch {
	case p.cases == 0:
	case p.simple():
		if d, ok := stats.MinDetectable(p.cases, p.discordant(), alpha, power); ok {
			least = finite(d)
		}
		if n, ok := stats.CasesNeeded(detect, p.discordant(), alpha, power); ok {
			needed = &n
		}
	default:
		if d, ok := stats.MinDetectableClustered(p.sums, alpha, power); ok {
			least = finite(d)
		}
		if n, ok := stats.CasesNeededClustered(p.sums, detect, alpha, power); ok {
			needed = &n
		}
	}
	return least, needed
}

// favoured counts the clusters that B, less those that A, gets right more often.
func (p *pairing) favoured() int {
	n := 0
	for _, s := range p.sums {
		n += cmp.Compare(s.B, s.A)
	}
	return n
}
