package similarity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skilleval/skilleval/internal/prose"
)

// token is one unit of meaning of a text: a concept of the lexicon, the stem of a word, or one or two neighbouring
// characters of a script that is written without spaces.
type token struct {
	key      string
	kind     kind
	from, to int // bytes of the normalised text
}

const (
	maxText = 20_000 // characters of a description that are compared
	maxWord = 64     // characters; longer "words" are data, such as hashes
)

// normalise makes spellings comparable: NFKC (full-width forms become ASCII), without the characters that cannot be
// seen, and not longer than maxText. Case is kept, because it separates the words of a name.
func normalise(s string) string {
	if len(s) > maxText {
		s = clip(s, maxText)
	}
	if isASCII(s) {
		return s
	}
	return norm.NFKC.String(strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// clip cuts a text to at most n characters.
func clip(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// unspaced reports whether a character belongs to a script that is written without spaces between words.
func unspaced(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	return prose.IsIdeographic(r) || unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func spaced(r rune) bool { return prose.IsWordRune(r) && !unspaced(r) }

// word is a word as it stands in the text; in front of a word that begins a sentence or a clause there is a break.
type word struct {
	lower, stem string
	from, to    int
	first       bool // no phrase goes on across it
}

// tokenise reads a normalised text. It falls back to single symbols for a text without any letter.
func (l *lexicon) tokenise(s string) []token {
	var out []token
	var words []word
	broken, lettered := true, false
	flush := func() {
		out = l.phrasesOf(words, out)
		words = words[:0]
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case spaced(r):
			end := withSigns(s, i, i+prose.RunLength(s[i:], spaced))
			words = appendWords(words, s, i, end, broken)
			broken, lettered, i = false, true, end
		case unspaced(r):
			flush()
			end := i + prose.RunLength(s[i:], unspaced)
			out = l.unspacedTokens(s, i, end, out)
			broken, lettered, i = true, true, end
		default:
			broken = broken || !(r == ' ' || r == '-' || r == '_' || r == '\'' || r == '’' || r == '\n')
			i += size
		}
	}
	flush()
	if !lettered {
		for i, r := range s {
			if !unicode.IsSpace(r) && !unicode.IsPunct(r) {
				out = append(out, token{key: string(r), from: i, to: i + utf8.RuneLen(r)})
			}
		}
	}
	return out
}

// withSigns takes the signs into a word that belong to it, as in c++ and f#, but not those between two words.
func withSigns(s string, from, to int) int {
	end := to
	for end < len(s) && (s[end] == '+' || s[end] == '#') && end-from <= 3 {
		end++
	}
	if next, _ := utf8.DecodeRuneInString(s[end:]); to-from > 1 && spaced(next) {
		return to
	}
	return end
}

// appendWords takes a run of letters apart where its case changes: getWeather, HTTPServer.
func appendWords(words []word, s string, from, to int, first bool) []word {
	if to-from > maxWord && utf8.RuneCountInString(s[from:to]) > maxWord {
		return words
	}
	start := from
	add := func(end int) {
		lower := strings.ToLower(s[start:end])
		w := word{lower: lower, stem: prose.Stem(lower), from: start, to: end, first: first}
		if s[end-1] == 's' && end-start > 2 && isUpper(s[end-2]) {
			w.stem = prose.Stem(lower[:len(lower)-1]) // APIs, whose plural does not look like one in lower case
		}
		words = append(words, w)
		start, first = end, false
	}
	for i := from + 1; i < to; i++ {
		if i == to-1 && s[i] == 's' || i+2 == to && s[i+1] == 's' && isUpper(s[i]) {
			continue // APIs, PDFs
		}
		if isUpper(s[i]) && (isLower(s[i-1]) || isUpper(s[i-1]) && i+1 < to && isLower(s[i+1]) && i-start > 1) {
			add(i)
		}
	}
	add(to)
	return words
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// phrasesOf turns words into tokens: the longest phrase of the lexicon at each place, else the stem; function words
// are left out.
func (l *lexicon) phrasesOf(words []word, out []token) []token {
	for i := 0; i < len(words); {
		if c, n := l.phraseAt(words[i:]); n > 0 {
			out = append(out, token{key: "=" + c.id, kind: c.kind, from: words[i].from, to: words[i+n-1].to})
			i += n
			continue
		}
		w := words[i]
		i++
		if prose.IsStop(w.lower) {
			continue
		}
		if r, size := utf8.DecodeRuneInString(w.lower); size == len(w.lower) && !unicode.IsDigit(r) {
			continue // one letter
		}
		out = append(out, token{key: w.stem, from: w.from, to: w.to})
	}
	return out
}

// phraseAt finds the longest phrase of the lexicon at the start of some words, and how many words it has. A word as it
// is written goes before its plural and that before its stem, which it may share with a word of another meaning: news
// and new, posters and post.
func (l *lexicon) phraseAt(words []word) (concept, int) {
	written, stemmed := words[0].lower, words[0].stem
	found, n := concept{}, 0
	look := func(length int) {
		if c, ok := l.written[written]; ok {
			found, n = c, length
		} else if c, ok := l.written[strings.TrimSuffix(written, "s")]; ok {
			found, n = c, length
		} else if c, ok := l.phrases[stemmed]; ok {
			found, n = c, length
		}
	}
	look(1)
	if !l.starts[written] && !l.starts[stemmed] {
		return found, n
	}
	for i := 1; i < min(len(words), maxPhrase) && !words[i].first; i++ {
		written += " " + words[i].lower
		stemmed += " " + words[i].stem
		look(i + 1)
	}
	return found, n
}

// unspacedTokens reads a run without spaces: the longest phrases of the lexicon, and pairs of characters of what is
// left between them and between function words.
func (l *lexicon) unspacedTokens(s string, from, to int, out []token) []token {
	start := from
	for i := from; i < to; {
		if c, n, ok := l.longestHan(s[i:to]); ok {
			out = pairs(s, start, i, out)
			out = append(out, token{key: "=" + c.id, kind: c.kind, from: i, to: i + n})
			i += n
			start = i
			continue
		}
		if n := prose.HanStopLength(s[i:to]); n > 0 {
			out = pairs(s, start, i, out)
			i += n
			start = i
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return pairs(s, start, to, out)
}

// pairs adds the overlapping pairs of characters of s[from:to]; a single character stands alone.
func pairs(s string, from, to int, out []token) []token {
	previous := -1
	for i, r := range s[from:to] {
		end := from + i + utf8.RuneLen(r)
		if previous >= 0 {
			out = append(out, token{key: s[previous:end], kind: fragment, from: previous, to: end})
		} else if end == to {
			out = append(out, token{key: s[from:to], kind: fragment, from: from, to: to})
		}
		previous = from + i
	}
	return out
}
