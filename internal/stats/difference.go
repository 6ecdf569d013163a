package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// PairedCluster is one independent unit on which two arms are compared: the sums of both arms' scores, each 0…1 a case,
// over its N cases (or trials of cases).
type PairedCluster struct{ A, B, N float64 }

// Methods of [PairedDifference].
const (
	MethodNewcombe   = "newcombe-paired" // every cluster is one case with one binary outcome an arm
	MethodAdjustedT  = "adjusted-t-cluster"
	MethodOneCluster = "one-cluster" // a single cluster says nothing of others
)

// PairedDifference returns the difference (ΣB − ΣA)/ΣN of the mean scores of two arms on the same cases, its 95 %
// interval, and the method. Clusters with N ≤ 0 are left out; ok is false when none is left and when the sums are not
// those of scores within 0…1. The interval never has zero width: where the arms never differ it is as wide as the number
// of clusters asks for, and for a single cluster it is [−1, 1].
//
// When every cluster is one binary pair the interval is [NewcombePaired]. Otherwise it is a t interval of the clusters'
// differences d = b − a after two clusters have been added, of mean size s = N/C and with the differences g and −g. With
// C' = C + 2, N' = N + 2s, δ' = Σd/N',
//
//	δ' ± t · √( C'/(C'−1) · (Σ(d − δ'n)² + (g − δ's)² + (g + δ's)²) ) / N',
//
// and t the 0.975 quantile with N²/Σn² − 1 degrees of freedom, at least 1. g² = (Σd² + 2s²)/(m + 2) is the mean square of
// the m differences that are not 0 and of two whole clusters: g = s when the arms never differ. For one pair a cluster
// the added ones are those of Bonett and Price, who add one case to either kind of discordant pairs.
//
// Source: D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of binomial proportions based
// on paired data", J. Educ. Behav. Stat. 37 (2012) 479–488; variance of a ratio over clusters: L. Kish, "Survey
// Sampling", Wiley 1965, ch. 6. Chosen by simulation with 20 to 500 clusters of 1 to 5 cases at rates 0.4 to 0.99: of the
// candidates it alone covered 94 % everywhere without being needlessly wide. The t interval without the added clusters
// fell to 36 %, the BCa interval to 87 %, the percentile interval to 91 %, and method 10 of Newcombe on the intervals of
// [WilsonClustered] was wider by a seventh. See TestPairedDifferenceCoverage.
func PairedDifference(clusters []PairedCluster) (diff float64, iv Interval, method string, ok bool) {
	s, ok := summarize(clusters)
	if !ok {
		return 0, Interval{}, "", false
	}
	if s.binary() {
		diff, iv, ok = NewcombePaired(s.both, s.onlyA, s.onlyB, s.neither)
		return diff, iv, MethodNewcombe, ok
	}
	if s.clusters == 1 {
		return s.sum / s.n, Interval{Lo: -1, Hi: 1}, MethodOneCluster, true
	}
	center, se := s.adjusted()
	half := s.student().Quantile(0.975) * se
	return s.sum / s.n, Interval{Lo: math.Max(-1, center-half), Hi: math.Min(1, center+half)}, MethodAdjustedT, true
}

// pairedSummary is what clusters add up to, with d = B − A for each.
type pairedSummary struct {
	clusters                    int
	sum, n                      float64 // Σd, Σn
	nn, dn, dd                  float64 // Σn², Σdn, Σd²
	differ                      float64 // clusters whose difference is not 0
	both, onlyA, onlyB, neither int     // clusters that are one binary pair
}

func summarize(clusters []PairedCluster) (s pairedSummary, ok bool) {
	for _, c := range clusters {
		if c.N <= 0 {
			continue
		}
		most := c.N * (1 + 1e-9) // sums of scores are rounded
		if !(c.A >= 0 && c.A <= most && c.B >= 0 && c.B <= most) || math.IsInf(c.N, 0) {
			return pairedSummary{}, false
		}
		d := c.B - c.A
		s.clusters, s.sum, s.n = s.clusters+1, s.sum+d, s.n+c.N
		s.nn, s.dn, s.dd = s.nn+c.N*c.N, s.dn+d*c.N, s.dd+d*d
		if math.Abs(d) > tieTolerance {
			s.differ++
		}
		switch c {
		case PairedCluster{1, 1, 1}:
			s.both++
		case PairedCluster{1, 0, 1}:
			s.onlyA++
		case PairedCluster{0, 1, 1}:
			s.onlyB++
		case PairedCluster{0, 0, 1}:
			s.neither++
		}
	}
	return s, s.clusters > 0
}

// binary reports whether every cluster is one binary pair.
func (s *pairedSummary) binary() bool { return s.both+s.onlyA+s.onlyB+s.neither == s.clusters }

// tieTolerance is how far from 0 the difference of two sums of scores may be by rounding alone.
const tieTolerance = 1e-9

// adjusted is δ' of [PairedDifference] and its standard error.
func (s *pairedSummary) adjusted() (center, se float64) {
	c, size := float64(s.clusters), s.n/float64(s.clusters)
	n := s.n + 2*size
	center = s.sum / n
	added := (s.dd + informativePrior*size*size) / (s.differ + informativePrior)
	squares := s.dd - 2*center*s.dn + center*center*(s.nn+2*size*size) + 2*added
	return center, math.Sqrt((c+2)/(c+1)*squares) / n
}

// student is Student's t with the degrees of freedom of the effective number of clusters.
func (s *pairedSummary) student() distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: math.Max(1, s.n*s.n/s.nn-1)}
}
