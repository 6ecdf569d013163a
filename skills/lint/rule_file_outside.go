package lint

import "strings"

func fileOutside() Rule {
	return Rule{ID: "file-outside", Title: "body names a file outside the skill", Severity: Note, skill: checkFileOutside,
		hint: "copy what is needed into the folder of the skill",
		Doc: doc{what: "The body links to ../ or to a path of one machine.", why: "A skill is copied by its folder; what lies outside is not there, and skilleval does not read it.",
			wrong: "See [the style guide](../../docs/style.md).", right: "See [the style guide](references/style.md).", fix: "copy the file.", source: openFormat + " (paths relative to the skill root)"}.text()}
}

func checkFileOutside(p *skillPass) {
	for _, r := range p.references() {
		rel, inside := r.local()
		if inside || !r.link || strings.HasPrefix(rel, "/") { // /x is most often a page of a web site
			continue
		}
		p.add(Finding{Message: "file " + quote(r.target) + " lies outside the skill", Path: p.skill.Path, Line: r.line, Column: r.column, Skill: p.skill.Name, Key: rel})
	}
}
