package similarity

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Options say which pairs to find.
type Options struct {
	Thresholds Thresholds // zero: DefaultThresholds
	// Least is the lowest level that is reported; "" is Near.
	Least Level
	// Only leaves out the pairs of which neither side is wanted; nil wants all.
	Only func(t *Text) bool
	// Embeddings holds a vector for each text, all of one length; nil: none were asked for.
	Embeddings [][]float32
	// EmbeddingNear is the cosine of the embeddings from which a pair is near, whatever its words; 0: embeddings are
	// shown and do not decide, because cosines of different models are not comparable.
	EmbeddingNear float64
	// Confusion tells what a run saw of two skills, by name; nil: no run was given.
	Confusion func(a, b string) *Confusion
	// Accepted holds the reviewed pairs; nil: none.
	Accepted *Accepted
}

// Result is what was found.
type Result struct {
	Pairs    []Pair // the most alike first
	Compared int    // texts
	// Short lists the texts that say too little to be compared: empty, or one word.
	Short []*Text
	// Left counts the pairs of identical texts that are not listed, beyond those with the first of their group.
	Left   int
	Counts map[Level]int // of all pairs that were measured, by level, Unrelated apart
	// Reopened and Stale are entries of Accepted that no longer hold: a description changed, or a skill is gone.
	Reopened, Stale []Acceptance
	Thresholds      Thresholds
}

// identicalGroup is up to how many identical texts every pair is listed; of more, the pairs with the first.
const identicalGroup = 12

// Find compares every text with every other, in effect, and returns the pairs that sound alike. The texts are one
// catalogue: what most of them say counts little. The result does not depend on the number of cores.
func Find(ctx context.Context, texts []Text, o Options) (*Result, error) {
	if o.Embeddings != nil && len(o.Embeddings) != len(texts) {
		return nil, fmt.Errorf("%d embeddings for %d texts", len(o.Embeddings), len(texts))
	}
	if o.Thresholds == (Thresholds{}) {
		o.Thresholds = DefaultThresholds()
	}
	if o.Least == "" {
		o.Least = Near
	}
	c, err := newCorpus(ctx, texts)
	if err != nil {
		return nil, err
	}
	f := finder{corpus: c, options: o, same: sameModel(), field: fieldModel(), result: &Result{Compared: len(texts), Counts: map[Level]int{}, Thresholds: o.Thresholds}}
	list := f.groups()
	found, err := c.candidates(ctx, list)
	if err != nil {
		return nil, err
	}
	found, err = f.addNeighbours(ctx, found, list)
	if err != nil {
		return nil, err
	}
	if err := f.measure(ctx, f.addConfused(found, list)); err != nil {
		return nil, err
	}
	return f.finish(ctx)
}

// finder holds one search.
type finder struct {
	corpus  *corpus
	options Options
	same    model
	field   model
	scored  []scoredPair
	result  *Result
}

// scoredPair is a pair before it is explained.
type scoredPair struct {
	indexPair
	features  features
	lexical   float64
	field     float64
	score     float64
	level     Level
	identical bool
	embedding *float64
	confusion *Confusion
}

// groups finds texts that are too short to be compared and groups of identical ones, lists the pairs inside the
// groups, and returns what is left to compare: one text of each group.
func (f *finder) groups() []int32 {
	first := map[string][]int32{}
	var order []string
	for i, p := range f.corpus.texts {
		if p.short {
			f.result.Short = append(f.result.Short, p.source)
			continue
		}
		if _, ok := first[p.whole]; !ok {
			order = append(order, p.whole)
		}
		first[p.whole] = append(first[p.whole], int32(i))
	}
	var list []int32
	for _, whole := range order {
		group := first[whole]
		list = append(list, group[0])
		for x := range group {
			for y := x + 1; y < len(group); y++ {
				if x > 0 && len(group) > identicalGroup {
					f.result.Left++
					continue
				}
				f.add(indexPair{group[x], group[y]}, true)
			}
		}
	}
	return list
}

