package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// word is a word of the text, a run of Han characters, or a punctuation mark.
type word struct {
	span
	folded  string
	han     bool
	mark    bool // punctuation
	capital bool // starts with an upper-case letter
}

// scanWords cuts a text into words and marks. Letters joined by hyphens, dots, underscores, apostrophes and the like
// stay one word, so that file names, versions and identifiers do.
func scanWords(text, folded string) []word {
	var list []word
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := i + size
		w := word{span: span{i, end}}
		switch {
		case prose.IsIdeographic(r):
			w.to = i + prose.RunLength(text[i:], prose.IsIdeographic)
			w.han = true
		case prose.IsWordRune(r):
			w.to = i + joinedLength(text[i:])
			w.capital = unicode.IsUpper(r)
		case unicode.IsSpace(r):
			i = end
			continue
		default:
			w.mark = true
		}
		w.folded = folded[w.from:w.to]
		list = append(list, w)
		i = w.to
	}
	return list
}

// joinedLength is the length of the word at the start of s, joints inside it included.
func joinedLength(s string) int {
	n := prose.RunLength(s, prose.IsWordRune)
	for n < len(s) && strings.IndexByte("-_.'’/+#@&", s[n]) >= 0 || strings.HasPrefix(s[n:], "’") {
		joint := 1
		if strings.HasPrefix(s[n:], "’") {
			joint = len("’")
		}
		next := prose.RunLength(s[n+joint:], prose.IsWordRune)
		if next == 0 {
			if s[n] == '+' || s[n] == '#' {
				n++
				continue
			}
			break
		}
		n += joint + next
	}
	return n
}

// nameParts are the words of a name: taken apart at underscores, hyphens, dots, spaces and changes of case.
func nameParts(name string) []string {
	var parts []string
	start := 0
	add := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(name[start:end]))
		}
		start = end
	}
	previous := ' '
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add(i)
			start = i + utf8.RuneLen(r)
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			add(i)
		}
		previous = r
	}
	add(len(name))
	return parts
}

// has reports whether a parameter's name has one of some words.
func (p *param) has(words ...string) bool {
	for _, part := range nameParts(p.name) {
		if slices.Contains(words, part) {
			return true
		}
	}
	return false
}

// says reports whether a parameter's description has one of some phrases.
func (p *param) says(phrases ...string) bool {
	d := strings.ToLower(p.description)
	for _, phrase := range phrases {
		if strings.Contains(d, phrase) {
			return true
		}
	}
	return false
}

// openers pairs opening quotation marks with closing ones.
var openers = map[rune]rune{'"': '"', '“': '”', '‘': '’', '「': '」', '『': '』', '《': '》', '`': '`', '\'': '\'', '«': '»'}

// findQuotes finds what stands between quotation marks. A single mark inside a word is an apostrophe.
func findQuotes(text string) []span {
	var list []span
	unclosed := make(map[rune]bool) // marks that do not occur again
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		closer, opens := openers[r]
		opens = opens && !unclosed[closer]
		if opens && r == '\'' && i > 0 {
			before, _ := utf8.DecodeLastRuneInString(text[:i])
			opens = !prose.IsWordRune(before)
		}
		i += size
		if !opens {
			continue
		}
		end := closingQuote(text[i:], closer)
		if end <= 0 {
			unclosed[closer] = end < 0
			continue
		}
		list = append(list, span{i, i + end})
		i += end + utf8.RuneLen(closer)
	}
	return list
}

// closingQuote is the offset of the mark that closes a quotation; -1 when there is none.
func closingQuote(s string, closer rune) int {
	for at := 0; ; {
		n := strings.IndexRune(s[at:], closer)
		if n < 0 {
			return -1
		}
		at += n
		size := utf8.RuneLen(closer)
		after, _ := utf8.DecodeRuneInString(s[at+size:])
		if (closer == '\'' || closer == '’') && at+size < len(s) && prose.IsWordRune(after) { // don't
			at += size
			continue
		}
		return at
	}
}

// isFiller reports whether a word is a function word, a word of requests, or one of the skill's own.
func (f *filler) isFiller(w string) bool {
	if prose.IsStop(w) || lightWords[w] {
		return true
	}
	own := false
	terms(w, func(t term) { own = own || f.about[t.key] })
	return own
}

// inRunes is the length of a text in characters.
func inRunes(s string) int { return utf8.RuneCountInString(s) }

// fitLength cuts a text to the greatest length that the schema allows.
func (p *param) fitLength(s string) string {
	if p.maxLength > 0 && inRunes(s) > p.maxLength {
		return strings.TrimSpace(string([]rune(s)[:p.maxLength]))
	}
	return s
}

// fits reports whether a text is long enough for the schema and matches its pattern.
func (p *param) fits(s string) bool {
	if s == "" || inRunes(s) < p.minLength || p.maxLength > 0 && inRunes(s) > p.maxLength {
		return false
	}
	re := p.compiled()
	return re == nil || re.MatchString(s)
}
