package agent

import (
	"strings"
	"unicode"
)

// pythonCalls reads a text that is nothing but calls in Python's syntax: f(a='x'), a list of such calls, or
// one inside print(…). Outside a list every name must be known, because code may be an answer.
func pythonCalls(text string, known func(string) bool) []rawCall {
	r := pythonReader{text: strings.TrimSpace(text), known: known}
	list := r.skip("[")
	var calls []rawCall
	for r.pos < len(r.text) && (!list || r.text[r.pos] != ']') {
		c, ok := r.call()
		if !ok || !list && !known(c.name) {
			return nil
		}
		calls = append(calls, c)
		r.skipAny(" \t\r\n,;")
	}
	if list && !r.skip("]") || r.pos < len(r.text) {
		return nil
	}
	return calls
}

type pythonReader struct {
	text  string
	pos   int
	known func(string) bool
}

func (r *pythonReader) skipAny(set string) {
	for r.pos < len(r.text) && strings.IndexByte(set, r.text[r.pos]) >= 0 {
		r.pos++
	}
}

// skip passes a token and the white space after it, if it is next.
func (r *pythonReader) skip(token string) bool {
	if !strings.HasPrefix(r.text[r.pos:], token) {
		return false
	}
	r.pos += len(token)
	r.skipAny(" \t\r\n")
	return true
}

// call reads NAME(KEY=VALUE, …). Arguments given by position have no names, so they are kept as written:
// no later step takes them for an object.
func (r *pythonReader) call() (rawCall, bool) {
	name := identifier(r.text[r.pos:])
	r.pos += len(name)
	if name == "" || !r.skip("(") {
		return rawCall{}, false
	}
	if name == "print" && !r.known(name) {
		c, ok := r.printed()
		return c, ok && r.skip(")")
	}
	start := r.pos
	var fields []field
	named := true
	for !r.skip(")") {
		f, ok := r.argument()
		if !ok {
			return rawCall{}, false
		}
		named = named && f.name != ""
		fields = append(fields, f)
		if !r.skip(",") && !strings.HasPrefix(r.text[r.pos:], ")") {
			return rawCall{}, false
		}
	}
	c := rawCall{name: strings.TrimSuffix(name, ".call"), given: true, flags: []string{flagRepaired}}
	if named {
		c.args = objectOf(fields)
	} else {
		c.args = "(" + strings.TrimSpace(r.text[start:r.pos])
	}
	return c, true
}

// printed reads the one call inside print(…). Prints inside prints are no calls.
func (r *pythonReader) printed() (rawCall, bool) {
	if identifier(r.text[r.pos:]) == "print" {
		return rawCall{}, false
	}
	return r.call()
}

// argument reads KEY=VALUE, or a value alone.
func (r *pythonReader) argument() (field, bool) {
	var f field
	name := identifier(r.text[r.pos:])
	if rest := strings.TrimLeft(r.text[r.pos+len(name):], " "); name != "" && strings.HasPrefix(rest, "=") {
		f.name = name
		r.pos = len(r.text) - len(rest)
		r.skip("=")
	}
	lit, ok := readLiteral(r.text, r.pos)
	f.value, r.pos = lit.json, lit.end
	r.skipAny(" \t\r\n")
	return f, ok
}

// identifier is the name at the beginning of text: letters, digits, "_", and inside it "." and "-".
func identifier(text string) string {
	for i, r := range text {
		switch {
		case r == '_' || unicode.IsLetter(r) || i > 0 && (unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)):
		case i > 0 && (r == '.' || r == '-'):
		default:
			return text[:i]
		}
	}
	return text
}
