package offline

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// The evidence that a skill must have against a question: see [evidence]. enough weighs wrong calls against missed
// ones on half of the public tool queries, each with and without its tool in a catalogue of 30, at 15 % of requests
// that need none. The figures for parts were chosen on all of MetaTool's queries for one and for two tools.
const (
	enough         = 0.34 // to be called at all
	enoughCategory = 0.15 // to be looked into: a category shows names only
	enoughPart     = 0.34 // for one part of a request that a connector sets apart
	enoughWeak     = 0.60 // for both parts at a mere comma or "and"
	weakOverlap    = 0.3  // and how much of either side's score the other side's skill may have there
	earlierShare   = 0.5  // weight of the turn before, when the question points back to it
	maxParts       = 6
	maxWeakCuts    = 8
	shortQuestion  = 2.5 // weight of terms up to which a question that points back is read with the turn before
)

// part is one piece of a request, with the skill it is for.
type part struct {
	text string
	doc  int32
}

// evidence relates the score of an entry to how much was asked: a long question matches something by chance.
func evidence(h hit, r ranking) float64 { return h.score / math.Sqrt(r.total+1) }

// cut is a place where a request may come apart: from and to are the bounds of the connector itself.
type cut struct {
	from, to int
	strong   bool // a word that says that something else follows
	sequence bool // and that it is a step of its own
}

// connectors are looked for in lower-case text, longest first.
var connectors = []struct {
	word             string
	strong, sequence bool
}{
	{" and after that ", true, true}, {" and afterwards ", true, true}, {" and finally ", true, true}, {" and then ", true, true},
	{", then ", true, true}, {". then ", true, true}, {" after that ", true, true}, {" afterwards ", true, true}, {" then ", true, true},
	{". after that", true, true}, {". finally", true, true}, {". next,", true, true}, {" and also ", true, false}, {". also ", true, false}, {" also ", true, false},
	{"; ", true, false}, {"；", true, false}, {"，然后", true, true}, {"，接着", true, true}, {"，随后", true, true}, {"，最后", true, true}, {"。然后", true, true},
	{"然后", true, true}, {"接着", true, true}, {"随后", true, true}, {"。最后", true, true}, {"，再", true, true}, {"，并且", true, false}, {"，并", true, false},
	{"，同时", true, false}, {"，顺便", true, false}, {"，另外", true, false}, {"。另外", true, false}, {"，还要", true, false}, {"，也", true, false},
	{" and ", false, false}, {", ", false, false}, {". ", false, false}, {"? ", false, false}, {"，", false, false}, {"。", false, false}, {"？", false, false},
	{"并且", false, false}, {"并", false, false}, {"以及", false, false}, {"再", false, true}, {"和", false, false}, {"\n", false, false},
}

// cuts lists the connectors of a text from left to right, none overlapping.
func cuts(text string) []cut {
	folded := strings.ToLower(text)
	if len(folded) != len(text) {
		folded = text
	}
	var list []cut
	for i := 0; i < len(folded); {
		n := 0
		for _, c := range connectors {
			if strings.HasPrefix(folded[i:], c.word) {
				if i > 0 {
					list = append(list, cut{i, i + len(c.word), c.strong, c.sequence})
				}
				n = len(c.word)
				break
			}
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(folded[i:])
		}
		i += n
	}
	return list
}

// plan takes a request apart into parts, each for one skill, in the order of the text. It is empty when nothing
// of the catalogue fits.
func (x *index) plan(p *prompt, floor float64) []part {
	text := clip(p.question, maxQuestion)
	q := newQuery(text)
	whole := x.rank(q)
	best, found := x.pick(whole, p.refused)
	fits := found && evidence(best, whole) >= floor
	if !fits && pointsBack(q, text) && len(p.earlier) > 0 {
		if doc, ok := x.goOn(q, clip(p.earlier[0], maxQuestion), floor, p.refused); ok {
			return []part{{text, doc}}
		}
	}
	if !fits {
		return nil
	}
	all := cuts(text)
	var parts []part
	for _, s := range x.strongParts(text, all, p.refused) {
		parts = append(parts, x.weakParts(s, p.refused)...)
	}
	if len(parts) < 2 {
		return []part{{text, best.doc}}
	}
	return parts
}

// goOn ranks a question that points back together with the turn before, which must have had evidence of its own.
func (x *index) goOn(q query, earlier string, floor float64, refused []string) (int32, bool) {
	before := x.rank(newQuery(earlier))
	h, found := x.pick(before, refused)
	if !found || evidence(h, before) < floor {
		return 0, false
	}
	q.add(earlier, earlierShare)
	h, found = x.pick(x.rank(q), refused)
	return h.doc, found
}

