package lint

import "strings"

func fileBackslash() Rule {
	return Rule{ID: "file-backslash", Title: "path with backslashes", Severity: Note, skill: checkFileBackslash,
		hint: "write / between folders",
		Doc: doc{what: "The body names a file of the skill with backslashes.", why: "It is found on Windows only.",
			wrong: `Run scripts\fill.py.`, right: "Run scripts/fill.py.", fix: "write slashes.", source: authoring + " (avoid Windows-style paths)"}.text()}
}

func checkFileBackslash(p *skillPass) {
	for _, r := range p.references() {
		if strings.Contains(r.target, `\`) && !drive.MatchString(r.target) {
			p.add(Finding{Message: "path " + quote(r.target) + " has backslashes", Path: p.skill.Path, Line: r.line, Column: r.column, Skill: p.skill.Name, Key: r.target})
		}
	}
}
