package lint

import (
	"path"

	"github.com/skilleval/skilleval/skills"
)

func fileName() Rule {
	return Rule{ID: skills.CodeFileName, Title: "file is not called SKILL.md", Severity: Warning, loaded: skills.CodeFileName, fixes: true,
		hint: "rename the file to SKILL.md", skill: checkFileName,
		Doc: doc{what: "The file is called skill.md or Skill.md.", why: "It is found on systems that fold case and missing on those that do not, so the catalogue differs between a laptop and the CI.",
			wrong: "skills/pdf/skill.md", right: "skills/pdf/SKILL.md", fix: "rename it; --fix does.", source: openFormat}.text()}
}

func checkFileName(p *skillPass) {
	if path.Base(p.skill.Path) == "SKILL.md" {
		return
	}
	for _, n := range p.notes(skills.CodeFileName) {
		p.note(n, &Fix{Rename: "SKILL.md"})
	}
}
