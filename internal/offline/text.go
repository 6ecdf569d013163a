package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/skilleval/skilleval/internal/prose"
)

// term is one unit of evidence: the stem of a word, or one or two neighbouring Han (or kana, Hangul) characters.
type term struct {
	key    string
	weight float64
	han    bool
	name   bool // capitalised inside a sentence: likely a name, which says little about the skill
}

// The weights of terms: a word counts 1, a word of requests little. Han characters come in overlapping pairs,
// two or so to a word; single ones are too ambiguous to count much.
const (
	weightWord    = 1.0
	weightLight   = 0.25
	weightNumber  = 0.2
	weightBigram  = 0.6
	weightUnigram = 0.12
	longWord      = 64 // bytes; longer "words" are data, such as hashes, and are left out
)

// terms calls yield for every term of s, in order and with repetitions. Names are taken apart at
// underscores, hyphens and changes of case, and count as a whole too.
func terms(s string, yield func(term)) {
	s = norm.NFKC.String(s)
	inside := false // a sentence
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case prose.IsIdeographic(r):
			end := i + prose.RunLength(s[i:], prose.IsIdeographic)
			hanTerms(s[i:end], yield)
			i = end
		case prose.IsWordRune(r):
			end := i + prose.RunLength(s[i:], prose.IsWordRune)
			for end < len(s) && (s[end] == '+' || s[end] == '#') && end-i <= 3 { // c++, f#
				end++
			}
			wordTerms(s[i:end], inside, yield)
			i, inside = end, true
		default:
			inside = inside && r != '.' && r != '!' && r != '?' && r != '\n'
			i += size
		}
	}
}

// wordTerms yields a word and, when it is written in camel case, its parts.
func wordTerms(w string, inside bool, yield func(term)) {
	if len(w) > longWord {
		return
	}
	start, parts := 0, 0
	for i := 1; i < len(w); i++ {
		if upper(w[i]) && lower(w[i-1]) || upper(w[i]) && i+1 < len(w) && lower(w[i+1]) && upper(w[i-1]) && i-start > 1 {
			wordTerm(w[start:i], false, yield)
			start = i
			parts++
		}
	}
	if parts > 0 {
		wordTerm(w[start:], false, yield)
	}
	first, _ := utf8.DecodeRuneInString(w)
	wordTerm(w, inside && parts == 0 && unicode.IsUpper(first), yield)
}

// wordTerm yields one word unless it is a function word.
func wordTerm(w string, name bool, yield func(term)) {
	w = strings.ToLower(w)
	if prose.IsStop(w) || len(w) == 1 && !unicode.IsDigit(rune(w[0])) {
		return
	}
	weight := weightWord
	switch {
	case lightWords[w]:
		weight = weightLight
	case w[0] >= '0' && w[0] <= '9':
		weight = weightNumber
	}
	yield(term{key: prose.Stem(w), weight: weight, name: name})
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func lower(c byte) bool { return 'a' <= c && c <= 'z' }

// hanTerms cuts a run at function words and yields the character pairs and single characters of what is left.
func hanTerms(run string, yield func(term)) {
	start := 0
	for i := 0; i < len(run); {
		n := prose.HanStopLength(run[i:])
		if n > 0 {
			hanPiece(run[start:i], yield)
			i += n
			start = i
			continue
		}
		_, size := utf8.DecodeRuneInString(run[i:])
		i += size
	}
	hanPiece(run[start:], yield)
}

// hanPiece yields the terms of a piece without function words.
func hanPiece(piece string, yield func(term)) {
	previous := -1
	for i, r := range piece {
		end := i + utf8.RuneLen(r)
		yield(term{key: piece[i:end], weight: weightUnigram, han: true})
		if previous >= 0 {
			w := weightBigram
			if hanLight[piece[previous:end]] {
				w *= weightLight
			}
			yield(term{key: piece[previous:end], weight: w, han: true})
		}
		previous = i
	}
}

// hasHan reports whether s has a character of a script without spaces.
func hasHan(s string) bool { return strings.IndexFunc(s, prose.IsIdeographic) >= 0 }
