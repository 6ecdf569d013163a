package skills

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"
)

const (
	maxYAMLDepth  = 100       // nesting of a frontmatter value
	maxYAMLValues = 10_000    // values a frontmatter may expand to, aliases followed
	maxYAMLText   = 4_000_000 // bytes a frontmatter may expand to
)

var errExpansion = errors.New("frontmatter expands too far: more than 10,000 values, 4 MB or 100 levels, aliases followed")

// expander turns YAML nodes into text. One expander serves one file, so that aliases cannot multiply beyond
// its limits; once they do, err is set and everything else is empty.
type expander struct {
	values int
	bytes  int
	err    error
}

func (x *expander) spend(n *yaml.Node, depth int) bool {
	x.values++
	x.bytes += len(n.Value)
	if x.values > maxYAMLValues || x.bytes > maxYAMLText || depth > maxYAMLDepth {
		x.err = errExpansion
	}
	return x.err == nil
}

// resolve follows aliases.
func (x *expander) resolve(n *yaml.Node) *yaml.Node {
	for i := 0; n != nil && n.Kind == yaml.AliasNode; i++ {
		if i > maxYAMLDepth {
			x.err = errExpansion
			return nil
		}
		n = n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool {
	return n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

// text gives a scalar as it is written and everything else as JSON; null is "".
func (x *expander) text(n *yaml.Node) string {
	n = x.resolve(n)
	switch {
	case isNull(n):
		return ""
	case n.Kind == yaml.ScalarNode:
		x.spend(n, 0)
		return n.Value
	}
	return string(x.json(n))
}

// json gives a node as JSON. Map keys keep their order; of equal keys the last counts.
func (x *expander) json(n *yaml.Node) json.RawMessage {
	out := x.appendJSON(nil, n, 0)
	if x.err != nil {
		return nil
	}
	return out
}

func (x *expander) appendJSON(b []byte, n *yaml.Node, depth int) []byte {
	n = x.resolve(n)
	if n == nil || x.err != nil || !x.spend(n, depth) {
		return append(b, "null"...)
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return append(b, scalarJSON(n)...)
	case yaml.SequenceNode:
		b = append(b, '[')
		for i, c := range n.Content {
			if i > 0 {
				b = append(b, ',')
			}
			b = x.appendJSON(b, c, depth+1)
		}
		return append(b, ']')
	case yaml.MappingNode:
		b = append(b, '{')
		for i, p := range x.pairs(n) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, quoteJSON(p.key)...), ':')
			b = x.appendJSON(b, p.value, depth+1)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// pairs gives the entries of a mapping node, equal keys only once with the value given last.
func (x *expander) pairs(n *yaml.Node) []pair {
	out := make([]pair, 0, len(n.Content)/2)
	at := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		p := pair{x.text(k), n.Content[i+1], k.Line, k.Column}
		if j, ok := at[p.key]; ok {
			out[j] = p
			continue
		}
		at[p.key] = len(out)
		out = append(out, p)
	}
	return out
}

func scalarJSON(n *yaml.Node) []byte {
	switch n.Tag {
	case "!!null":
		return []byte("null")
	case "!!bool":
		return []byte(strings.ToLower(n.Value))
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return []byte(n.Value)
		}
	}
	return quoteJSON(n.Value)
}

func quoteJSON(s string) []byte {
	b, _ := jsontext.AppendQuote(nil, s) // strings read from YAML are valid UTF-8
	return b
}

// list gives the items of a sequence, of a sequence written as text ("[a, b]"), or of text that is split by
// the given function. Empty items are left out.
func (x *expander) list(n *yaml.Node, split func(string) []string) []string {
	n = x.resolve(n)
	if isNull(n) {
		return nil
	}
	var items []string
	switch n.Kind {
	case yaml.SequenceNode:
		for _, c := range n.Content {
			if !x.spend(n, 0) {
				return nil
			}
			items = append(items, x.text(c))
		}
	case yaml.ScalarNode:
		if inner := x.parsed(n); inner != nil && inner.Kind == yaml.SequenceNode {
			return x.list(inner, split)
		}
		items = split(x.text(n))
	default:
		items = []string{x.text(n)}
	}
	out := items[:0]
	for _, s := range items {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// parsed reads text that holds JSON (or a YAML flow collection) as a node; nil when it does not.
func (x *expander) parsed(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.ScalarNode {
		return nil
	}
	text := strings.TrimSpace(n.Value)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	var doc yaml.Node
	if yaml.Load([]byte(text), &doc) != nil {
		return nil
	}
	inner := &doc
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		inner = doc.Content[0]
	}
	if inner.Kind != yaml.MappingNode && inner.Kind != yaml.SequenceNode {
		return nil
	}
	block{line: n.Line}.shift(inner, 0)
	return inner
}

// splitCommas splits at commas of any width.
func splitCommas(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '，' || r == '、' || r == '\n' })
}

// splitSentences splits at line ends and semicolons, and takes list marks away.
func splitSentences(s string) []string {
	items := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == ';' || r == '；' })
	for i, item := range items {
		item = strings.TrimSpace(item)
		for _, mark := range listMarks {
			item = strings.TrimPrefix(item, mark)
		}
		items[i] = item
	}
	return items
}

// splitTools splits a list of tools at commas, or at blanks where there are none, but not inside parentheses:
// "Bash(git add:*), Read" has two.
func splitTools(s string) []string {
	cut := func(sep func(rune) bool) []string {
		depth := 0
		return strings.FieldsFunc(s, func(r rune) bool {
			switch r {
			case '(':
				depth++
			case ')':
				depth = max(depth-1, 0)
			}
			return depth == 0 && sep(r)
		})
	}
	items := cut(func(r rune) bool { return r == ',' || r == '，' || r == '\n' })
	if len(items) > 1 {
		return items
	}
	return cut(func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
}
