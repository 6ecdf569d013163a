package datasets

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"
)

// Limits of a YAML file, which is read as a whole: aliases can make a short file long.
const (
	maxYAMLDepth = 250
	maxYAMLNodes = 200_000 // of one case, aliases followed
)

// readYAML reads YAML 1.2: a list of cases, or a mapping with the list under "cases"; several documents follow one
// another. A case becomes JSON text and takes the same way as any other.
func (l *loader) readYAML(t *textReader) {
	data, err := io.ReadAll(t)
	if err != nil {
		if errors.Is(err, errTooLong) {
			l.faultAt(0, 0, "too-long", "a YAML file is read as a whole, up to %d bytes; write more cases as .jsonl", l.limit)
			return
		}
		l.readError(0, err)
		return
	}
	loader, err := yaml.NewLoader(strings.NewReader(string(data)))
	if err != nil {
		l.yamlFault(err)
		return
	}
	for {
		var doc yaml.Node
		if err := loader.Load(&doc); err != nil {
			if !errors.Is(err, io.EOF) {
				l.yamlFault(err)
			}
			return
		}
		for _, root := range doc.Content {
			l.yamlRoot(root)
		}
	}
}

func (l *loader) yamlRoot(root *yaml.Node) {
	list := root
	if root.Kind == yaml.MappingNode {
		list = nil
		for i := 0; i+1 < len(root.Content); i += 2 {
			if key := root.Content[i]; key.Value != "cases" {
				l.faultAt(key.Line, key.Column, "format", "a list of cases is needed, or \"cases:\" with the list; the key %q is not understood", short(key.Value))
				continue
			}
			list = root.Content[i+1]
		}
		if list == nil {
			return
		}
	}
	switch {
	case root.Kind == yaml.ScalarNode && plainNull(root):
		return
	case list.Kind != yaml.SequenceNode:
		l.faultAt(list.Line, list.Column, "format", "a list of cases is needed: \"- id: …\"")
		return
	}
	for _, item := range list.Content {
		l.yamlCase(item)
	}
}

func (l *loader) yamlCase(item *yaml.Node) {
	w := yamlWriter{loader: l}
	raw := w.value(nil, item, nil, 0)
	if w.failed {
		l.count++
		return
	}
	var places map[string]*yaml.Node
	l.decoder.locate = func(path string, _ int) (int, int) {
		if places == nil {
			places = make(map[string]*yaml.Node)
			indexNodes(places, item, "", 0)
		}
		return nearestNode(places, path, item)
	}
	l.add(raw, item.Line)
}

// indexNodes notes where each path of a case stands.
func indexNodes(places map[string]*yaml.Node, n *yaml.Node, path string, depth int) {
	if len(places) > 10_000 || depth > maxYAMLDepth {
		return
	}
	places[path] = n
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			indexNodes(places, n.Content[i+1], join(path, n.Content[i].Value), depth+1)
		}
	case yaml.SequenceNode:
		for i, item := range n.Content {
			indexNodes(places, item, place{path, i}.String(), depth+1)
		}
	}
}

// nearestNode finds a path, or the closest place around it.
func nearestNode(places map[string]*yaml.Node, path string, whole *yaml.Node) (line, column int) {
	for {
		if n, ok := places[path]; ok {
			return n.Line, n.Column
		}
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			return whole.Line, whole.Column
		}
		path = path[:i]
	}
}

// yamlFault reports what the YAML library refused.
func (l *loader) yamlFault(err error) {
	var all *yaml.LoadErrors
	var one *yaml.LoadError
	switch {
	case errors.As(err, &all) && len(all.Errors) > 0:
		for _, e := range all.Errors {
			l.faultAt(e.Mark.Line, e.Mark.Column, "syntax", "not valid YAML: %s", e.Message)
		}
	case errors.As(err, &one):
		l.faultAt(one.Mark.Line, one.Mark.Column, "syntax", "not valid YAML: %s", one.Message)
	default:
		l.faultAt(0, 0, "syntax", "not valid YAML: %v", err)
	}
}

// yamlWriter turns a YAML node into JSON text without changing any scalar's type or digits: a quoted 5 stays a
// string, 5 a number, 1.10 keeps its zero; dates and yes/no are strings, as in YAML 1.2.
type yamlWriter struct {
	loader *loader
	nodes  int
	failed bool
}

// trail is the way to a value; it becomes text only for a message.
type trail struct {
	parent *trail
	key    string
	index  int // of an element; -1 for a key
}

func (t *trail) String() string {
	switch {
	case t == nil:
		return ""
	case t.index >= 0:
		return place{t.parent.String(), t.index}.String()
	}
	return join(t.parent.String(), t.key)
}

