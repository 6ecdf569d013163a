package lint

func controlCharacters() Rule {
	return Rule{ID: "control-characters", Title: "control characters in the text", Severity: Warning, unread: true, skill: checkControl,
		Doc: doc{what: "The file holds control characters such as ESC, or the line separators U+2028 and U+2029.",
			why:   "Terminals obey them, YAML forbids most of them, and line numbers go astray.",
			wrong: "description: \\x1b[31mred", right: "description: red", fix: "delete them; write \\x1b where the text is about them.", source: "YAML 1.2, section 5.1"}.text()}
}

func checkControl(p *skillPass) {
	charactersOf{is: func(_, r, _ rune) bool { return control(r) }, what: "control character", hint: "delete it"}.check(p)
}