// pick is the best hit whose name was not refused before.
func (x *index) pick(r ranking, refused []string) (hit, bool) {
	for _, h := range r.hits {
		taken := false
		for _, name := range refused {
			taken = taken || name == x.entries[h.doc].name
		}
		if !taken {
			return h, true
		}
	}
	return hit{}, false
}

// strongParts cuts at strong connectors; a piece without evidence of its own stays with its neighbour.
func (x *index) strongParts(text string, all []cut, refused []string) []part {
	var parts []part
	start, open := 0, 0 // of the piece at hand, and of the text that belongs to no part yet
	sequence, begun := false, 0
	closePiece := func(end int, next cut) {
		r := x.rank(newQuery(text[start:end]))
		h, found := x.pick(r, refused)
		last := len(parts) - 1
		switch {
		case found && evidence(h, r) >= enoughPart && (last < 0 || parts[last].doc != h.doc || sequence):
			parts = append(parts, part{text[open:end], h.doc})
			begun, open = open, next.to
		case last >= 0:
			parts[last].text = text[begun:end]
			open = next.to
		}
		start, sequence = next.to, next.sequence
	}
	for _, c := range all {
		if c.strong && len(parts) < maxParts {
			closePiece(c.from, c)
		}
	}
	closePiece(len(text), cut{to: len(text)})
	return parts
}

// weakParts cuts a part in two at a comma or an "and", when both sides speak clearly for different skills that
// the part as a whole brings to mind as well.
func (x *index) weakParts(p part, refused []string) []part {
	whole := x.rank(newQuery(p.text))
	if len(whole.hits) < 2 || whole.hits[1].score < 0.5*whole.hits[0].score {
		return []part{p}
	}
	var best []part
	bestSum, tried := 0.0, 0
	for _, c := range cuts(p.text) {
		if c.strong || tried == maxWeakCuts {
			continue
		}
		tried++
		left, right := x.rank(newQuery(p.text[:c.from])), x.rank(newQuery(p.text[c.to:]))
		l, foundL := x.pick(left, refused)
		r, foundR := x.pick(right, refused)
		if !foundL || !foundR || l.doc == r.doc || !among(whole.hits[:2], l.doc) || !among(whole.hits[:2], r.doc) ||
			left.scoreOf(r.doc) > weakOverlap*l.score || right.scoreOf(l.doc) > weakOverlap*r.score {
			continue
		}
		el, er := evidence(l, left), evidence(r, right)
		if el >= enoughWeak && er >= enoughWeak && el+er > bestSum {
			best, bestSum = []part{{p.text[:c.from], l.doc}, {p.text[c.to:], r.doc}}, el+er
		}
	}
	if best == nil {
		return []part{p}
	}
	return best
}

// scoreOf is the score of an entry, 0 when it is not among the hits.
func (r ranking) scoreOf(doc int32) float64 {
	for _, h := range r.hits {
		if h.doc == doc {
			return h.score
		}
	}
	return 0
}

// among reports whether an entry is one of the hits.
func among(hits []hit, doc int32) bool {
	for _, h := range hits {
		if h.doc == doc {
			return true
		}
	}
	return false
}

// pointsBack reports whether a question can only be understood with the turn before it.
func pointsBack(q query, text string) bool {
	folded := strings.ToLower(strings.TrimSpace(text))
	weight := 0.0
	for _, t := range q.terms {
		weight += t.weight
	}
	anaphor := strings.HasSuffix(strings.TrimRight(folded, "?？。"), "呢")
	for w := range strings.FieldsFuncSeq(folded, func(r rune) bool { return !prose.IsWordRune(r) && !prose.IsIdeographic(r) }) {
		if closers[w] {
			return false
		}
		anaphor = anaphor || anaphors[w]
	}
	for _, c := range [...]string{"谢谢", "再见", "多谢", "感谢"} {
		if strings.Contains(folded, c) {
			return false
		}
	}
	for _, f := range followUps {
		anaphor = anaphor || strings.HasPrefix(folded, f)
	}
	return anaphor && weight > 0 && weight <= shortQuestion
}

// maxQuestion is how many bytes of a question are ranked.
const maxQuestion = 16 << 10

// clip shortens a text to about n bytes, keeping its beginning and its end.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head, tail := n/2, len(s)-n/2
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + "\n" + s[tail:]
}
