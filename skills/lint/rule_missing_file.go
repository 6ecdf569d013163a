package lint

import "path"

func missingFile() Rule {
	return Rule{ID: "missing-file", Title: "file that the body names is not there", Severity: Warning, skill: checkMissingFile,
		hint: "add the file, or correct the path",
		Doc: doc{what: "The body links to a file of the skill that does not exist, or names one below scripts, references or assets where that folder exists. Paths are relative to SKILL.md and never followed out of its folder.",
			why:   "A model that goes by the instructions runs into an error.",
			wrong: "See [the forms](references/form.md).   where the file is references/forms.md", right: "See [the forms](references/forms.md).", fix: "correct the path.", source: openFormat}.text()}
}

func checkMissingFile(p *skillPass) {
	for _, r := range p.references() {
		rel, inside := r.local()
		if !inside || !r.link && !p.underFolder(rel) {
			continue
		}
		if there, known := p.dir.has(rel); there || !known {
			continue
		}
		p.add(Finding{Message: "there is no file " + quote(rel), Path: p.skill.Path, Line: r.line, Column: r.column, Skill: p.skill.Name, Key: rel,
			touches: []string{path.Join(path.Dir(p.skill.Path), rel)}})
	}
}
