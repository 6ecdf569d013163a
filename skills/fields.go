package skills

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// field is one entry of metadata that skilleval gives a meaning.
type field struct {
	name string
	set  func(b *builder, p pair) (bad string) // bad says what would be accepted
}

// fieldTable lists our fields in the order in which they are read.
var fieldTable = []field{
	{"version", text(func(s *Skill) *string { return &s.Version })},
	{"author", text(func(s *Skill) *string { return &s.Author })},
	{"category", text(func(s *Skill) *string { return &s.Category })},
	{"tags", list(func(s *Skill) *[]string { return &s.Tags }, splitCommas)},
	{"depends-on", list(func(s *Skill) *[]string { return &s.DependsOn }, splitCommas)},
	{"use-when", list(func(s *Skill) *[]string { return &s.UseWhen }, splitSentences)},
	{"do-not-use-when", list(func(s *Skill) *[]string { return &s.DoNotUseWhen }, splitSentences)},
	{"examples", list(func(s *Skill) *[]string { return &s.Examples }, splitSentences)},
	{"aliases", (*builder).aliases},
	{"requires", (*builder).requires},
	{"requires-bins", list(func(s *Skill) *[]string { return &s.Requires.Bins }, splitCommas)},
	{"requires-env", list(func(s *Skill) *[]string { return &s.Requires.Env }, splitCommas)},
	{"always", (*builder).always},
	{"timeout", (*builder).timeout},
	{"retries", number(func(s *Skill) *int { return &s.Retries })},
	{"max-concurrent", number(func(s *Skill) *int { return &s.MaxConcurrent })},
	{"result-limit", number(func(s *Skill) *int { return &s.ResultLimit })},
	{"result", (*builder).result},
}

func isField(norm string) bool {
	return slices.ContainsFunc(fieldTable, func(f field) bool { return f.name == norm })
}

// fields sets every field of ours that was given.
func (b *builder) fields(given map[string]pair) {
	for _, f := range fieldTable {
		p, ok := given[f.name]
		if !ok || isNull(b.x.resolve(p.value)) {
			continue
		}
		b.skill.Lines[f.name] = p.line
		if bad := f.set(b, p); bad != "" {
			b.noteAt(CodeBadValue, p, f.name+": "+clip(b.x.text(p.value), 60)+" is left out; write "+bad)
		}
	}
}

func text(at func(*Skill) *string) func(*builder, pair) string {
	return func(b *builder, p pair) string {
		*at(b.skill) = strings.TrimSpace(b.x.text(p.value))
		return ""
	}
}

func list(at func(*Skill) *[]string, split func(string) []string) func(*builder, pair) string {
	return func(b *builder, p pair) string {
		*at(b.skill) = b.x.list(p.value, split)
		return ""
	}
}

func number(at func(*Skill) *int) func(*builder, pair) string {
	return func(b *builder, p pair) string {
		n, err := strconv.Atoi(strings.TrimSpace(b.x.text(p.value)))
		if err != nil || n < 0 || n > math.MaxInt32 {
			return "a whole number, 0 or more"
		}
		*at(b.skill) = n
		return ""
	}
}

func (b *builder) always(p pair) string {
	switch strings.ToLower(strings.TrimSpace(b.x.text(p.value))) {
	case "true", "yes", "on", "1":
		b.skill.Always = true
	case "false", "no", "off", "0", "":
	default:
		return "true or false"
	}
	return ""
}

// timeout takes a duration such as 30s, or a number of seconds.
func (b *builder) timeout(p pair) string {
	text := strings.TrimSpace(b.x.text(p.value))
	d, err := time.ParseDuration(text)
	if err != nil {
		d, err = time.ParseDuration(text + "s")
	}
	if err != nil || d < 0 {
		return "a duration such as 30s"
	}
	b.skill.Timeout = d
	return ""
}

// result takes the stub result: JSON as it is, text as a JSON string.
func (b *builder) result(p pair) string {
	n := b.x.resolve(p.value)
	if n.Kind != yaml.ScalarNode {
		b.skill.Result = b.x.json(n)
		return ""
	}
	text := b.x.text(n)
	if raw := json.RawMessage(strings.TrimSpace(text)); checkJSON(raw) == nil {
		b.skill.Result = raw
		return ""
	}
	b.skill.Result = quoteJSON(text)
	return ""
}

