package similarity

import (
	"math"
	"slices"
)

// Thresholds are the values from which a pair is on a level: of the score for Duplicate and Near, of the field for
// Related.
type Thresholds struct {
	Duplicate float64 `json:"duplicate"`
	Near      float64 `json:"near"`
	Related   float64 `json:"related"`
}

// DefaultThresholds were chosen on the tuning half of the labelled pairs; see [Calibrate].
func DefaultThresholds() Thresholds { return Thresholds{Duplicate: 0.91, Near: 0.71, Related: 0.43} }

// Level of a pair: score is the probability of one ability, field that of one field of work.
func (t Thresholds) Level(score, field float64) Level {
	switch {
	case score >= t.Duplicate:
		return Duplicate
	case score >= t.Near:
		return Near
	case field >= t.Related:
		return Related
	}
	return Unrelated
}

// AtLeast reports whether a level is as alike as another, or more.
func (l Level) AtLeast(other Level) bool { return rank(l) >= rank(other) }

// rank orders the levels.
func rank(l Level) int { return slices.Index([]Level{Unrelated, Related, Near, Duplicate}, l) }

// model is a logistic regression: the probability that two descriptions are of one ability, or of one field.
type model struct {
	bias    float64
	weights []float64 // of inputs
}

// input is one input of the model: what it is called, its value, and whether it can only speak for (+1) or only against
// (−1) the two being one ability. The signs keep the fit from learning quirks of the labelled pairs, such as that those
// with nothing in common were labelled because they mean the same.
type input struct {
	name string
	sign float64
	of   func(f features) float64
}

var inputs = []input{
	{"tokens", 1, func(f features) float64 { return f.tokens }},
	{"tokens²", 1, func(f features) float64 { return f.tokens * f.tokens }},
	{"grams", 1, func(f features) float64 { return f.grams }},
	{"containment", 1, func(f features) float64 { return f.containment }},
	{"coverage", 1, func(f features) float64 { return f.coverage }},
	{"name", 1, func(f features) float64 { return f.name }},
	{"jaro-winkler", 1, func(f features) float64 { return f.jaroWinkler }},
	{"head", 1, func(f features) float64 { return f.head }},
	{"actions", 1, func(f features) float64 { return f.actions }},
	{"objects", 1, func(f features) float64 { return f.objects }},
	{"order", 1, func(f features) float64 { return f.order }},
	{"use-when", 1, func(f features) float64 { return orTokens(f.use, f) }},
	{"parameters", 1, func(f features) float64 { return orTokens(f.params, f) }},
	{"evidence", 1, func(f features) float64 { return f.evidence * f.tokens }},
	{"cross", 1, func(f features) float64 { return f.cross * f.tokens }},
	{"lone", -1, func(f features) float64 { return f.lone }},
	{"other action", -1, func(f features) float64 { return f.otherAction }},
	{"other object", -1, func(f features) float64 { return f.otherObject }},
	{"other word", -1, func(f features) float64 { return f.otherWord }},
	{"other action in order", -1, func(f features) float64 { return f.otherAction * f.order }},
	{"other object in order", -1, func(f features) float64 { return f.otherObject * f.order }},
	{"other word in order", -1, func(f features) float64 { return f.otherWord * f.order }},
	{"lone in order", -1, func(f features) float64 { return f.lone * f.order }},
	{"first action", -1, func(f features) float64 { return f.firstAction }},
	{"other name", -1, func(f features) float64 { return f.otherName }},
	{"opposite", -1, func(f features) float64 { return f.opposite }},
	{"reversed", -1, func(f features) float64 { return f.reversed }},
	{"boundary", -1, func(f features) float64 { return f.boundary }},
	{"swap", -1, func(f features) float64 { return f.swap }},
}

// orTokens takes the similarity of the words where a finer measure does not apply.
func orTokens(x float64, f features) float64 {
	if math.IsNaN(x) {
		return f.tokens
	}
	return x
}

func (m model) score(f features) float64 {
	z := m.bias
	for i, w := range m.weights {
		z += w * inputs[i].of(f)
	}
	return 1 / (1 + math.Exp(-z))
}

// leastShared is the cosine of the words below which two descriptions are not of one field, whatever else is alike:
// their names, say. The search for candidates rests on it.
const leastShared = 0.10

// fieldScore is the probability of one field.
func (m model) fieldScore(f features) float64 {
	if f.tokens < leastShared {
		return 0
	}
	return m.score(f)
}
