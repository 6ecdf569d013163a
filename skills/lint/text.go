package lint

import (
	"fmt"
	"strings"
	"unicode"
)

// count writes a number with what it counts.
func count(n int, what string) string { return fmt.Sprintf("%d %s", n, what) }

// wordRune tells whether a character is part of a word.
func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// oneLine makes a message one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// quote shows a piece of untrusted text, cut to a readable length, with what cannot be seen escaped.
func quote(s string) string {
	const most = 60
	if runes := []rune(s[:min(len(s), 4*most)]); len(runes) > most || len(s) > 4*most {
		s = string(runes[:min(len(runes), most)]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// spell writes a text in lower case with one blank between words: get_weather, get-weather and "get weather" are one.
func spell(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !wordRune(r) }), " ")
}

// authored tells whether the description was written as one: a stand-in, or none, has a finding of its own.
func authored(p *skillPass) bool {
	return p.skill.DescriptionSource != "body" && p.skill.Description != ""
}

// opening gives the part of a description that rules about its wording look at.
func opening(text string) string {
	const most = 16 << 10 // bytes
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// words counts the words of a text up to a limit; two characters of Chinese, Japanese or Korean make one.
func words(text string, most int) int {
	n, han := 0, 0
	inside := false
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			han++
			inside = false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || inside && strings.ContainsRune("-_'’.", r) || unicode.IsMark(r):
			if !inside {
				n++
			}
			inside = true
		default:
			inside = false
		}
		if n+han/2 >= most {
			return most
		}
	}
	return n + han/2
}

// nameWords cuts a name at hyphens, underscores and blanks, and where a capital follows a small letter.
func nameWords(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if r >= 'A' && r <= 'Z' && lower {
			b.WriteByte(' ')
		}
		lower = r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		b.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return r == '-' || r == '_' || r == ' ' || r == '.' })
}
