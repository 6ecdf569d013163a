package lint

import (
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

// Fixed is a file after [ApplyFixes].
type Fixed struct {
	Data    []byte    // the given bytes where nothing was to do
	Rename  string    // new name of the file inside its folder; "" keeps it
	Applied []Finding // what was mended, in order
}

// fixBudget bounds the work on one file: how many bytes are read again, in all tries.
const fixBudget = 256 << 20

// ApplyFixes mends in the bytes of one SKILL.md what needs no judgement, under the same configuration as [Run]. Line
// ends, comments, the order of keys and everything else stay as they are. Each fix is tried by itself and kept only
// when the cause is gone and the file still loads as the same skill, characters that cannot be seen apart; doing it
// twice changes nothing. The error is not nil when the file cannot be loaded.
func ApplyFixes(filePath string, data []byte, o Options) (Fixed, error) {
	out := Fixed{Data: data}
	if err := o.Config.check(); err != nil {
		return out, err
	}
	s, err := skills.Parse(filePath, data)
	if err != nil {
		return out, err
	}
	f := fixer{path: filePath, rules: Rules(), options: o, tries: max(50, fixBudget/max(len(data), 1))}
	for {
		next, after := f.next(out.Data, s)
		if next == nil {
			break
		}
		out.Applied = append(out.Applied, *next)
		out.Data, s = edit(out.Data, next.Fix.Edits), after
	}
	if m := f.misnamed(); m != nil {
		out.Rename = m.Fix.Rename
		out.Applied = append(out.Applied, *m)
	}
	return out, nil
}

// fixer mends one file.
type fixer struct {
	path    string
	rules   []Rule
	options Options
	tries   int // that are left
}

// next gives the first finding whose fix takes its cause away and leaves the skill what it is, and the skill after it.
func (f *fixer) next(data []byte, s *skills.Skill) (*Finding, *skills.Skill) {
	for _, r := range f.rules {
		if !r.fixes {
			continue
		}
		p := &skillPass{collector: collector{rule: r, options: &f.options}, skill: s, file: sourceOf(s, data), dir: &folder{skill: s, failed: true}}
		r.skill(p)
		for i := range p.findings {
			found := &p.findings[i]
			if found.Fix == nil || len(found.Fix.Edits) == 0 || f.tries == 0 {
				continue
			}
			f.tries--
			after, err := skills.Parse(f.path, edit(data, found.Fix.Edits))
			if err == nil && same(s, after) && (r.loaded == "" || notesOf(after, r.loaded) < notesOf(s, r.loaded)) {
				return found, after
			}
		}
	}
	return nil, nil
}

func notesOf(s *skills.Skill, code string) int {
	n := 0
	for _, note := range s.Tolerated {
		if note.Code == code {
			n++
		}
	}
	return n
}

// misnamed gives the finding about the name of the file, if there is one that counts.
func (f *fixer) misnamed() *Finding {
	base := path.Base(f.path)
	if base == "SKILL.md" || !strings.EqualFold(base, "SKILL.md") {
		return nil
	}
	i := slices.IndexFunc(f.rules, func(r Rule) bool { return r.ID == skills.CodeFileName })
	c := collector{rule: f.rules[i], options: &f.options}
	c.add(Finding{Message: "file is called " + base, Path: f.path, Fix: &Fix{Rename: "SKILL.md"}})
	if len(c.findings) == 0 {
		return nil
	}
	return &c.findings[0]
}

// edit applies edits that are in order and do not overlap.
func edit(data []byte, edits []Edit) []byte {
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, data[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, data[at:]...)
}

// same tells whether two readings of a file are the same skill, apart from characters that cannot be seen.
func same(a, b *skills.Skill) bool {
	x, errA := plain(a)
	y, errB := plain(b)
	return errors.Join(errA, errB) == nil && x == y
}

// plain writes everything that was read from a file, without what cannot be seen and without the notes of loading.
func plain(s *skills.Skill) (string, error) {
	c := *s
	c.Tolerated, c.Path = nil, ""
	text, err := json.Marshal(&c)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	at := 0
	for _, h := range search(text, func(_, r, _ rune) bool { return invisible(0, r, 0) }) { // whatever stands around it
		b.Write(text[at:h.start])
		at = h.end
	}
	b.Write(text[at:])
	return b.String(), nil
}
