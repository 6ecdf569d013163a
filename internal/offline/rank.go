package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/internal/prose"
)

const (
	// negativeShare is how much a word of an entry's do-not part costs, against what it would gain elsewhere.
	negativeShare = 0.8
	// similarShare is how much a word of similar spelling counts at most, similarFloor how similar it must be
	// (Dice coefficient of letter triples), similarWord the length from which words are compared so.
	similarShare = 0.9
	similarFloor = 0.6
	similarWord  = 5
	// nameShare is how much of its weight a name that the catalogue does not have counts.
	nameShare = 0.3
	// quotedShare is how much of its weight a word between quotation marks counts.
	quotedShare = 0.3
	// maxTerms bounds how many different terms of a question are ranked.
	maxTerms = 2000
	maxHits  = 5
)

// query is a question as weighted terms; total is the weight of all, each at its rarity.
type query struct {
	terms []term
	text  string // folded, for names that are mentioned whole
}

// newQuery reads a question. Quotations in it are values more often than words for what is wanted, and count less,
// unless they are most of it.
func newQuery(text string) query {
	q := query{text: text}
	quotes := findQuotes(text)
	inside := 0
	for _, s := range quotes {
		inside += s.to - s.from
	}
	if inside == 0 || 2*inside > len(text) {
		q.add(text, 1)
		return q
	}
	start := 0
	for _, s := range quotes {
		q.add(text[start:s.from], 1)
		start = s.to
	}
	q.add(text[start:], 1)
	for _, s := range quotes {
		q.add(text[s.from:s.to], quotedShare)
	}
	return q
}

// add takes the terms of a text in at a share of their weight; a term counts once, at its greatest weight.
func (q *query) add(text string, share float64) {
	seen := make(map[string]int, 32)
	for i := range q.terms {
		seen[q.terms[i].key] = i
	}
	terms(text, func(t term) {
		t.weight *= share
		if at, ok := seen[t.key]; ok {
			q.terms[at].weight = max(q.terms[at].weight, t.weight)
			return
		}
		if len(q.terms) < maxTerms {
			seen[t.key] = len(q.terms)
			q.terms = append(q.terms, t)
		}
	})
}

// hit is an entry with its score, and the weight of the question's terms that it holds.
type hit struct {
	doc            int32
	score, covered float64
}

// ranking is the outcome of a query: the best entries, best first, and the weight of the whole question.
type ranking struct {
	hits  []hit
	total float64
}

// best is the first hit; ok is false when nothing matched.
func (r ranking) best() (hit, bool) {
	if len(r.hits) == 0 {
		return hit{}, false
	}
	return r.hits[0], true
}

// rank scores every entry against a query. Equal scores keep the order of the catalogue.
func (x *index) rank(q query) ranking {
	hits := make([]hit, len(x.entries))
	var r ranking
	for i, t := range q.terms {
		id, known := x.vocab[t.key]
		switch {
		case known && len(x.postings[id]) > 0:
			r.total += t.weight * x.idf[id]
			x.score(hits, id, t.weight)
		case t.han:
			r.total += x.missingHan(q.terms, i)
		case t.name:
			r.total += nameShare * t.weight
		case len(t.key) >= similarWord && prose.IsASCIIWord(t.key):
			r.total += t.weight
			x.scoreSimilar(hits, t)
		default:
			r.total += t.weight
		}
		if known {
			for _, p := range x.negative[id] {
				hits[p.doc].score -= negativeShare * t.weight * x.idf[id]
			}
		}
	}
	x.scoreNames(hits, q.text)
	for i := range hits {
		hits[i].doc = int32(i)
	}
	r.hits = top(hits, maxHits)
	return r
}

// missingHan is what a pair of Han characters that the catalogue does not have counts in the whole of a question: half,
// as every other pair spans two words, and nothing beside a pair that the catalogue has. Single characters count
// nothing.
func (x *index) missingHan(list []term, i int) float64 {
	if list[i].weight <= weightUnigram {
		return 0
	}
	for _, j := range [...]int{i - 2, i + 2} { // single characters stand between the pairs
		if j < 0 || j >= len(list) || !list[j].han {
			continue
		}
		a, b := list[min(i, j)].key, list[max(i, j)].key
		id, known := x.vocab[list[j].key]
		if known && len(x.postings[id]) > 0 && lastRunes(a, 1) == firstRunes(b, 1) && list[j].weight > weightUnigram {
			return 0
		}
	}
	return list[i].weight / 2
}

// score adds one term of a weight to the entries that hold it.
func (x *index) score(hits []hit, id int32, weight float64) {
	weight *= x.idf[id]
	for _, p := range x.postings[id] {
		hits[p.doc].score += weight * float64(p.weight)
		hits[p.doc].covered += weight
	}
}

// scoreSimilar looks for the word of the catalogue that is spelled most like a term that it does not have.
func (x *index) scoreSimilar(hits []hit, t term) {
	shared := make(map[int32]int)
	n := 0
	wordGrams(t.key, func(g uint32) {
		n++
		for _, id := range x.grams[g] {
			shared[id]++
		}
	})
	best, bestDice := int32(-1), similarFloor
	for id, count := range shared {
		dice := 2 * float64(count) / float64(n+len(x.words[id])-1)
		if dice > bestDice || dice == bestDice && best >= 0 && x.words[id] < x.words[best] {
			best, bestDice = id, dice
		}
	}
	if best >= 0 {
		x.score(hits, best, t.weight*similarShare*bestDice)
	}
}

// scoreNames rewards entries that the question calls by a name that is no ordinary word.
func (x *index) scoreNames(hits []hit, text string) {
	if !strings.ContainsAny(text, "_-") {
		return
	}
	for _, doc := range x.mentions(text, -1) {
		if strings.ContainsAny(x.entries[doc].name, "_-") {
			hits[doc].score += 4
			hits[doc].covered += 4
		}
	}
}

// top is the best n hits with any score, best first.
func top(hits []hit, n int) []hit {
	kept := make([]hit, 0, n+1)
	for _, h := range hits {
		if h.score <= 0 || len(kept) == n && h.score <= kept[n-1].score {
			continue
		}
		at, _ := slices.BinarySearchFunc(kept, h, func(a, b hit) int {
			if c := cmp.Compare(b.score, a.score); c != 0 {
				return c
			}
			return -1 // equal scores: later ones behind
		})
		kept = slices.Insert(kept, at, h)
		kept = kept[:min(len(kept), n)]
	}
	return kept
}
