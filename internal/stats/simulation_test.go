package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// runs is a number of simulations: a tenth with -short and under the race detector, where bounds is wider by the factor.
func runs(full int) (n int, factor float64) {
	if testing.Short() || raceDetector {
		return full / 10, math.Sqrt(10)
	}
	return full, 1
}

// pairModel draws two arms with rates a and b. Clusters have rates of their own with intra-cluster correlation rho; both
// arms share them in so many clusters, and a case has the same luck in both arms as often as copied says.
type pairModel struct{ a, b, rho, share, copied float64 }

// drawPairs fills cs with clusters of 1 to 5 cases.
func drawPairs(rng *rand.Rand, cs []PairedCluster, m pairModel) {
	for i := range cs {
		first := clusterRate(rng, m.a, m.rho)
		second := first * m.b / m.a
		if rng.Float64() >= m.share {
			second = clusterRate(rng, m.b, m.rho)
		}
		cs[i] = PairedCluster{N: float64(1 + rng.IntN(5))}
		for range int(cs[i].N) {
			u := rng.Float64()
			v := u
			if rng.Float64() >= m.copied {
				v = rng.Float64()
			}
			if u < first {
				cs[i].A++
			}
			if v < second {
				cs[i].B++
			}
		}
	}
}

// asCases counts every trial as a case of its own: what must not be done.
func asCases(cs []PairedCluster) (both, onlyA, onlyB, neither int) {
	for _, c := range cs {
		b := math.Min(c.A, c.B)
		both += int(b)
		onlyA += int(c.A - b)
		onlyB += int(c.B - b)
		neither += int(c.N - math.Max(c.A, c.B))
	}
	return both, onlyA, onlyB, neither
}

// A/A comparisons at level 0.05 with a fixed number of cases. 20,000 runs have a standard error of 0.0015; the exact test
// is conservative, so that its true rate is well below: 0.032 at 200 cases.
func TestNoFalseAlarmsMcNemar(t *testing.T) {
	sims, _ := runs(20_000)
	rng := rand.New(rand.NewPCG(21, 1))
	reject := rejections(200)
	hits := 0
	for range sims {
		d := trinomial(rng, 200, 0.2, 0)
		if reject(d[0], d[1]) {
			hits++
		}
	}
	assert.LessOrEqual(t, float64(hits)/float64(sims), 0.05)
	assert.Greater(t, float64(hits)/float64(sims), 0.015, "and it does reject")
}

// rejections is the exact McNemar test at level 0.05 by a table of critical values.
func rejections(n int) func(b, c int) bool {
	k := make([]int, n+1)
	for m := 1; m <= n; m++ {
		k[m] = critical(m, 0.05)
	}
	return func(b, c int) bool { return b+c > 0 && min(b, c) <= k[b+c] }
}

// A/A comparisons of 40 clusters whose trials agree. Sign flips of whole clusters have a true rate of 0.05 or less; the
// standard error of 6,000 runs is 0.0028, and two are allowed. Trials counted as cases give several times that.
func TestNoFalseAlarmsWithClusters(t *testing.T) {
	sims, factor := runs(6000)
	rng := rand.New(rand.NewPCG(22, 1))
	reject := rejections(200)
	cs, sums := make([]PairedCluster, 40), make([]float64, 40)
	var hits, naive float64
	for i := range sims {
		drawPairs(rng, cs, pairModel{a: 0.7, b: 0.7, rho: 1, share: 0.5})
		for j, c := range cs {
			sums[j] = c.B - c.A
		}
		if SignFlip(sums, PermutationOptions{Permutations: 500, Seed: int64(i)}) <= 0.05 {
			hits++
		}
		if _, b, c, _ := asCases(cs); reject(b, c) {
			naive++
		}
	}
	assert.LessOrEqual(t, hits/float64(sims), 0.05+2*0.0028*factor)
	assert.Greater(t, hits/float64(sims), 0.03)
	assert.Greater(t, naive/float64(sims), 0.15, "ignoring clusters is caught by this test")
}

// A/A comparisons with a look after every one of 1,000 cases, of which a fifth is discordant: 8,000 runs have a standard
// error of at most 0.0024. The fixed-n test, looked at as often, raises a false alarm in more than every fifth run.
func TestNoFalseAlarmsSequential(t *testing.T) {
	sims, _ := runs(8000)
	rng := rand.New(rand.NewPCG(23, 1))
	reject := rejections(1000)
	var hits, peeking float64
	for range sims {
		var m Martingale
		var d [2]int
		peeked := false
		for range 1000 {
			if u := rng.Float64(); u < 0.2 {
				m.Observe(u < 0.1)
				if u < 0.1 {
					d[0]++
				} else {
					d[1]++
				}
				peeked = peeked || reject(d[0], d[1])
			}
		}
		if m.PValue() <= 0.05 { // the smallest of all looks
			hits++
		}
		if peeked {
			peeking++
		}
	}
	assert.LessOrEqual(t, hits/float64(sims), 0.05)
	assert.Greater(t, hits/float64(sims), 0.005, "and it does reject")
	assert.Greater(t, peeking/float64(sims), 0.15, "looking often without a correction is caught by this test")
}

