package lint

import (
	"regexp"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

func keyCase() Rule {
	return Rule{ID: skills.CodeKeyCase, Title: "key in another spelling than the documented one", Severity: Note, loaded: skills.CodeKeyCase, fixes: true,
		hint: "write the key as documented", skill: checkKeyCase,
		Doc: doc{what: "A key such as Name or allowedTools is read as name or allowed-tools.", why: "Keys of the format are lower case; other hosts ignore the value.",
			wrong: "Name: pdf\nallowedTools: Read", right: "name: pdf\nallowed-tools: Read", fix: "rename the key; --fix does, except for when_to_use, which some hosts read under that name.", source: openFormat}.text()}
}

func checkKeyCase(p *skillPass) {
	for _, n := range p.notes(skills.CodeKeyCase) {
		p.note(n, keyFix(p.file, n))
	}
}

var plainKey = regexp.MustCompile(`^[A-Za-z_-]+`)

// keyFix writes the key at a note as documented.
func keyFix(f *source, n skills.Note) *Fix {
	key := plainKey.FindString(f.line(n.Line))
	standard := skills.StandardKey(key)
	if n.Column != 1 || key == "" || standard == "use-when" && !strings.EqualFold(strings.ReplaceAll(key, "_", "-"), standard) {
		return nil
	}
	at := f.offset(n.Line)
	return &Fix{Edits: []Edit{{at, at + len(key), standard}}}
}
