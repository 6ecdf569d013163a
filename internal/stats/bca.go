package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// PairedBootstrap returns the difference (ΣB − ΣA)/ΣN of two arms on the same cases and its 95 % interval from resampling
// whole clusters, see [Bootstrap]; method is "cluster-bootstrap" or "cluster-bootstrap-bca". When all clusters have one
// difference, and when there is one cluster, resampling would show no spread, and the interval and method are those of
// [PairedDifference], which is never of zero width. ok is false when there is no cluster with N > 0, or one difference
// only of scores that are not within 0…1.
//
// With few clusters or rare differences these intervals are too narrow; [PairedDifference] covers there as well.
func PairedBootstrap(clusters []PairedCluster, o BootstrapOptions) (diff float64, iv Interval, method string, ok bool) {
	diffs := make([]Cluster, len(clusters))
	var sum, n float64
	for i, c := range clusters {
		diffs[i] = Cluster{Sum: c.B - c.A, N: c.N}
		if c.N > 0 {
			sum, n = sum+c.B-c.A, n+c.N
		}
	}
	if iv, ok = Bootstrap(diffs, o); !ok {
		return PairedDifference(clusters)
	}
	if o.BCa {
		return sum / n, iv, MethodBCa, true
	}
	return sum / n, iv, MethodBootstrap, true
}

// Methods of [PairedBootstrap].
const (
	MethodBootstrap = "cluster-bootstrap"
	MethodBCa       = "cluster-bootstrap-bca"
)

// bca is the bias-corrected and accelerated interval from the sorted resampled ratios. With z₀ the normal quantile of the
// share of resamples below the estimate (ties count half) and a the acceleration, its ends are the quantiles
// Φ(z₀ + w/(1 − a·w)), w = z₀ ± 1.96, of the resamples.
//
// Source: B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987) 171–185, eq. 2.3; a by the jackknife: B. Efron
// and R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall 1993, eq. 14.15, leaving out whole clusters.
func bca(sorted []float64, kinds []Cluster, counts []int) Interval {
	estimate, a := acceleration(kinds, counts)
	tolerance := 1e-12 * math.Max(1, math.Abs(estimate))
	var below float64
	for _, r := range sorted {
		switch {
		case r < estimate-tolerance:
			below++
		case r <= estimate+tolerance:
			below += 0.5
		}
	}
	n := float64(len(sorted))
	below = math.Min(math.Max(below, 0.5), n-0.5)
	z0 := distuv.UnitNormal.Quantile(below / n)
	end := func(z float64) float64 {
		w := z0 + z
		// |a| ≤ 1/6 keeps the pole of w/(1−aw) away; beyond it the end would be the last resample on the side of w.
		q, _ := Quantile(sorted, distuv.UnitNormal.CDF(z0+w/math.Max(1-a*w, 1e-9)))
		return q
	}
	return Interval{Lo: end(-Z95), Hi: end(Z95)}
}

// acceleration is the ratio and Σu³ / (6·(Σu²)^1.5), u = mean of the ratios without one cluster − ratio without this one.
func acceleration(kinds []Cluster, counts []int) (estimate, a float64) {
	var sum, n, clusters float64
	for i, k := range kinds {
		c := float64(counts[i])
		sum, n, clusters = sum+c*k.Sum, n+c*k.N, clusters+c
	}
	var mean float64
	for i, k := range kinds {
		mean += float64(counts[i]) / clusters * (sum - k.Sum) / (n - k.N)
	}
	var squares, cubes float64
	for i, k := range kinds {
		u := mean - (sum-k.Sum)/(n-k.N)
		squares, cubes = squares+float64(counts[i])*u*u, cubes+float64(counts[i])*u*u*u
	}
	if squares > 0 {
		a = cubes / (6 * math.Pow(squares, 1.5))
	}
	return sum / n, a
}
