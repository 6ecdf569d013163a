package tokens

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

const (
	// shortText is the length in bytes below which a text is counted as it is: looking it up would cost as much.
	shortText = 64
	// longestPiece bounds what the tokenizer is given at once, in bytes, and with it the memory and the time it
	// takes: alternating spaces and line ends cost it the square of their number.
	longestPiece = 8 << 10
	// longestCounted bounds what is counted; beyond it the count goes on in proportion.
	longestCounted = 1 << 20
)

// shared is the vocabulary, loaded on the first use (about 40 ms), and the counts of lines seen before. Both are
// caches of constant facts: they change how long a count takes, never what it is.
var shared = struct {
	codec func() tokenizer.Codec
	memo  memo
}{
	codec: sync.OnceValue(func() tokenizer.Codec {
		c, err := tokenizer.Get(tokenizer.O200kBase)
		if err != nil {
			return nil
		}
		c.SetErrorMode(tokenizer.ErrorModeReplace) // as the original library does with bytes that are not UTF-8
		return c
	}),
	memo: memo{limit: 4 << 20},
}

// Count returns the number of o200k_base tokens of text. Special tokens such as <|endoftext|> are counted as the
// text they are. A long text is counted in pieces that end where no token can cross, and each piece is counted
// once, so that a catalogue that is in every request costs little after the first. Only where 8 KiB have no such
// place is the text cut elsewhere, which may add a token; after 1 MiB the count goes on in proportion. It is safe
// for concurrent use.
func Count(text string) int {
	if len(text) <= shortText {
		return encode(text)
	}
	n, at := 0, 0
	for at < len(text) && at < longestCounted {
		end := at + pieceEnd(text[at:])
		n += countPiece(text[at:end])
		at = end
	}
	if at < len(text) {
		n = int(float64(n) * float64(len(text)) / float64(at))
	}
	return n
}

// countPiece counts one piece, from memory if it can.
func countPiece(piece string) int {
	if len(piece) <= shortText {
		return encode(piece)
	}
	if n, ok := shared.memo.get(piece); ok {
		return n
	}
	n := encode(piece)
	shared.memo.put(piece, n)
	return n
}

// encode counts with the vocabulary.
func encode(text string) int {
	if text == "" {
		return 0
	}
	if c := shared.codec(); c != nil {
		if n, err := c.Count(text); err == nil {
			return n
		}
	}
	return (len(text) + 3) / 4
}

// pieceEnd is where the first piece of text ends: after a line end that no token can cross, else at the end of
// the text, and never beyond longestPiece. In o200k_base a token goes on over a line end only with white space,
// with another line end, or, after punctuation, with a slash.
func pieceEnd(text string) int {
	for at := 0; ; {
		i := strings.IndexByte(text[at:min(len(text), longestPiece)], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		if at < len(text) && text[at] > ' ' && text[at] < 0x7f && text[at] != '/' {
			return at
		}
	}
	if len(text) <= longestPiece {
		return len(text)
	}
	return cut(text)
}

// cut is where a piece ends that has no line end to end at: before the last space between words, with which the
// next token begins, else between runes.
func cut(text string) int {
	for i := longestPiece; i > longestPiece/2; i-- {
		if text[i] == ' ' && text[i-1] > ' ' && text[i-1] < 0x7f && i+1 < len(text) && isLetter(text[i+1]) {
			return i
		}
	}
	end := longestPiece
	for end > longestPiece-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// isLetter reports an ASCII letter.
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
