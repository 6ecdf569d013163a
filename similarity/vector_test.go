package similarity

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCounted(t *testing.T) {
	assert.Equal(t, vector{{1, 1}, {2, 3}, {9, 1}}, counted([]uint32{2, 9, 2, 1, 2}))
	assert.Empty(t, counted(nil))
}

func TestWeigh(t *testing.T) {
	v := vector{{1, 1}, {2, 3}}
	length := v.weigh(func(id uint32) float64 { return float64(id) })
	second := (1 + math.Log(3)) * 2
	assert.InDelta(t, 1, v[0].weight, 1e-6)
	assert.InDelta(t, second, v[1].weight, 1e-6)
	assert.InDelta(t, math.Sqrt(1+second*second), length, 1e-6)
}

func TestCompareVectors(t *testing.T) {
	a, b := vector{{1, 3}, {2, 1}, {4, 4}}, vector{{2, 2}, {4, 2}, {7, 1}}
	o := compareVectors(a, b)
	assert.Equal(t, overlap{dot: 10, shared: 3, sumA: 8, sumB: 5, nA: 3, nB: 3, nShared: 2, normA: 26, normB: 9}, o)
	assert.InDelta(t, 10/math.Sqrt(26*9), o.cosine(), 1e-12)
	assert.InDelta(t, 6.0/13, o.dice(), 1e-12)
	lighter, heavier := o.contained()
	assert.InDelta(t, 3.0/5, lighter, 1e-12)
	assert.InDelta(t, 3.0/8, heavier, 1e-12)
	back := compareVectors(b, a)
	assert.Equal(t, []float64{o.cosine(), o.dice(), o.sumA, o.shared}, []float64{back.cosine(), back.dice(), back.sumB, back.shared})
}

func TestCompareEmptyVectors(t *testing.T) {
	for _, o := range []overlap{compareVectors(nil, nil), compareVectors(vector{{1, 1}}, nil), compareVectors(nil, vector{{1, 1}})} {
		lighter, heavier := o.contained()
		assert.Equal(t, []float64{0, 0, 0, 0}, []float64{o.cosine(), o.dice(), lighter, heavier})
	}
	same := vector{{1, 0.1}, {3, 0.7}}
	assert.LessOrEqual(t, compareVectors(same, same).cosine(), 1.0)
	assert.InDelta(t, 1, compareVectors(same, same).cosine(), 1e-12)
}
