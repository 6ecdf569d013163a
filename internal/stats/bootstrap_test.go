package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func mixed(n int) []Cluster {
	rng := rand.New(rand.NewPCG(7, 7))
	cs := make([]Cluster, n)
	for i := range cs {
		size := 1 + rng.IntN(5)
		for range size {
			if rng.Float64() < 0.8 {
				cs[i].Sum++
			}
		}
		cs[i].N = float64(size)
	}
	return cs
}

// The standard error of the ratio estimator is sqrt(C/(C−1)·Σ(y − p·n)²)/N; the percentile interval of many
// clusters is close to p ± 1.96 of them. With 4,000 resamples the end of an interval has a standard error of about
// 0.04 of its half width: 0.15 is allowed.
func TestBootstrapAgainstTheory(t *testing.T) {
	for name, cs := range map[string][]Cluster{"by kind": mixed(2000), "by cluster": unique(300)} {
		t.Run(name, func(t *testing.T) {
			var sum, n, squares float64
			for _, c := range cs {
				sum, n = sum+c.Sum, n+c.N
			}
			p := sum / n
			for _, c := range cs {
				squares += (c.Sum - p*c.N) * (c.Sum - p*c.N)
			}
			k := float64(len(cs))
			half := Z95 * math.Sqrt(k/(k-1)*squares) / n
			iv, ok := Bootstrap(cs, BootstrapOptions{Resamples: 4000, Seed: 3})
			require.True(t, ok)
			assert.InDelta(t, p-half, iv.Lo, 0.15*half)
			assert.InDelta(t, p+half, iv.Hi, 0.15*half)
		})
	}
}

// unique has as many kinds as clusters.
func unique(n int) []Cluster {
	rng := rand.New(rand.NewPCG(8, 8))
	cs := make([]Cluster, n)
	for i := range cs {
		cs[i] = Cluster{Sum: rng.Float64(), N: 1}
	}
	return cs
}

func TestBootstrapIsSeededAndIgnoresOrder(t *testing.T) {
	cs := mixed(200)
	a, _ := Bootstrap(cs, BootstrapOptions{Seed: 1, Resamples: 500})
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
	b, _ := Bootstrap(cs, BootstrapOptions{Seed: 1, Resamples: 500})
	c, _ := Bootstrap(cs, BootstrapOptions{Seed: 2, Resamples: 500})
	assert.Equal(t, a, b)
	assert.NotEqual(t, a, c)
}

func TestBootstrapOfTooLittle(t *testing.T) {
	for name, cs := range map[string][]Cluster{
		"none": nil, "one": {{1, 2}}, "empty ones": {{0, 0}, {1, 2}, {0, -1}}, "no spread": {{1, 1}, {5, 5}, {2, 2}},
	} {
		_, ok := Bootstrap(cs, BootstrapOptions{})
		assert.False(t, ok, name)
	}
	some := mixed(40)
	full, _ := Bootstrap(some, BootstrapOptions{})
	padded, _ := Bootstrap(append(some, Cluster{0, 0}, Cluster{3, -1}), BootstrapOptions{})
	assert.Equal(t, full, padded, "empty clusters are left out")

	iv, ok := Bootstrap([]Cluster{{0, 1}, {1, 1}}, BootstrapOptions{})
	assert.True(t, ok)
	assert.Equal(t, Interval{0, 1}, iv)
}

// Both ways of drawing take n of n with replacement: counts always add up, clusters are missed as often as
// (1 − 1/n)^n, and the mean count of a kind is its share.
func TestResampleDrawsWithReplacement(t *testing.T) {
	for name, kinds := range map[string][]int{"by kind": {1, 99, 0, 900}, "by cluster": {1, 3, 2, 0, 4}} {
		t.Run(name, func(t *testing.T) {
			total := 0
			for _, k := range kinds {
				total += k
			}
			const resamples = 20000
			sums, missed, calls := make([]float64, len(kinds)), 0, 0
			Resample(kinds, BootstrapOptions{Resamples: resamples, Seed: 5}, func(counts []int) {
				calls++
				drawn := 0
				for i, c := range counts {
					require.GreaterOrEqual(t, c, 0)
					drawn += c
					sums[i] += float64(c)
				}
				require.Equal(t, total, drawn)
				if counts[0] == 0 {
					missed++
				}
			})
			assert.Equal(t, resamples, calls)
			n := float64(total)
			assert.InDelta(t, math.Pow(1-1/n, n), float64(missed)/resamples, 0.015, "4 standard errors")
			for i, k := range kinds {
				sd := math.Sqrt(float64(k)*(1-float64(k)/n)) / math.Sqrt(resamples)
				assert.InDelta(t, float64(k), sums[i]/resamples, 4.5*sd+1e-9, "kind %d", i)
			}
		})
	}
	Resample([]int{0, -3}, BootstrapOptions{}, func([]int) { t.Fatal("nothing to draw") })
	calls := 0
	Resample([]int{2}, BootstrapOptions{}, func(c []int) { calls++; require.Equal(t, []int{2}, c) })
	assert.Equal(t, 2000, calls)
}

func BenchmarkBootstrap(b *testing.B) {
	cs := mixed(100_000)
	for b.Loop() {
		Bootstrap(cs, BootstrapOptions{Resamples: 2000, Seed: 1})
	}
}
