package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

// Values computed with scipy 1.17.1 (binomtest, and 2·binom.cdf − binom.pmf) and statsmodels 0.15.0 (mcnemar exact).
func TestMcNemar(t *testing.T) {
	for _, c := range []struct {
		b, c       int
		exact, mid float64
	}{
		{6, 1, 0.125, 0.0703125},
		{1, 6, 0.125, 0.0703125},
		{10, 2, 0.03857421875, 0.0224609375},
		{25, 10, 0.016673847800120715, 0.011330984183587134},
		{6, 16, 0.052478790283203125, 0.03468966484069824},
		{0, 12, 0.00048828125, 0.000244140625},
		{300, 250, 0.036578745549102676, 0.03307151591735791},
		{5200, 5000, 0.04878796312682234, 0.04767597424321983},
		{5, 5, 1, 1}, {0, 1, 1, 0.5}, {0, 0, 1, 1}, {-1, 9, 1, 1}, {9, -1, 1, 1},
	} {
		exact, mid := McNemar(c.b, c.c)
		assert.InDelta(t, c.exact, exact, 1e-10, "%d/%d", c.b, c.c)
		assert.InDelta(t, c.mid, mid, 1e-10, "%d/%d", c.b, c.c)
	}
}

// 220 cases: 25 right only under A, 10 only under B, 130 under both. Two independent samples with these rates would give
// z = 1.525, p = 0.127.
func TestPairingIsNotIgnored(t *testing.T) {
	a, b := 155.0/220, 140.0/220
	z := (a - b) / math.Sqrt((a*(1-a)+b*(1-b))/220)
	require.InDelta(t, 1.525, z, 5e-4)
	require.InDelta(t, 0.127, 2*distuv.UnitNormal.Survival(z), 5e-4)
	exact, _ := McNemar(25, 10)
	assert.Less(t, exact, 0.02)
	diff, iv, _ := NewcombePaired(130, 25, 10, 55)
	assert.InDelta(t, -15.0/220, diff, 1e-15)
	assert.Less(t, iv.Hi, 0.0)
	p := SignFlip(differences(25, 10, 185), PermutationOptions{Seed: 1})
	assert.InDelta(t, exact, p, 0.004, "three standard errors of 10,000 permutations")
	_, boot, _, _ := PairedBootstrap(pairs(130, 25, 10, 55), BootstrapOptions{Seed: 1})
	assert.Less(t, boot.Hi, 0.0)
}

// differences are those of wins of the first, of the second, and ties.
func differences(first, second, ties int) []float64 {
	d := make([]float64, 0, first+second+ties)
	for range first {
		d = append(d, -1)
	}
	for range second {
		d = append(d, 1)
	}
	return append(d, make([]float64, ties)...)
}

func pairs(n11, n10, n01, n00 int) []PairedCluster {
	var out []PairedCluster
	for i, c := range []PairedCluster{{1, 1, 1}, {1, 0, 1}, {0, 1, 1}, {0, 0, 1}} {
		for range []int{n11, n10, n01, n00}[i] {
			out = append(out, c)
		}
	}
	return out
}

// 36, 12, 2, 0 is published: Newcombe 1998, table II, 0.0569 to 0.3404 for first − second, which is second − first when
// 12 are right only under the second. The others were computed with an independent program in NumPy 2.4.6.
func TestNewcombePaired(t *testing.T) {
	for _, c := range []struct {
		n11, n10, n01, n00 int
		lo, hi, within     float64
	}{
		{36, 2, 12, 0, 0.0569, 0.3404, 5e-5},
		{36, 12, 2, 0, -0.3404, -0.0569, 5e-5},
		{130, 25, 10, 55, -0.12054240731595142, -0.015415728022231893, 1e-12},
		{20, 0, 0, 0, -0.16112515805281957, 0.16112515805281957, 1e-12},
		{10, 0, 0, 10, -0.08975665937768057, 0.08975665937768057, 1e-12},
		{0, 10, 0, 0, -1.0, -0.6075093504305241, 1e-12},
		{3, 7, 2, 8, -0.49364621698518074, 0.046835583083318644, 1e-12},
		{1, 9, 8, 2, -0.4122622740606414, 0.3271266975110047, 1e-12},
	} {
		diff, iv, ok := NewcombePaired(c.n11, c.n10, c.n01, c.n00)
		require.True(t, ok)
		assert.Equal(t, float64(c.n01-c.n10)/float64(c.n11+c.n10+c.n01+c.n00), diff)
		assert.InDelta(t, c.lo, iv.Lo, c.within, "%+v", c)
		assert.InDelta(t, c.hi, iv.Hi, c.within, "%+v", c)
		_, mirrored, _ := NewcombePaired(c.n00, c.n10, c.n01, c.n11) // wrong for right: A and B change places
		assert.InDelta(t, iv.Lo, mirrored.Lo, 1e-12)
	}
	for _, bad := range [][4]int{{}, {5, -1, 3, 3}, {-1, 1, 1, 1}} {
		_, _, ok := NewcombePaired(bad[0], bad[1], bad[2], bad[3])
		assert.False(t, ok, "%v", bad)
	}
}

// Values computed with statsmodels 0.15.0, multipletests(method="holm").
func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{.01, .04, .03, .005}, []float64{.03, .06, .06, .02}},
		{[]float64{.5, .2, .2, .9, .001}, []float64{1, .8, .8, 1, .005}},
		{[]float64{.02, .02, .02}, []float64{.06, .06, .06}},
		{[]float64{.04}, []float64{.04}},
		{nil, nil},
		{[]float64{math.NaN(), .01}, []float64{1, .02}},
	} {
		given := append([]float64(nil), c.p...)
		got := Holm(c.p)
		assert.InDeltaSlice(t, c.want, got, 1e-12, "%v", c.p)
		if len(given) > 0 && !math.IsNaN(given[0]) {
			assert.Equal(t, given, c.p, "the input is left alone")
		}
	}
}
