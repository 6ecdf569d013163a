package skills

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// anyText stands for a pattern that cannot be checked.
type anyText string

func (anyText) MatchString(string) bool { return true }
func (p anyText) String() string        { return string(p) }

// regexpEngine compiles the patterns of a schema, which are ECMA-262, with Go's engine. Patterns that Go's engine
// cannot run match everything; [uncheckable] has noted them. Broken patterns are errors.
func regexpEngine(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(translate(pattern))
	if err == nil {
		return re, nil
	}
	if unsupported(err) {
		return anyText(pattern), nil
	}
	return nil, err
}

// unsupported tells whether a pattern is beyond Go's engine (look-around, back references, large counts) rather
// than broken.
func unsupported(err error) bool {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidRepeatSize, syntax.ErrLarge,
		syntax.ErrNestingDepth, syntax.ErrInvalidNamedCapture:
		return true
	case syntax.ErrInvalidCharRange: // [z-a] is broken, \p{…} with a name that Go does not know is not
		return strings.HasPrefix(strings.ToLower(e.Expr), `\p`)
	}
	return false
}

var scriptClass = regexp.MustCompile(`^[pP]\{(?:Script|sc|Script_Extensions|scx|General_Category|gc)=([A-Za-z_]+)\}`)

// translate writes the ECMA-262 escapes that Go spells otherwise in Go's way: \u0041 and \u{1F600}, \cJ,
// \p{Script=Han}, [^] and [].
func translate(p string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(p); i++ {
		switch {
		case p[i] == '\\' && i+1 < len(p):
			n := translateEscape(&b, p[i+1:])
			i += n
		case strings.HasPrefix(p[i:], "[^]") && !class:
			b.WriteString(`[\s\S]`)
			i += 2
		case strings.HasPrefix(p[i:], "[]") && !class:
			b.WriteString(`[^\s\S]`)
			i++
		default:
			if p[i] == '[' && !class {
				class = true
			} else if p[i] == '[' {
				b.WriteByte('\\') // a plain character inside a class
			} else if p[i] == ']' {
				class = false
			}
			b.WriteByte(p[i])
		}
	}
	return b.String()
}

// translateEscape writes the escape whose text behind the backslash is s and tells how much of s it took.
func translateEscape(b *strings.Builder, s string) int {
	hex := func(from, n int) bool {
		return len(s) >= from+n && strings.Trim(s[from:from+n], "0123456789abcdefABCDEF") == ""
	}
	switch {
	case s[0] == 'u' && strings.HasPrefix(s, "u{") && strings.IndexByte(s, '}') > 2:
		end := strings.IndexByte(s, '}')
		b.WriteString(`\x{` + s[2:end] + `}`)
		return end + 1
	case s[0] == 'u' && hex(1, 4):
		b.WriteString(`\x{` + s[1:5] + `}`)
		return 5
	case s[0] == 'c' && len(s) > 1 && (s[1]|0x20 >= 'a' && s[1]|0x20 <= 'z'):
		fmt.Fprintf(b, `\x%02x`, s[1]&31)
		return 2
	}
	if m := scriptClass.FindStringSubmatch(s); m != nil {
		b.WriteString(`\` + s[:1] + `{` + m[1] + `}`)
		return len(m[0])
	}
	b.WriteByte('\\')
	b.WriteByte(s[0])
	return 1
}

// dataKeywords hold values, not schemas.
var dataKeywords = map[string]bool{"const": true, "enum": true, "default": true, "examples": true, "example": true}

// uncheckable takes out of a schema what Go's regular expressions cannot check, and notes each place: the keyword
// pattern by itself; an entry of patternProperties together with the additionalProperties beside it, because which
// names are additional is then unknown.
func uncheckable(v any, at string, depth int, notes []Note) []Note {
	if depth > maxDepth {
		return notes
	}
	switch v := v.(type) {
	case []any:
		for i, c := range v {
			notes = uncheckable(c, pointerJoin(at, i), depth+1, notes)
		}
	case map[string]any:
		if p, ok := v["pattern"].(string); ok && beyond(p) {
			delete(v, "pattern")
			notes = append(notes, uncheckedNote(at+"/pattern", p))
		}
		if m, ok := v["patternProperties"].(map[string]any); ok {
			for _, p := range slices.Sorted(maps.Keys(m)) {
				if beyond(p) {
					delete(m, p)
					delete(v, "additionalProperties")
					delete(v, "unevaluatedProperties")
					notes = append(notes, uncheckedNote(at+"/patternProperties", p))
				}
			}
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if !dataKeywords[k] {
				notes = uncheckable(v[k], pointerJoin(at, k), depth+1, notes)
			}
		}
	}
	return notes
}

func beyond(pattern string) bool {
	_, err := regexp.Compile(translate(pattern))
	return err != nil && unsupported(err)
}

func uncheckedNote(at, pattern string) Note {
	return Note{Code: CodeUnchecked, Message: "schema at " + at + ": pattern " + clip(pattern, 80) +
		" needs look-around, a back reference or a large count and is not checked; the rest of the schema is"}
}
