package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Values computed with scipy 1.17.1 as a double sum of binom.pmf over the outcomes with p ≤ alpha.
func TestMcNemarPower(t *testing.T) {
	for _, c := range []struct {
		n                                   int
		discordant, difference, alpha, want float64
	}{
		{20, .3, .2, .05, 0.19562082828290964},
		{50, .3, .2, .05, 0.6993056060839745},
		{50, .3, -.2, .05, 0.6993056060839745},
		{100, .2, .1, .05, 0.5444454279352319},
		{200, .175, .0682, .05, 0.5798508958315848},
		{100, .2, 0, .05, 0.029440205993088293},
		{30, .5, .5, .01, 0.9973885603249074},
		{12, 1, .6, .05, 0.55835027456},
		{12, 1, 1, .05, 1},
		{40, .2, .2, .05, 0.8386711827678357},
		{700, .1, .05, .05, 0.9881165498560935},
		{6, 1, 1, .03125, 1}, // p is 2/64 itself
		{6, 1, .5, .03125, 0.178222656250},
		{5, 1, 1, .05, 0}, // p = 0.0625 at the least
		{0, .3, .2, .05, 0}, {10, 0, 0, .05, 0}, {50, .1, .2, .05, 0}, {50, .3, .2, 0, 0}, {50, .3, .2, 1, 0},
		{50, math.NaN(), .2, .05, 0}, {50, .3, math.NaN(), .05, 0},
	} {
		got := McNemarPower(c.n, c.discordant, c.difference, c.alpha)
		assert.InDelta(t, c.want, got, 1e-10, "%+v", c)
	}
}

// The recursions stay right over thousands of steps: against the sum of independent binomial tails.
func TestMcNemarPowerOfManyCases(t *testing.T) {
	for _, c := range []struct{ discordant, difference float64 }{{.3, .004}, {.02, .001}, {.999999, .01}} {
		const n = 100_000
		direct := 0.0
		mean, sd := n*c.discordant, math.Sqrt(n*c.discordant*(1-c.discordant))
		for m := max(1, int(mean-9*sd-20)); m <= min(n, int(mean+9*sd+20)); m++ {
			k, lose := critical(m, 0.05), (1-c.difference/c.discordant)/2
			direct += tailAt(m, n, c.discordant).pmf * (tailAt(k, m, lose).cdf + tailAt(k, m, 1-lose).cdf)
		}
		assert.InDelta(t, direct, McNemarPower(n, c.discordant, c.difference, 0.05), 1e-8, "%+v", c)
	}
}

// Brute force: 40,000 samples have a standard error of at most 0.0025; four are allowed.
func TestMcNemarPowerAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	found := 0
	const sims = 40_000
	reject := map[[2]int]bool{}
	for range sims {
		key := trinomial(rng, 120, 0.25, 0.11)
		r, known := reject[key]
		if !known {
			p, _ := McNemar(key[0], key[1])
			r = p <= 0.05
			reject[key] = r
		}
		if r {
			found++
		}
	}
	assert.InDelta(t, McNemarPower(120, 0.25, 0.11, 0.05), float64(found)/sims, 0.01)
}

// trinomial draws the discordant cases of n, those lost and those won.
func trinomial(rng *rand.Rand, n int, discordant, difference float64) (out [2]int) {
	for range n {
		switch u := rng.Float64(); {
		case u < (discordant-difference)/2:
			out[0]++
		case u < discordant:
			out[1]++
		}
	}
	return out
}

func TestMinDetectable(t *testing.T) {
	last := 1.0
	for _, n := range []int{6, 20, 50, 200, 1000, 20_000} {
		d, ok := MinDetectable(n, 0.2, 0.05, 0.8)
		require.True(t, ok)
		assert.InDelta(t, 0.8, McNemarPower(n, math.Max(d, 0.2), d, 0.05), 1e-6)
		assert.Less(t, d, last, "more cases find less")
		last = d
	}
	six, _ := MinDetectable(6, 0, 0.05, 0.8)
	assert.InDelta(t, math.Pow(0.8, 1.0/6), six, 1e-9, "all six must be won")
	for _, bad := range []struct {
		n                        int
		discordant, alpha, power float64
	}{{5, 1, .05, .8}, {0, .2, .05, .8}, {50, -1, .05, .8}, {50, 2, .05, .8}, {50, math.NaN(), .05, .8}, {50, .2, 0, .8}, {50, .2, .05, 1}, {50, .2, .05, 0}} {
		_, ok := MinDetectable(bad.n, bad.discordant, bad.alpha, bad.power)
		assert.False(t, ok, "%+v", bad)
	}
}

