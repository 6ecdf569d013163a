package lint

import (
	"path"
	"strings"

	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
)

// skillPass is one rule looking at one skill.
type skillPass struct {
	collector
	skill *skills.Skill
	file  *source
	dir   *folder
}

// checkSkill holds the rules for one skill against it.
func checkSkill(s *skills.Skill, rules []Rule, o Options) []Finding {
	dir := openFolder(s)
	defer dir.close()
	file := newSource(s)
	p := &skillPass{collector: collector{options: &o}, skill: s, file: file, dir: dir}
	for _, r := range rules {
		p.rule = r
		switch {
		case r.skill != nil && (r.unread || s.Readable()):
			r.skill(p)
		case r.skill == nil && r.loaded != "":
			p.tolerated(r.loaded)
		case r.failed != "": // a further fault of a skill that could not be loaded
			p.tolerated(r.failed)
		}
	}
	return p.findings
}

// tolerated passes on the notes of loading of one code.
func (p *skillPass) tolerated(code string) {
	for _, n := range p.skill.Tolerated {
		if n.Code == code {
			p.note(n, nil)
		}
	}
}

// note reports a note of loading.
func (p *skillPass) note(n skills.Note, fix *Fix) {
	key := ""
	if n.Path == p.skill.Path {
		key = p.file.keyAt(n.Line)
	}
	p.add(Finding{Message: n.Message, Path: n.Path, Line: n.Line, Column: n.Column, Skill: p.skill.Name, Key: key, Fix: fix})
}

// notes gives the notes of one code about SKILL.md itself.
func (p *skillPass) notes(code string) []skills.Note {
	var out []skills.Note
	for _, n := range p.skill.Tolerated {
		if n.Code == code && n.Path == p.skill.Path {
			out = append(out, n)
		}
	}
	return out
}

// report adds a finding about a frontmatter field, at its key.
func (p *skillPass) report(field, message, hint string) {
	line, column := p.file.keyPlace(field)
	p.addField(Finding{Message: message, Hint: hint, Path: p.skill.Path, Line: line, Column: column, Skill: p.skill.Name, Key: field})
}

// named tells whether the name was written as one: that of a directory has a finding of its own.
func (p *skillPass) named() bool {
	return p.skill.Lines["name"] > 0 && p.skill.Name != "" && !p.noted(skills.CodeNameFromDir)
}

func (p *skillPass) noted(code string) bool { return len(p.notes(code)) > 0 }

// reportAt adds a finding about words inside a frontmatter field, at these words where they can be found.
func (p *skillPass) reportAt(field, words, message, hint string) {
	line, column := p.file.find(field, words)
	p.addField(Finding{Message: message, Hint: hint, Path: p.skill.Path, Line: line, Column: column, Skill: p.skill.Name, Key: field})
}

// catalogPass is one rule looking at the whole catalogue.
type catalogPass struct {
	collector
	pairs []similarity.Pair
	*index
}

// index is what rules about the catalogue share.
type index struct {
	catalog *skills.Catalog
	byPath  map[string]*skills.Skill
	broken  map[string]*skills.Skill // by folder
	depends []skills.Note
}

func newIndex(c *skills.Catalog) *index {
	x := &index{catalog: c, byPath: make(map[string]*skills.Skill, len(c.Skills)), broken: make(map[string]*skills.Skill, len(c.Broken)),
		depends: skills.CheckDependencies(c.Skills)}
	for _, s := range c.Skills {
		x.byPath[s.Path] = s
	}
	for _, s := range c.Broken {
		x.broken[path.Dir(s.Path)] = s
	}
	return x
}

// at gives the skill of a SKILL.md; nil when none was loaded from it.
func (x *index) at(path string) *skills.Skill { return x.byPath[path] }

func (x *index) nameAt(path string) string {
	if s := x.at(path); s != nil {
		return s.Name
	}
	return ""
}

// noteAt is a remark at a field of the skill of a SKILL.md.
func (x *index) noteAt(path, field, message string) skills.Note {
	n := skills.Note{Path: path, Message: message}
	if s := x.at(path); s != nil {
		n.Line, n.Column = place(s, field)
	}
	return n
}

func checkCatalog(c *skills.Catalog, rules []Rule, o Options) []Finding {
	var out []Finding
	shared := newIndex(c)
	for _, r := range rules {
		p := &catalogPass{collector: collector{rule: r, options: &o}, pairs: o.Pairs, index: shared}
		if r.failed != "" {
			p.passOn(c.Failures, r.failed, p.unseen)
		}
		if r.found != "" {
			p.passOn(c.Notes, r.found, nil)
		}
		if r.catalog != nil {
			r.catalog(p)
		}
		out = append(out, p.findings...)
	}
	return out
}

// passOn reports the notes of one code, each with what remains to be said of its place.
func (p *catalogPass) passOn(notes []skills.Note, code string, more func(path string) string) {
	for _, n := range notes {
		if n.Code == code {
			if more != nil {
				n.Message += more(n.Path)
			}
			p.add(Finding{Message: n.Message, Path: n.Path, Line: n.Line, Column: n.Column})
		}
	}
}

// unseen says what of a skill that could not be loaded was not looked at, so that silence is not taken for praise.
func (p *catalogPass) unseen(file string) string {
	switch s := p.broken[path.Dir(file)]; {
	case s == nil:
		return "; nothing else of this skill was looked at"
	case !s.Readable():
		return "; of the rest, only keys, hidden characters and parameters.json were looked at"
	}
	return "; the skill was not compared with the others"
}

// place gives line and column of a field of a skill, without reading its file.
func place(s *skills.Skill, field string) (line, column int) {
	line = s.Lines[field]
	if line == 0 {
		return 1, 1
	}
	return line, 1
}

// folder is the folder of a skill, opened when it is first needed.
type folder struct {
	skill  *skills.Skill
	open   *skills.Folder
	failed bool
}

func openFolder(s *skills.Skill) *folder { return &folder{skill: s} }

func (d *folder) get() *skills.Folder {
	if d.open == nil && !d.failed {
		var err error
		d.open, err = d.skill.OpenFolder()
		d.failed = err != nil
	}
	return d.open
}

// has tells whether a file is in the folder; known is false when the skill has none.
func (d *folder) has(rel string) (there, known bool) {
	f := d.get()
	if f == nil {
		return false, false
	}
	return f.Has(rel), true
}

// beside gives the path of a file beside SKILL.md, spelt as it is there.
func (d *folder) beside(name string) string {
	if f := d.get(); f != nil {
		name = f.Spelling(name)
	}
	return path.Join(path.Dir(strings.ReplaceAll(d.skill.Path, `\`, "/")), name)
}

func (d *folder) close() {
	if d.open != nil {
		_ = d.open.Close() // nothing was written
	}
}
