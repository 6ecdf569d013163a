package stats

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// Values computed with statsmodels 0.15.0, proportion_confint(hits, n, method="wilson"); 81/263 is the example of
// Newcombe 1998, table I (0.2553 to 0.3662).
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		hits, n int
		lo, hi  float64
	}{
		{10, 10, 0.7224672001371106, 1},
		{8, 10, 0.49016247153664183, 0.9433178485456247},
		{0, 5, 0, 0.43448246478317487},
		{80, 100, 0.7111708344068411, 0.8666330666689676},
		{1, 1, 0.2065493143772374, 1},
		{0, 1, 0, 0.7934506856227627},
		{81, 263, 0.2552885198782742, 0.36620957698280004},
		{50, 100, 0.4038315303659956, 0.5961684696340044},
		{999, 1000, 0.9943574414020421, 0.9998234536293739},
		{1, 1000000, 1.7652457674537176e-07, 5.664911804311445e-06},
	} {
		iv, ok := Wilson(c.hits, c.n)
		require.True(t, ok)
		assert.InDelta(t, c.lo, iv.Lo, 1e-12, "%d/%d", c.hits, c.n)
		assert.InDelta(t, c.hi, iv.Hi, 1e-12, "%d/%d", c.hits, c.n)
	}
	iv, _ := Wilson(7, 7)
	assert.Equal(t, 1.0, iv.Hi, "not 0.9999999")
	iv, _ = Wilson(0, 7)
	assert.Equal(t, 0.0, iv.Lo)
	for _, bad := range [][2]int{{0, 0}, {0, -1}, {-1, 5}, {6, 5}} {
		_, ok := Wilson(bad[0], bad[1])
		assert.False(t, ok, "%v", bad)
	}
}

// The design effect of y = 3 0 2 5 1 4 of n = 3 2 4 5 1 4, computed with NumPy 2.4.6: p = 0.7894736842105263,
// v = 0.020257671442054613, d = 2.3157894736842097. By hand: two clusters hold a failure (0 of 2, 2 of 4), the worst
// case is Σn²/N = 71/19, so d' = (2·2.3157894736842097 + 2·71/19)/4 = 3.026315789473684.
func TestDesignEffect(t *testing.T) {
	cs := []Cluster{{3, 3}, {0, 2}, {2, 4}, {5, 5}, {1, 1}, {4, 4}, {0, 0}}
	assert.InDelta(t, 3.026315789473684, designEffect(cs, 15.0/19, 6, 19, 71.0/19), 1e-12)

	t.Run("as good as independent", func(t *testing.T) {
		even := slices.Repeat([]Cluster{{1, 2}}, 400) // negatively correlated: d = 0 is not believed
		assert.InDelta(t, (400+2*2.0)/402, designEffect(even, 0.5, 400, 800, 2), 1e-12)
	})
	t.Run("worse than the worst case is believed", func(t *testing.T) {
		one := append(slices.Repeat([]Cluster{{1, 1}}, 9), Cluster{0, 9})
		d := designEffect(one, 0.5, 10, 18, 90.0/18)
		assert.InDelta(t, 10.0/9*(9*0.25+20.25)/18/0.25, d, 1e-12)
		assert.Greater(t, d, 5.0)
	})
	t.Run("all alike", func(t *testing.T) {
		assert.Equal(t, 3.0, designEffect(nil, 1, 5, 15, 3))
		assert.Equal(t, 3.0, designEffect(nil, 0, 5, 15, 3))
	})
}

func TestWilsonClustered(t *testing.T) {
	t.Run("all right counts clusters, not trials", func(t *testing.T) {
		iv, ok := WilsonClustered(slices.Repeat([]Cluster{{5, 5}}, 10))
		require.True(t, ok)
		assert.InDelta(t, 10/(10+Z95*Z95), iv.Lo, 1e-9, "that of 10 observations: repetitions do not widen it")
		assert.Equal(t, 1.0, iv.Hi)
	})
	t.Run("all wrong", func(t *testing.T) {
		iv, _ := WilsonClustered(slices.Repeat([]Cluster{{0, 3}}, 5))
		assert.Equal(t, 0.0, iv.Lo)
		assert.InDelta(t, Z95*Z95/(5+Z95*Z95), iv.Hi, 1e-9)
	})
	t.Run("unequal sizes pay for what is not known", func(t *testing.T) {
		iv, _ := WilsonClustered([]Cluster{{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 4}})
		q := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 64.0/20 - 1}.Quantile(0.975)
		assert.InDelta(t, q*q/(64.0/20+q*q), iv.Hi, 1e-9)
	})
	t.Run("trials that repeat each other add nothing", func(t *testing.T) {
		once := append(slices.Repeat([]Cluster{{1, 1}}, 40), slices.Repeat([]Cluster{{0, 1}}, 10)...)
		tenfold := append(slices.Repeat([]Cluster{{10, 10}}, 40), slices.Repeat([]Cluster{{0, 10}}, 10)...)
		a, _ := WilsonClustered(once)
		b, _ := WilsonClustered(tenfold)
		assert.InDelta(t, a.Lo, b.Lo, 1e-9)
		assert.InDelta(t, a.Hi, b.Hi, 1e-9)
		naive, _ := Wilson(400, 500)
		assert.Greater(t, b.Hi-b.Lo, 2*(naive.Hi-naive.Lo), "500 trials are not 500 cases")
	})
	t.Run("one cluster", func(t *testing.T) {
		iv, ok := WilsonClustered([]Cluster{{4, 5}, {0, 0}})
		assert.True(t, ok)
		assert.Equal(t, Interval{0, 1}, iv)
	})
	t.Run("nothing", func(t *testing.T) {
		for _, bad := range [][]Cluster{nil, {{0, 0}}, {{3, 2}, {1, 1}}, {{-1, 2}, {0, 1}}} {
			_, ok := WilsonClustered(bad)
			assert.False(t, ok, "%v", bad)
		}
	})
}

func TestWilsonClusteredIsAnInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 30).Draw(t, "sizes")
		var cs []Cluster
		var sum, n float64
		for _, s := range sizes {
			y := rapid.IntRange(0, s).Draw(t, "hits")
			cs, sum, n = append(cs, Cluster{float64(y), float64(s)}), sum+float64(y), n+float64(s)
		}
		iv, ok := WilsonClustered(cs)
		if !ok || !(0 <= iv.Lo && iv.Lo <= sum/n && sum/n <= iv.Hi && iv.Hi <= 1) {
			t.Fatalf("%v: %v %v around %v", cs, iv, ok, sum/n)
		}
		slices.Reverse(cs)
		back, _ := WilsonClustered(cs)
		if math.Abs(back.Lo-iv.Lo) > 1e-12 || math.Abs(back.Hi-iv.Hi) > 1e-12 {
			t.Fatalf("order matters: %v %v", iv, back)
		}
		naive := score(sum/n, n, Z95)
		if iv.Hi-iv.Lo < naive.Hi-naive.Lo-1e-9 {
			t.Fatalf("%v is narrower than for independent trials, %v", iv, naive)
		}
	})
}

// Values computed with NumPy 2.4.6, quantile(method="linear").
func TestQuantile(t *testing.T) {
	values := []float64{1, 1.5, 2.6, 3.5, 4, 9}
	for p, want := range map[float64]float64{0: 1, 0.05: 1.125, 0.5: 3.05, 0.95: 7.75, 1: 9} {
		got, ok := Quantile(values, p)
		require.True(t, ok)
		assert.InDelta(t, want, got, 1e-12, "p = %v", p)
	}
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	p95, _ := Quantile(hundred, 0.95)
	assert.InDelta(t, 95.05, p95, 1e-12)
	one, ok := Quantile([]float64{7}, 0.95)
	assert.True(t, ok)
	assert.Equal(t, 7.0, one)
	huge, _ := Quantile([]float64{-math.MaxFloat64, math.MaxFloat64}, 0.5)
	assert.Equal(t, 0.0, huge, "no overflow in between")
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		_, ok := Quantile(values, p)
		assert.False(t, ok)
	}
	_, ok = Quantile(nil, 0.5)
	assert.False(t, ok)
}

func TestMean(t *testing.T) {
	m, ok := Mean([]float64{1, 2, 6})
	assert.True(t, ok)
	assert.Equal(t, 3.0, m)
	for _, bad := range [][]float64{nil, {math.NaN()}, {math.Inf(1), 1}, {math.MaxFloat64, math.MaxFloat64}} {
		_, ok := Mean(bad)
		assert.False(t, ok, "%v", bad)
	}
}

// Values computed with Python's exact math.comb; n = 5, c = 2 by hand as well: pass@2 = 1 − 3/10, pass^2 = 1/10.
func TestPass(t *testing.T) {
	for _, c := range []struct {
		n, c, k  int
		at, hatK float64
	}{
		{5, 2, 1, 0.4, 0.4}, {5, 2, 2, 0.7, 0.1}, {5, 2, 3, 0.9, 0}, {5, 2, 5, 1, 0},
		{10, 3, 1, 0.3, 0.3}, {10, 3, 2, 0.5333333333333333, 0.06666666666666667},
		{10, 3, 3, 0.7083333333333333, 0.008333333333333333}, {10, 3, 5, 0.9166666666666666, 0},
		{200, 17, 1, 0.085, 0.085}, {200, 17, 2, 0.16316582914572864, 0.006834170854271356},
		{200, 17, 3, 0.23501522765341865, 0.0005177402162326785},
		{200, 17, 5, 0.3616541654147195, 2.4403998589647647e-06},
		{2000, 3, 100, 0.1426927427677803, 0},
		{2000, 1990, 100, 1, 0.598026018263192},
		{1, 1, 1, 1, 1}, {1, 0, 1, 0, 0},
		{3, 2, 3, 1, 0}, // pass^3 is not the plug-in 0.2963
		{3, 3, 3, 1, 1},
	} {
		at, ok := PassAtK(c.n, c.c, c.k)
		require.True(t, ok)
		hat, ok := PassHatK(c.n, c.c, c.k)
		require.True(t, ok)
		assert.InDelta(t, c.at, at, 1e-12, "pass@k %+v", c)
		assert.InDelta(t, c.hatK, hat, 1e-12, "pass^k %+v", c)
	}
	for _, bad := range [][3]int{{1, 1, 2}, {3, 1, 0}, {3, 1, -1}, {3, 4, 2}, {3, -1, 2}, {0, 0, 1}} {
		_, ok := PassAtK(bad[0], bad[1], bad[2])
		assert.False(t, ok, "%v", bad)
		_, ok = PassHatK(bad[0], bad[1], bad[2])
		assert.False(t, ok, "%v", bad)
	}
}

// Problems in the place of samples give 0.9768 from one greedy sample a problem; by problem it is 50/164.
func TestPassAtKIsPerCase(t *testing.T) {
	wrong, _ := PassAtK(164, 50, 10)
	assert.InDelta(t, 0.9768, wrong, 5e-5)
	_, ok := PassAtK(1, 1, 10)
	assert.False(t, ok, "one sample says nothing of ten")
	var sum float64
	for i := range 164 {
		c := 0
		if i < 50 {
			c = 1
		}
		p, _ := PassAtK(1, c, 1)
		sum += p
	}
	assert.InDelta(t, 50.0/164, sum/164, 1e-12)
}
