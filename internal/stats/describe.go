package stats

import "math"

// Mean returns the arithmetic mean; ok is false when there are no values, or when their sum is not finite.
func Mean(values []float64) (mean float64, ok bool) {
	var sum float64
	for _, v := range values {
		sum += v
	}
	mean = sum / float64(len(values))
	return mean, !math.IsNaN(mean) && !math.IsInf(mean, 0)
}

// Quantile returns the quantile p of values in ascending order, interpolated between neighbours; ok is false when
// there are no values or p is not within 0…1.
//
// Source: type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", Am. Stat. 50 (1996)
// 361–365: the default of R and NumPy.
func Quantile(sorted []float64, p float64) (q float64, ok bool) {
	if len(sorted) == 0 || !(p >= 0 && p <= 1) {
		return 0, false
	}
	at := p * float64(len(sorted)-1)
	below := math.Floor(at)
	i, w := int(below), at-below
	if w == 0 {
		return sorted[i], true
	}
	return sorted[i]*(1-w) + sorted[i+1]*w, true
}
