package similarity

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// What many descriptions say tells little; what one description says in many copies does not. So a term is counted once
// for all near copies of a text, and they count as one text of the catalogue. Near copies are texts of which the words
// have at least the cosine nearCopy, weighed as if each stood alone: how many of them there are must not decide whether
// they are.
const (
	nearCopy     = 0.75
	clusterReads = 50_000_000 // postings read in all
	clusterLeast = 2_000      // postings read for one text, whatever their number
)

// clusters is a union-find forest over texts; the root of a cluster is its smallest index.
type clusters []int32

func newClusters(n int) clusters {
	c := make(clusters, n)
	for i := range c {
		c[i] = int32(i)
	}
	return c
}

func (c clusters) root(i int32) int32 {
	for c[i] != i {
		c[i] = c[c[i]]
		i = c[i]
	}
	return i
}

func (c clusters) union(i, j int32) {
	i, j = c.root(i), c.root(j)
	c[max(i, j)] = min(i, j)
}

// cluster joins the texts that are word for word the same, and near copies. The bodies hold how often each term stands
// in the positive side of each text, and are weighed here.
func (c *corpus) cluster(ctx context.Context, bodies []vector) (clusters, error) {
	out, first := newClusters(len(bodies)), map[string]int32{}
	var list []int32 // the first of each group of equal texts
	for i, p := range c.texts {
		if j, ok := first[p.whole]; ok {
			out.union(j, int32(i))
			continue
		}
		first[p.whole] = int32(i)
		list = append(list, int32(i))
	}
	sizes := make([]int32, len(c.kinds)) // texts that hold a term
	for _, i := range list {
		for _, e := range bodies[i] {
			sizes[e.id]++
		}
	}
	prefixes := make([]vector, len(bodies))
	if err := parallel(ctx, len(list), func(k int) { prefixes[list[k]] = prefixOf(bodies[list[k]], c.alone, sizes) }); err != nil {
		return nil, err
	}
	postings := make([][]int32, len(c.kinds))
	reads := max(clusterReads/max(len(list), 1), clusterLeast)
	seen := newClusters(len(bodies)) // the last text that was compared with each
	for _, i := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		left := reads
		for _, e := range prefixes[i] {
			known := postings[e.id]
			for _, j := range known[:min(len(known), left)] {
				if seen[j] == i || out.root(i) == out.root(j) {
					continue
				}
				if seen[j] = i; c.nearCopies(bodies[i], bodies[j]) {
					out.union(i, j)
				}
			}
			left -= min(len(known), left)
			postings[e.id] = append(known, i)
		}
	}
	return out, nil
}

// alone is the weight of a term in a text that stands alone.
func (c *corpus) alone(id uint32) float64 {
	k := c.kinds[id]
	w := math.Log((1 + priorTexts) / (1 + priorCounts[k]))
	if k == generic {
		w *= 0.3
	}
	return w
}

// prefixOf weighs a body, scales it to length 1, and gives the terms of which it must share one with every near copy,
// the rarest first: the others together are shorter than nearCopy (Bayardo, Ma and Srikant 2007).
func prefixOf(body vector, weight func(id uint32) float64, sizes []int32) vector {
	norm := body.weigh(weight)
	for i := range body {
		body[i].weight /= float32(norm)
	}
	list := slices.Clone(body)
	slices.SortFunc(list, func(x, y entry) int { return cmp.Or(cmp.Compare(sizes[x.id], sizes[y.id]), cmp.Compare(x.id, y.id)) })
	rest := 1.0
	for n, e := range list {
		if rest < nearCopy*nearCopy-1e-6 {
			return list[:n]
		}
		rest -= float64(e.weight) * float64(e.weight)
	}
	return list
}

// nearCopies compares two bodies of length 1.
func (c *corpus) nearCopies(a, b vector) bool {
	return compareVectors(a, b).dot >= nearCopy
}

// count sets in how many clusters each term and each n-gram stands.
func (c *corpus) count(of clusters) {
	members := make([][]int32, len(of))
	for i := range of {
		r := of.root(int32(i))
		members[r] = append(members[r], int32(i))
	}
	termIn, gramIn := make([]int32, len(c.kinds)), make([]int32, gramBuckets) // the last cluster that a term was counted for
	for _, group := range members {
		if len(group) == 0 {
			continue
		}
		c.n++
		for _, i := range group {
			tally(c.texts[i].terms, c.df, termIn, int32(c.n))
			tally(c.texts[i].grams, c.gdf, gramIn, int32(c.n))
		}
	}
}

// tally counts the ids of a vector that were not yet counted for a cluster.
func tally(v vector, counts, last []int32, cluster int32) {
	for _, e := range v {
		if last[e.id] != cluster {
			last[e.id] = cluster
			counts[e.id]++
		}
	}
}
