package offline

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/skilleval/skilleval/internal/prose"
)

// fillInput is what arguments are made from.
type fillInput struct {
	schema   json.RawMessage
	name     string   // of the skill
	about    string   // its own words, which are hardly ever a value
	text     string   // the part of the question that is for this skill
	question string   // the whole question
	earlier  []string // user turns before, latest first
	system   string
	repair   bool // an earlier attempt was refused: guess rather than leave out
}

// span is a stretch of the text, in bytes.
type span struct{ from, to int }

// filler looks for values in one text.
type filler struct {
	text     string
	folded   string // text in lower case; of the same length
	words    []word
	about    map[string]bool
	aboutHan string // the Han characters of the skill's own words
	claims   []span
	quotes   []span // what stands between quotation marks, without them
	links    []span // web addresses
	numbers  []number
	dates    []moment
	today    time.Time // zero when unknown
	repair   bool
}

// found is a value as JSON, and where it stands in the text; a zero span stands nowhere.
type found struct {
	json string
	at   span
}

// maxValues is how many bytes of a text are searched for values.
const maxValues = 8 << 10

// fillArguments makes the arguments of a call, as a JSON object.
func fillArguments(in fillInput) string {
	root := readSchema(in.schema)
	text := clip(in.text, maxValues)
	f := newFiller(text, in)
	values := f.object(root)
	backups := []string{}
	if in.question != in.text {
		backups = append(backups, clip(in.question, maxValues))
	}
	for _, turn := range in.earlier[:min(len(in.earlier), 3)] {
		backups = append(backups, clip(turn, maxValues))
	}
	for _, backup := range backups {
		if !missing(root, values) {
			break
		}
		other := newFiller(backup, in)
		for p, v := range other.object(root) {
			if p.required && values[p] == "" {
				values[p] = v
			}
		}
	}
	f.fillRest(root, values, in.text)
	return encodeObject(root, values)
}

// newFiller reads a text for values.
func newFiller(text string, in fillInput) *filler {
	f := &filler{text: text, folded: sameLengthLower(text), about: make(map[string]bool), repair: in.repair, today: dayIn(in.system)}
	var han strings.Builder
	for _, about := range [...]string{in.name, in.about} {
		terms(about, func(t term) { f.about[t.key] = true })
		for _, r := range about {
			if prose.IsIdeographic(r) {
				han.WriteRune(r)
			}
		}
	}
	f.aboutHan = han.String()
	f.words = scanWords(text, f.folded)
	f.quotes = findQuotes(text)
	f.links = f.urls()
	f.dates = findMoments(f)
	f.numbers = findNumbers(f)
	return f
}

// sameLengthLower is the text in lower case where that keeps every byte in its place, and the text itself where not.
func sameLengthLower(text string) string {
	if low := strings.ToLower(text); len(low) == len(text) {
		return low
	}
	return text
}

// object fills the properties of an object: what is evident first, then what is left for required ones.
func (f *filler) object(p *param) map[*param]string {
	values := f.evident(p)
	named := 0 // properties that could take a name; of optional ones the first may
	for _, child := range p.properties {
		if values[child] != "" || !child.allows("string") || len(child.enum) > 0 {
			continue
		}
		if named++; !child.required && named > 1 {
			continue
		}
		if v, ok := f.nameLike(child); ok {
			f.claim(v.at)
			values[child] = v.json
		}
	}
	return values
}

// evident fills what the text gives clear evidence for, the surest kinds of evidence first.
func (f *filler) evident(p *param) map[*param]string {
	values := make(map[*param]string, len(p.properties))
	ordered := slices.Clone(p.properties)
	slices.SortStableFunc(ordered, func(a, b *param) int {
		switch {
		case a.required == b.required:
			return 0
		case a.required:
			return -1
		}
		return 1
	})
	for _, look := range []func(*param) (found, bool){f.typed, f.labelled, f.quoted, f.listed, f.placed} {
		for _, child := range ordered {
			if values[child] != "" {
				continue
			}
			if v, ok := look(child); ok {
				f.claim(v.at)
				values[child] = v.json
			}
		}
	}
	return values
}

// typed finds values that their form or the schema gives away.
func (f *filler) typed(p *param) (found, bool) {
	switch {
	case len(p.enum) > 0:
		return f.enumerated(p)
	case p.allows("integer") || p.allows("number"):
		return f.numeric(p)
	case p.allows("boolean"):
		return f.boolean(p)
	case p.allows("string"):
		return f.formed(p)
	case p.allows("array") && p.items != nil:
		return f.typedArray(p)
	case p.allows("object") && len(p.properties) > 0:
		values := f.evident(p)
		if len(values) == 0 && !p.required {
			return found{}, false
		}
		if missing(p, values) && !p.required {
			return found{}, false
		}
		return found{json: encodeObject(p, values)}, true
	}
	return found{}, false
}

// fillRest fills required arguments that are still missing: with the text that is left, with a default, and, when
// an earlier attempt was refused, with the least that the schema takes.
func (f *filler) fillRest(root *param, values map[*param]string, full string) {
	for _, p := range root.properties {
		if values[p] != "" || !p.required {
			continue
		}
		if v, ok := f.remaining(p, full); ok {
			values[p] = v
			continue
		}
		switch {
		case p.fallback != nil:
			values[p] = string(p.fallback)
		case f.repair:
			values[p] = f.least(p)
		}
	}
}

// least is a guess at a required value that the text does not give; "" where a guess would be an invention.
func (f *filler) least(p *param) string {
	switch {
	case len(p.enum) > 0:
		return string(p.enum[0].raw)
	case p.allows("string"):
		if text := p.fitLength(f.trimmed(f.text)); text != "" && p.format == "" {
			return quote(text)
		}
	case p.allows("boolean"):
		return "false"
	case p.allows("integer") || p.allows("number"):
		for _, n := range f.numbers {
			if p.inRange(n.value) {
				return n.json(p)
			}
		}
		if p.minimum != nil && p.inRange(*p.minimum) {
			return formatNumber(*p.minimum)
		}
	case p.allows("array") && p.minItems == 0:
		return "[]"
	case p.allows("object"):
		return "{}"
	}
	return ""
}

// missing reports whether a required property has no value.
func missing(p *param, values map[*param]string) bool {
	for _, child := range p.properties {
		if child.required && values[child] == "" {
			return true
		}
	}
	return false
}

// encodeObject writes the values in the order of the schema.
func encodeObject(p *param, values map[*param]string) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, child := range p.properties {
		if values[child] == "" {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(quote(child.name))
		b.WriteByte(':')
		b.WriteString(values[child])
	}
	b.WriteByte('}')
	return b.String()
}

// claim marks a stretch of the text as used.
func (f *filler) claim(s span) {
	if s.to > s.from {
		f.claims = append(f.claims, s)
	}
}

// free reports whether no value has been taken from a stretch of the text.
func (f *filler) free(s span) bool {
	for _, c := range f.claims {
		if s.from < c.to && c.from < s.to {
			return false
		}
	}
	return true
}
