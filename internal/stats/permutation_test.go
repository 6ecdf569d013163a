package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Values computed with scipy 1.17.1, permutation_test(permutation_type="samples", n_resamples=inf).
func TestSignFlipExact(t *testing.T) {
	for _, c := range []struct {
		sums []float64
		want float64
	}{
		{[]float64{1, 2, -1, 3, 1, 0.5, 2, -0.5}, 0.1015625},
		{[]float64{1, 1, 1, -1, 2, 2, 3}, 0.078125},
		{[]float64{-1, -1, -1, 1, -2, -2, -3}, 0.078125},
		{[]float64{1, 1, 1, 1, 1, 1, 0, 0}, 0.03125},
		{[]float64{.1, .2, -.3}, 1}, // 5.6e-17 in floating point
		{[]float64{5}, 1}, {[]float64{0, 0}, 1}, {nil, 1},
		{[]float64{1, 2, math.NaN()}, 1}, {[]float64{1, math.Inf(1)}, 1},
	} {
		assert.InDelta(t, c.want, SignFlip(c.sums, PermutationOptions{}), 1e-12, "%v", c.sums)
	}
	few := SignFlip([]float64{1, 1, 1, 1, 1, 1}, PermutationOptions{Permutations: 64})
	assert.Equal(t, 0.03125, few, "64 patterns of 64")
	one := SignFlip(slices.Repeat([]float64{1}, 30), PermutationOptions{Permutations: 99})
	assert.Equal(t, 0.01, one, "never below 1/(1+permutations)")
}

// Random signs against the exact value, which for single pairs is McNemar's: 20,000 permutations have a standard error of
// 0.0015 at 0.05; four are allowed. Small, large and very large groups are drawn in different ways.
func TestSignFlipAtRandom(t *testing.T) {
	for _, c := range [][2]int{{25, 10}, {60, 40}, {300, 250}, {2600, 2500}, {4, 10}} {
		exact, _ := McNemar(c[0], c[1])
		for _, unit := range []float64{1, 1.0 / 3} {
			d := differences(c[0], c[1], 7)
			for i := range d {
				d[i] *= unit * (1 + float64(i%3)*1e-16)
			}
			got := SignFlip(d, PermutationOptions{Permutations: 20_000, Seed: 3})
			if c[0]+c[1] < 15 {
				assert.InDelta(t, exact, got, 1e-12)
			}
			assert.InDelta(t, exact, got, 4*math.Sqrt(exact*(1-exact)/20_000)+1e-4, "%v", c)
		}
	}
	t.Run("groups of different sizes", func(t *testing.T) {
		sums := []float64{1, -2, 3, -1, 2, 2, 4, 1, -1, 5, 3, -2, 1, 1, 2}
		exact := SignFlip(sums, PermutationOptions{Permutations: 1 << 15})
		got := SignFlip(sums, PermutationOptions{Permutations: 1<<15 - 1, Seed: 2})
		assert.NotEqual(t, exact, got)
		assert.InDelta(t, exact, got, 4*math.Sqrt(exact*(1-exact)/(1<<15)))
	})
}

func TestSignFlipIsSeededAndIgnoresOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	sums := make([]float64, 80)
	for i := range sums {
		sums[i] = rng.NormFloat64()
	}
	a := SignFlip(sums, PermutationOptions{Seed: 1})
	slices.Reverse(sums)
	assert.Equal(t, a, SignFlip(sums, PermutationOptions{Seed: 1}))
	assert.NotEqual(t, a, SignFlip(sums, PermutationOptions{Seed: 2}))
}

func BenchmarkSignFlip(b *testing.B) {
	sums := make([]float64, 100_000)
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range sums {
		sums[i] = float64(rng.IntN(11) - 5)
	}
	for b.Loop() {
		SignFlip(sums, PermutationOptions{})
	}
}
