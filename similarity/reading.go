package similarity

import (
	"strings"
	"unicode"

	"github.com/skilleval/skilleval/internal/prose"
)

// reading is a text in tokens, before they have ids.
type reading struct {
	name, whole, positive string
	body                  []token // of the positive side
	names                 []token
	head                  []token       // first sentence of the positive side
	turns                 [2][2][]token // of the name and the first sentence: before and behind "to"
	negative              []token
	points                string
	use, params           []token
	grams                 []uint32
	han                   float64
}

// itemEnd separates the items of a list: no phrase goes on across it.
const itemEnd = ".\n"

// read takes a text apart. Sentences that are common to the catalogue are left out, unless nothing else is there.
func (c *corpus) read(t *Text, d *draft, common, names map[string]bool) reading {
	sides := sidesOf(t, d, common, names)
	positive, first := strings.Join(sides.Positive, "\n"), ""
	if len(sides.Positive) > 0 {
		first = sides.Positive[0]
	}
	positive = withItems(positive, d.description, t.UseWhen)
	negative := strings.Join(sides.Negative, "\n")
	negative = withItems(negative, negative, t.DoNotUseWhen)
	tokens := c.lexicon.tokenise
	r := reading{name: d.name, whole: wholeOf(t, d), positive: positive, points: strings.ToLower(negative), han: shareUnspaced(positive),
		body: tokens(positive), names: tokens(d.spelled), head: tokens(first), negative: tokens(negative),
		use: tokens(normalise(strings.Join(t.UseWhen, itemEnd))), params: tokens(normalise(strings.Join(t.Parameters, itemEnd)))}
	r.turns = [2][2][]token{turnOf(strings.ReplaceAll(d.spelled, "_", " "), r.names), turnOf(first, r.head)}
	r.grams = charGrams(folded(positive))
	return r
}

// sidesOf gives what a description is for, without boilerplate, and what it is not for: also what it says of others.
func sidesOf(t *Text, d *draft, common, names map[string]bool) prose.Sides {
	sides := prose.TakeApart(d.description)
	own := sides.Positive[:0:0]
	for _, s := range sides.Positive {
		switch {
		case pointsAway(s, d.name, names):
			sides.Negative = append(sides.Negative, s)
		case !common[folded(s)]:
			own = append(own, s)
		}
	}
	if len(own) > 0 {
		sides.Positive = own
	}
	return sides
}

// withItems adds the items of a list to a text, but those that stand in known already.
func withItems(text, known string, items []string) string {
	for _, item := range items {
		if item = normalise(item); !strings.Contains(known, item) {
			text += itemEnd + item
		}
	}
	return text
}

// wholeOf is what tells two texts apart for a reader.
func wholeOf(t *Text, d *draft) string {
	whole := d.whole
	for i, list := range [][]string{t.UseWhen, t.DoNotUseWhen} {
		for _, item := range list {
			whole += [...]string{"\x00+", "\x00-"}[i] + folded(normalise(item))
		}
	}
	return whole
}

// folded makes a normalised text comparable as a whole.
func folded(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// shareUnspaced is the share of a text's letters that belong to scripts without spaces.
func shareUnspaced(s string) float64 {
	letters, un := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
			if unspaced(r) {
				un += 2 // a Chinese word has about two characters, an English one about five
			}
		}
	}
	return min(1, float64(un)/float64(max(letters, 1)))
}

// charGrams hashes the character n-grams of a folded text: three letters of a word with its ends marked, two
// characters of a script without spaces.
func charGrams(s string) []uint32 {
	var out []uint32
	var window [3]rune
	n := 0
	push := func(r rune, size int) {
		window[0], window[1], window[2] = window[1], window[2], r
		if n++; n >= size {
			out = append(out, hashRunes(window[3-size:]))
		}
	}
	un := false
	for _, r := range s + " " {
		switch {
		case unspaced(r):
			if !un {
				n, un = 0, true
			}
			push(r, 2)
		case spaced(r):
			if un || n == 0 {
				n, un = 0, false
				push(' ', 3)
			}
			push(r, 3)
		default:
			if !un && n > 0 {
				push(' ', 3)
			}
			n, un = 0, false
		}
	}
	return out
}

// hashRunes is FNV-1a over runes, folded to a bucket.
func hashRunes(runes []rune) uint32 {
	h := uint64(14695981039346656037)
	for _, r := range runes {
		h = (h ^ uint64(r)) * 1099511628211
	}
	return uint32((h ^ h>>32) % gramBuckets)
}
