package skills

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// clip cuts text to so many characters and marks the cut.
func clip(s string, limit int) string {
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s
	}
	for i := range s {
		if limit == 0 {
			return s[:i] + "…"
		}
		limit--
	}
	return s
}

// oneLine collapses white space and control characters to single blanks.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// nameKey is what names are compared by: Unicode normal form C, case folded.
func nameKey(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
		}
	}
	return strings.ToLower(name)
}

// nearest gives the candidate with the smallest edit distance to name, if it is close enough to be meant.
func nearest(name string, candidates []string) (string, bool) {
	best, at := 1<<30, ""
	want := []rune(nameKey(clip(name, 100)))
	for _, c := range candidates {
		if d := distance(want, []rune(nameKey(clip(c, 100)))); d < best {
			best, at = d, c
		}
	}
	return at, best <= max(1, len(want)/3)
}

// distance is the Levenshtein distance in characters.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		last := row[0]
		row[0] = i + 1
		for j := range b {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// EstimateTokens estimates how many tokens a text takes without a vocabulary: a token for four characters of
// ASCII text, for one Chinese, Japanese or Korean character, and for two of any other.
func EstimateTokens(text string) int {
	quarters := 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			quarters++
		case r >= 0x3000 && r <= 0x303f, r >= 0xff00 && r <= 0xffef, unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			quarters += 4
		default:
			quarters += 2
		}
	}
	return (quarters + 3) / 4
}
