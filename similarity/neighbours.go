package similarity

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// maxNeighbours is up to how many texts every pair of embeddings is compared.
const maxNeighbours = 3000

// addNeighbours adds, for each text, the ten whose embeddings are nearest. In larger catalogues only the pairs that
// their words suggest are compared by embeddings.
func (f *finder) addNeighbours(ctx context.Context, found []indexPair, list []int32) ([]indexPair, error) {
	e := f.options.Embeddings
	if e == nil || len(list) > maxNeighbours {
		return found, nil
	}
	near := make([][]indexPair, len(list))
	err := parallel(ctx, len(list), func(x int) {
		i := list[x]
		if len(e[i]) == 0 {
			return
		}
		type neighbour struct {
			text   int32
			cosine float64
		}
		all := make([]neighbour, 0, len(list))
		for _, j := range list {
			if j != i && len(e[j]) > 0 {
				all = append(all, neighbour{j, cosineOf(e[i], e[j])})
			}
		}
		slices.SortFunc(all, func(x, y neighbour) int { return cmp.Or(cmp.Compare(y.cosine, x.cosine), cmp.Compare(x.text, y.text)) })
		for _, n := range all[:min(10, len(all))] {
			near[x] = append(near[x], indexPair{min(i, n.text), max(i, n.text)})
		}
	})
	return sortPairs(append(found, slices.Concat(near...)...)), err
}

// checkEmbeddings wants a vector for each of n texts, all of one length or empty.
func checkEmbeddings(e [][]float32, n int) error {
	if e == nil {
		return nil
	}
	if len(e) != n {
		return fmt.Errorf("%d embeddings for %d texts: want one for each", len(e), n)
	}
	first := 0
	for i, v := range e {
		if first == 0 {
			first = len(v)
		}
		if len(v) > 0 && len(v) != first {
			return fmt.Errorf("embedding %d has %d numbers, those before it %d: want all from one model", i+1, len(v), first)
		}
	}
	return nil
}

// cosineOf is the cosine of two vectors of one length; 0 where it is not defined: one is zero, or not finite.
func cosineOf(a, b []float32) float64 {
	var dot, x, y float64
	for i := range min(len(a), len(b)) {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if cosine := dot / math.Sqrt(x*y); !math.IsNaN(cosine) {
		return max(-1, min(1, cosine))
	}
	return 0
}
