package offline

import (
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// textWords name parameters that take a stretch of free text rather than a name.
var textWords = []string{"query", "q", "text", "content", "question", "keyword", "keywords", "prompt", "message", "body", "topic", "sentence", "input",
	"description", "note", "notes", "search", "term", "terms", "phrase", "expression", "passage", "paragraph", "task", "request", "statement", "claim", "snippet", "draft"}

// isText judges whether a parameter takes free text.
func (p *param) isText() bool {
	return p.has(textWords...) || p.says("search query", "search term", "the text", "text to", "keywords", "搜索", "检索", "关键词", "关键字", "文本", "正文", "内容", "问题", "原文")
}

// quoted finds a quotation for a string.
func (f *filler) quoted(p *param) (found, bool) {
	if !p.allows("string") || len(p.enum) > 0 || p.isURL() || p.isEmail() || p.isPath() || p.timeKind() != noTime {
		return found{}, false
	}
	if !p.required && !p.has("name", "title", "label") && !p.isText() {
		return found{}, false
	}
	for _, q := range f.quotes {
		if f.free(q) && p.fits(f.text[q.from:q.to]) {
			return found{quote(f.text[q.from:q.to]), q}, true
		}
	}
	return found{}, false
}

// prepositions introduce names, with how likely what follows is one.
var prepositions = []struct {
	word   string
	weight float64
}{{"in ", 2}, {"at ", 2}, {"near ", 2}, {"around ", 2}, {"for ", 1.5}, {"of ", 1}, {"by ", 1}, {"on ", 0.8}, {"to ", 0.8}, {"from ", 0.8}, {"about ", 0.8}, {"with ", 0.5},
	{"在", 1.5}, {"到", 0.8}, {"给", 0.8}, {"去", 0.8}}

// nameLike finds a name for a required string: behind a preposition, in capitals, or, in Chinese, the first piece of
// the text that is neither a function word nor one of the skill's own words.
func (f *filler) nameLike(p *param) (found, bool) {
	if p.isText() || p.isURL() || p.isEmail() || p.isPath() || p.timeKind() != noTime {
		return found{}, false
	}
	best, bestScore := span{}, 0.0
	consider := func(s span, score float64) {
		text := f.text[s.from:s.to]
		if s.to == s.from || !f.free(s) || !p.fits(text) || f.inMoment(s) || inRunes(text) > 60 {
			return
		}
		if r, _ := utf8.DecodeRuneInString(text); r >= 'A' && r <= 'Z' && s.from > 0 {
			score += 3
		}
		if allDigits(text) {
			score -= 3
		}
		if score > bestScore {
			best, bestScore = s, score
		}
	}
	for _, prep := range prepositions {
		if s, ok := f.behind(prep.word, false); ok {
			consider(s, prep.weight)
		}
	}
	if s, ok := f.beforeLabel(p); ok {
		consider(s, 2.5)
	}
	for _, s := range f.capitals() {
		consider(s, 0.5)
	}
	for _, s := range f.pieces() {
		consider(s, 0.4)
	}
	if bestScore <= 0 || !p.required && bestScore < clearName {
		return found{}, false
	}
	return f.textAt(p, best, true)
}

// clearName is the score of capitals behind a preposition of place: evidence enough for an optional name.
const clearName = 4.5

// beforeLabel finds the words between an article or a preposition and the parameter's name: "the Work list".
func (f *filler) beforeLabel(p *param) (span, bool) {
	parts := nameParts(p.name)
	if len(parts) == 0 || len(parts[len(parts)-1]) < 4 {
		return span{}, false
	}
	label := parts[len(parts)-1]
	if label == "name" && len(parts) > 1 {
		label = parts[len(parts)-2]
	}
	for i, w := range f.words {
		if w.folded != label {
			continue
		}
		s := span{w.from, w.from}
		for j := i - 1; j >= 0; j-- {
			v := f.words[j]
			joined := joiners[v.folded] && j > 0 && f.words[j-1].capital
			if v.mark || v.han || articles[v.folded] || breakers[v.folded] || !joined && !v.capital && f.isFiller(v.folded) || !f.free(v.span) {
				break
			}
			s.from = v.from
			if s.to == w.from {
				s.to = v.to
			}
		}
		if s.to < w.from && s.to > s.from {
			return s, true
		}
	}
	return span{}, false
}

// capitals lists the stretches of capitalised words that are not the first word of a sentence or the skill's own.
func (f *filler) capitals() []span {
	var list []span
	for i := 0; i < len(f.words); i++ {
		w := f.words[i]
		if !w.capital || f.isFiller(w.folded) || i == 0 && len(f.words) > 1 && !f.words[1].capital && !f.words[1].han {
			continue
		}
		s := w.span
		for i+1 < len(f.words) && (f.words[i+1].capital || allDigits(f.words[i+1].folded)) && f.words[i+1].from <= s.to+1 {
			i++
			s.to = f.words[i].to
		}
		owner, _ := possessor(f.folded[s.from:s.to])
		s.to = s.from + owner
		list = append(list, s)
	}
	return list
}

// pieces lists what is left of the text without function words, dates and the skill's own words.
func (f *filler) pieces() []span {
	var list []span
	var s span
	flush := func() {
		if s.to > s.from && (!hasHan(f.text[s.from:s.to]) || inRunes(f.text[s.from:s.to]) > 1) {
			list = append(list, s)
		}
		s = span{}
	}
	for _, w := range f.words {
		if w.han {
			flush()
			list = f.hanPieces(w, list)
			continue
		}
		if w.mark || f.isFiller(w.folded) || f.inMoment(w.span) || !f.free(w.span) {
			flush()
			continue
		}
		if s.to == 0 {
			s.from = w.from
		}
		owner, possessive := possessor(w.folded)
		if s.to = w.from + owner; possessive {
			flush()
		}
	}
	flush()
	return list
}

// hanPieces adds the pieces of a run of Han characters.
func (f *filler) hanPieces(w word, list []span) []span {
	start := w.from
	flush := func(end int) {
		if s := (span{start, end}); inRunes(f.text[start:end]) > 1 && f.free(s) && !f.inMoment(s) {
			list = append(list, s)
		}
	}
	for i := w.from; i < w.to; {
		_, size := utf8.DecodeRuneInString(f.folded[i:])
		skip := prose.HanStopLength(f.folded[i:w.to])
		if pair := firstRunes(f.folded[i:w.to], 2); skip == 0 && (f.about[pair] && inRunes(pair) == 2) {
			skip = len(pair)
		}
		if skip == 0 && (f.inMoment(span{i, i + size}) || !f.free(span{i, i + size})) {
			skip = size
		}
		if skip > 0 {
			flush(i)
			i += skip
			start = i
			continue
		}
		i += size
	}
	flush(w.to)
	return list
}

// remaining fills a required string, or array of strings, with what is left of the text. full is the text before it
// was shortened.
func (f *filler) remaining(p *param, full string) (string, bool) {
	array := p.allows("array") && p.items != nil && p.items.allows("string") && len(p.items.enum) == 0
	if !array && (!p.allows("string") || len(p.enum) > 0 || p.format != "" && p.format != "text") {
		return "", false
	}
	text := f.trimmed(full)
	if array {
		v, ok := p.strings(splitItems(text), span{})
		return v.json, ok
	}
	text = p.fitLength(text)
	if p.fits(text) {
		return quote(text), true
	}
	if re := p.compiled(); re != nil {
		if m := re.FindString(f.text); p.fits(m) {
			return quote(m), true
		}
		return "", false
	}
	return quote(text), text != ""
}
