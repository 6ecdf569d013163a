package similarity

import (
	"context"
	"flag"
	"fmt"
	"go/format"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "fit the model to the labelled pairs again and write model.go")

const (
	// ridge keeps the weights of the fit small: measures that say the same share their weight.
	ridge = 0.3
	// strangerWeight is what all strangers together count, in pairs: a catalogue has far more of them than of twins.
	strangerWeight = 300
)

// wordless is the similarity of words below which two descriptions of one ability are no example to learn from: no
// measure of wording can see that they are one.
const wordless = 0.2

// TestModelsAreTheFit fits both logistic regressions to the tuning half again: no weight of the score is a guess.
func TestModelsAreTheFit(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	same, field := fit(t, labelled(t))
	if *update {
		source, err := format.Source([]byte("package similarity\n" + modelSource("sameModel", "ability", same) + modelSource("fieldModel", "field", field)))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("model.go", source, 0o644))
		t.Skip("model.go is written anew: run the test again")
	}
	require.InDelta(t, same.bias, sameModel().bias, 1e-3)
	require.InDeltaSlice(t, same.weights, sameModel().weights, 1e-3)
	require.InDelta(t, field.bias, fieldModel().bias, 1e-3)
	require.InDeltaSlice(t, field.weights, fieldModel().weights, 1e-3)
}

// fit gives the models of one ability and of one field.
func fit(t *testing.T, pairs []LabelledPair) (same, field model) {
	t.Helper()
	judged, others := half(t, pairs, true), strangers(t, pairs)
	same = fitModel(slices.DeleteFunc(slices.Clone(judged), func(j Judged) bool { return j.same() && j.features.tokens < wordless }), others,
		func(j *Judged) bool { return j.same() })
	return same, fitModel(judged, others, func(j *Judged) bool { return j.positive(Related) })
}

// precision is what the thresholds of Near and Related must reach on the tuning half.
const precision = 0.95

// TestThresholdsAreChosenOnTheTuningHalf chooses them again: Near and Related as low as the precision allows, Duplicate
// as low as there is no wrong pair at all.
func TestThresholdsAreChosenOnTheTuningHalf(t *testing.T) {
	judged := half(t, labelled(t), true)
	score, field := func(j *Judged) float64 { return j.Score }, func(j *Judged) float64 { return j.Field }
	want := DefaultThresholds()
	require.InDelta(t, lowest(judged, score, func(j *Judged) bool { return j.same() }, 1), want.Duplicate, 0.005)
	require.InDelta(t, lowest(judged, score, func(j *Judged) bool { return j.same() }, precision), want.Near, 0.005)
	require.InDelta(t, lowest(judged, field, func(j *Judged) bool { return j.positive(Related) }, precision), want.Related, 0.005)
}

// lowest is the smallest value of a pair, rounded up to hundredths, from which on the precision holds.
func lowest(judged []Judged, value func(*Judged) float64, positive func(*Judged) bool, precision float64) float64 {
	for x := 5; x < 100; x++ {
		found, wrong := 0, 0
		for i := range judged {
			if value(&judged[i]) >= float64(x)/100 {
				if positive(&judged[i]) {
					found++
				} else {
					wrong++
				}
			}
		}
		if float64(found) >= precision*float64(found+wrong) {
			return float64(x) / 100
		}
	}
	return 1
}

func labelled(t *testing.T) []LabelledPair {
	t.Helper()
	pairs, err := Labelled()
	require.NoError(t, err)
	return pairs
}

// half scores one half of the labelled pairs.
func half(t *testing.T, pairs []LabelledPair, tuning bool) []Judged {
	t.Helper()
	judged, err := judge(context.Background(), pairs, DefaultThresholds())
	require.NoError(t, err)
	return slices.DeleteFunc(judged, func(j Judged) bool { return j.Tuning() != tuning })
}

// strangers gives the candidates of the tuning half that are no labelled pair: what a catalogue is full of. Both sides
// belong to pairs of the tuning half.
func strangers(t *testing.T, pairs []LabelledPair) [][]float64 {
	t.Helper()
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(p LabelledPair) bool { return !p.Tuning() })
	var out [][]float64
	for _, members := range catalogues(pairs) {
		b, err := newLabelledCatalogue(context.Background(), pairs, members)
		require.NoError(t, err)
		for x := range b.corpus.texts {
			for y := x + 1; y < len(b.corpus.texts); y++ {
				p := indexPair{int32(x), int32(y)}
				if b.found[p] && !slices.Contains(b.sides, p) {
					out = append(out, b.corpus.measure(b.corpus.texts[x], b.corpus.texts[y]).vector())
				}
			}
		}
	}
	return out
}

// fitModel is logistic regression with an L2 penalty on all weights but the bias, each weight held to its sign, by
// cyclic coordinate descent with Newton steps.
func fitModel(judged []Judged, strangers [][]float64, positive func(*Judged) bool) model {
	var x [][]float64
	var y, weight []float64
	for i := range judged {
		x, weight = append(x, judged[i].features.vector()), append(weight, 1)
		y = append(y, map[bool]float64{true: 1}[positive(&judged[i])])
	}
	for _, s := range strangers {
		x, y, weight = append(x, s), append(y, 0), append(weight, strangerWeight/float64(len(strangers)))
	}
	m := model{weights: make([]float64, len(inputs))}
	z := make([]float64, len(x))
	for range 3000 {
		moved := 0.0
		for k := -1; k < len(inputs); k++ {
			g, h, old := 0.0, 1e-9, m.bias
			if k >= 0 {
				old = m.weights[k]
				g, h = ridge*old, ridge
			}
			for i := range x {
				v := 1.0
				if k >= 0 {
					v = x[i][k]
				}
				p := 1 / (1 + math.Exp(-z[i]))
				g += weight[i] * (p - y[i]) * v
				h += weight[i] * p * (1 - p) * v * v
			}
			now := old - g/h
			if k >= 0 && now*inputs[k].sign < 0 {
				now = 0
			}
			if k >= 0 {
				m.weights[k] = now
			} else {
				m.bias = now
			}
			for i := range x {
				if k >= 0 {
					z[i] += (now - old) * x[i][k]
				} else {
					z[i] += now - old
				}
			}
			moved = max(moved, math.Abs(now-old))
		}
		if moved < 1e-7 {
			break
		}
	}
	return m
}

func modelSource(name, of string, m model) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n// %s gives the probability of one %s: the fit to the tuning half of the labelled pairs, which TestModelsAreTheFit\n// computes again.\nfunc %s() model {\n\treturn model{bias: %.4f, weights: []float64{\n", name, of, name, m.bias)
	for i, in := range inputs {
		fmt.Fprintf(&b, "\t\t%.4f, // %s\n", m.weights[i], in.name)
	}
	b.WriteString("\t}}\n}\n")
	return b.String()
}
