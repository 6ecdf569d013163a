package lint

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a JSON value with its place in the text.
type node struct {
	kind    jsontext.Kind
	text    string // of strings; of everything else as written
	at      int    // byte offset of the value
	name    string // of a member
	nameAt  int    // byte offset of the name
	members []*node
	items   []*node
}

// parseJSON reads a JSON text that loading accepted; nil when it is none.
func parseJSON(data []byte) *node {
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	n, err := readNode(d, data)
	if err != nil {
		return nil
	}
	return n
}

func readNode(d *jsontext.Decoder, data []byte) (*node, error) {
	before := int(d.InputOffset())
	tok, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &node{kind: tok.Kind(), at: skip(data, before)}
	switch n.kind {
	case '{':
		for d.PeekKind() != '}' {
			before := int(d.InputOffset())
			name, err := d.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String()
			m, err := readNode(d, data)
			if err != nil {
				return nil, err
			}
			m.name, m.nameAt = key, skip(data, before)
			n.members = append(n.members, m)
		}
		_, err = d.ReadToken()
	case '[':
		for d.PeekKind() != ']' {
			item, err := readNode(d, data)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		_, err = d.ReadToken()
	default:
		n.text = tok.String()
	}
	return n, err
}

// skip goes over what stands between two tokens.
func skip(data []byte, at int) int {
	for at < len(data) && strings.IndexByte(" \t\r\n:,", data[at]) >= 0 {
		at++
	}
	return at
}

// get gives a member; nil when there is none.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.name == name {
			return m
		}
	}
	return nil
}

// has tells whether there is one of these members.
func (n *node) has(names ...string) bool {
	for _, name := range names {
		if n.get(name) != nil {
			return true
		}
	}
	return false
}

// str gives the text of a string; "" for everything else.
func (n *node) str() string {
	if n == nil || n.kind != '"' {
		return ""
	}
	return n.text
}

// types lists the types a schema names.
func (n *node) types() []string {
	t := n.get("type")
	if t == nil {
		return nil
	}
	if t.kind == '"' {
		return []string{t.text}
	}
	var out []string
	for _, item := range t.items {
		out = append(out, item.text)
	}
	return out
}
