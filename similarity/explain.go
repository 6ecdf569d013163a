package similarity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxPhrases = 5     // listed of each kind
	maxSurface = 60    // characters of a phrase
	maxReread  = 1_000 // tokens of a description that are searched for phrases: the time grows with their square
)

// explain makes a pair of a scored one: its parts, what both say, what only one says, and what to do.
func (f *finder) explain(s *scoredPair) Pair {
	a, b := f.corpus.texts[s.a], f.corpus.texts[s.b]
	p := Pair{A: a.source.Name, B: b.source.Name, IDA: a.source.ID, IDB: b.source.ID, Level: s.level, Score: round(s.score),
		Lexical: round(s.lexical), Confusion: s.confusion, Identical: s.identical, Parts: s.features.parts()}
	p.Parts.Field = round(s.field)
	if s.embedding != nil {
		v := round(*s.embedding)
		p.Embedding = &v
	}
	ta, tb := f.corpus.reread(a), f.corpus.reread(b)
	p.Shared = f.corpus.shared(a, ta, tb)
	p.OnlyA, p.OnlyB = f.corpus.only(a, ta, b), f.corpus.only(b, tb, a)
	p.Against = s.features.against()
	p.Accepted = s.accepted
	p.Suggestion = suggest(&p, a, b)
	p.Cases = toLabel(&p)
	return p
}

func (c *corpus) reread(p *prepared) []token {
	tokens := c.lexicon.tokenise(p.positive)
	return tokens[:min(len(tokens), maxReread)]
}

// round keeps four decimals, so that reports do not depend on the order of additions.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func (f features) parts() Parts {
	p := Parts{Tokens: round(f.tokens), Grams: round(f.grams), Containment: round(f.containment), Raw: round(f.raw),
		Name: round(f.name), JaroWinkler: round(f.jaroWinkler)}
	if !math.IsNaN(f.use) {
		v := round(f.use)
		p.UseWhen = &v
	}
	if !math.IsNaN(f.params) {
		v := round(f.params)
		p.Parameters = &v
	}
	return p
}

// against says in words what speaks against one ability.
func (f features) against() []string {
	var out []string
	for _, c := range []struct {
		holds bool
		text  string
	}{
		{f.boundary == 1, "one names the other as the one to use instead"},
		{f.boundary < 1 && f.boundary > 0.3, "one says that it is not for what the other is for"},
		{f.opposite == 1, "they do opposite things"},
		{f.reversed == 1, "they convert in opposite directions"},
		{f.otherName == 1, "the names differ in one word and share another"},
		{f.otherAction > 0, "each names an action of its own"},
		{f.otherObject > 0, "each names an object of its own"},
	} {
		if c.holds {
			out = append(out, c.text)
		}
	}
	return out
}

// phrase is a stretch of a text with the rarity of its tokens.
type phrase struct {
	from, to int
	key      string
	weight   float64
}

// shared lists the longest stretches of a's tokens that b has in the same order, the most telling first.
func (c *corpus) shared(a *prepared, ta, tb []token) []string {
	at := map[string][]int{}
	for j, t := range tb {
		at[t.key] = append(at[t.key], j)
	}
	var list []phrase
	for i := 0; i < len(ta); {
		length := 0
		for _, j := range at[ta[i].key] {
			n := 0
			for i+n < len(ta) && j+n < len(tb) && ta[i+n].key == tb[j+n].key && (n == 0 || together(a.positive, ta[i+n-1], ta[i+n])) {
				n++
			}
			length = max(length, n)
		}
		if length == 0 {
			i++
			continue
		}
		list = append(list, c.phrase(ta[i:i+length]))
		i += length
	}
	return texts(a.positive, list)
}

// only lists the stretches of a's tokens that b does not have anywhere, the most telling first.
func (c *corpus) only(a *prepared, ta []token, b *prepared) []string {
	var list []phrase
	for i := 0; i < len(ta); {
		n := 0
		for i+n < len(ta) && c.kinds[c.ids[ta[i+n].key]] != generic && !b.has(c.ids[ta[i+n].key]) && (n == 0 || together(a.positive, ta[i+n-1], ta[i+n])) {
			n++
		}
		if n == 0 {
			i++
			continue
		}
		list = append(list, c.phrase(ta[i:i+n]))
		i += n
	}
	return texts(a.positive, list)
}

