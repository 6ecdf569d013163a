package similarity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Options say which pairs to find.
type Options struct {
	Thresholds Thresholds // zero: DefaultThresholds
	// Least is the lowest level that is reported; "" is Near.
	Least Level
	// Only leaves out the pairs of which neither side is wanted; nil wants all.
	Only func(t *Text) bool
	// Embeddings holds a vector for each text, all of one length, an empty one where there is none; nil: none were
	// asked for.
	Embeddings [][]float32
	// EmbeddingNear is the cosine of the embeddings from which a pair is near, whatever its words; 0: embeddings are
	// shown and do not decide, because cosines of different models are not comparable.
	EmbeddingNear float64
	// Confusion tells what a run saw of two skills, by name; nil: no run was given.
	Confusion func(a, b string) *Confusion
	// Confused names the pairs of skills that the run confused; they are listed whatever their words.
	Confused [][2]string
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
	Left int
	// Counts are of all pairs that were measured and that nobody accepted, listed or not, by level; Accepted counts those
	// that a reviewer let stand.
	Counts   map[Level]int
	Accepted int
	// Reopened and Stale are entries of Accepted that no longer hold: a description changed, or a skill is gone.
	Reopened, Stale []Acceptance
	Thresholds      Thresholds
}

// Find compares every text with every other, in effect, and returns the pairs that sound alike. The texts are one
// catalogue: what most of them say counts little. The result does not depend on the number of cores.
func Find(ctx context.Context, texts []Text, o Options) (*Result, error) {
	if err := checkEmbeddings(o.Embeddings, len(texts)); err != nil {
		return nil, err
	}
	if o.Thresholds == (Thresholds{}) {
		o.Thresholds = DefaultThresholds()
	}
	if o.Least == "" {
		o.Least = Near
	}
	if rank(o.Least) < 0 {
		return nil, fmt.Errorf("level %q: want %s, %s, %s or %s", o.Least, Duplicate, Near, Related, Unrelated)
	}
	c, err := newCorpus(ctx, texts)
	if err != nil {
		return nil, err
	}
	f := finder{corpus: c, options: o, same: sameModel(), field: fieldModel(), result: &Result{Compared: len(texts), Counts: map[Level]int{}, Thresholds: o.Thresholds}}
	f.reviewed = f.review()
	list := f.groups()
	found, err := c.candidates(ctx, list)
	if err != nil {
		return nil, err
	}
	found, err = f.addNeighbours(ctx, found, list)
	if err != nil {
		return nil, err
	}
	if err := f.measure(ctx, f.addConfused(found)); err != nil {
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

	reviewed *review
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
	accepted  string
}

// score measures one pair.
func (f *finder) score(p indexPair, same bool) scoredPair {
	a, b := f.corpus.texts[p.a], f.corpus.texts[p.b]
	s := scoredPair{indexPair: p, features: f.corpus.measure(a, b), identical: same}
	s.lexical, s.field = f.same.score(s.features), f.field.fieldScore(s.features)
	if same {
		s.lexical, s.field = 1, 1
	}
	s.score = s.lexical
	s.level = f.options.Thresholds.Level(s.lexical, s.field)
	if s.level == Related && s.features.boundary == 1 { // one of them names the other as the one to use instead
		s.level = Unrelated
	}
	if e := f.options.Embeddings; e != nil && len(e[p.a]) > 0 && len(e[p.b]) > 0 {
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

// keep counts a pair and lists it when it is alike enough, or was confused.
func (f *finder) keep(s scoredPair) {
	if s.level != Unrelated {
		if s.accepted = f.reviewed.reason(s.indexPair); s.accepted != "" {
			f.result.Accepted++
		} else {
			f.result.Counts[s.level]++
		}
	}
	confused := s.confusion != nil && s.confusion.AasB+s.confusion.BasA > 0
	if rank(s.level) >= rank(f.options.Least) || confused {
		f.scored = append(f.scored, s)
	}
}

// measure scores the candidates on all cores, a block at a time to bound memory, and keeps their order.
func (f *finder) measure(ctx context.Context, found []indexPair) error {
	found = slices.DeleteFunc(found, func(p indexPair) bool { return !f.wanted(p) })
	scores := make([]scoredPair, min(len(found), measureBlock))
	for block := range slices.Chunk(found, measureBlock) {
		if err := parallel(ctx, len(block), func(i int) { scores[i] = f.score(block[i], false) }); err != nil {
			return err
		}
		for _, s := range scores[:len(block)] {
			f.keep(s)
		}
	}
	return nil
}

// measureBlock is how many pairs are scored before those that are not alike are forgotten.
const measureBlock = 1 << 15

// finish sorts the pairs and explains them.
func (f *finder) finish(ctx context.Context) (*Result, error) {
	slices.SortStableFunc(f.scored, func(x, y scoredPair) int {
		return cmp.Or(cmp.Compare(rank(y.level), rank(x.level)), cmp.Compare(y.score, x.score), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	f.result.Pairs = make([]Pair, len(f.scored))
	if err := parallel(ctx, len(f.scored), func(i int) { f.result.Pairs[i] = f.explain(&f.scored[i]) }); err != nil {
		return nil, err
	}
	return f.result, nil
}
