package offline

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// enumerated finds the value of an enumeration that the text speaks of; the longest match counts, then the first.
func (f *filler) enumerated(p *param) (found, bool) {
	all := f.choices(p)
	if len(all) == 0 {
		if len(p.enum) == 1 && p.required {
			return found{json: string(p.enum[0].raw)}, true
		}
		return found{}, false
	}
	best := all[0]
	for _, c := range all[1:] {
		if c.at.to-c.at.from > best.at.to-best.at.from {
			best = c
		}
	}
	return best, true
}

// choices lists the values of an enumeration that stand in the text, in its order, each once and none inside
// another's match.
func (f *filler) choices(p *param) []found {
	var list []found
	aliases := explained(p.description)
	for _, c := range p.enum {
		for i, form := range enumForms(c, aliases) {
			s, ok := f.locate(form)
			if ok && (i > 0 || !f.tooShort(p, form, s)) {
				list = append(list, found{string(c.raw), s})
				break
			}
		}
	}
	if len(list) == 0 {
		list = f.similarChoices(p)
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(a.at.from, b.at.from) })
	kept := list[:0:0]
	for i, c := range list {
		inside := false
		for j, d := range list {
			longer := d.at.to-d.at.from > c.at.to-c.at.from
			inside = inside || i != j && d.at.from <= c.at.from && c.at.to <= d.at.to && (longer || j < i)
		}
		if !inside {
			kept = append(kept, c)
		}
	}
	return kept
}

// enumForms are the spellings of a value: its own, with spaces for underscores and hyphens, and what descriptions
// explain it by.
func enumForms(c choice, aliases []explanation) []string {
	forms := []string{c.text}
	if spaced := strings.Join(nameParts(c.text), " "); spaced != strings.ToLower(c.text) && spaced != "" {
		forms = append(forms, spaced)
	}
	for _, a := range aliases {
		if strings.EqualFold(a.value, c.text) {
			forms = append(forms, a.phrase)
		}
	}
	if c.description != "" && inRunes(c.description) <= 24 {
		forms = append(forms, c.description)
	}
	return forms
}

// tooShort reports whether a match of one Han character, or of a function word, is likely to be chance: it needs
// the parameter's label beside it.
func (f *filler) tooShort(p *param, form string, s span) bool {
	single := hasHan(form) && inRunes(form) == 1
	if !single && !prose.IsStop(strings.ToLower(form)) {
		return false
	}
	near := f.folded[max(0, s.from-18):min(len(f.folded), s.to+18)]
	for _, label := range append(labelsOf(p), nameParts(p.name)...) {
		if len(label) > 2 && strings.Contains(near, label) {
			return false
		}
	}
	for _, q := range f.quotes {
		if q == s {
			return false
		}
	}
	return true
}

// similarChoices finds values whose words stand in the text in another form: "summaries" for "summary".
func (f *filler) similarChoices(p *param) []found {
	stems := make(map[string]span, len(f.words))
	for _, w := range f.words {
		if !w.mark && !w.han && !prose.IsStop(w.folded) {
			if _, taken := stems[prose.Stem(w.folded)]; !taken {
				stems[prose.Stem(w.folded)] = w.span
			}
		}
	}
	var list []found
	for _, c := range p.enum {
		parts := nameParts(c.text)
		at, hits := span{}, 0
		for _, part := range parts {
			if s, ok := stems[prose.Stem(part)]; ok && len(part) > 2 {
				at = s
				hits++
			}
		}
		if hits > 0 && hits == len(parts) {
			list = append(list, found{string(c.raw), at})
		}
	}
	return list
}

// locate finds a phrase in the text: whole words for scripts with spaces, anywhere for others. Case, and spaces
// against hyphens and underscores, do not matter.
func (f *filler) locate(phrase string) (span, bool) {
	phrase = strings.TrimSpace(strings.ToLower(phrase))
	if phrase == "" {
		return span{}, false
	}
	for at := 0; ; {
		i := strings.Index(f.folded[at:], phrase)
		if i < 0 {
			return span{}, false
		}
		s := span{at + i, at + i + len(phrase)}
		if f.wordBounds(s) && !f.inAddress(s) && f.free(s) {
			return s, true
		}
		at = s.from + 1
		for at < len(f.folded) && !utf8.RuneStart(f.folded[at]) {
			at++
		}
	}
}

// wordBounds reports whether a stretch neither starts nor ends inside a word.
func (f *filler) wordBounds(s span) bool {
	first, _ := utf8.DecodeRuneInString(f.folded[s.from:])
	before, _ := utf8.DecodeLastRuneInString(f.folded[:s.from])
	last, _ := utf8.DecodeLastRuneInString(f.folded[:s.to])
	after, _ := utf8.DecodeRuneInString(f.folded[s.to:])
	return !(prose.IsWordRune(first) && s.from > 0 && (prose.IsWordRune(before) || before == '_')) &&
		!(prose.IsWordRune(last) && s.to < len(f.folded) && (prose.IsWordRune(after) || after == '_' || after == '+' || after == '#'))
}

// explanation pairs a value with the phrase that a description explains it by.
type explanation struct{ value, phrase string }

// maxExplained bounds how many pairs are read of one description.
const maxExplained = 64

// explained reads the pairs of a description: "en = English", "zh (Chinese)", "1: low", "a 表示 b", "asc（升序）".
func explained(description string) []explanation {
	if len(description) > 4000 {
		description = clip(description, 4000)
	}
	var list []explanation
	add := func(value, phrase string) {
		value, phrase = strings.Trim(value, " \t\"'`“”‘’"), strings.Trim(phrase, " \t\"'`“”‘’.。")
		if value != "" && phrase != "" && len(value) <= 40 && len(phrase) <= 60 && len(list) < maxExplained {
			list = append(list, explanation{value, phrase})
		}
	}
	for piece := range strings.FieldsFuncSeq(description, func(r rune) bool { return strings.ContainsRune(",;，；。、\n", r) }) {
		if value, rest, ok := cutAny(piece, "=", "＝", "表示", "代表", "→", "->", " means "); ok {
			add(lastWord(value), rest)
			continue
		}
		if value, rest, ok := cutAny(piece, "(", "（"); ok {
			phrase, _, closed := cutAny(rest, ")", "）")
			if closed && !strings.ContainsAny(phrase, ".:") {
				add(lastWord(value), phrase)
				add(phrase, lastWord(value))
			}
			continue
		}
		if value, rest, ok := cutAny(piece, " for ", "为", ": ", "："); ok && !strings.ContainsAny(strings.TrimSpace(rest), " ") {
			add(lastWord(value), rest)
		}
	}
	return list
}

// lastWord is the last word of a text; the whole of it where words are not separated.
func lastWord(s string) string {
	fields := strings.Fields(s)
	if len(fields) == 0 {
		return ""
	}
	return strings.Trim(fields[len(fields)-1], ":：")
}

// cutAny cuts s around the first of some separators, tried in order.
func cutAny(s string, separators ...string) (before, after string, ok bool) {
	for _, sep := range separators {
		if before, after, ok = strings.Cut(s, sep); ok {
			return before, after, true
		}
	}
	return s, "", false
}

// sortedSpans puts stretches in the order of the text and drops those inside another.
func sortedSpans(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	kept := list[:0]
	for _, s := range list {
		if n := len(kept); n == 0 || s.from >= kept[n-1].to {
			kept = append(kept, s)
		}
	}
	return kept
}
