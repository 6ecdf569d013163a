package transport

import "strings"

// A long secret that was cut, or written with one character escaped, still gives away most of itself: any part of at
// least fragmentLength bytes is taken out too.
const (
	fragmentLength = 15
	gramLength     = 8 // each such part holds one of the secret's grams whole, as they begin every gramLength bytes
)

// findFragments adds every part of the secret of at least fragmentLength bytes that stands in text.
func findFragments(spans []span, text, secret string) []span {
	if len(secret) <= fragmentLength {
		return spans
	}
	for g := 0; g+gramLength <= len(secret); g += gramLength {
		gram := secret[g : g+gramLength]
		for at := 0; ; {
			i := strings.Index(text[at:], gram)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+gramLength
			for k := g; k > 0 && start > 0 && text[start-1] == secret[k-1]; k-- {
				start--
			}
			for k := g + gramLength; k < len(secret) && end < len(text) && text[end] == secret[k]; k++ {
				end++
			}
			if end-start >= fragmentLength {
				spans = append(spans, span{start, end})
			}
			at += i + 1
		}
	}
	return spans
}
