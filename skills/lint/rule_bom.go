package lint

import "github.com/skilleval/skilleval/skills"

func byteOrderMark() Rule {
	return Rule{ID: skills.CodeBOM, Title: "byte order mark in front of the file", Severity: Note, loaded: skills.CodeBOM, fixes: true,
		hint: "save the file as UTF-8 without a byte order mark", skill: checkBOM,
		Doc: doc{what: "The file begins with U+FEFF.", why: "Hosts that look for --- at the first byte see no frontmatter: no name, no description.",
			wrong: "EF BB BF 2D 2D 2D   (\\ufeff---)", right: "2D 2D 2D   (---)", fix: "save it without the mark; --fix removes it.", source: openFormat}.text()}
}

func checkBOM(p *skillPass) {
	for _, n := range p.skill.Tolerated {
		switch {
		case n.Code != skills.CodeBOM:
		case n.Path == p.skill.Path:
			p.note(n, &Fix{Edits: []Edit{{0, len(bom), ""}}})
		default:
			p.note(n, nil)
		}
	}
}
