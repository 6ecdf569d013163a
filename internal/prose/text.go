package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold makes spellings comparable: NFKC (full-width forms become ASCII), then lower case.
func Fold(s string) string { return strings.ToLower(norm.NFKC.String(s)) }

// RunLength is the length in bytes of the run of runes at the start of s for which in holds.
func RunLength(s string, in func(rune) bool) int {
	for i, r := range s {
		if !in(r) {
			return i
		}
	}
	return len(s)
}

// IsIdeographic reports whether r belongs to a script that is written without spaces between words, or nearly so.
func IsIdeographic(r rune) bool {
	if r < 0x1100 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー'
}

// IsWordRune reports whether r is a letter, digit or mark of a script that separates words.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !IsIdeographic(r)
}
