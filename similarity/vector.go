package similarity

import (
	"cmp"
	"math"
	"slices"
)

// entry is one dimension of a vector: a term and how much it counts.
type entry struct {
	id     uint32
	weight float32
}

// vector is sparse and sorted by id, each id once.
type vector []entry

// counted sorts a list of ids into a vector of how often each stands there.
func counted(ids []uint32) vector {
	slices.Sort(ids)
	var v vector
	for i := 0; i < len(ids); {
		j := i
		for j < len(ids) && ids[j] == ids[i] {
			j++
		}
		v = append(v, entry{ids[i], float32(j - i)})
		i = j
	}
	return slices.Clip(v)
}

// weigh replaces counts by (1 + ln count) × the weight of the term (Salton and Buckley 1988), and gives the length.
func (v vector) weigh(weight func(id uint32) float64) (norm float64) {
	for i := range v {
		w := (1 + math.Log(float64(v[i].weight))) * weight(v[i].id)
		v[i].weight = float32(w)
		norm += w * w
	}
	return math.Sqrt(norm)
}

// overlap walks through two vectors at once.
type overlap struct {
	dot          float64 // Σ aᵢbᵢ
	shared       float64 // Σ min(aᵢ, bᵢ)
	sumA         float64
	sumB         float64
	nA, nB       int
	nShared      int
	normA, normB float64 // squared
}

func compareVectors(a, b vector) overlap {
	var o overlap
	var i, j int
	for i < len(a) || j < len(b) {
		switch order(a, b, i, j) {
		case -1:
			o.sumA += float64(a[i].weight)
			o.normA += float64(a[i].weight) * float64(a[i].weight)
			i++
		case 1:
			o.sumB += float64(b[j].weight)
			o.normB += float64(b[j].weight) * float64(b[j].weight)
			j++
		default:
			x, y := float64(a[i].weight), float64(b[j].weight)
			o.dot += x * y
			o.shared += min(x, y)
			o.sumA += x
			o.sumB += y
			o.normA += x * x
			o.normB += y * y
			o.nShared++
			i++
			j++
		}
	}
	o.nA, o.nB = len(a), len(b)
	return o
}

// order says which of a[i] and b[j] comes first; an exhausted vector comes last.
func order(a, b vector, i, j int) int {
	switch {
	case j == len(b):
		return -1
	case i == len(a):
		return 1
	}
	return cmp.Compare(a[i].id, b[j].id)
}

// cosine of the angle between the vectors; 0 when either is empty.
func (o overlap) cosine() float64 {
	if o.normA == 0 || o.normB == 0 {
		return 0
	}
	return min(1, o.dot/math.Sqrt(o.normA*o.normB))
}

// dice is twice the shared weight as a share of both; 0 when both are empty.
func (o overlap) dice() float64 {
	if o.sumA+o.sumB == 0 {
		return 0
	}
	return 2 * o.shared / (o.sumA + o.sumB)
}

// contained gives the shared weight as a share of the lighter and of the heavier vector.
func (o overlap) contained() (lighter, heavier float64) {
	lo, hi := min(o.sumA, o.sumB), max(o.sumA, o.sumB)
	if lo == 0 {
		return 0, 0
	}
	return o.shared / lo, o.shared / hi
}
