package lint

func bidiCharacters() Rule {
	return Rule{ID: "bidi-characters", Title: "characters that change the direction of text", Severity: Warning, unread: true, skill: checkBidi,
		Doc: doc{what: "The file holds directional marks, embeddings, overrides or isolates.",
			why:   "With them a text shows in another order than the one in which a model, or a shell, reads it.",
			wrong: "Run \\u202etxt.exe", right: "Run exe.txt", fix: "delete them, or write the text without them where it is right to left anyway.",
			source: "CVE-2021-42574; Unicode Standard Annex 9"}.text()}
}

func checkBidi(p *skillPass) {
	charactersOf{is: func(_, r, _ rune) bool { return bidi(r) }, what: "directional character", hint: "delete it, if the text reads right without it"}.check(p)
}
