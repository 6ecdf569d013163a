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

// ratio collects hits among observations by cluster, in a few bytes a cluster. Where cases are closed, it is the mean over
// cases of each case's share, so that a case counts once however many of its trials were scored; where none is, all
// observations count alike.
type ratio struct {
	cells  []ratioCell
	cases  bool // a cell is a case
	closed bool // the last cell's case has ended
}

type ratioCell struct{ unit, hits, n int32 }

// closeCase ends the case of the observations so far.
func (r *ratio) closeCase() { r.cases, r.closed = true, true }

// add counts n observations of cluster unit, of which hits are hits.
func (r *ratio) add(unit int32, hits, n int) {
	if n == 0 {
		return
	}
	if last := len(r.cells) - 1; last >= 0 && r.cells[last].unit == unit && !r.closed {
		r.cells[last].hits += int32(hits)
		r.cells[last].n += int32(n)
		return
	}
	r.cells, r.closed = append(r.cells, ratioCell{unit, int32(hits), int32(n)}), false
}

// addIf counts one observation.
func (r *ratio) addIf(unit int32, hit bool) { r.add(unit, oneIf(hit), 1) }

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// clusters joins the cells of each cluster, every case with the weight of the one that has most observations, and counts
// hits and observations.
func (r *ratio) clusters() (out []stats.Cluster, hits, n int) {
	slices.SortStableFunc(r.cells, func(a, b ratioCell) int { return cmp.Compare(a.unit, b.unit) })
	most := int32(0)
	for _, c := range r.cells {
		most = max(most, c.n)
	}
	for i, c := range r.cells {
		hits, n = hits+int(c.hits), n+int(c.n)
		add := stats.Cluster{Sum: float64(c.hits), N: float64(c.n)}
		if r.cases && c.n != most {
			add = stats.Cluster{Sum: float64(c.hits) * float64(most) / float64(c.n), N: float64(most)}
		}
		if i == 0 || r.cells[i-1].unit != c.unit {
			out = append(out, stats.Cluster{})
		}
		last := &out[len(out)-1]
		last.Sum, last.N = last.Sum+add.Sum, last.N+add.N
	}
	return out, hits, n
}

// estimate returns the share of hits with its interval; reason says why there is none when nothing was observed.
func (r *ratio) estimate(reason string) Estimate {
	clusters, hits, n := r.clusters()
	if n == 0 {
		return Estimate{Reason: reason}
	}
	if len(clusters) == n {
		iv, _ := stats.Wilson(hits, n)
		return Estimate{Value: finite(float64(hits) / float64(n)), Lo: finite(iv.Lo), Hi: finite(iv.Hi), N: n, Method: methodWilson}
	}
	var sum, weight float64
	for _, c := range clusters {
		sum, weight = sum+c.Sum, weight+c.N
	}
	iv, _ := stats.WilsonClustered(clusters)
	return Estimate{Value: finite(sum / weight), Lo: finite(iv.Lo), Hi: finite(iv.Hi), N: n, Method: methodClustered, Clusters: len(clusters)}
}

// finite returns a pointer to x, or nil for what JSON cannot hold.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