func TestCasesNeeded(t *testing.T) {
	last := 5
	for _, d := range []float64{0.9, 0.3, 0.1, 0.05, 0.01} {
		n, ok := CasesNeeded(d, 0.2, 0.05, 0.8)
		require.True(t, ok)
		q := math.Max(d, 0.2)
		assert.GreaterOrEqual(t, McNemarPower(n, q, d, 0.05), 0.8)
		assert.Less(t, McNemarPower(n-1, q, d, 0.05), 0.8)
		assert.Greater(t, n, last, "less needs more cases")
		// (z₀.₉₇₅·√q + z₀.₈·√(q − d²))² / d², Miettinen 1968: the exact test needs a little more.
		x := math.Pow(1.96*math.Sqrt(q)+0.8416*math.Sqrt(q-d*d), 2) / d / d
		if d <= 0.1 {
			assert.InDelta(t, 1.05, float64(n)/x, 0.07)
		}
		last = n
	}
	six, _ := CasesNeeded(1, 0, 0.05, 0.8)
	assert.Equal(t, 6, six)
	for _, bad := range [][4]float64{{0, .2, .05, .8}, {1e-6, .2, .05, .8}, {2, .2, .05, .8}, {.1, 2, .05, .8}, {.1, .2, 0, .8}, {.1, .2, .05, 1}, {math.NaN(), .2, .05, .8}} {
		_, ok := CasesNeeded(bad[0], bad[1], bad[2], bad[3])
		assert.False(t, ok, "%v", bad)
	}
}

// By hand from the values of TestPairedDifferenceOfClusters, computed with scipy 1.17.1: (t₀.₉₇₅ + t₀.₈)·se = 0.43404.
func TestMinDetectableClustered(t *testing.T) {
	d, ok := MinDetectableClustered(tenClusters, 0.05, 0.8)
	require.True(t, ok)
	assert.InDelta(t, 0.4340385500449407, d, 1e-9)

	tied := slices.Repeat([]PairedCluster{{1, 1, 1}}, 50)
	d, ok = MinDetectableClustered(tied, 0.05, 0.8)
	require.True(t, ok)
	exact, _ := MinDetectable(50, 0, 0.05, 0.8)
	assert.Equal(t, exact, d, "arms that never differ do not make any difference detectable")

	mixed := append(pairs(60, 10, 10, 20), tied...)
	once, _ := MinDetectableClustered(mixed, 0.05, 0.8)
	for i := range mixed {
		mixed[i] = PairedCluster{5 * mixed[i].A, 5 * mixed[i].B, 5}
	}
	fivefold, _ := MinDetectableClustered(mixed, 0.05, 0.8)
	assert.InDelta(t, once, fivefold, 1e-9, "trials that repeat each other find nothing more")

	for _, bad := range [][]PairedCluster{nil, {{1, 0, 1}}, {{2, 0, 1}, {0, 0, 1}}, slices.Repeat([]PairedCluster{{1, 0, 1}, {0, 1, 1}}, 2)} {
		_, ok := MinDetectableClustered(bad, 0.05, 0.8)
		assert.False(t, ok, "%v", bad)
	}
	_, ok = MinDetectableClustered(mixed, 0.05, 1)
	assert.False(t, ok)
}

func BenchmarkPower(b *testing.B) {
	for _, q := range []float64{0.05, 0.3, 1} {
		b.Run(fmt.Sprintf("min-detectable/%v", q), func(b *testing.B) {
			for b.Loop() {
				MinDetectable(100_000, q, 0.05, 0.8)
			}
		})
		b.Run(fmt.Sprintf("cases-needed/%v", q), func(b *testing.B) {
			for b.Loop() {
				CasesNeeded(0.01, q, 0.05, 0.8)
			}
		})
	}
}
