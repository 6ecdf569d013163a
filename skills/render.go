package skills

import (
	"slices"
	"sort"
	"strings"
)

// The formats of [Render].
const (
	FormatList = "list"
	FormatXML  = "xml"
)

// RenderOptions says how a catalogue is written for a model.
type RenderOptions struct {
	Format      string           // FormatList (also "") or FormatXML
	TokenLimit  int              // of the text; 0: none
	CountTokens func(string) int // nil: EstimateTokens
	ContextTags []string         // keep skills with one of these tags, and skills without tags; empty: all
	Schemas     bool             // add each skill's JSON Schema, for protocols that call without a second level
}

// Rendering is a catalogue as a model reads it.
type Rendering struct {
	Text      string   // no line end behind the last line, no empty line
	Names     []string // of the skills in it, in order
	Shortened []string // skills that the token limit cost a part of their text
	Dropped   []string // skills that the token limit left out
	Tokens    int      // of Text, as counted
}

// level is how much of a skill is written.
type level int

const (
	levelFull  level = iota // everything of the summary
	levelShort              // the first sentence of the description, conditions of use, arguments
	levelName               // name and argument names
	levels
)

// Render writes the first disclosure level of a catalogue: names, descriptions, conditions of use that the
// description does not already hold, and argument names. Skills that are not available are written, too: filter
// them before. Where a token limit asks for it, all skills are cut alike, so that no place in the catalogue is
// favoured: first to the first sentence of the description with the conditions of use, then to name and argument
// names; only then skills are dropped, from the end.
func Render(list []*Skill, o RenderOptions) Rendering {
	count := o.CountTokens
	if count == nil {
		count = EstimateTokens
	}
	list = withTags(list, o.ContextTags)
	var entries []string
	var r Rendering
	cut := make([]bool, len(list))
	for l := levelFull; l < levels; l++ {
		next := make([]string, len(list))
		for i, s := range list {
			next[i] = entry(s, l, o)
			cut[i] = cut[i] || l > levelFull && next[i] != entries[i]
		}
		entries = next
		r.Text = o.join(entries)
		r.Tokens = count(r.Text)
		if o.TokenLimit <= 0 || r.Tokens <= o.TokenLimit {
			r.name(list, cut, len(list))
			return r
		}
	}
	fits := sort.Search(len(entries), func(n int) bool { return count(o.join(entries[:n+1])) > o.TokenLimit })
	for fits > 0 && count(o.join(entries[:fits])) > o.TokenLimit {
		fits--
	}
	r.Text = o.join(entries[:fits])
	if fits == 0 {
		r.Text = ""
	}
	r.Tokens = count(r.Text)
	r.name(list, cut, fits)
	return r
}

// name fills the names of a rendering that holds the first n skills, some of them cut.
func (r *Rendering) name(list []*Skill, cut []bool, n int) {
	for i, s := range list {
		if i >= n {
			r.Dropped = append(r.Dropped, s.Name)
			continue
		}
		r.Names = append(r.Names, s.Name)
		if cut[i] {
			r.Shortened = append(r.Shortened, s.Name)
		}
	}
}

func (o RenderOptions) join(entries []string) string {
	text := strings.Join(entries, "\n")
	if o.Format != FormatXML {
		return text
	}
	if text != "" {
		text += "\n"
	}
	return "<skills>\n" + text + "</skills>"
}

func withTags(list []*Skill, tags []string) []*Skill {
	if len(tags) == 0 {
		return list
	}
	var out []*Skill
	for _, s := range list {
		shares := func(tag string) bool {
			return slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(strings.TrimSpace(t), tag) })
		}
		if len(s.Tags) == 0 || slices.ContainsFunc(s.Tags, shares) {
			out = append(out, s)
		}
	}
	return out
}

// summary is what one entry says at a level.
type summary struct {
	description string
	use, not    []string // conditions that the description does not hold
	arguments   string   // "city (required), days"
	brief       bool     // names only
	schema      string
}

func summarise(s *Skill, l level, schemas bool) summary {
	m := summary{brief: l == levelName}
	switch l {
	case levelFull:
		m.description = oneLine(s.Description)
	case levelShort:
		m.description = oneLine(firstSentence(s.Description))
	}
	if l != levelName {
		m.use = missing(s.UseWhen, m.description)
		m.not = missing(s.DoNotUseWhen, m.description)
		if schemas {
			m.schema = compactSchema(s)
		}
	}
	var names []string
	for _, p := range s.arguments() {
		name := oneLine(p.Name)
		if p.Required && l != levelName {
			name += " (required)"
		}
		names = append(names, name)
	}
	m.arguments = strings.Join(names, ", ")
	return m
}

func compactSchema(s *Skill) string {
	if s.Parameters == nil {
		return noArguments
	}
	return compactJSON(s.Parameters)
}

func entry(s *Skill, l level, o RenderOptions) string {
	m := summarise(s, l, o.Schemas)
	if o.Format == FormatXML {
		return m.xml(s)
	}
	var b strings.Builder
	b.WriteString("- " + oneLine(s.Name))
	if m.description != "" {
		b.WriteString(": " + m.description)
	} else if m.arguments != "" {
		b.WriteString(":")
	}
	sentence(&b, " Use when: ", m.use)
	sentence(&b, " Do not use when: ", m.not)
	if m.arguments != "" {
		b.WriteString(" Arguments: " + m.arguments + ".")
	}
	if m.schema != "" {
		b.WriteString("\n  Parameters: " + m.schema)
	}
	return b.String()
}

func sentence(b *strings.Builder, lead string, conditions []string) {
	if len(conditions) > 0 {
		b.WriteString(lead + joinConditions(conditions) + ".")
	}
}

// joinConditions writes conditions as one clause without a full stop.
func joinConditions(conditions []string) string {
	parts := make([]string, len(conditions))
	for i, c := range conditions {
		parts[i] = strings.TrimRight(oneLine(c), ".。;；")
	}
	return strings.Join(parts, "; ")
}