func (w *yamlWriter) fail(n *yaml.Node, at *trail, format string, args ...any) {
	w.failed = true
	w.loader.faults.add(Fault{
		File: w.loader.decoder.file, Line: n.Line, Column: n.Column, Path: short(at.String()),
		Severity: SeverityError, Rule: "yaml", Message: fmt.Sprintf(format, args...),
	})
}

func (w *yamlWriter) value(b []byte, n *yaml.Node, at *trail, depth int) []byte {
	if w.nodes++; w.nodes > maxYAMLNodes || depth > maxYAMLDepth || len(b) > w.loader.limit {
		if w.nodes <= maxYAMLNodes+1 {
			w.fail(n, at, "too large or too deep (%d values, %d levels, %d MiB), counting what aliases repeat", maxYAMLNodes, maxYAMLDepth, maxLine>>20)
		}
		w.nodes = maxYAMLNodes + 1 // said once, and nothing more is read
		return b
	}
	switch n.Kind {
	case yaml.AliasNode:
		return w.value(b, n.Alias, at, depth+1)
	case yaml.MappingNode:
		return w.mapping(b, n, at, depth)
	case yaml.SequenceNode:
		b = append(b, '[')
		for i, item := range n.Content {
			if i > 0 {
				b = append(b, ',')
			}
			b = w.value(b, item, &trail{at, "", i}, depth+1)
		}
		return append(b, ']')
	case yaml.ScalarNode:
		return w.scalar(b, n, at)
	}
	w.fail(n, at, "not a value")
	return b
}

func (w *yamlWriter) mapping(b []byte, n *yaml.Node, at *trail, depth int) []byte {
	b = append(b, '{')
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			w.fail(n.Content[i], at, "a key is a single word or string, not a list or mapping")
			continue
		case key.ShortTag() == "!!merge":
			w.fail(key, at, "merge keys (<<) are not read; write the keys out")
			continue
		case seen[key.Value]:
			w.fail(key, &trail{at, key.Value, -1}, "duplicate key %q; keep one of the two", short(key.Value))
			continue
		}
		if len(seen) > 0 {
			b = append(b, ',')
		}
		seen[key.Value] = true
		inner := &trail{at, key.Value, -1}
		b = append(w.str(b, key, inner, key.Value), ':')
		if at == nil && key.Value == "id" && n.Content[i+1].Kind == yaml.ScalarNode && !plainNull(n.Content[i+1]) {
			b = w.str(b, n.Content[i+1], inner, n.Content[i+1].Value) // an id is its text: 007 stays 007
			continue
		}
		b = w.value(b, n.Content[i+1], inner, depth+1)
	}
	return append(b, '}')
}

func (w *yamlWriter) str(b []byte, n *yaml.Node, at *trail, s string) []byte {
	out, err := jsontext.AppendQuote(b, s)
	if err != nil {
		w.fail(n, at, "not valid UTF-8")
		return b
	}
	return out
}

// plainNull reports whether a scalar without quotes and tag stands for null.
func plainNull(n *yaml.Node) bool {
	if n.Style&(yaml.TaggedStyle|yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return false
	}
	switch n.Value {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// scalar resolves plain scalars by the core schema of YAML 1.2, except that a number which JSON would write in
// another way (012, 0x1F, +5, .5, 1_000, .inf) is refused: readers of YAML disagree on what it is.
func (w *yamlWriter) scalar(b []byte, n *yaml.Node, at *trail) []byte {
	quoted := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	tagged := n.Style&yaml.TaggedStyle != 0
	switch tag := n.ShortTag(); {
	case tagged && tag == "!!str", quoted && !tagged:
		return w.str(b, n, at, n.Value)
	case tagged && tag != "!!int" && tag != "!!float" && tag != "!!bool" && tag != "!!null":
		w.fail(n, at, "the tag %s is not read; write the value without it", short(tag))
		return b
	case !tagged && plainNull(n), tag == "!!null":
		return append(b, "null"...)
	case strings.EqualFold(n.Value, "true") && tag == "!!bool", strings.EqualFold(n.Value, "false") && tag == "!!bool":
		return strconv.AppendBool(b, strings.EqualFold(n.Value, "true"))
	case jsontext.Value(n.Value).IsValid() && jsontext.Value(n.Value).Kind() == '0' && strings.TrimSpace(n.Value) == n.Value:
		return append(b, n.Value...)
	case tagged:
		w.fail(n, at, "%q is not %s", short(n.Value), tag)
		return b
	case tag == "!!int", tag == "!!float":
		w.fail(n, at, "readers of YAML disagree on %s; write a number as in JSON, or %q in quotes for text", short(n.Value), short(n.Value))
		return b
	}
	return w.str(b, n, at, n.Value)
}
