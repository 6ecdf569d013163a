package similarity

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLevels(t *testing.T) {
	limits := Thresholds{Duplicate: 0.9, Near: 0.7, Related: 0.4}
	for _, c := range []struct {
		score, field float64
		want         Level
	}{{0.9, 0, Duplicate}, {0.8999, 0, Near}, {0.7, 0, Near}, {0.6999, 0.4, Related}, {0.6999, 0.3999, Unrelated}, {0, 1, Related}, {math.NaN(), math.NaN(), Unrelated}} {
		assert.Equal(t, c.want, limits.Level(c.score, c.field), c)
	}
	order := []Level{Unrelated, Related, Near, Duplicate}
	for i, x := range order {
		for j, y := range order {
			assert.Equal(t, i >= j, x.AtLeast(y), "%s %s", x, y)
		}
	}
}

func TestModelHasAWeightForEachInput(t *testing.T) {
	for _, m := range []model{sameModel(), fieldModel()} {
		assert.Len(t, m.weights, len(inputs))
		for i, w := range m.weights {
			assert.GreaterOrEqual(t, w*inputs[i].sign, 0.0, inputs[i].name)
		}
	}
}

func TestModelScore(t *testing.T) {
	m := model{bias: -1, weights: make([]float64, len(inputs))}
	m.weights[0], m.weights[1] = 2, 4 // tokens, tokens²
	assert.InDelta(t, 1/(1+math.Exp(1-2*0.5-4*0.25)), m.score(features{tokens: 0.5}), 1e-12)
	assert.InDelta(t, 1/(1+math.E), m.score(features{}), 1e-12)
	assert.Zero(t, m.fieldScore(features{tokens: leastShared - 0.001}), "without shared words names alone make no field")
	assert.Equal(t, m.score(features{tokens: leastShared}), m.fieldScore(features{tokens: leastShared}))
	assert.Equal(t, []float64{0.3, 0.7}, []float64{orTokens(math.NaN(), features{tokens: 0.3}), orTokens(0.7, features{tokens: 0.3})})
}
