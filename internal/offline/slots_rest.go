package offline

import (
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// trimmed is a text without the words of the request around what it is about. Texts longer than what the filler
// has read keep their end as it is.
func (f *filler) trimmed(full string) string {
	from := f.objectStart()
	to := len(f.text)
	if object, ok := f.objectOf(from); ok {
		return f.clean(object)
	}
	if from > 0 && from == f.colon() { // what follows a colon is quoted as it stands
		return strings.TrimSpace(full[from:])
	}
	if len(full) > len(f.text) {
		return strings.TrimSpace(full[min(from, len(full)):])
	}
	to = f.objectEnd(from, to)
	if text := f.clean(span{from, to}); text != "" {
		return text
	}
	return f.clean(span{0, len(f.text)})
}

// clean is a stretch of the text without surrounding spaces, quotation marks and final punctuation.
func (f *filler) clean(s span) string {
	if s.from >= s.to {
		return ""
	}
	text := strings.TrimSpace(f.text[s.from:s.to])
	text = strings.TrimRight(text, " ?？。.!！,，;；~～")
	for {
		cut := text
		for _, particle := range [...]string{"吗", "呢", "吧", "啊", "谢谢", " please", " thanks", " thank you", " for me", "，", ","} {
			cut = strings.TrimSuffix(cut, particle)
		}
		if cut == text {
			break
		}
		text = strings.TrimSpace(cut)
	}
	return strings.TrimSpace(strings.Trim(text, "\"“”「」《》"))
}

// topicWords introduce what a request is about.
var topicWords = prose.WordSet(`for about on regarding concerning`)

// questionWords are kept: "how to …" is what is asked for.
var questionWords = prose.WordSet(`how what why when where who which whether`)

// objectStart is where the command ends and its object starts.
func (f *filler) objectStart() int {
	if at := f.colon(); at > 0 {
		return at
	}
	commit, plain, own := 0, 0, 0
	i := 0
	for ; i < len(f.words); i++ {
		w := f.words[i]
		if w.mark && w.folded == "," {
			continue
		}
		if w.mark || w.han || i > 0 && questionWords[w.folded] {
			break
		}
		mine := f.isFiller(w.folded) && !prose.IsStop(w.folded) && !lightWords[w.folded]
		if !f.isFiller(w.folded) {
			break
		}
		if topicWords[w.folded] || own > 0 && (w.folded == "to" || w.folded == "that") {
			commit = w.to
		}
		if mine {
			own++
		}
		if own <= 1 {
			plain = w.to
		}
	}
	switch {
	case i < len(f.words) && f.words[i].han:
		return f.hanStart(f.words[i])
	case commit > 0:
		return commit
	}
	return plain
}

// colon is the offset behind a colon that ends a command; 0 when there is none.
func (f *filler) colon() int {
	for i, w := range f.words {
		if !w.mark || w.folded != ":" && w.folded != "：" || f.inAddress(w.span) || f.inMoment(w.span) {
			continue
		}
		if inRunes(strings.TrimSpace(f.text[w.to:])) < 2 || i > 30 {
			return 0
		}
		return w.to
	}
	if i := strings.IndexByte(f.text, '\n'); i > 0 && len(strings.TrimSpace(f.text[i:])) > i {
		return i + 1
	}
	return 0
}

// hanStart skips function words and the skill's own words at the start of a run of Han characters.
func (f *filler) hanStart(w word) int {
	at, own := w.from, 0
	for at < w.to {
		rest := f.folded[at:w.to]
		if strings.HasPrefix(rest, "把") || strings.HasPrefix(rest, "将") {
			return at
		}
		if n := prose.HanStopLength(rest); n > 0 && !strings.HasPrefix(rest, "关于") && !strings.HasPrefix(rest, "有关") && !strings.HasPrefix(rest, "如何") && !strings.HasPrefix(rest, "怎") {
			at += n
			continue
		}
		pair := firstRunes(rest, 2)
		if inRunes(pair) == 2 && f.about[pair] && own < 2 {
			at += len(pair)
			own++
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		if own == 0 && f.about[string(r)] && prose.HanStopLength(rest[size:]) > 0 {
			at += size
			own++
			continue
		}
		break
	}
	return at
}

// objectOf finds an object that Chinese word order marks: 把X翻译成…, 关于X的….
func (f *filler) objectOf(from int) (span, bool) {
	rest := f.folded[from:]
	for _, mark := range [...]string{"把", "将"} {
		if !strings.HasPrefix(rest, mark) {
			continue
		}
		start := from + len(mark)
		end := len(f.folded)
		for i := range f.folded[start:] {
			at := start + i
			pair := firstRunes(f.folded[at:], 2)
			role := strings.HasPrefix(pair, "成") || strings.HasPrefix(pair, "到") || strings.HasPrefix(pair, "发") || strings.HasPrefix(pair, "存")
			if i > 0 && (inRunes(pair) == 2 && f.about[pair] && hasHan(pair) || role) {
				end = at
				break
			}
		}
		if end > start {
			return span{start, end}, true
		}
	}
	for _, mark := range [...]string{"关于", "有关"} {
		i := strings.Index(rest, mark)
		if i < 0 {
			continue
		}
		start := from + i + len(mark)
		end := len(f.folded)
		if j := strings.LastIndex(f.folded[start:], "的"); j > 0 {
			end = start + j
		}
		return span{start, end}, true
	}
	return span{}, false
}

// tailStarts are the prepositions before the place or the means of a search, which is no part of its object.
var tailStarts = prose.WordSet(`in on from with using`)

// objectEnd cuts off a tail that holds nothing but values of other parameters, function words and the skill's own
// words.
func (f *filler) objectEnd(from, to int) int {
	used, own := false, false
	for i := len(f.words) - 1; i > 0 && f.words[i].from > from; i-- {
		w := f.words[i]
		mine := !f.free(w.span)
		starts := w.mark && strings.Contains(",，;；(（", w.folded) || breakers[w.folded] || mine && w.han
		used = used || mine
		if starts && (used || own && tailStarts[w.folded]) {
			to, used, own = w.from, false, false
			continue
		}
		if !(mine || w.mark || f.isFiller(w.folded) || tailWord(w.folded)) {
			break
		}
		own = own || !mine && !w.mark && !prose.IsStop(w.folded) && !lightWords[w.folded]
	}
	return to
}

// tailWord reports whether a word belongs to a number: a unit, or what says which of many.
func tailWord(w string) bool {
	_, known := unitOf(w)
	return known || w == "前" || w == "最近" || w == "最新" || w == "top" || w == "first" || w == "last" || w == "latest" || w == "limit" || w == "most" || w == "least"
}
