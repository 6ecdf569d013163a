package skills

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Catalog is what loading found: every SKILL.md that was seen is a skill, a failure or shadowed.
type Catalog struct {
	Skills     []*Skill    // loaded, in order of root, then path; equal names of one root are all kept
	Failures   []Note      // one for each SKILL.md that could not be loaded, with path, line and column
	Broken     []*Skill    // what could be read of failures all the same, by path; see [Skill.Readable]
	Found      int         // SKILL.md files seen: len(Skills) + len(Failures) + those that are shadowed
	Duplicates []Duplicate // equal names inside one root
	Shadowed   []Duplicate // names of an earlier root that hide skills of later ones; the first path wins
	Notes      []Note      // links that were not followed, folders that were not searched
}

// Duplicate is one name and the files that claim it. Names are equal when they are the same in Unicode normal form
// C, case folded.
type Duplicate struct {
	Name  string   `json:"name"`
	Paths []string `json:"paths"`
}

// Get gives the first skill of this exact name.
func (c *Catalog) Get(name string) (*Skill, bool) {
	for _, s := range c.Skills {
		if s.Name == name {
			return s, true
		}
	}
	return nil, false
}

// Err says what makes the catalogue unfit for a run: skills that could not be loaded, equal names, dependencies on
// nothing or in a circle. It is a [*CatalogError] with all of them, or nil.
func (c *Catalog) Err() error {
	faults := slices.Clone(c.Failures)
	for _, d := range c.Duplicates {
		faults = append(faults, Note{Code: CodeDuplicateName, Path: d.Paths[0],
			Message: fmt.Sprintf("name %q is also that of %s; names must differ in more than case", d.Name, strings.Join(d.Paths[1:], ", "))})
	}
	faults = append(faults, CheckDependencies(c.Skills)...)
	if len(faults) == 0 {
		return nil
	}
	return &CatalogError{Faults: faults}
}

// WithDescriptions gives a catalogue in which the skills named in set have these descriptions. Conditions of use
// that came from sentences of the old description are taken from the new one; those of metadata stay. Names that
// are not in the catalogue are one error.
func (c *Catalog) WithDescriptions(set map[string]string) (*Catalog, error) {
	names := make([]string, len(c.Skills))
	for i, s := range c.Skills {
		names[i] = s.Name
	}
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if slices.Contains(names, name) {
			continue
		}
		text := fmt.Sprintf("%q", name)
		if near, ok := nearest(name, names); ok {
			text += fmt.Sprintf(" (did you mean %q?)", near)
		}
		unknown = append(unknown, text)
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("descriptions for skills that are not in the catalogue: %s", strings.Join(unknown, ", "))
	}
	out := *c
	out.Skills = make([]*Skill, len(c.Skills))
	for i, s := range c.Skills {
		out.Skills[i] = s
		if text, ok := set[s.Name]; ok {
			out.Skills[i] = s.withDescription(text)
		}
	}
	return &out, nil
}

func (s *Skill) withDescription(text string) *Skill {
	t := *s
	t.Description, t.DescriptionSource = strings.TrimSpace(text), "override"
	if len(missing(s.UseWhen, s.Description)) == 0 {
		t.UseWhen = nil
	}
	if len(missing(s.DoNotUseWhen, s.Description)) == 0 {
		t.DoNotUseWhen = nil
	}
	t.deriveUse()
	return &t
}

// ParseDescriptions reads a description set: a YAML map from skill name to description. The error names path, line
// and column.
func ParseDescriptions(path string, data []byte) (map[string]string, error) {
	set, _, err := ParseDescriptionPlaces(path, data)
	return set, err
}

// ParseDescriptionPlaces is [ParseDescriptions] and says beside it where in the file each name stands.
func ParseDescriptionPlaces(path string, data []byte) (map[string]string, map[string]Note, error) {
	d := &document{path: path}
	if len(data) > maxFileSize {
		return nil, nil, loadError(CodeTooLarge, path, 0, 0, "file has %d bytes; at most %d are read", len(data), maxFileSize)
	}
	text := d.decode(data)
	pairs, fault := strictPairs(block{lines: strings.Split(text, "\n"), line: 1})
	if fault != nil {
		return nil, nil, loadError(CodeNotMapping, path, fault.line, fault.column,
			"not a map from skill name to description: %s", fault.message)
	}
	if len(pairs) == 0 {
		return nil, nil, loadError(CodeNotMapping, path, 1, 0, "no descriptions; write one line a skill, such as get_weather: Current weather for a city.")
	}
	var x expander
	out, places := make(map[string]string, len(pairs)), make(map[string]Note, len(pairs))
	for _, p := range pairs {
		if _, twice := out[p.key]; twice {
			return nil, nil, loadError(CodeDuplicateKey, path, p.line, p.column, "%q is given twice", p.key)
		}
		n := x.resolve(p.value)
		if isNull(n) || kindName(n) == "list" || kindName(n) == "map" || strings.TrimSpace(n.Value) == "" {
			return nil, nil, loadError(CodeNotText, path, p.line, p.column, "description of %q must be text and not empty", p.key)
		}
		out[p.key] = strings.TrimSpace(x.text(n))
		places[p.key] = Note{Path: path, Line: p.line, Column: p.column}
	}
	if x.err != nil {
		return nil, nil, loadError(CodeExpansion, path, 1, 0, "%v", x.err)
	}
	return out, places, nil
}
