package offline

import (
	"math"
	"strings"
	"unicode"

	"github.com/skilleval/skilleval/internal/prose"
)

// The weights of the fields of an entry, and the two constants of BM25 (Robertson and Zaragoza 2009):
// saturation of repeated terms and correction for length.
const (
	weightName      = 2.0
	weightText      = 1.0
	weightArguments = 0.4
	weightRedirect  = 0.6
	saturation      = 1.2
	lengthShare     = 0.3
	// background is how many further texts without any of the words are assumed when rarity is computed, so that
	// rarity means something in a catalogue of one or two skills.
	background = 20
)

// posting says how much a term counts in one entry.
type posting struct {
	doc    int32
	weight float32
}

// index is a catalogue made ready for ranking. It does not change once built.
type index struct {
	entries  []entry
	byName   map[string]int32 // folded name → entry
	vocab    map[string]int32
	words    []string // by term id
	postings [][]posting
	negative map[int32][]posting // terms that an entry has in its do-not part only
	idf      []float64           // by term id, 1 for a term that no entry has
	grams    map[uint32][]int32  // three letters → term ids of the words that hold them
}

// builder collects the terms of one entry at a time.
type builder struct {
	x      *index
	tf     []map[int32]float64 // by entry
	length []float64           // by entry
	docs   [][]string          // negative sentences by entry
}

// newIndex builds the index of a catalogue.
func newIndex(entries []entry) *index {
	x := &index{entries: entries, byName: make(map[string]int32, len(entries)), vocab: make(map[string]int32), negative: make(map[int32][]posting), grams: make(map[uint32][]int32)}
	b := &builder{x: x, tf: make([]map[int32]float64, len(entries)), length: make([]float64, len(entries)), docs: make([][]string, len(entries))}
	for i := range entries {
		name := prose.Fold(entries[i].name)
		if _, taken := x.byName[name]; !taken {
			x.byName[name] = int32(i)
		}
	}
	for i := range entries {
		b.addEntry(i)
	}
	for i := range entries {
		b.addNegative(i)
	}
	b.finish()
	return x
}

// id is the number of a term, given on first use.
func (x *index) id(key string) int32 {
	id, known := x.vocab[key]
	if !known {
		id = int32(len(x.words))
		x.vocab[key] = id
		x.words = append(x.words, key)
	}
	return id
}

// addEntry counts the terms of an entry's positive sides.
func (b *builder) addEntry(i int) {
	e := &b.x.entries[i]
	b.tf[i] = make(map[int32]float64)
	s := prose.TakeApart(e.description)
	b.docs[i] = s.Negative
	if e.doNot != "" {
		b.docs[i] = append(b.docs[i], e.doNot)
	}
	b.count(i, e.name, weightName)
	for _, text := range s.Positive {
		b.count(i, text, weightText)
	}
	b.count(i, e.useWhen, weightText)
	b.count(i, e.arguments, weightArguments)
	for _, p := range schemaTexts(e.schema) {
		b.count(i, p, weightArguments)
	}
}

// count adds the terms of a text to an entry.
func (b *builder) count(i int, text string, weight float64) {
	terms(text, func(t term) {
		b.tf[i][b.x.id(t.key)] += weight
		b.length[i] += weight
	})
}

// addNegative notes the terms that stand only in the do-not part of an entry, and hands them to the skills that
// this part points to.
func (b *builder) addNegative(i int) {
	for _, sentence := range b.docs[i] {
		var pending []int32
		for _, clause := range clauses(sentence) {
			names := b.x.mentions(clause, int32(i))
			terms(clause, func(t term) {
				id := b.x.id(t.key)
				pending = append(pending, id)
				if b.tf[i][id] == 0 && !t.han || b.tf[i][id] == 0 && t.weight > weightUnigram {
					b.x.addNegative(id, int32(i))
				}
			})
			for _, target := range names {
				for _, id := range pending {
					b.tf[target][id] = max(b.tf[target][id], weightRedirect)
				}
			}
			if len(names) > 0 {
				pending = pending[:0]
			}
		}
	}
}

// addNegative marks a term as negative for an entry, once.
func (x *index) addNegative(id, doc int32) {
	list := x.negative[id]
	if n := len(list); n > 0 && list[n-1].doc == doc {
		return
	}
	x.negative[id] = append(list, posting{doc: doc, weight: 1})
}

// mentions lists the entries whose names stand in a text, other than one's own.
func (x *index) mentions(text string, own int32) []int32 {
	var list []int32
	for _, word := range strings.FieldsFunc(prose.Fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '.'
	}) {
		doc, known := x.byName[strings.Trim(word, ".-")]
		if known && doc != own && (strings.ContainsAny(word, "_-") || hasHan(word) || len(x.entries[doc].name) > 3) {
			list = append(list, doc)
		}
	}
	return list
}

// finish turns counts into postings and computes rarities.
func (b *builder) finish() {
	x := b.x
	n := len(x.entries)
	sum := 0.0
	for _, length := range b.length {
		sum += length
	}
	mean := max(sum/float64(max(n, 1)), 1)
	x.postings = make([][]posting, len(x.words))
	for i, tf := range b.tf {
		norm := saturation * (1 - lengthShare + lengthShare*b.length[i]/mean)
		for id, w := range tf { // each entry adds one posting to each of its terms: the order of terms is free
			x.postings[id] = append(x.postings[id], posting{int32(i), float32(w * (saturation + 1) / (w + norm))})
		}
	}
	x.idf = make([]float64, len(x.words))
	for id := range x.words {
		x.idf[id] = rarity(len(x.postings[id]), n)
		if len(x.postings[id]) > 0 {
			x.addGrams(int32(id))
		}
	}
}

// rarity is the inverse document frequency of BM25 as a share of that of a term that no text has.
func rarity(df, n int) float64 {
	total := float64(n + background)
	return math.Log1p((total-float64(df)+0.5)/(float64(df)+0.5)) / math.Log1p((total+0.5)/0.5)
}

// addGrams lists a word under its letter triples.
func (x *index) addGrams(id int32) {
	word := x.words[id]
	if len(word) < 4 || !prose.IsASCIIWord(word) {
		return
	}
	wordGrams(word, func(g uint32) { x.grams[g] = append(x.grams[g], id) })
}

// wordGrams yields the letter triples of an ASCII word, its start marked.
func wordGrams(word string, yield func(uint32)) {
	a, b := uint32('^'), uint32(word[0])
	for i := 1; i < len(word); i++ {
		c := uint32(word[i])
		yield(a<<16 | b<<8 | c)
		a, b = b, c
	}
}
