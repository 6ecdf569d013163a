package metrics

import (
	"cmp"
	"math"
	"slices"

	"github.com/skilleval/skilleval/internal/stats"
)

// The methods of an [Estimate]'s interval.
const (
	methodWilson    = "wilson"         // every cluster holds one observation
	methodClustered = "wilson-cluster" // some cluster holds more: Wilson at the effective sample size
)

// ratio collects hits among observations by cluster, in a few bytes a cluster.
type ratio struct{ cells []ratioCell }

type ratioCell struct{ unit, hits, n int32 }

// add counts n observations of cluster unit, of which hits are hits.
func (r *ratio) add(unit int32, hits, n int) {
	if n == 0 {
		return
	}
	if last := len(r.cells) - 1; last >= 0 && r.cells[last].unit == unit {
		r.cells[last].hits += int32(hits)
		r.cells[last].n += int32(n)
		return
	}
	r.cells = append(r.cells, ratioCell{unit, int32(hits), int32(n)})
}

// addIf counts one observation.
func (r *ratio) addIf(unit int32, hit bool) { r.add(unit, oneIf(hit), 1) }

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// merge joins the cells of each cluster: a group may come back after other cases.
func (r *ratio) merge() {
	slices.SortFunc(r.cells, func(a, b ratioCell) int { return cmp.Compare(a.unit, b.unit) })
	cells := r.cells
	r.cells = r.cells[:0]
	for _, c := range cells {
		r.add(c.unit, int(c.hits), int(c.n))
	}
}

// estimate returns the share of hits with its interval; reason says why there is none when nothing was observed.
func (r *ratio) estimate(reason string) Estimate {
	r.merge()
	var hits, n int
	for _, c := range r.cells {
		hits, n = hits+int(c.hits), n+int(c.n)
	}
	if n == 0 {
		return Estimate{Reason: reason}
	}
	e := Estimate{Value: finite(float64(hits) / float64(n)), N: n, Method: methodWilson}
	iv, _ := stats.Wilson(hits, n)
	if len(r.cells) != n {
		clusters := make([]stats.Cluster, len(r.cells))
		for i, c := range r.cells {
			clusters[i] = stats.Cluster{Sum: float64(c.hits), N: float64(c.n)}
		}
		e.Method, e.Clusters = methodClustered, len(r.cells)
		iv, _ = stats.WilsonClustered(clusters)
	}
	e.Lo, e.Hi = finite(iv.Lo), finite(iv.Hi)
	return e
}

// finite returns a pointer to x, or nil for what JSON cannot hold.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
