package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// McNemar tests whether two arms that saw the same cases are equally often right. b is the number of cases that only
// the first arm got right, c those that only the second did; the cases on which they agree carry no information. It
// returns the exact two-sided p-value, min(1, 2·P(X ≤ min(b, c))) for X ~ Bin(b+c, ½), and the mid-p value, which is less by
// P(X = min(b, c)). Both are 1 when nothing is discordant, and for negative counts.
//
// Source: Q. McNemar, Psychometrika 12 (1947) 153–157; exact binomial form and mid-p: M. W. Fagerland, S. Lydersen and
// P. Laake, BMC Med. Res. Methodol. 13 (2013) 91.
func McNemar(b, c int) (exact, midP float64) {
	n := b + c
	if n <= 0 || b < 0 || c < 0 {
		return 1, 1
	}
	tail := distuv.Binomial{N: float64(n), P: 0.5}
	m := float64(min(b, c))
	twice := 2 * tail.CDF(m)
	return math.Min(1, twice), math.Min(1, twice-tail.Prob(m))
}

// NewcombePaired returns the difference second − first between two proportions on the same cases, and its 95 % interval.
// n11 counts the cases both got right, n10 those only the first did, n01 those only the second did, n00 those neither
// did. ok is false without cases and for negative counts. The interval never has zero width.
//
// With the Wilson intervals [l, u] of both proportions and φ the correlation of the paired outcomes, its ends are
// δ − √((p₂−l₂)² − 2φ(p₂−l₂)(u₁−p₁) + (u₁−p₁)²) and δ + √((u₂−p₂)² − 2φ(u₂−p₂)(p₁−l₁) + (p₁−l₁)²).
//
// Source: R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired
// data", Stat. Med. 17 (1998) 2635–2650, method 10.
func NewcombePaired(n11, n10, n01, n00 int) (diff float64, iv Interval, ok bool) {
	if min(n11, n10, n01, n00) < 0 {
		return 0, Interval{}, false
	}
	n := n11 + n10 + n01 + n00
	first, ok := Wilson(n11+n10, n)
	if !ok {
		return 0, Interval{}, false
	}
	second, _ := Wilson(n11+n01, n)
	p1, p2 := float64(n11+n10)/float64(n), float64(n11+n01)/float64(n)
	phi := newcombePhi(float64(n11), float64(n01), float64(n10), float64(n00))
	below := hypotenuse(p2-second.Lo, first.Hi-p1, phi)
	above := hypotenuse(second.Hi-p2, p1-first.Lo, phi)
	diff = float64(n01-n10) / float64(n)
	return diff, Interval{Lo: math.Max(-1, diff-below), Hi: math.Min(1, diff+above)}, true
}

// newcombePhi is the correlation of the paired outcomes, continuity-corrected where positive, 0 where a margin is empty.
func newcombePhi(a, b, c, d float64) float64 {
	margins := (a + b) * (c + d) * (a + c) * (b + d)
	if margins == 0 {
		return 0
	}
	det := a*d - b*c
	if det > 0 {
		det = math.Max(det-(a+b+c+d)/2, 0)
	}
	return det / math.Sqrt(margins)
}

func hypotenuse(x, y, phi float64) float64 {
	return math.Sqrt(math.Max(0, x*x-2*phi*x*y+y*y))
}

// Holm adjusts p-values for their number, so that the chance of any false alarm stays below the level they are compared
// with, whatever their dependence. The result is in the order of p; what is not a number counts as 1.
//
// Of k p-values in ascending order the i-th becomes max over j ≤ i of min(1, (k−j+1)·p₍ⱼ₎).
//
// Source: S. Holm, Scand. J. Stat. 6 (1979) 65–70.
func Holm(p []float64) []float64 {
	order, out := make([]int, len(p)), slices.Clone(p)
	for i := range order {
		order[i] = i
		if math.IsNaN(out[i]) {
			out[i] = 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(out[a], out[b]) })
	worst := 0.0
	for rank, i := range order {
		worst = math.Max(worst, math.Min(1, out[i]*float64(len(p)-rank)))
		out[i] = worst
	}
	return out
}
