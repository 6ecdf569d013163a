package metrics

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/skilleval/skilleval/internal/stats"
)

// kind is what one cluster, or many that are alike, adds to the tallies.
type kind []classCell

// kinds groups the clusters that are alike, for resampling; counts[i] is how many are of kind i. Kind 0 is that of
// clusters in which nothing was expected and nothing called; units is the number of all clusters.
func (c *classes) kinds(units int) (kinds []kind, counts []int) {
	slices.SortFunc(c.cells, func(a, b classCell) int {
		return cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.skill, b.skill))
	})
	kinds, counts = []kind{nil}, []int{units}
	seen := map[string]int{}
	var key []byte
	for from := 0; from < len(c.cells); {
		unit, k := c.cells[from].unit, kind(nil)
		key = key[:0]
		for ; from < len(c.cells) && c.cells[from].unit == unit; from++ {
			cell := c.cells[from]
			if last := len(k) - 1; last >= 0 && k[last].skill == cell.skill {
				k[last].plus(cell.tally)
			} else {
				k = append(k, cell)
			}
		}
		for _, cell := range k {
			for _, v := range [4]int32{cell.skill, cell.support, cell.predicted, cell.both} {
				key = binary.AppendVarint(key, int64(v))
			}
		}
		i, ok := seen[string(key)]
		if !ok {
			i = len(kinds)
			seen[string(key)] = i
			kinds, counts = append(kinds, k), append(counts, 0)
		}
		counts[i]++
		counts[0]--
	}
	return kinds, counts
}

// resamples is the number of bootstrap samples behind the intervals of F1.
const resamples = 1000

// averages returns precision, recall and F1 as macro, micro and weighted averages, F1 with its interval by a seeded
// cluster bootstrap over the given number of clusters.
func (c *classes) averages(units int, seed int64) (macro, micro, weighted PRF) {
	totals := make([]tally, len(c.names))
	for _, cell := range c.cells {
		totals[cell.skill].plus(cell.tally)
	}
	a := average(totals)
	kinds, counts := c.kinds(units)
	drawn := make([]tally, len(totals))
	var samples [3][]float64
	stats.Resample(counts, stats.BootstrapOptions{Resamples: resamples, Seed: seed}, func(times []int) {
		clear(drawn)
		for i, n := range times {
			if n == 0 {
				continue
			}
			for _, cell := range kinds[i] {
				t := &drawn[cell.skill]
				t.support += cell.support * int32(n)
				t.predicted += cell.predicted * int32(n)
				t.both += cell.both * int32(n)
			}
		}
		for i, prf := range average(drawn) {
			if prf.F1 != nil {
				samples[i] = append(samples[i], *prf.F1)
			}
		}
	})
	for i := range a {
		a[i].setInterval(samples[i])
	}
	return a[0], a[1], a[2]
}

// setInterval takes the percentiles of resampled F1; there is none when all samples agree, which says only that
// nothing varied in the one sample there is.
func (p *PRF) setInterval(f1 []float64) {
	if len(f1) == 0 || p.F1 == nil || slices.Min(f1) == slices.Max(f1) {
		return
	}
	iv := stats.Percentiles(f1)
	p.F1Lo, p.F1Hi = finite(iv.Lo), finite(iv.Hi)
}

// f1 is 2TP / (2TP + FP + FN), which is defined whenever the class is expected or called, unlike the harmonic mean of
// precision and recall; nil otherwise.
func f1(both, support, predicted float64) *float64 { return quotient(2*both, support+predicted) }

// quotient is a/b, nil for b = 0.
func quotient(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	return finite(a / b)
}

// average returns the macro, micro and weighted averages. Macro and weighted go over the classes that are expected or
// called; an undefined precision (never called) or recall (never expected) of such a class counts as 0.
func average(totals []tally) [3]PRF {
	var macro, weighted, sum struct{ p, r, f, n float64 }
	var both float64
	for _, t := range totals {
		tp, support, predicted := float64(t.both), float64(t.support), float64(t.predicted)
		if support+predicted == 0 {
			continue
		}
		p, r, f := tp/max(predicted, 1), tp/max(support, 1), 2*tp/(support+predicted)
		macro.p, macro.r, macro.f, macro.n = macro.p+p, macro.r+r, macro.f+f, macro.n+1
		weighted.p, weighted.r, weighted.f, weighted.n = weighted.p+p*support, weighted.r+r*support, weighted.f+f*support, weighted.n+support
		sum.p, sum.r, both = sum.p+predicted, sum.r+support, both+tp
	}
	return [3]PRF{
		{Precision: quotient(macro.p, macro.n), Recall: quotient(macro.r, macro.n), F1: quotient(macro.f, macro.n), N: int(macro.n)},
		{Precision: quotient(both, sum.p), Recall: quotient(both, sum.r), F1: f1(both, sum.r, sum.p), N: int(sum.p + sum.r - both)},
		{Precision: quotient(weighted.p, weighted.n), Recall: quotient(weighted.r, weighted.n), F1: quotient(weighted.f, weighted.n), N: int(weighted.n)},
	}
}
