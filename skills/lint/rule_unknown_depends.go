package lint

import "github.com/skilleval/skilleval/skills"

func unknownDepends() Rule {
	return Rule{ID: skills.CodeUnknownDepends, Title: "depends-on names no skill", Severity: Error, catalog: checkDependencies,
		hint: "correct the name, or add the skill",
		Doc: doc{what: "depends-on in metadata names a skill that is not in the catalogue.", why: "run refuses such a catalogue: the skill could never do its work.",
			wrong: "depends-on: fetch_page   where the skill is fetch_webpage", right: "depends-on: fetch_webpage", fix: "correct the name."}.text()}
}
