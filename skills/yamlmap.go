package skills

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// pair is one key of a frontmatter mapping. Line and column are those of the key in the file; the nodes
// carry positions of the file, too.
type pair struct {
	key          string
	value        *yaml.Node
	line, column int
}

// block is a run of frontmatter lines and where it stands in the file.
type block struct {
	lines  []string
	line   int // 1-based line of lines[0]
	indent int // characters cut from the front of each line
}

// yamlFault is a YAML error with its place in the file.
type yamlFault struct {
	line, column int
	message      string
}

func (f *yamlFault) Error() string { return fmt.Sprintf("%d:%d: %s", f.line, f.column, f.message) }

// strictPairs reads a block as YAML 1.2 (go.yaml.in/yaml/v4). Scalars keep their source text.
func strictPairs(b block) ([]pair, *yamlFault) {
	if blank(b.lines) {
		return nil, nil
	}
	var doc yaml.Node
	if err := yaml.Load([]byte(strings.Join(b.lines, "\n")+"\n"), &doc); err != nil {
		return nil, b.fault(err)
	}
	root := &doc
	if doc.Kind == yaml.DocumentNode {
		if len(doc.Content) == 0 {
			return nil, nil
		}
		root = doc.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return nil, &yamlFault{b.line, 1, "this is not a list of keys with values (key: value)"}
	}
	b.shift(root, 0)
	pairs := make([]pair, 0, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		k := root.Content[i]
		pairs = append(pairs, pair{k.Value, root.Content[i+1], k.Line, k.Column})
	}
	return pairs, nil
}

// shift turns positions inside the block into positions of the file. Aliases are not followed.
func (b block) shift(n *yaml.Node, depth int) {
	if n.Line > 0 {
		n.Line += b.line - 1
	}
	n.Column += b.indent
	if depth > maxYAMLDepth {
		return
	}
	for _, c := range n.Content {
		b.shift(c, depth+1)
	}
}

// fault takes place and reason out of an error of the YAML library.
func (b block) fault(err error) *yamlFault {
	f := &yamlFault{line: b.line, message: err.Error()}
	var e *yaml.LoadError
	if errors.As(err, &e) {
		f.message = e.Message
		if e.Mark.Line > 0 {
			f.line, f.column = min(e.Mark.Line, len(b.lines))+b.line-1, e.Mark.Column+b.indent
		}
	}
	f.message = strings.TrimPrefix(f.message, "yaml: ")
	return f
}

func blank(lines []string) bool {
	for _, l := range lines {
		if t := strings.TrimSpace(l); t != "" && t[0] != '#' {
			return false
		}
	}
	return true
}
