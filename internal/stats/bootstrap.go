package stats

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// BootstrapOptions say how to resample.
type BootstrapOptions struct {
	Resamples int   // default 2000
	Seed      int64 // equal seeds give equal resamples
	BCa       bool  // the bias-corrected and accelerated interval in place of the percentile interval
}

// Resample draws samples of clusters with replacement, as many clusters as there are, and calls visit with how
// often each kind of cluster was drawn. kinds[i] is the number of clusters of kind i: clusters that are alike are
// one kind, so that a draw costs the number of kinds and not the number of clusters. The slice given to visit is
// reused. Nothing is drawn when there is no cluster.
//
// A draw is multinomial: by conditional binomials (L. Devroye, "Non-Uniform Random Variate Generation", Springer
// 1986, § XI.1.4) when there are few kinds, cluster by cluster otherwise.
func Resample(kinds []int, o BootstrapOptions, visit func(counts []int)) {
	total := 0
	for _, k := range kinds {
		total += max(k, 0)
	}
	if total == 0 {
		return
	}
	if o.Resamples <= 0 {
		o.Resamples = 2000
	}
	rng := rand.New(rand.NewPCG(uint64(o.Seed), 0x9e3779b97f4a7c15))
	draw := byKind(kinds, total, rng)
	if total < kindCost*len(kinds) {
		draw = byCluster(kinds, total, rng)
	}
	counts := make([]int, len(kinds))
	for range o.Resamples {
		draw(counts)
		visit(counts)
	}
}

// kindCost is how many single draws cost as much as one binomial variate.
const kindCost = 16

// byKind draws the kinds in turn, each from what is left to draw and what is left of the clusters.
func byKind(kinds []int, total int, rng *rand.Rand) func(counts []int) {
	return func(counts []int) {
		left, clusters := total, total
		for i, k := range kinds {
			k = max(k, 0)
			switch {
			case left == 0 || k == 0:
				counts[i] = 0
			case k >= clusters:
				counts[i] = left
			default:
				b := distuv.Binomial{N: float64(left), P: float64(k) / float64(clusters), Src: rng}
				counts[i] = int(b.Rand())
			}
			left, clusters = left-counts[i], clusters-k
		}
	}
}

// byCluster draws one cluster after the other.
func byCluster(kinds []int, total int, rng *rand.Rand) func(counts []int) {
	kind := make([]int32, 0, total)
	for i, k := range kinds {
		for range k {
			kind = append(kind, int32(i))
		}
	}
	return func(counts []int) {
		clear(counts)
		for range total {
			counts[kind[rng.IntN(total)]]++
		}
	}
}

// Bootstrap returns the 95 % percentile (or BCa) interval of the ratio ΣSum/ΣN by resampling clusters with replacement; the
// order of the clusters does not matter. Clusters with N ≤ 0 are left out; ok is false with fewer than two clusters,
// and when all have one ratio, where resampling would show no spread at all.
//
// Source: B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall 1993, § 13.3; clusters as
// the unit: C. A. Field and A. H. Welsh, "Bootstrapping clustered data", J. R. Stat. Soc. B 69 (2007) 369–390.
func Bootstrap(clusters []Cluster, o BootstrapOptions) (iv Interval, ok bool) {
	kinds, counts, n := group(clusters)
	if n < 2 || uniform(kinds) {
		return Interval{}, false
	}
	var ratios []float64
	Resample(counts, o, func(drawn []int) {
		var sum, size float64
		for i, d := range drawn {
			sum += float64(d) * kinds[i].Sum
			size += float64(d) * kinds[i].N
		}
		ratios = append(ratios, sum/size)
	})
	iv = Percentiles(ratios)
	if o.BCa {
		iv = bca(ratios, kinds, counts)
	}
	return iv, true
}

// Percentiles returns the 0.025 and 0.975 quantiles of values, which it sorts.
func Percentiles(values []float64) Interval {
	slices.Sort(values)
	lo, _ := Quantile(values, 0.025)
	hi, _ := Quantile(values, 0.975)
	return Interval{Lo: lo, Hi: hi}
}

// group returns the distinct clusters in order, how many there are of each, and how many in all.
func group(clusters []Cluster) (kinds []Cluster, counts []int, n int) {
	sorted := make([]Cluster, 0, len(clusters))
	for _, c := range clusters {
		if c.N > 0 {
			sorted = append(sorted, c)
		}
	}
	slices.SortFunc(sorted, func(a, b Cluster) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Sum, b.Sum))
	})
	for i, c := range sorted {
		if i == 0 || c != sorted[i-1] {
			kinds, counts = append(kinds, c), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return kinds, counts, len(sorted)
}

// uniform reports whether every cluster has the same ratio.
func uniform(kinds []Cluster) bool {
	return !slices.ContainsFunc(kinds, func(k Cluster) bool { return k.Sum*kinds[0].N != kinds[0].Sum*k.N })
}
