package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var tenClusters = []PairedCluster{
	{3, 3, 3}, {0, 1, 2}, {2, 4, 4}, {5, 5, 5}, {1, 0, 1}, {4, 4, 4}, {2, 4, 5}, {1, 3, 3}, {0, 1, 2}, {3, 1, 3},
}

// Computed with NumPy 2.4.6 and scipy 1.17.1 from the formula.
func TestPairedDifferenceOfClusters(t *testing.T) {
	padded := append([]PairedCluster{{1, 1, 0}, {0, 0, -2}}, tenClusters...)
	diff, iv, method, ok := PairedDifference(padded)
	require.True(t, ok)
	assert.Equal(t, MethodAdjustedT, method)
	assert.InDelta(t, 0.15625, diff, 1e-15)
	assert.InDelta(t, -0.18350448287369614, iv.Lo, 1e-9)
	assert.InDelta(t, 0.44392114954036277, iv.Hi, 1e-9)
}

func TestPairedDifferencePicksTheMethod(t *testing.T) {
	_, want, _ := NewcombePaired(36, 2, 12, 0)
	diff, iv, method, ok := PairedDifference(pairs(36, 2, 12, 0))
	assert.True(t, ok)
	assert.Equal(t, MethodNewcombe, method)
	assert.Equal(t, want, iv)
	assert.InDelta(t, 0.2, diff, 1e-15)

	_, _, method, _ = PairedDifference(append(pairs(5, 5, 5, 5), PairedCluster{0.5, 1, 1}))
	assert.Equal(t, MethodAdjustedT, method, "half a case right is not binary")
	_, _, method, _ = PairedDifference(append(pairs(5, 5, 5, 5), PairedCluster{1, 1, 2}))
	assert.Equal(t, MethodAdjustedT, method)

	diff, iv, method, ok = PairedDifference([]PairedCluster{{1, 4, 5}})
	assert.True(t, ok)
	assert.InDelta(t, 0.6, diff, 1e-15)
	assert.Equal(t, Interval{-1, 1}, iv)
	assert.Equal(t, MethodOneCluster, method)

	for _, bad := range [][]PairedCluster{nil, {{0, 0, 0}}, {{-1, 0, 1}}, {{0, 2, 1}}, {{math.NaN(), 0, 1}}, {{0, 0, math.NaN()}}, {{0, 0, math.Inf(1)}}} {
		_, _, _, ok := PairedDifference(bad)
		assert.False(t, ok, "%v", bad)
	}
}

// Where nothing differs, or all differ alike, an interval still has a width of two over the
// number of clusters or more.
func TestNoIntervalOfZeroWidth(t *testing.T) {
	for name, c := range map[string]PairedCluster{
		"both right": {1, 1, 1}, "neither": {0, 0, 1}, "only B": {0, 1, 1}, "only A": {1, 0, 1},
		"trials, both right": {5, 5, 5}, "trials, half": {2, 2, 4}, "trials, B better": {1, 2, 4}, "trials, B whole": {0, 3, 3},
	} {
		for _, n := range []int{2, 10, 100, 1000} {
			clusters := slices.Repeat([]PairedCluster{c}, n)
			for _, bootstrap := range []bool{false, true} {
				diff, iv, method, ok := PairedDifference(clusters)
				if bootstrap {
					diff, iv, method, ok = PairedBootstrap(clusters, BootstrapOptions{Resamples: 50})
				}
				require.True(t, ok, name)
				assert.NotContains(t, method, "bootstrap", "it says that it did not resample")
				assert.GreaterOrEqual(t, iv.Hi-iv.Lo, 1.9/float64(n+2), "%s, %d", name, n)
				assert.True(t, iv.Lo <= diff && diff <= iv.Hi && iv.Lo >= -1 && iv.Hi <= 1, "%s, %d: %v", name, n, iv)
			}
		}
	}
}

func TestPairedDifferenceCountsClusters(t *testing.T) {
	once := append(pairs(50, 8, 20, 22), PairedCluster{0.5, 0.5, 1})
	_, want, _, _ := PairedDifference(once)
	for i, c := range once {
		once[i] = PairedCluster{10 * c.A, 10 * c.B, 10}
	}
	_, got, _, _ := PairedDifference(once)
	assert.InDelta(t, want.Lo, got.Lo, 1e-9)
	assert.InDelta(t, want.Hi, got.Hi, 1e-9)
	for i, c := range once {
		once[i] = PairedCluster{c.B, c.A, c.N}
	}
	_, swapped, _, _ := PairedDifference(once)
	assert.InDelta(t, -got.Lo, swapped.Hi, 1e-12, "A and B change places")
}