// wanted reports whether a pair is asked for.
func (f *finder) wanted(p indexPair) bool {
	only := f.options.Only
	return only == nil || only(f.corpus.texts[p.a].source) || only(f.corpus.texts[p.b].source)
}

// score measures one pair.
func (f *finder) score(p indexPair, same bool) scoredPair {
	a, b := f.corpus.texts[p.a], f.corpus.texts[p.b]
	s := scoredPair{indexPair: p, features: f.corpus.measure(a, b), identical: same}
	s.lexical, s.field = f.same.score(s.features), f.field.score(s.features)
	if same {
		s.lexical, s.field = 1, 1
	}
	s.score = s.lexical
	s.level = f.options.Thresholds.Level(s.lexical, s.field)
	if s.level == Related && s.features.boundary == 1 { // one of them names the other as the one to use instead
		s.level = Unrelated
	}
	if e := f.options.Embeddings; e != nil {
		cosine := cosineOf(e[p.a], e[p.b])
		s.embedding = &cosine
		if near := f.options.EmbeddingNear; near > 0 && cosine >= near && rank(s.level) < rank(Near) {
			s.level, s.score = Near, max(s.score, f.options.Thresholds.Near)
		}
	}
	if f.options.Confusion != nil {
		s.confusion = f.options.Confusion(a.source.Name, b.source.Name)
	}
	return s
}

func (f *finder) add(p indexPair, same bool) {
	if f.wanted(p) {
		f.keep(f.score(p, same))
	}
}

// keep counts a pair and lists it when it is alike enough, or was confused.
func (f *finder) keep(s scoredPair) {
	if s.level != Unrelated {
		f.result.Counts[s.level]++
	}
	confused := s.confusion != nil && s.confusion.AasB+s.confusion.BasA > 0
	if rank(s.level) >= rank(f.options.Least) || confused {
		f.scored = append(f.scored, s)
	}
}

// rank orders the levels.
func rank(l Level) int { return slices.Index([]Level{Unrelated, Related, Near, Duplicate}, l) }

// measure scores the candidates on all cores and keeps their order.
func (f *finder) measure(ctx context.Context, found []indexPair) error {
	found = slices.DeleteFunc(found, func(p indexPair) bool { return !f.wanted(p) })
	scores := make([]scoredPair, len(found))
	err := parallel(ctx, len(found), func(i int) { scores[i] = f.score(found[i], false) })
	for _, s := range scores {
		f.keep(s)
	}
	return err
}

// addConfused adds the pairs that a run confused, whatever their words.
func (f *finder) addConfused(found []indexPair, list []int32) []indexPair {
	if f.options.Confusion == nil {
		return found
	}
	for x, i := range list {
		for _, j := range list[x+1:] {
			if c := f.options.Confusion(f.corpus.texts[i].source.Name, f.corpus.texts[j].source.Name); c != nil && c.AasB+c.BasA > 0 {
				found = append(found, indexPair{i, j})
			}
		}
	}
	return sortPairs(found)
}

func sortPairs(list []indexPair) []indexPair {
	slices.SortFunc(list, func(x, y indexPair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return slices.Compact(list)
}

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
		type neighbour struct {
			text   int32
			cosine float64
		}
		all := make([]neighbour, 0, len(list))
		for _, j := range list {
			if j != i {
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

// cosineOf is the cosine of two vectors of one length; 0 when either is zero or the lengths differ.
func cosineOf(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}

// finish sorts the pairs, explains them and joins them with what reviewers accepted.
func (f *finder) finish(ctx context.Context) (*Result, error) {
	slices.SortStableFunc(f.scored, func(x, y scoredPair) int {
		return cmp.Or(cmp.Compare(rank(y.level), rank(x.level)), cmp.Compare(y.score, x.score), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	f.result.Pairs = make([]Pair, len(f.scored))
	if err := parallel(ctx, len(f.scored), func(i int) { f.result.Pairs[i] = f.explain(&f.scored[i]) }); err != nil {
		return nil, err
	}
	f.accept()
	return f.result, nil
}