// aliases takes a map from another spelling to the declared name ({town: city}), from a declared name to a list
// of spellings ({city: [town, place]}), or text such as "town=city, place=city".
func (b *builder) aliases(p pair) string {
	const accepted = `a map such as {town: city}, or "town=city, place=city"`
	out := map[string]string{}
	n := b.x.resolve(p.value)
	if inner := b.x.parsed(n); inner != nil {
		n = inner
	}
	switch n.Kind {
	case yaml.MappingNode:
		for _, e := range b.x.pairs(n) {
			if v := b.x.resolve(e.value); v != nil && v.Kind == yaml.SequenceNode {
				for _, spelling := range b.x.list(v, splitCommas) {
					out[spelling] = e.key
				}
				continue
			}
			out[e.key] = strings.TrimSpace(b.x.text(e.value))
		}
	case yaml.ScalarNode:
		for _, item := range splitCommas(b.x.text(n)) {
			spelling, name, ok := strings.Cut(item, "=")
			if !ok {
				return accepted
			}
			out[strings.TrimSpace(spelling)] = strings.TrimSpace(name)
		}
	default:
		return accepted
	}
	for spelling, name := range out {
		if spelling == "" || name == "" {
			return accepted
		}
	}
	if len(out) > 0 {
		b.skill.Aliases = out
	}
	return ""
}

// requires takes a map with bins, anyBins and env, JSON text of one, or a plain list of programs.
func (b *builder) requires(p pair) string {
	n := b.x.resolve(p.value)
	if inner := b.x.parsed(n); inner != nil {
		n = inner
	}
	r := &b.skill.Requires
	if n.Kind != yaml.MappingNode {
		r.Bins = b.x.list(n, splitCommas)
		return ""
	}
	for _, e := range b.x.pairs(n) {
		switch normalKey(e.key) {
		case "bins":
			r.Bins = b.x.list(e.value, splitCommas)
		case "any-bins":
			r.AnyBins = b.x.list(e.value, splitCommas)
		case "env":
			r.Env = b.x.list(e.value, splitCommas)
		}
	}
	return ""
}

// hostKeys are the metadata entries under which several agent hosts keep requirements.
var hostKeys = []string{"nanobot", "clawdbot", "moltbot", "openclaw", "clawdis"}

// metadata reads the metadata entry: a map, or JSON text of one. Entries are kept as written; those that are
// fields of ours are added to fields.
func (b *builder) metadata(p pair, fields map[string]pair) {
	n := b.x.resolve(p.value)
	if isNull(n) {
		return
	}
	if inner := b.x.parsed(n); inner != nil {
		n = inner
	}
	if n.Kind != yaml.MappingNode {
		b.noteAt(CodeMetadata, p, "metadata is neither a map nor JSON text of one; write entries such as  version: \"1.0\"")
		b.extra(p)
		return
	}
	b.skill.Metadata = map[string]string{}
	entries := b.x.pairs(n)
	for _, e := range entries {
		b.skill.Metadata[e.key] = b.x.text(e.value)
		if slices.Contains(hostKeys, e.key) {
			b.host(e, fields)
		}
	}
	if 2*len(entries) < len(n.Content) {
		b.noteAt(CodeDuplicateKey, p, "metadata gives a key twice; the last value counts")
	}
	for _, e := range entries { // entries of ours win over those of a host
		if norm := normalKey(e.key); isField(norm) {
			fields[norm] = e
		}
	}
}

// host takes requires and always out of another host's metadata, where ours are not given.
func (b *builder) host(e pair, fields map[string]pair) {
	n := b.x.resolve(e.value)
	if inner := b.x.parsed(n); inner != nil {
		n = inner
	}
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for _, inner := range b.x.pairs(n) {
		switch inner.key {
		case "requires", "always":
			if _, given := fields[inner.key]; !given {
				fields[inner.key] = inner
			}
		}
	}
}
