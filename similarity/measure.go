package similarity

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// features are what the score is computed from; each is about 0 to 1.
type features struct {
	tokens, grams, raw    float64
	containment, coverage float64 // shared weight as a share of the lighter and the heavier side
	name, jaroWinkler     float64
	head                  float64 // cosine of the names and first sentences
	actions, objects      float64 // agreement of what is done, and to what: 1, 0, or ½ where a side says nothing
	order                 float64 // longest common subsequence of the terms, as a share of the shorter side
	lone                  float64 // the most telling word of a headline that the other side lacks anywhere, of the side where it tells less
	swap                  float64 // the same words in another order
	otherAction           float64 // the same of actions, objects and other words: both sides have one of their own
	otherObject           float64
	otherWord             float64
	opposite              float64 // 1 when the headlines have concepts that exclude each other
	reversed              float64 // 1 when one converts in the direction opposite to the other
	firstAction           float64 // the share of names and first sentences whose first actions differ
	otherName             float64 // 1 when the names share a word and both have another one
	boundary              float64 // one side says that it is not for what the other is for
	use, params           float64 // NaN where a side has none
	evidence              float64 // how much the shorter side says
	cross                 float64 // 1 when the sides are in different scripts
}

// measure compares two texts of a corpus.
func (c *corpus) measure(a, b *prepared) features {
	terms, head := compareVectors(a.terms, b.terms), compareVectors(a.head, b.head)
	f := features{tokens: terms.cosine(), grams: compareVectors(a.grams, b.grams).cosine(), raw: compareVectors(a.raw, b.raw).cosine(),
		name: compareVectors(a.names, b.names).dice(), jaroWinkler: JaroWinkler(a.name, b.name), head: head.cosine(),
		actions: agreement(a.actions, b.actions), objects: agreement(a.objects, b.objects),
		use: math.NaN(), params: math.NaN()}
	f.containment, f.coverage = terms.contained()
	f.order = commonOrder(a.sequence, b.sequence)
	c.contrast(&f, a, b)
	f.boundary = max(c.excludes(a, b), c.excludes(b, a))
	if len(a.use) > 0 && len(b.use) > 0 {
		f.use = compareVectors(a.use, b.use).cosine()
	}
	if len(a.params) > 0 && len(b.params) > 0 {
		f.params = compareVectors(a.params, b.params).cosine()
	}
	if a.fromTo[0].reversed(b.fromTo[0]) || a.fromTo[1].reversed(b.fromTo[1]) {
		f.reversed = 1
	}
	f.swap = f.tokens * (1 - f.order)
	f.evidence = math.Min(1, math.Log1p(min(terms.sumA, terms.sumB))/5)
	f.cross = math.Abs(a.han - b.han)
	return f
}

// agreement of two sorted lists of concepts: the share of the shorter list that the other has; ½ when a side is empty.
func agreement(a, b []uint32) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0.5
	}
	return float64(common(a, b)) / float64(min(len(a), len(b)))
}

// contrast measures what each headline says that the other text does not. Where only one side has something of its
// own, it may be the same ability told at greater length; where both have, they differ.
func (c *corpus) contrast(f *features, a, b *prepared) {
	la, lb := c.lone(a.head, b), c.lone(b.head, a)
	var byKind [2][len(priorCounts)]float64
	full := math.Log(float64(c.n) + priorTexts)
	for side, list := range [][]uint32{la, lb} {
		for _, id := range list {
			k := c.kinds[id]
			byKind[side][k] = max(byKind[side][k], c.rarity(id)/full)
		}
	}
	both := func(k kind) float64 { return min(byKind[0][k], byKind[1][k]) }
	f.otherAction, f.otherObject, f.otherWord = both(action), both(object), both(plain)
	f.lone = min(slices.Max(byKind[0][:]), slices.Max(byKind[1][:]))
	f.firstAction = (differs(a.nameAction, b.nameAction) + differs(a.headAction, b.headAction)) / 2
	if c.opposed(a, b, la, lb) {
		f.opposite = 1
	}
	if o := compareVectors(a.names, b.names); o.nShared > 0 && o.nA > o.nShared && o.nB > o.nShared {
		f.otherName = 1
	}
}

// differs is 1 for two known actions that are not the same.
func differs(x, y string) float64 {
	if x != "" && y != "" && x != y {
		return 1
	}
	return 0
}

// opposed reports whether two headlines exclude each other: in their first actions, or in what only one of them says.
func (c *corpus) opposed(a, b *prepared, la, lb []uint32) bool {
	if c.lexicon.excludes(a.nameAction, b.nameAction) || c.lexicon.excludes(a.headAction, b.headAction) {
		return true
	}
	for _, x := range la {
		others := c.lexicon.exclude[c.keys[x]]
		if len(others) > 0 && slices.ContainsFunc(lb, func(y uint32) bool { return slices.Contains(others, c.keys[y]) }) {
			return true
		}
	}
	return false
}

// lone lists the terms of v that a text lacks, without boilerplate and fragments of words.
func (c *corpus) lone(v vector, other *prepared) []uint32 {
	var out []uint32
	for _, e := range v {
		if k := c.kinds[e.id]; k != generic && k != fragment && !other.has(e.id) {
			out = append(out, e.id)
		}
	}
	return out
}

// commonOrder is the length of the longest common subsequence as a share of the shorter sequence.
func commonOrder(a, b []uint32) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	var rows [2][maxSequence + 1]uint8
	for i, x := range a {
		row, last := &rows[(i+1)%2], &rows[i%2]
		for j, y := range b {
			if x == y {
				row[j+1] = last[j] + 1
			} else {
				row[j+1] = max(row[j], last[j+1])
			}
		}
	}
	return float64(rows[len(a)%2][len(b)]) / float64(min(len(a), len(b)))
}

// excludes says how clearly a sends what b is for elsewhere: 1 when its negative side names b, else how much of b's
// headline it covers.
func (c *corpus) excludes(a, b *prepared) float64 {
	if len(a.negative) == 0 {
		return 0
	}
	if namesIt(a.points, b.name) {
		return 1
	}
	o := compareVectors(a.negative, b.head)
	if o.sumB == 0 {
		return 0
	}
	return o.shared / o.sumB
}

// namesIt reports whether a name of at least three characters stands in a text as a word.
func namesIt(text, name string) bool {
	if utf8.RuneCountInString(name) < 3 {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if !joins(before) && !joins(after) {
			return true
		}
		from = i + len(name)
	}
}

// joins reports whether a character beside a name makes it part of a longer one.
func joins(r rune) bool { return r == '_' || r == '-' || spaced(r) }
