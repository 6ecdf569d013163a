package lint

func invisibleCharacters() Rule {
	return Rule{ID: "invisible-characters", Title: "characters that cannot be seen", Severity: Warning, fixes: true, unread: true, skill: checkInvisible,
		Doc: doc{what: "The file holds zero-width spaces, soft hyphens, fillers, tag characters or the like. Joiners inside emoji and in scripts that need them are no finding.",
			why:   "A reviewer does not see them and a model reads them: names no longer match, and whole instructions can be hidden in tag characters.",
			wrong: "name: get\\u200bweather", right: "name: getweather", fix: "delete them; --fix does.",
			source: "Unicode Technical Report 36, Unicode Security Considerations"}.text()}
}

func checkInvisible(p *skillPass) {
	charactersOf{is: invisible, what: "invisible character", hint: "delete it", edit: deletion}.check(p)
}

// deletion takes characters out.
func deletion(list []found) *Fix {
	fix := &Fix{}
	for _, h := range list {
		fix.Edits = append(fix.Edits, Edit{h.start, h.end, ""})
	}
	return fix
}