var skewed = []PairedCluster{
	{0.1, 0.93, 1}, {0.37, 0.35, 1}, {1.21, 1.3, 2}, {0.8, 0.77, 1}, {2.13, 2.02, 3}, {0, 4.71, 5}, {1.9, 1.96, 2},
	{0.43, 0.41, 1}, {3.3, 3.37, 4}, {1.11, 1.04, 2}, {0.06, 1.87, 2}, {2.5, 2.45, 3},
}

// Values computed with scipy 1.17.1, bootstrap(paired=True, method=…) with 400,000 resamples. With 40,000 here the ends
// have a standard error of about 0.002.
func TestPairedBootstrap(t *testing.T) {
	for _, c := range []struct {
		bca    bool
		method string
		lo, hi float64
	}{
		{false, MethodBootstrap, 0.0027, 0.5611},
		{true, MethodBCa, 0.0405, 0.6570},
	} {
		o := BootstrapOptions{Resamples: 40_000, Seed: 1, BCa: c.bca}
		diff, iv, method, ok := PairedBootstrap(append(skewed, PairedCluster{1, 0, 0}), o)
		require.True(t, ok)
		assert.Equal(t, c.method, method)
		want, _, _, _ := PairedDifference(skewed)
		assert.InDelta(t, want, diff, 1e-15)
		assert.InDelta(t, c.lo, iv.Lo, 0.005)
		assert.InDelta(t, c.hi, iv.Hi, 0.01)
	}
	_, a := accelerationOf(skewed)
	assert.InDelta(t, 0.09561484123138567, a, 1e-12, "jackknife over clusters, computed with NumPy 2.4.6")
}

func accelerationOf(clusters []PairedCluster) (estimate, a float64) {
	diffs := make([]Cluster, len(clusters))
	for i, c := range clusters {
		diffs[i] = Cluster{c.B - c.A, c.N}
	}
	kinds, counts, _ := group(diffs)
	return acceleration(kinds, counts)
}

// One cluster in a thousand differs: the acceleration is as large as it can be, 1/6.
func TestBCaOfOneOutlier(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		clusters := slices.Repeat([]PairedCluster{{1, 1, 2}}, 1000)
		clusters[0] = PairedCluster{1 - sign, 1 + sign, 2}
		_, a := accelerationOf(clusters)
		assert.InDelta(t, sign/6, a, 1e-3)
		diff, iv, _, ok := PairedBootstrap(clusters, BootstrapOptions{BCa: true, Seed: 1})
		require.True(t, ok)
		assert.True(t, iv.Lo <= diff && diff <= iv.Hi && iv.Lo < iv.Hi, "%v", iv)
	}
}

// Nothing is skewed here, and resamples that equal the estimate count half: BCa is the percentile interval.
func TestBCaOfSymmetricDifferences(t *testing.T) {
	o := BootstrapOptions{Resamples: 20_000, Seed: 1}
	_, want, _, _ := PairedBootstrap(pairs(0, 5, 5, 0), o)
	o.BCa = true
	_, got, _, _ := PairedBootstrap(pairs(0, 5, 5, 0), o)
	assert.Equal(t, want, got)
}

func TestPairedBootstrapOfOtherScores(t *testing.T) {
	// Tokens: sums far beyond the number of cases, which resampling does not mind.
	_, iv, method, ok := PairedBootstrap([]PairedCluster{{120, 100, 1}, {90, 95, 1}, {300, 200, 2}}, BootstrapOptions{})
	assert.True(t, ok)
	assert.Equal(t, MethodBootstrap, method)
	assert.Less(t, iv.Lo, iv.Hi)
	_, _, _, ok = PairedBootstrap([]PairedCluster{{120, 100, 1}, {110, 90, 1}}, BootstrapOptions{})
	assert.False(t, ok, "no spread and no bound")
	_, _, _, ok = PairedBootstrap(nil, BootstrapOptions{})
	assert.False(t, ok)
}

func BenchmarkPairedBootstrap(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	clusters := make([]PairedCluster, 100_000)
	drawPairs(rng, clusters, pairModel{a: 0.8, b: 0.82, rho: 0.3, share: 1, copied: 0.5})
	for b.Loop() {
		PairedBootstrap(clusters, BootstrapOptions{Resamples: 10_000, BCa: true})
	}
}
