package metrics

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/skilleval/skilleval/internal/stats"
	"github.com/skilleval/skilleval/results"
)

// consistency collects how often the repetitions of a case make the same selection.
type consistency struct {
	unit  int32          // cluster of the case that is being read
	made  map[string]int // its selections, and how often each was made
	key   []byte
	cases []agreement
}

// agreement is the share of the pairs of a case's scored trials that made the same selection.
type agreement struct {
	unit  int32
	share float64
}

// add takes one scored trial. Its selection is the skills it called, in order; a trial whose fault leaves no selection
// that counts agrees with those of the same fault only: a reply that could not be read is not silence.
func (c *consistency) add(t *results.Trial, unit int32) {
	c.key = c.key[:0]
	if selectionFault(t) {
		c.key = append(c.key, t.Fault.Class...)
	}
	c.key = append(c.key, 0)
	for i := range t.Calls {
		c.key = binary.AppendUvarint(c.key, uint64(len(t.Calls[i].Skill)))
		c.key = append(c.key, t.Calls[i].Skill...)
	}
	if c.made == nil {
		c.made = map[string]int{}
	}
	c.unit = unit
	c.made[string(c.key)]++
}

// closeCase ends a case. One with fewer than two scored trials has no pair and is left out.
func (c *consistency) closeCase() {
	n, same := 0, 0
	for _, m := range c.made {
		n, same = n+m, same+m*(m-1)
	}
	clear(c.made)
	if n >= 2 {
		c.cases = append(c.cases, agreement{c.unit, float64(same) / float64(n*(n-1))})
	}
}

// estimate returns the mean of the cases' shares. Its interval is that of a proportion at the effective sample size of
// the clusters: a share of 0 to 1 varies no more than a hit or miss of the same mean, so that it is not too narrow, and
// unlike one by resampling it is none of zero width where every case agrees (see TestConsistencyCoverage).
func (c *consistency) estimate() Estimate {
	if len(c.cases) == 0 {
		return Estimate{Reason: "no case has two scored trials"}
	}
	slices.SortStableFunc(c.cases, func(a, b agreement) int { return cmp.Compare(a.unit, b.unit) })
	var clusters []stats.Cluster
	var sum float64
	for i, a := range c.cases {
		if i == 0 || a.unit != c.cases[i-1].unit {
			clusters = append(clusters, stats.Cluster{})
		}
		last := &clusters[len(clusters)-1]
		last.Sum, last.N = last.Sum+a.share, last.N+1
		sum += a.share
	}
	n := len(c.cases)
	e := Estimate{Value: finite(sum / float64(n)), N: n, Method: methodClustered}
	if len(clusters) != n {
		e.Clusters = len(clusters)
	}
	if iv, ok := stats.WilsonClustered(clusters); ok {
		e.Lo, e.Hi = finite(iv.Lo), finite(iv.Hi)
	}
	return e
}
