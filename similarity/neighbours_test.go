package similarity

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCosineOf(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		a, b []float32
		want float64
	}{
		{[]float32{1, 0}, []float32{2, 0}, 1}, {[]float32{1, 0}, []float32{0, 1}, 0}, {[]float32{1, 0}, []float32{-1, 0}, -1}, {[]float32{3, 4}, []float32{4, 3}, 0.96},
		{[]float32{0, 0}, []float32{1, 0}, 0}, {nil, nil, 0}, {[]float32{nan}, []float32{1}, 0}, {[]float32{inf, 1}, []float32{1, 1}, 0},
		{[]float32{math.MaxFloat32}, []float32{math.MaxFloat32}, 1},
	} {
		assert.InDelta(t, c.want, cosineOf(c.a, c.b), 1e-9, c)
	}
}

func TestEmbeddings(t *testing.T) {
	texts := []Text{text("a", "Books a flight."), text("b", "Waters the plants."), text("c", "Tunes a violin."), text("d", "Book flights.")}
	e := [][]float32{{1, 0}, {0.9, 0.1}, {0, 1}, nil}
	shown := find(t, Options{Embeddings: e, Least: Unrelated}, texts...)
	byName := map[string]Pair{}
	for _, p := range shown.Pairs {
		byName[p.A+p.B] = p
	}
	require.Contains(t, byName, "ab")
	assert.Equal(t, []Level{Unrelated, Duplicate}, []Level{byName["ab"].Level, byName["ad"].Level}, "they decide nothing unless asked to")
	assert.InDelta(t, 0.9939, *byName["ab"].Embedding, 1e-4)
	assert.InDelta(t, 0, *byName["ac"].Embedding, 1e-4)
	assert.Nil(t, byName["ad"].Embedding, "an empty vector is none")
	decided := find(t, Options{Embeddings: e, EmbeddingNear: 0.99}, texts...)
	require.Len(t, decided.Pairs, 2)
	assert.Equal(t, []any{"a d", Duplicate, "a b", Near, DefaultThresholds().Near}, []any{namesOfPairs(decided.Pairs)[0], decided.Pairs[0].Level,
		namesOfPairs(decided.Pairs)[1], decided.Pairs[1].Level, decided.Pairs[1].Score})
	assert.Less(t, byName["ab"].Lexical, 0.1)
	assert.Len(t, find(t, Options{Embeddings: e, EmbeddingNear: 0.995}, texts...).Pairs, 1)
	same := find(t, Options{Embeddings: [][]float32{{1, 0}, {0, 1}}, EmbeddingNear: 0.9}, copies(2)...)
	assert.Equal(t, Duplicate, same.Pairs[0].Level, "they lower nothing")
}

func TestEmbeddingsAreChecked(t *testing.T) {
	for _, c := range []struct {
		e    [][]float32
		want string
	}{
		{[][]float32{{1}}, "1 embeddings for 3 texts: want one for each"},
		{[][]float32{}, "0 embeddings for 3 texts"},
		{[][]float32{nil, {1, 2}, {1}}, "embedding 3 has 1 numbers, those before it 2"},
	} {
		_, err := Find(context.Background(), copies(3), Options{Embeddings: c.e})
		assert.ErrorContains(t, err, c.want)
	}
	_, err := Find(context.Background(), copies(3), Options{Embeddings: [][]float32{{1}, {}, {0}}})
	assert.NoError(t, err)
}

func TestTenNeighboursOfEachText(t *testing.T) {
	c := corpusOf(t, made(40)...)
	e := make([][]float32, 40)
	list := make([]int32, 40)
	for i := range e {
		list[i] = int32(i)
		e[i] = []float32{float32(math.Cos(float64(i) / 40)), float32(math.Sin(float64(i) / 40))}
	}
	f := finder{corpus: c, options: Options{Embeddings: e}}
	found, err := f.addNeighbours(context.Background(), nil, list)
	require.NoError(t, err)
	assert.Contains(t, found, indexPair{0, 10})
	assert.NotContains(t, found, indexPair{0, 11})
	assert.Contains(t, found, indexPair{19, 20})
	many, err := f.addNeighbours(context.Background(), nil, make([]int32, maxNeighbours+1))
	require.NoError(t, err)
	assert.Empty(t, many, "too many to compare all")
}
