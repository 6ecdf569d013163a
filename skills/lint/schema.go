package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

// schemaFile is parameters.json of a skill, parsed once for all rules.
type schemaFile struct {
	path  string
	data  []byte
	root  *node
	props []property
}

// property is one declared argument, at any depth.
type property struct {
	*node
	path string // "to[].name"
}

// Keywords whose values are schemas.
var (
	schemaMaps  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	schemaOne   = []string{"items", "additionalProperties", "additionalItems", "contains", "not", "if", "then", "else", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"}
)

// schema gives the parsed parameters; nil when the skill has none.
func (p *skillPass) schema() *schemaFile {
	if p.file.schemaRead {
		return p.file.schema
	}
	p.file.schemaRead = true
	if p.skill.Parameters == nil {
		return nil
	}
	root := parseJSON(p.skill.Parameters)
	if root == nil || root.kind != '{' {
		return nil
	}
	f := &schemaFile{path: p.dir.beside("parameters.json"), data: p.skill.Parameters, root: root}
	f.each(root, "", func(n *node, at string) {
		for _, m := range n.get("properties").list() {
			f.props = append(f.props, property{m, join(at, m.name)})
		}
	})
	p.file.schema = f
	return f
}

func (n *node) list() []*node {
	if n == nil {
		return nil
	}
	return n.members
}

// join extends the path of an argument; one that is very long already stays as it is.
func join(at, name string) string {
	const most = 400
	switch {
	case len(name) > most:
		name = quote(name)
	case len(at) > most:
		return at
	}
	if at == "" {
		return name
	}
	return at + "." + name
}

// each visits every schema inside a schema, itself included.
func (f *schemaFile) each(n *node, at string, visit func(n *node, at string)) {
	if n == nil || n.kind != '{' {
		return
	}
	visit(n, at)
	for _, m := range n.members {
		switch {
		case slices.Contains(schemaMaps, m.name):
			for _, inner := range m.members {
				f.each(inner, join(at, inner.name), visit)
			}
		case slices.Contains(schemaLists, m.name) && m.kind == '[':
			for _, inner := range m.items {
				f.each(inner, at, visit)
			}
		case slices.Contains(schemaOne, m.name):
			inner := at
			if m.name == "items" {
				inner += "[]"
			}
			f.each(m, inner, visit)
		}
	}
}

// resolve follows a local $ref.
func (f *schemaFile) resolve(n *node) *node {
	for range 8 {
		ref := n.get("$ref").str()
		if !strings.HasPrefix(ref, "#/") {
			return n
		}
		to := f.root
		for _, token := range strings.Split(ref, "/")[1:] {
			to = to.get(strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
		}
		if to == nil {
			return n
		}
		n = to
	}
	return n
}

// says tells whether a schema, or what its $ref leads to, has one of these keywords.
func (f *schemaFile) says(n *node, keywords ...string) bool {
	return n.has(keywords...) || f.resolve(n).has(keywords...)
}

// mostPlaces bounds the findings of one rule in one file.
const mostPlaces = 100

// schemaPlace is something to report in parameters.json.
type schemaPlace struct {
	at                 int // byte offset
	key, message, hint string
	severity           Severity // "": that of the rule
}

// reportSchema adds findings in parameters.json, up to a bound.
func (p *skillPass) reportSchema(places []schemaPlace) {
	f := p.schema()
	for i, at := range places {
		if i == mostPlaces {
			at.message += fmt.Sprintf("; and %d more like this", len(places)-i-1)
		}
		line, column := skills.Position(f.data, at.at)
		p.add(Finding{Severity: at.severity, Message: at.message, Hint: at.hint, Path: f.path, Line: line, Column: column, Skill: p.skill.Name, Key: at.key})
		if i == mostPlaces {
			return
		}
	}
}
