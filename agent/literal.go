package agent

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of values a model may write.
const maxDepth = 64

// literal is one value read from a model's text.
type literal struct {
	json   []byte // the value as JSON
	end    int    // index just after the value, or where reading stopped
	strict bool   // the text was JSON as it stood
}

// readLiteral reads the object, array, string, number or word that starts at text[at]. Besides JSON it knows
// what models write in its place: Python's quotes, escapes and True, False and None, a comma before a
// closing bracket, and line breaks inside strings. Sets, tuples, complex numbers, NaN and Infinity are
// no values. An unclosed value is never completed.
func readLiteral(text string, at int) (literal, bool) {
	r := literalReader{text: text, pos: at, strict: true}
	ok := r.value(0)
	lit := literal{end: r.pos, strict: r.strict}
	if !ok {
		return lit, false
	}
	if r.strict {
		lit.json = []byte(text[at:r.pos])
	} else {
		lit.json = r.out
	}
	return lit, true
}

// literalReader reads one value and writes it as JSON on the way.
type literalReader struct {
	text   string
	pos    int
	out    []byte
	strict bool
}

func (r *literalReader) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

func (r *literalReader) space() {
	for r.pos < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.pos]) >= 0 {
		r.pos++
	}
}

// skip passes c, and the white space around it, if it is next.
func (r *literalReader) skip(c byte) bool {
	r.space()
	if r.peek() != c || r.pos >= len(r.text) {
		return false
	}
	r.pos++
	r.out = append(r.out, c)
	r.space()
	return true
}

func (r *literalReader) value(depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch c := r.peek(); {
	case c == '{':
		return r.list('}', func() bool {
			return r.quoted() && r.skip(':') && r.value(depth+1)
		})
	case c == '[':
		return r.list(']', func() bool { return r.value(depth + 1) })
	case c == '"' || c == '\'':
		return r.quoted()
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	default:
		return r.word()
	}
}

// list reads an object or array up to its closing bracket.
func (r *literalReader) list(closing byte, item func() bool) bool {
	r.out = append(r.out, r.text[r.pos])
	r.pos++
	for first := true; !r.skip(closing); first = false {
		if !first {
			if !r.skip(',') {
				return false
			}
			if r.peek() == closing { // a comma too many
				r.strict = false
				r.out = r.out[:len(r.out)-1]
				continue
			}
		}
		if !item() {
			return false
		}
	}
	return true
}

func (r *literalReader) quoted() bool {
	quote := r.peek()
	switch quote {
	case '"':
	case '\'':
		r.strict = false
	default:
		return false
	}
	r.out = append(r.out, '"')
	for r.pos++; r.pos < len(r.text); r.pos++ {
		switch c := r.text[r.pos]; {
		case c == quote:
			r.pos++
			r.out = append(r.out, '"')
			return true
		case c == '\\':
			if !r.escape() {
				return false
			}
		case c == '"':
			r.out = append(r.out, '\\', '"')
		case c < 0x20:
			r.strict = false
			r.out = append(r.out, controlEscape(c)...)
		default:
			r.out = append(r.out, c)
		}
	}
	return false
}

// escape reads one escape sequence and leaves pos at its last byte.
func (r *literalReader) escape() bool {
	rest := r.text[r.pos+1:]
	if rest == "" {
		return false
	}
	switch c := rest[0]; {
	case strings.IndexByte(`"\/bfnrt`, c) >= 0:
		r.out = append(r.out, '\\', c)
		r.pos++
	case c == '\'':
		r.strict = false
		r.out = append(r.out, c)
		r.pos++
	case c == 'u' && len(rest) >= 5 && isHex(rest[1:5]):
		r.out = append(append(r.out, '\\'), rest[:5]...)
		r.pos += 5
	case c == 'x' && len(rest) >= 3 && isHex(rest[1:3]):
		r.strict = false
		r.out = append(append(r.out, `\u00`...), rest[1:3]...)
		r.pos += 3
	default:
		return false
	}
	return true
}

// number reads a number in JSON's grammar and keeps its text, so that no digit is lost.
func (r *literalReader) number() bool {
	start := r.pos
	if r.peek() == '-' {
		r.pos++
	}
	whole := r.pos
	if r.digits() == 0 || r.text[whole] == '0' && r.pos > whole+1 {
		return false
	}
	if r.peek() == '.' {
		r.pos++
		if r.digits() == 0 {
			return false
		}
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.pos++
		if c := r.peek(); c == '+' || c == '-' {
			r.pos++
		}
		if r.digits() == 0 {
			return false
		}
	}
	r.out = append(r.out, r.text[start:r.pos]...)
	return true
}

func (r *literalReader) digits() int {
	start := r.pos
	for c := r.peek(); c >= '0' && c <= '9'; c = r.peek() {
		r.pos++
	}
	return r.pos - start
}

func (r *literalReader) word() bool {
	start := r.pos
	for c := r.peek(); c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; c = r.peek() {
		r.pos++
	}
	switch word := r.text[start:r.pos]; word {
	case "true", "false", "null":
		r.out = append(r.out, word...)
	case "True", "False":
		r.strict = false
		r.out = append(r.out, strings.ToLower(word)...)
	case "None":
		r.strict = false
		r.out = append(r.out, "null"...)
	default:
		return false
	}
	return true
}

func isHex(s string) bool {
	for i := range len(s) {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(s[i])) {
			return false
		}
	}
	return true
}

// controlEscape is the JSON escape of a control character.
func controlEscape(c byte) string {
	const hex = "0123456789abcdef"
	switch c {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return `\u00` + string(hex[c>>4]) + string(hex[c&15])
}

// quoteJSON is text as a JSON string, with bytes that are no UTF-8 replaced and nothing escaped for HTML.
func quoteJSON(text string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil { // no string fails to encode
		return json.RawMessage(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// clip shortens text to so many characters for a message.
func clip(text string, characters int) string {
	if utf8.RuneCountInString(text) <= characters {
		return text
	}
	return text[:cutAt(text, characters)] + "…"
}
