package skills

import (
	"path"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"
)

// Parse reads one SKILL.md. It is the only reader of the format: a byte order mark, any line ends, values that are
// not valid YAML, keys in another case and a missing name or description are tolerated, and each tolerance is a
// note in [Skill.Tolerated]. The name falls back to the directory in filePath. The error is a [*LoadError] with
// path, line and column. Parameters are not read: [Load] takes them from the files beside SKILL.md.
func Parse(filePath string, data []byte) (*Skill, error) {
	slashed := strings.ReplaceAll(filePath, `\`, "/")
	dir := path.Base(path.Dir(slashed))
	if dir == "." || dir == "/" || dir == ".." {
		dir = ""
	}
	s, err := parse(filePath, dir, data)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// parse is Parse with the directory's name given. Beside an error it gives what could be read all the same; nil when
// that is not even text.
func parse(filePath, dirName string, data []byte) (*Skill, *LoadError) {
	d, fault := readDocument(filePath, data)
	switch {
	case fault != nil && (fault.Code == CodeTooLarge || fault.Code == CodeEncoding):
		return nil, fault
	case fault != nil:
		return &Skill{Path: filePath, broken: true}, fault
	}
	b := &builder{doc: d, skill: &Skill{Path: filePath, Body: strings.TrimSpace(d.body), Lines: map[string]int{}}}
	b.skill.schema = newSchemaHolder()
	b.skill.Lines["body"] = d.bodyLine
	pairs, fault := d.pairs()
	if fault != nil {
		return &Skill{Path: filePath, broken: true}, fault
	}
	b.standard(b.topLevel(pairs))
	if b.x.err != nil {
		return &Skill{Path: filePath, broken: true}, loadError(CodeExpansion, d.path, d.frontLine, 0, "%v", b.x.err)
	}
	fault = b.finish(dirName)
	b.skill.Tolerated = d.notes
	return b.skill, fault
}

// pairs reads the frontmatter: strictly, and key by key where that fails.
func (d *document) pairs() ([]pair, *LoadError) {
	if !d.hasFront {
		return nil, nil
	}
	b := block{lines: d.front, line: d.frontLine}
	pairs, fault := strictPairs(b)
	if fault == nil {
		return pairs, nil
	}
	pairs = d.tolerantPairs(b, false)
	if len(pairs) == 0 {
		return nil, loadError(CodeNotMapping, d.path, fault.line, fault.column,
			"frontmatter cannot be read (%s): write one key a line, such as name: my-skill", fault.message)
	}
	return pairs, nil
}

// builder turns frontmatter entries into a Skill.
type builder struct {
	doc   *document
	skill *Skill
	x     expander
}

// noteAt records a tolerance at a node, or at the key when the node has no place.
func (b *builder) noteAt(code string, p pair, message string) {
	line, column := p.line, p.column
	if p.value != nil && p.value.Line > 0 {
		line, column = p.value.Line, p.value.Column
	}
	b.doc.note(code, line, column, message)
}

// normalKey brings a key to lower case with hyphens: allowedTools, allowed_tools and Allowed-Tools are one.
func normalKey(key string) string {
	var b strings.Builder
	lower := false
	for _, r := range strings.TrimSpace(key) {
		switch {
		case r == '_' || r == ' ' || r == '-':
			b.WriteByte('-')
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			b.WriteByte('-')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	if b.String() == "when-to-use" {
		return "use-when"
	}
	return b.String()
}

var standardKeys = map[string]bool{"name": true, "description": true, "license": true,
	"compatibility": true, "metadata": true, "allowed-tools": true}

// topLevel sorts the entries of the frontmatter into standard fields, fields of ours and unknown keys. What it
// returns holds the first two by normalised key.
func (b *builder) topLevel(pairs []pair) map[string]pair {
	known, exact := map[string]pair{}, map[string]bool{}
	for _, p := range pairs {
		norm := normalKey(p.key)
		if !standardKeys[norm] && !isField(norm) {
			b.extra(p)
			continue
		}
		if old, ok := known[norm]; ok {
			if exact[norm] && p.key != norm {
				b.extra(p) // name and Name: the documented spelling counts
				continue
			}
			b.doc.note(CodeDuplicateKey, p.line, p.column, old.key+" is given twice; the last value counts")
		}
		known[norm], exact[norm] = p, p.key == norm
		b.skill.Lines[norm] = p.line
	}
	for _, p := range pairs { // in file order
		norm := normalKey(p.key)
		if known[norm].line != p.line || known[norm].key != p.key {
			continue
		}
		if p.key != norm {
			b.doc.note(CodeKeyCase, p.line, p.column, "key "+p.key+" is read as "+norm+"; write "+norm)
		}
		if !standardKeys[norm] {
			b.doc.note(CodeTopLevel, p.line, p.column, norm+" belongs under metadata in the open format")
		}
	}
	return known
}

// extra keeps an unknown top-level key as written.
func (b *builder) extra(p pair) {
	if b.skill.Extra == nil {
		b.skill.Extra = map[string]string{}
	}
	if _, twice := b.skill.Extra[p.key]; twice {
		b.doc.note(CodeDuplicateKey, p.line, p.column, p.key+" is given twice; the last value counts")
	}
	b.skill.Extra[p.key] = b.x.text(p.value)
}

// standard sets the fields of the open format, then ours: metadata wins over the top level.
func (b *builder) standard(known map[string]pair) {
	s := b.skill
	if p, ok := known["name"]; ok {
		s.Name = b.textField(p, "name")
	}
	if p, ok := known["description"]; ok {
		s.Description = b.textField(p, "description")
	}
	s.License = strings.TrimSpace(b.x.text(known["license"].value))
	s.Compatible = strings.TrimSpace(b.x.text(known["compatibility"].value))
	s.AllowedTools = b.x.list(known["allowed-tools"].value, splitTools)
	fields := map[string]pair{}
	for norm, p := range known {
		if !standardKeys[norm] {
			fields[norm] = p
		}
	}
	if p, ok := known["metadata"]; ok {
		b.metadata(p, fields)
	}
	b.fields(fields)
}

// textField reads a field that must be text.
func (b *builder) textField(p pair, name string) string {
	n := b.x.resolve(p.value)
	if isNull(n) {
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		if name == "name" {
			b.noteAt(CodeNotText, p, "name is a "+kindName(n)+"; write text")
			return ""
		}
		text, fault := b.doc.sourceText(p)
		if fault {
			text = b.x.text(n)
		}
		b.noteAt(CodeNotText, p, name+" is a "+kindName(n)+"; its source text is used, quote it")
		return text
	}
	switch n.Tag {
	case "!!int", "!!float", "!!bool", "!!timestamp":
		b.noteAt(CodeScalarType, p, name+": "+n.Value+" is a "+kindName(n)+" in YAML; its text is used, quote it")
	}
	if n.LineComment != "" && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		b.noteAt(CodeCommentCut, p, name+`: the text from "`+clip(n.LineComment, 40)+`" on is a comment in YAML and not part of the value; quote the value`)
	}
	return strings.TrimSpace(b.x.text(n))
}

// sourceText gives the text of a value that YAML takes for a list or map, such as [brief description].
func (d *document) sourceText(p pair) (text string, fault bool) {
	at := p.line - d.frontLine
	if at < 0 || at >= len(d.front) {
		return "", true
	}
	for _, s := range (&document{}).segments(block{lines: d.front, line: d.frontLine}) {
		if s.line == p.line {
			return strings.TrimSpace(fold(append([]string{s.rest}, trimmed(s.lines[1:])...))), false
		}
	}
	return "", true
}

func trimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(l)
	}
	return out
}

func kindName(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.SequenceNode:
		return "list"
	case n.Kind == yaml.MappingNode:
		return "map"
	case n.Tag == "!!int", n.Tag == "!!float":
		return "number"
	case n.Tag == "!!bool":
		return "truth value"
	case n.Tag == "!!timestamp":
		return "date"
	}
	return "text"
}

// finish fills what the frontmatter left open and refuses what has neither name nor description.
func (b *builder) finish(dirName string) *LoadError {
	s, d := b.skill, b.doc
	line := max(s.Lines["name"], 1)
	if s.Name == "" {
		if dirName == "" {
			return loadError(CodeNoName, d.path, line, 0, "no name: write name: my-skill in the frontmatter")
		}
		s.Name = dirName
		d.note(CodeNameFromDir, line, 1, "no name in the frontmatter; the directory's name "+dirName+" is used")
	}
	s.DescriptionSource = "frontmatter"
	if s.Description == "" {
		line = max(s.Lines["description"], 1)
		text := firstParagraph(s.Body)
		if text == "" {
			return loadError(CodeNoDescription, d.path, line, 0,
				"no description in the frontmatter and no paragraph of text in the body: write description: what it does and when to use it")
		}
		s.Description, s.DescriptionSource = text, "body"
		d.note(CodeDescriptionBody, line, 1, "no description in the frontmatter; the first paragraph of the body is used")
	}
	s.deriveUse()
	return nil
}
