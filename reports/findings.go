package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// tallies counts findings by severity, and the files they are in.
func tallies(fs []Finding) (t tally, files int) {
	seen := map[string]bool{}
	for i := range fs {
		t.add(fs[i].Severity)
		if p := fs[i].Path; p != "" && !seen[p] {
			seen[p] = true
			files++
		}
	}
	return t, files
}

// findingLine is the total of a report's findings.
func findingLine(fs []Finding) string {
	t, files := tallies(fs)
	if files == 0 {
		return t.String()
	}
	return fmt.Sprintf("%s in %s", t, count(files, "file"))
}

// byFile groups findings by file, in the order in which the files come first; inside a file their order is kept.
func byFile(fs []Finding) [][]*Finding {
	index := map[string]int{}
	var groups [][]*Finding
	for i := range fs {
		f := &fs[i]
		at, ok := index[f.Path]
		if !ok {
			at = len(groups)
			index[f.Path] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], f)
	}
	return groups
}

// findingTable lists every finding at a position that a terminal can open, grouped by file.
func findingTable(b *bytes.Buffer, fs []Finding) {
	groups := byFile(fs)
	for _, g := range groups {
		if len(groups) > 1 {
			groupTitle(b, g)
		}
		for _, f := range g {
			findingLines(b, f)
		}
	}
}

func groupTitle(b *bytes.Buffer, g []*Finding) {
	var t tally
	for _, f := range g {
		t.add(f.Severity)
	}
	title := "no file"
	if path := g[0].Path; path != "" {
		title = path
	}
	fmt.Fprintf(b, "\n%s: %s\n", brief(title, messageLimit), t)
}

func findingLines(b *bytes.Buffer, f *Finding) {
	p := Place{Path: f.Path, Line: f.Line, Column: f.Column, Message: severity(f.Severity) + ": " + Clip(f.Message, messageLimit)}
	fmt.Fprintf(b, "%s [%s]\n", Plain(p.String()), brief(f.Rule, 200))
	if f.Hint != "" {
		fmt.Fprintf(b, "  hint: %s\n", brief(f.Hint, messageLimit))
	}
	for i, rel := range f.Related {
		if i == listed {
			fmt.Fprintf(b, "  see: %d more places\n", len(f.Related)-listed)
			break
		}
		fmt.Fprintf(b, "  see: %s\n", brief(rel.String(), messageLimit))
	}
}

// totals writes how many findings there are, before any list can use up the room.
func (m *markdown) totals(r *Report) {
	if len(r.Findings) > 0 || len(r.Rules) > 0 { // where rules were applied, none found is news too
		fmt.Fprintf(&m.b, "\n**Findings:** %s\n", findingLine(r.Findings))
	}
}

// place is a cell with a position, relative to the repository's root where it lies in that.
func (m *markdown) place(r *Report, p Place, width int) string {
	if rel, ok := r.sourcePath(p.Path); ok {
		p.Path = rel
	}
	p.Message = ""
	return Code(Clip(strings.TrimSuffix(p.String(), ": "), width))
}

// findings writes the findings, the worst first.
func (m *markdown) findings(r *Report) {
	fs := r.Findings
	worst := make([]*Finding, len(fs))
	for i := range fs {
		worst[i] = &fs[i]
	}
	slices.SortStableFunc(worst, func(a, b *Finding) int {
		return cmp.Compare(severityRank(a.Severity), severityRank(b.Severity))
	})
	m.rows(fmt.Sprintf("Findings: %d", len(fs)), "| place | severity | message | rule |\n|---|---|---|---|", len(fs), func(i int) string {
		f := worst[i]
		place := m.place(r, Place{Path: f.Path, Line: f.Line, Column: f.Column}, 160)
		message := Code(Clip(f.Message, 300))
		if hint := Code(Clip(f.Hint, 300)); hint != "" {
			message += "<br>" + hint
		}
		return fmt.Sprintf("| %s | %s | %s | %s |\n", place, severity(f.Severity), message, Code(Clip(f.Rule, 100)))
	})
}
