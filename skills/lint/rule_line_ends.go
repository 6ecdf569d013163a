package lint

import "bytes"

func lineEnds() Rule {
	return Rule{ID: "line-ends", Title: "line ends of both kinds in one file", Severity: Note, fixes: true, skill: checkLineEnds,
		hint: "use one kind of line end",
		Doc: doc{what: "Some lines end in CR LF and others in LF, or a lone CR ends a line. A file with CR LF throughout is no finding: a checkout on Windows makes one.",
			why:   "Readers that know one kind only take a CR into a value, or miss the closing ---.",
			wrong: "---\\r\\nname: pdf\\n", right: "---\\nname: pdf\\n", fix: "save the file with one kind; --fix keeps the one that is more common."}.text()}
}

func checkLineEnds(p *skillPass) {
	if !p.file.load() || bytes.IndexByte(p.file.data, '\r') < 0 {
		return
	}
	data := p.file.data
	crlf := bytes.Count(data, []byte("\r\n"))
	lf := bytes.Count(data, []byte("\n")) - crlf
	cr := bytes.Count(data, []byte("\r")) - crlf
	want := "\n"
	if crlf > lf {
		want = "\r\n"
	}
	if crlf == 0 && cr == 0 || lf == 0 && cr == 0 {
		return
	}
	fix, first := &Fix{}, -1
	for i := 0; i < len(data); i++ {
		end := i + 1
		switch {
		case data[i] == '\r' && end < len(data) && data[end] == '\n':
			end++
		case data[i] != '\r' && data[i] != '\n':
			continue
		}
		if string(data[i:end]) != want {
			fix.Edits = append(fix.Edits, Edit{i, end, want})
			if first < 0 {
				first = i
			}
		}
		i = end - 1
	}
	line, column := p.file.place(first)
	p.add(Finding{Message: "line ends of both kinds: " + count(crlf, "CR LF") + ", " + count(lf, "LF") + ", " + count(cr, "CR"), Path: p.skill.Path,
		Line: line, Column: column, Skill: p.skill.Name, Key: "line-ends", Fix: fix})
}
