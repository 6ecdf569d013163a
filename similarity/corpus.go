package similarity

import (
	"context"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// prepared is a text as the measures see it.
type prepared struct {
	source   *Text
	name     string // normalised, lower case
	whole    string // what a reader sees: description, use-when and do-not-use-when, folded, white space collapsed
	positive string // what it is for, normalised

	terms    vector // of the positive side and the name, weighted by rarity
	raw      vector // the same, unweighted
	grams    vector // of characters, weighted by rarity
	names    vector // of the name
	head     vector // of the name and the first sentence
	negative vector // of what it is not for
	use      vector // of use-when
	params   vector // of the parameters

	actions, objects []uint32 // concepts of the name and the first sentence, sorted
	fromTo           [2]turn  // of the name and the first sentence
	nameAction       string   // key of the first action of the name, "" when it has none
	headAction       string   // of the first sentence
	sequence         []uint32 // terms of the positive side in their order, the first maxSequence
	points           string   // the negative side, folded: the names of others stand here
	han              float64  // share of letters that belong to a script without spaces
	norm             float64  // length of terms
	short            bool     // says too little to be compared
}

// corpus is every text of one catalogue, with the rarity of its terms.
type corpus struct {
	lexicon *lexicon
	texts   []*prepared

	ids   map[string]uint32
	keys  []string // by term id
	kinds []kind
	n     int     // texts, near copies counted once
	df    []int32 // document frequency by term id, near copies counted once
	gdf   []int32 // the same by hashed n-gram
}

// maxSequence is how many terms of a description are compared in their order.
const maxSequence = 64

// gramBuckets is the number of hash values of character n-grams. Two n-grams in one bucket cost a little rarity.
const gramBuckets = 1 << 20

// The prior of the rarity weights: a catalogue counts as priorTexts texts more than it has, of which a term of each
// kind stands in so many. In a catalogue of five skills, "use" is no more telling than in one of a thousand.
const priorTexts = 100

var priorCounts = [...]float64{plain: 1.5, generic: 45, action: 8, object: 1.5, qualifier: 6, fragment: 2}

// newCorpus prepares texts, on all cores; the result does not depend on how many.
func newCorpus(ctx context.Context, texts []Text) (*corpus, error) {
	c := &corpus{lexicon: defaultLexicon(), ids: map[string]uint32{}, texts: make([]*prepared, len(texts)), gdf: make([]int32, gramBuckets)}
	drafts := make([]draft, len(texts))
	if err := parallel(ctx, len(texts), func(i int) { drafts[i] = draftOf(&texts[i]) }); err != nil {
		return nil, err
	}
	common, names := boilerplate(drafts), referableNames(drafts)
	read := make([]reading, len(texts))
	if err := parallel(ctx, len(texts), func(i int) { read[i] = c.read(&texts[i], &drafts[i], common, names) }); err != nil {
		return nil, err
	}
	bodies := make([]vector, len(texts))
	for i := range read {
		c.texts[i], bodies[i] = c.intern(&texts[i], read[i])
		read[i] = reading{}
	}
	copies, err := c.cluster(ctx, bodies)
	if err != nil {
		return nil, err
	}
	c.df = make([]int32, len(c.kinds))
	c.count(copies)
	err = parallel(ctx, len(texts), func(i int) { c.weigh(c.texts[i]) })
	return c, err
}

// parallel calls do for 0 to n−1, in blocks, on all cores.
func parallel(ctx context.Context, n int, do func(i int)) error {
	const block = 64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < n; from += block {
		g.Go(func() error {
			for i := from; i < min(from+block, n); i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				do(i)
			}
			return nil
		})
	}
	return g.Wait()
}

// intern gives the terms of a text their ids, and counts those of its positive side.
func (c *corpus) intern(t *Text, r reading) (*prepared, vector) {
	p := &prepared{source: t, name: r.name, whole: r.whole, positive: r.positive, han: r.han, points: r.points}
	p.names = counted(c.idsOf(r.names))
	p.nameAction, p.headAction = firstAction(r.names), firstAction(r.head)
	for i, t := range r.turns {
		p.fromTo[i] = turn{c.contents(t[0]), c.contents(t[1])}
	}
	headIDs := append(c.idsOf(r.names), c.idsOf(r.head)...)
	p.actions, p.objects = c.ofKind(headIDs, action), c.ofKind(headIDs, object)
	p.head = counted(headIDs)
	body := c.idsOf(r.body)
	p.sequence = slices.Clone(body[:min(len(body), maxSequence)])
	said := counted(slices.Clone(body))
	p.short = len(said) < 2
	p.terms = counted(append(body, c.idsOf(r.names)...))
	p.negative, p.use, p.params = counted(c.idsOf(r.negative)), counted(c.idsOf(r.use)), counted(c.idsOf(r.params))
	p.grams = counted(r.grams)
	return p, said
}

// firstAction is the key of the first action among some tokens.
func firstAction(tokens []token) string {
	for _, t := range tokens {
		if t.kind == action {
			return t.key
		}
	}
	return ""
}

func (c *corpus) idsOf(tokens []token) []uint32 {
	out := make([]uint32, len(tokens))
	for i, t := range tokens {
		id, ok := c.ids[t.key]
		if !ok {
			id = uint32(len(c.kinds))
			key := strings.Clone(t.key)
			c.ids[key] = id
			c.keys = append(c.keys, key)
			c.kinds = append(c.kinds, t.kind)
		}
		out[i] = id
	}
	return out
}

// ofKind gives the ids of one kind, sorted, each once.
func (c *corpus) ofKind(ids []uint32, k kind) []uint32 {
	var out []uint32
	for _, id := range ids {
		if c.kinds[id] == k {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// rarity is the weight of a term: the inverse document frequency (Spärck Jones 1972) with the prior of its kind.
func (c *corpus) rarity(id uint32) float64 {
	k := c.kinds[id]
	n, df := float64(c.n), float64(c.df[id])
	w := math.Log((n + priorTexts) / (df + priorCounts[k]))
	w *= 1 - max(df-2, 0)/n // what every text says tells nothing, in a small catalogue too
	if k == generic {
		w *= 0.3
	}
	return max(w, 0.02)
}

func (c *corpus) gramRarity(id uint32) float64 {
	return max(math.Log((float64(c.n)+priorTexts)/(float64(c.gdf[id])+2)), 0.02)
}

// weigh turns the counts of a text into weights.
func (c *corpus) weigh(p *prepared) {
	p.raw = slices.Clone(p.terms)
	p.norm = p.terms.weigh(c.rarity)
	p.grams.weigh(c.gramRarity)
	for _, v := range []vector{p.names, p.head, p.negative, p.use, p.params} {
		v.weigh(c.rarity)
	}
}
