package skills

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// keyLine matches a line that begins a key: at column 0, quoted or not, followed by a colon and a blank.
var keyLine = regexp.MustCompile(`^(?:"([^"]+)"|'([^']+)'|([\p{L}_$][\p{L}\p{N}_.$/-]*))[ \t]*(?::(?:[ \t]+|$)|：[ \t]*)(.*)$`)

// tightKey matches one of the standard keys with no blank behind its colon.
var tightKey = regexp.MustCompile(`^(?i:(name|description|license|compatibility|metadata|allowed-tools)):(\S.*)$`)

// maxSegments is how many keys of one block are read one by one.
const maxSegments = 1000

// segment is one key with the lines that belong to its value.
type segment struct {
	key  string
	rest string // of the key's own line
	block
}

// tolerantPairs reads a block that is not valid YAML: each top-level key is read by itself, as YAML where that
// is possible, and as plain text to the end of its line or of its indented block where it is not.
func (d *document) tolerantPairs(b block, nested bool) []pair {
	var out []pair
	for i, s := range d.segments(b) {
		if i == maxSegments {
			d.note(CodeIgnoredLine, s.line, 1, "more than 1,000 keys; the rest is left out")
			break
		}
		pairs, fault := strictPairs(s.block)
		if fault == nil && len(pairs) == 1 {
			out = append(out, pairs[0])
			continue
		}
		if fault == nil {
			fault = &yamlFault{s.line, s.indent + 1, "no blank behind the colon"}
		}
		p := pair{key: s.key, line: s.line, column: s.indent + 1}
		if inner, ok := s.inner(); ok && !nested && normalKey(s.key) == "metadata" && !strings.HasPrefix(inner.lines[0], "{") {
			p.value = mappingNode(d.tolerantPairs(inner, true), inner)
		} else {
			p.value = d.plainValue(s)
			d.note(CodePlainScalar, fault.line, fault.column,
				s.key+": not valid YAML ("+fault.message+"); read as plain text, quote the value")
		}
		out = append(out, p)
	}
	return out
}

// segments cuts a block at the lines that begin a key.
func (d *document) segments(b block) []segment {
	var out []segment
	for i, line := range b.lines {
		key, rest, ok := splitKey(line)
		switch {
		case ok:
			out = append(out, segment{key, rest, block{lines: b.lines[i : i+1], line: b.line + i, indent: b.indent}})
		case len(out) > 0:
			s := &out[len(out)-1]
			from := s.line - b.line
			s.lines = b.lines[from : i+1]
		case !blank(b.lines[i : i+1]):
			d.note(CodeIgnoredLine, b.line+i, b.indent+1, "line belongs to no key and is left out; write key: value")
		}
	}
	return out
}

func splitKey(line string) (key, rest string, ok bool) {
	if m := keyLine.FindStringSubmatch(line); m != nil {
		return m[1] + m[2] + m[3], strings.TrimSpace(m[4]), true
	}
	if m := tightKey.FindStringSubmatch(line); m != nil {
		return m[1], strings.TrimSpace(m[2]), true
	}
	return "", "", false
}

// inner is the indented block below a key that has nothing on its own line.
func (s segment) inner() (block, bool) {
	if s.rest != "" && s.rest[0] != '#' || len(s.lines) < 2 {
		return block{}, false
	}
	lines, cut := dedent(s.lines[1:])
	return block{lines: lines, line: s.line + 1, indent: s.indent + cut}, true
}

// dedent cuts the indentation that all lines which are not blank have in common.
func dedent(lines []string) ([]string, int) {
	cut := -1
	for _, l := range lines {
		if t := strings.TrimLeft(l, " \t"); t != "" {
			if n := len(l) - len(t); cut < 0 || n < cut {
				cut = n
			}
		}
	}
	cut = max(cut, 0)
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(l[min(cut, len(l)):], " \t")
	}
	return out, cut
}

var blockHeader = regexp.MustCompile(`^[|>][-+0-9]{0,2}[ \t]*(#.*)?$`)

// plainValue reads the value of a segment as text, or as a list where every line below the key is "- item".
func (d *document) plainValue(s segment) *yaml.Node {
	below, cut := dedent(s.lines[1:])
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle, Line: s.line, Column: s.indent + 1}
	if singleLine[normalKey(s.key)] && s.rest != "" {
		for i, l := range below {
			if l != "" {
				d.note(CodeIgnoredLine, s.line+1+i, s.indent+cut+1, "line below "+s.key+" belongs to no key and is left out")
			}
		}
		n.Value = unquote(s.rest)
		return n
	}
	switch {
	case blockHeader.MatchString(s.rest) && s.rest[0] == '|':
		n.Value = strings.Trim(strings.Join(below, "\n"), "\n")
	case blockHeader.MatchString(s.rest):
		n.Value = fold(below)
	case s.rest == "" && isList(below):
		return listNode(below, n)
	default:
		n.Value = unquote(strings.TrimSpace(fold(append([]string{s.rest}, below...))))
	}
	return n
}

// singleLine names the keys whose value never goes on in the next line.
var singleLine = map[string]bool{"name": true, "version": true, "license": true, "author": true, "category": true}

// fold joins lines with blanks; an empty line becomes a line end.
func fold(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		switch {
		case l == "":
			b.WriteByte('\n')
			continue
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "\n"):
			b.WriteByte(' ')
		}
		b.WriteString(l)
	}
	return strings.Trim(b.String(), "\n")
}

// unquote takes away a pair of outer quotes and what stands for a quote inside.
func unquote(s string) string {
	if len(s) < 2 || s[0] != s[len(s)-1] {
		return s
	}
	switch s[0] {
	case '"':
		return strings.ReplaceAll(s[1:len(s)-1], `\"`, `"`)
	case '\'':
		return strings.ReplaceAll(s[1:len(s)-1], `''`, `'`)
	}
	return s
}

func isList(lines []string) bool {
	any := false
	for _, l := range lines {
		if l != "" && !strings.HasPrefix(l, "- ") {
			return false
		}
		any = any || l != ""
	}
	return any
}

func listNode(lines []string, like *yaml.Node) *yaml.Node {
	seq := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: like.Line, Column: like.Column}
	for _, l := range lines {
		if l != "" {
			seq.Content = append(seq.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: yaml.DoubleQuotedStyle,
				Value: unquote(strings.TrimSpace(l[2:])), Line: like.Line, Column: like.Column})
		}
	}
	return seq
}

func mappingNode(pairs []pair, b block) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: b.line, Column: b.indent + 1}
	for _, p := range pairs {
		k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: p.key, Line: p.line, Column: p.column}
		m.Content = append(m.Content, k, p.value)
	}
	return m
}
