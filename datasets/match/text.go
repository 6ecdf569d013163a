package match

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// canonical is the form in which strings are compared: outer spaces trimmed, then Unicode NFC. Case, width and
// inner spaces stay.
func canonical(s string) string {
	return norm.NFC.String(strings.TrimSpace(s))
}

// folded is canonical text under Unicode full case folding (ß = ss, Σ = σ = ς).
func folded(s string) string {
	return norm.NFC.String(cases.Fold().String(canonical(s)))
}

// hint names the smallest change that would make two differing strings equal, "" when there is none worth saying.
func hint(want, got string) string {
	if len(want) > 4096 || len(got) > 4096 {
		return ""
	}
	switch {
	case folded(want) == folded(got):
		return "differs only in case"
	case canonical(width.Fold.String(want)) == canonical(width.Fold.String(got)):
		return "differs only in full-width or half-width forms"
	case strings.Join(strings.Fields(want), "") == strings.Join(strings.Fields(got), ""):
		return "differs only in inner spaces"
	case norm.NFKC.String(want) == norm.NFKC.String(got):
		return "differs only in compatibility forms (NFKC)"
	}
	return ""
}

// shownRunes is how much of a value a Diff shows.
const shownRunes = 200

// show returns v as compact JSON, cut to shownRunes characters.
func show(v *value) string {
	return clip(string(v.appendShort(nil, 4*shownRunes+16)))
}

// clip cuts s to shownRunes characters, never inside one.
func clip(s string) string {
	if len(s) <= shownRunes || utf8.RuneCountInString(s) <= shownRunes {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == shownRunes {
			return s[:i] + "…"
		}
	}
	return s
}

// appendShort is append that stops soon after limit bytes.
func (v *value) appendShort(b []byte, limit int) []byte {
	if len(b) > limit {
		return b
	}
	switch v.kind {
	case text:
		s := v.text
		if len(s) > limit {
			s = strings.ToValidUTF8(s[:limit], "")
		}
		return appendQuoted(b, s)
	case array, object:
		open, shut := byte('['), byte(']')
		if v.kind == object {
			open, shut = '{', '}'
		}
		b = append(b, open)
		for i := 0; i < len(v.items) && len(b) <= limit; i++ {
			if i > 0 {
				b = append(b, ',')
			}
			if v.kind == object {
				b = append(appendQuoted(b, clip(v.keys[i])), ':')
			}
			b = v.items[i].appendShort(b, limit)
		}
		return append(b, shut)
	default:
		if len(v.text) > limit {
			return append(b, v.text[:limit]...)
		}
		return append(b, v.text...)
	}
}

// path is a place in a JSON document; nil is its root.
type path struct {
	parent *path
	key    string
	index  int // of an array element; -1 for a key
}

func (p *path) at(key string) *path { return &path{p, key, -1} }
func (p *path) item(i int) *path    { return &path{p, "", i} }

// String writes the path as "to[0].name"; a key that is not plain is quoted: `["a.b"]`.
func (p *path) String() string {
	var parts []*path
	for q := p; q != nil; q = q.parent {
		parts = append(parts, q)
	}
	var b []byte
	for i := len(parts) - 1; i >= 0; i-- {
		switch q := parts[i]; {
		case q.index >= 0:
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(q.index), 10)
			b = append(b, ']')
		case plainKey(q.key):
			if len(b) > 0 {
				b = append(b, '.')
			}
			b = append(b, q.key...)
		default:
			b = append(b, '[')
			b = appendQuoted(b, clip(q.key))
			b = append(b, ']')
		}
	}
	return string(b)
}

func plainKey(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for _, r := range s {
		if r != '_' && r != '-' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return false
		}
	}
	return true
}
