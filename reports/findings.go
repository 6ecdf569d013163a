package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
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
	return fmt.Sprintf("%s in %s", t, Counted(files, "file"))
}

// bySeverity sorts findings, the worst first; those of one severity keep their order.
func bySeverity(fs []Finding) []*Finding {
	out := make([]*Finding, len(fs))
	for i := range fs {
		out[i] = &fs[i]
	}
	slices.SortStableFunc(out, func(a, b *Finding) int {
		return cmp.Compare(severityRank(a.Severity), severityRank(b.Severity))
	})
	return out
}

// findingTable lists every finding at a position that a terminal can open, the worst first, then by file. A hint that
// a rule has given already is not repeated. Where rules were applied, it is said how often each was broken.
func findingTable(b *bytes.Buffer, r *Report) {
	sorted := bySeverity(r.Findings)
	hinted := map[[2]string]bool{}
	for from := 0; from < len(sorted); {
		to, rank := from, severityRank(sorted[from].Severity)
		for to < len(sorted) && severityRank(sorted[to].Severity) == rank {
			to++
		}
		if from > 0 || to < len(sorted) {
			fmt.Fprintf(b, "\n%s\n", Counted(to-from, severities[rank]))
		}
		for _, f := range sorted[from:to] {
			hint := [2]string{f.Rule, f.Hint}
			findingLines(b, f, !hinted[hint])
			hinted[hint] = true
		}
		from = to
	}
	if len(r.Rules) > 0 {
		ruleTable(b, sorted)
	}
}

// ruleTable counts findings by rule, where there are several: the worst rules first, then the most frequent.
func ruleTable(b *bytes.Buffer, sorted []*Finding) {
	type line struct{ severity, rule string }
	n := map[line]int{}
	for _, f := range sorted {
		n[line{severity(f.Severity), f.Rule}]++
	}
	if len(n) < 2 {
		return
	}
	keys := slices.SortedFunc(maps.Keys(n), func(x, y line) int {
		return cmp.Or(cmp.Compare(severityRank(x.severity), severityRank(y.severity)), cmp.Compare(n[y], n[x]), cmp.Compare(x.rule, y.rule))
	})
	b.WriteString("\nby rule\n")
	for _, k := range keys {
		fmt.Fprintf(b, "%6d %-8s %s\n", n[k], k.severity, safeLine(k.rule, 200))
	}
}

func findingLines(b *bytes.Buffer, f *Finding, hint bool) {
	p := Place{Path: f.Path, Line: f.Line, Column: f.Column, Message: severity(f.Severity) + ": " + Clip(f.Message, messageLimit)}
	fmt.Fprintf(b, "%s [%s]\n", Plain(p.String()), safeLine(f.Rule, 200))
	if hint && f.Hint != "" {
		fmt.Fprintf(b, "  hint: %s\n", safeLine(f.Hint, messageLimit))
	}
	for i, rel := range f.Related {
		if i == listed {
			fmt.Fprintf(b, "  see: %d more places\n", len(f.Related)-listed)
			break
		}
		fmt.Fprintf(b, "  see: %s\n", safeLine(rel.String(), messageLimit))
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
	worst := bySeverity(fs)
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