// has reports whether a text holds a term.
func (p *prepared) has(id uint32) bool {
	_, ok := slices.BinarySearchFunc(p.terms, id, func(e entry, id uint32) int { return cmp.Compare(e.id, id) })
	return ok
}

// together reports whether no sentence or clause ends between two tokens.
func together(text string, x, y token) bool {
	return y.from <= x.to || !strings.ContainsAny(text[x.to:y.from], ".;:!?\n()。；：！？（）,，、")
}

func (c *corpus) phrase(tokens []token) phrase {
	p := phrase{from: tokens[0].from, to: tokens[len(tokens)-1].to}
	for _, t := range tokens {
		id := c.ids[t.key]
		p.key += t.key + " "
		if c.kinds[id] != generic {
			p.weight += c.rarity(id)
		}
	}
	return p
}

// texts gives the phrases as they stand in the text, the most telling first, each once; those of boilerplate alone are
// left out.
func texts(text string, list []phrase) []string {
	slices.SortStableFunc(list, func(x, y phrase) int { return cmp.Compare(y.weight, x.weight) })
	out, seen := []string{}, map[string]bool{}
	for _, p := range list {
		if p.weight == 0 || seen[p.key] || utf8.RuneCountInString(text[p.from:p.to]) < 2 {
			continue
		}
		seen[p.key] = true
		surface := strings.Join(strings.Fields(text[p.from:p.to]), " ")
		if cut := clip(surface, maxSurface); cut != surface {
			surface = cut + "…"
		}
		if out = append(out, surface); len(out) == maxPhrases {
			break
		}
	}
	return out
}

// suggest says which boundary is missing, in the language of the descriptions.
func suggest(p *Pair, a, b *prepared) string {
	han := mostlyHan(a.positive) && mostlyHan(b.positive)
	switch {
	case p.Identical && p.A == p.B:
		return choose(han, "two copies of one skill: keep one", "同一技能的两份拷贝：保留一份")
	case p.Identical:
		return choose(han, "the descriptions are the same: merge the skills, or say in each what only it does", "两段描述相同：合并技能，或分别写明各自独有的用途")
	case len(p.OnlyA) == 0 && len(p.OnlyB) == 0:
		return choose(han, "neither says what sets it apart: merge the skills, or name in each what only it does", "两段描述都没有说明差别：合并技能，或分别写明各自独有的用途")
	}
	if p.A == p.B {
		return choose(han, "two skills of one name: rename one, or keep one", "两个技能同名：改名，或只保留一个")
	}
	return choose(han, fmt.Sprintf("say in each when to use the other: in %s \"Do not use for …; use %s.\", in %s \"Do not use for …; use %s.\"", p.A, p.B, p.B, p.A),
		fmt.Sprintf("分别写明边界：在 %s 中写“不要用于……，请用 %s。”，在 %s 中写“不要用于……，请用 %s。”", p.A, p.B, p.B, p.A))
}

// mostlyHan reports a text of which most letters are Chinese characters, and none is of another script without spaces.
func mostlyHan(s string) bool {
	han, other := 0, 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			han += 2 // a word has about two, and an English one about five letters
		case unspaced(r):
			return false
		case unicode.IsLetter(r):
			other++
		}
	}
	return han > other
}

func choose(han bool, en, zh string) string {
	if han {
		return zh
	}
	return en
}

// toLabel suggests requests that are worth a labelled case, because the two skills compete for them.
func toLabel(p *Pair) []string {
	if len(p.Shared) == 0 || p.Identical {
		return nil
	}
	about := telling(p.Shared)
	out := []string{fmt.Sprintf("a request about %q that names nothing more: which of the two should it be?", about)}
	if len(p.OnlyA) > 0 {
		out = append(out, fmt.Sprintf("one about %q and %q, which expects %s", about, telling(p.OnlyA), p.A))
	}
	if len(p.OnlyB) > 0 {
		out = append(out, fmt.Sprintf("one about %q and %q, which expects %s", about, telling(p.OnlyB), p.B))
	}
	return out
}

// telling picks the first phrase of several words, which says more than a word, or else the first.
func telling(phrases []string) string {
	for _, p := range phrases {
		if strings.Contains(p, " ") || utf8.RuneCountInString(p) >= 4 && strings.IndexFunc(p, unspaced) >= 0 {
			return p
		}
	}
	return phrases[0]
}
