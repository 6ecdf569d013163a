package similarity

import (
	"strings"

	"github.com/xrash/smetrics"
)

// maxName is how many characters of a name are compared: the time grows with their square.
const maxName = 256

// JaroWinkler is the Jaro–Winkler similarity (Winkler 1990) of two strings by characters, 0 to 1: prefix scale 0.1,
// at most four characters of common prefix, which count above a Jaro similarity of 0.7. Two equal strings give 1, also
// two empty ones; an empty and another string give 0. Bytes that are not UTF-8 count as one replacement character
// each. It is symmetric. Of longer strings the first 256 characters are compared.
//
// The library compares bytes; every distinct character of both strings is mapped to a byte of its own first. Of more
// than 256 distinct characters, the rest share the last byte.
func JaroWinkler(a, b string) float64 {
	if a == b {
		return 1
	}
	if a == "" || b == "" {
		return 0
	}
	if b < a { // both the matching and the bytes depend on which string comes first
		a, b = b, a
	}
	codes := map[rune]byte{}
	return smetrics.JaroWinkler(asBytes(clip(a, maxName), codes), asBytes(clip(b, maxName), codes), 0.7, 4)
}

// asBytes writes a string with one byte for each character.
func asBytes(s string, codes map[rune]byte) string {
	var b strings.Builder
	for _, r := range s {
		code, ok := codes[r]
		if !ok {
			code = byte(min(len(codes), 255))
			codes[r] = code
		}
		b.WriteByte(code)
	}
	return b.String()
}
