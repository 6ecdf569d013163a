package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// evidence is 2^n · s! · f! / (n+1)! in exact arithmetic.
func evidence(s, f int64) float64 {
	n := s + f
	num := new(big.Int).Lsh(big.NewInt(1), uint(n))
	num.Mul(num, new(big.Int).MulRange(1, s)).Mul(num, new(big.Int).MulRange(1, f))
	e, _ := new(big.Rat).SetFrac(num, new(big.Int).MulRange(1, n+1)).Float64()
	return e
}

func TestMartingaleAgainstTheProduct(t *testing.T) {
	assert.InDelta(t, 1024.0/11, evidence(10, 0), 1e-12, "ten wins: 2^10/11")
	for _, p := range []float64{0, 0.3, 0.5, 0.9, 1} {
		rng := rand.New(rand.NewPCG(1, math.Float64bits(p)))
		m := NewMartingale()
		assert.Equal(t, 1.0, m.EValue())
		assert.Equal(t, 1.0, m.PValue())
		var s, f int64
		best := 1.0
		for range 300 {
			win := rng.Float64() < p
			m.Observe(win)
			if win {
				s++
			} else {
				f++
			}
			want := evidence(s, f)
			best = math.Max(best, want)
			assert.InEpsilon(t, want, m.EValue(), 1e-11)
			assert.InEpsilon(t, 1/best, m.PValue(), 1e-11)
		}
	}
}

// The mean of E over all sequences is 1: it is a martingale under the null hypothesis.
func TestMartingaleHasMeanOne(t *testing.T) {
	sum := 0.0
	for pattern := range 1 << 10 {
		var m Martingale
		for i := range 10 {
			m.Observe(pattern>>i&1 == 1)
		}
		sum += m.EValue()
	}
	assert.InDelta(t, 1, sum/(1<<10), 1e-12)
}

func TestMartingaleOfMillions(t *testing.T) {
	n := 2_000_000
	if testing.Short() || raceDetector {
		n = 200_000
	}
	won, even := NewMartingale(), NewMartingale()
	for i := range n {
		won.Observe(true)
		even.Observe(i%2 == 0)
	}
	x := float64(n)
	assert.InEpsilon(t, x*math.Ln2-math.Log(x+1), won.LogEValue(), 1e-10)
	assert.Equal(t, math.MaxFloat64, won.EValue(), "not infinite")
	assert.Positive(t, won.PValue(), "not 0")
	assert.InDelta(t, math.Log(math.Sqrt(math.Pi*x/2)/(x+1)), even.LogEValue(), 1e-5, "Stirling")
	assert.InDelta(t, 1, even.PValue(), 1e-12)
	won.Observe(false)
	assert.False(t, math.IsNaN(won.EValue()))
}

func TestMartingaleOverClusters(t *testing.T) {
	m, want := NewMartingale(), NewMartingale()
	for _, d := range []float64{3, 0, -0.5, 1.0 / 3, 1e-17, math.NaN(), -1e-12, 2} {
		m.ObserveCluster(d)
	}
	for _, win := range []bool{true, false, true, true} {
		want.Observe(win)
	}
	assert.Equal(t, want, m, "signs count, ties are dropped")
}