// The same over 300 clusters whose trials agree; 4,000 runs have a standard error of at most 0.0035. Trials observed one
// by one as if they were independent raise false alarms.
func TestNoFalseAlarmsSequentialWithClusters(t *testing.T) {
	sims, _ := runs(4000)
	rng := rand.New(rand.NewPCG(24, 1))
	cs := make([]PairedCluster, 300)
	var hits, naive float64
	for range sims {
		var m, trials Martingale
		drawPairs(rng, cs, pairModel{a: 0.7, b: 0.7, rho: 1, share: 0.5})
		for _, c := range cs {
			m.ObserveCluster(c.B - c.A)
			for range int(math.Abs(c.B - c.A)) {
				trials.Observe(c.B > c.A)
			}
		}
		if m.PValue() <= 0.05 {
			hits++
		}
		if trials.PValue() <= 0.05 {
			naive++
		}
	}
	assert.LessOrEqual(t, hits/float64(sims), 0.05)
	assert.Greater(t, naive/float64(sims), 0.10, "ignoring clusters is caught by this test")
}

// 5,000 samples a cell (500 clusters: 2,000), fixed seeds: the standard error of a coverage of 0.95 is 0.003 (0.005). The
// lowest true coverage found among 288 cells is 0.946 (30,000 samples, standard error 0.0013): 50 clusters, rates 0.99 and
// 0.79, trials that agree.
func TestPairedDifferenceCoverage(t *testing.T) {
	for _, n := range []int{20, 50, 100, 500} {
		for _, p := range []float64{0.5, 0.9, 0.99} {
			for i, m := range []pairModel{
				{p, p, 0.3, 1, 0.5}, {p, p, 1, 0.5, 0}, {p, p, 0, 1, 0.9}, {p, 0.8 * p, 0.3, 1, 0.5}, {p, 0.8 * p, 1, 0.5, 0},
			} {
				t.Run(fmt.Sprintf("%d clusters, %+v", n, m), func(t *testing.T) {
					t.Parallel()
					sims, factor := runs(5000)
					if n == 500 {
						sims, factor = runs(2000)
					}
					got, naive := pairedCoverage(rand.New(rand.NewPCG(uint64(n), uint64(i))), n, m, sims)
					assert.GreaterOrEqual(t, got, 0.95-0.01*factor)
					if m.rho == 1 && p < 0.99 && n > 20 {
						assert.Less(t, naive, 0.92, "ignoring clusters is caught by this test")
					}
				})
			}
		}
	}
}

// pairedCoverage is how often the interval, and Newcombe's as if all trials were cases, hold the true difference.
func pairedCoverage(rng *rand.Rand, clusters int, m pairModel, sims int) (clustered, naive float64) {
	cs := make([]PairedCluster, clusters)
	in := func(iv Interval) float64 {
		if d := m.b - m.a; iv.Lo <= d+1e-12 && d-1e-12 <= iv.Hi {
			return 1 / float64(sims)
		}
		return 0
	}
	for range sims {
		drawPairs(rng, cs, m)
		_, iv, _, _ := PairedDifference(cs)
		clustered += in(iv)
		_, iv, _ = NewcombePaired(asCases(cs))
		naive += in(iv)
	}
	return clustered, naive
}

// The exact coverage of Newcombe's interval, by enumeration of all tables. At 20 cases that are the same in nine of ten
// pairs, and rates 0.5 and 0.4, it is 93 %: the least here.
func TestNewcombePairedCoverage(t *testing.T) {
	for _, n := range []int{20, 50} {
		cells := map[[3]float64]float64{}
		for _, p := range []float64{0.5, 0.9, 0.99} {
			for _, b := range []float64{p, 0.8 * p} {
				for _, copied := range []float64{0, 0.5, 0.9} {
					cells[[3]float64{p, b, copied}] = 0
				}
			}
		}
		everyTable(n, func(n11, n10, n01, n00 int) {
			_, iv, _ := NewcombePaired(n11, n10, n01, n00)
			for m := range cells {
				if d := m[1] - m[0]; iv.Lo <= d+1e-12 && d-1e-12 <= iv.Hi {
					p11 := m[2]*m[1] + (1-m[2])*m[0]*m[1]
					cells[m] += multinomial(n11, n10, n01, n00, p11, m[0]-p11, m[1]-p11)
				}
			}
		})
		for m, got := range cells {
			least := 0.94
			if n == 20 && m == [3]float64{0.5, 0.4, 0.9} {
				least = 0.93
			}
			assert.GreaterOrEqual(t, got, least, "%d cases: %v", n, m)
			assert.LessOrEqual(t, got, 1+1e-9)
		}
	}
}

func everyTable(n int, visit func(n11, n10, n01, n00 int)) {
	for a := range n + 1 {
		for b := range n + 1 - a {
			for c := range n + 1 - a - b {
				visit(a, b, c, n-a-b-c)
			}
		}
	}
}

func multinomial(a, b, c, d int, pa, pb, pc float64) float64 {
	ln := func(k int, p float64) float64 {
		if k == 0 {
			return 0
		}
		g, _ := math.Lgamma(float64(k + 1))
		return float64(k)*math.Log(math.Max(p, 0)) - g
	}
	g, _ := math.Lgamma(float64(a + b + c + d + 1))
	return math.Exp(g + ln(a, pa) + ln(b, pb) + ln(c, pc) + ln(d, 1-pa-pb-pc))
}
