package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/results"
)

// listed is how many rows of an open-ended list a terminal table shows; the rest is counted.
const listed = 12

// listedTags is how many tags a terminal table shows.
const listedTags = 20

// nameWidth is the display width to which names are cut in a table.
const nameWidth = 40

// WriteTable writes the report for a reader at a terminal: plain text, no colour, aligned by display width. Cells are
// made safe before they are aligned, and every line once more at the end.
func WriteTable(w io.Writer, r *Report) error {
	var b bytes.Buffer
	if r.Run != nil {
		runTitle(&b, r)
	}
	comparisonTables(&b, r)
	ablationTable(&b, r.Ablation)
	for i := range r.Arms {
		if r.Comparison == nil && r.Ablation == nil { // one table is what their reader wants
			armTables(&b, r, &r.Arms[i])
		}
	}
	gateTable(&b, r.Gates)
	if r.Skills != nil {
		skillTable(&b, r.Skills)
	}
	countTables(&b, r.Counts)
	pairTable(&b, r)
	findingTable(&b, r)
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", Plain(n))
	}
	if _, err := io.WriteString(w, plainLines(b.String())); err != nil {
		return fmt.Errorf("write table report: %w", err)
	}
	return nil
}

func runTitle(b *bytes.Buffer, r *Report) {
	h := r.Run
	fmt.Fprintf(b, "%s · %s · %s", Plain(h.Suite), Plain(modelName(h.Model.Name)), settingsLine(r))
	if h.Descriptions != "" {
		fmt.Fprintf(b, ", descriptions %s", Plain(h.Descriptions))
	}
	b.WriteByte('\n')
	if !h.Complete {
		fmt.Fprintf(b, "incomplete run: the figures cover the finished trials only, of %d planned\n", planned(h))
	}
	for _, n := range h.Notes {
		fmt.Fprintf(b, "note: %s\n", Plain(n))
	}
}

func armTables(b *bytes.Buffer, r *Report, a *metrics.Arm) {
	if len(r.Arms) > 1 {
		fmt.Fprintf(b, "\narm %s\n", Plain(a.Arm))
	}
	fmt.Fprintf(b, "%s\n", scoredLine(a))
	if a.Scored == 0 { // a page of dashes helps nobody
		failureTable(b, "errors, not scored", a.ErrorList)
		return
	}
	b.WriteByte('\n')
	t := newTable("", "value", "95 % interval", "n")
	alignRight(t, 2, 3, 4)
	for _, f := range headline(a) {
		t.AppendRow(table.Row{f.label, percent(f.e.Value), interval(f.e), f.e.N})
	}
	render(b, t)
	fmt.Fprintf(b, "argument faults: missing %d, extra %d, wrong type %d, wrong value %d", a.Args.Faults.Missing,
		a.Args.Faults.Extra, a.Args.Faults.Type, a.Args.Faults.Value)
	if a.Args.Unlabelled > 0 {
		fmt.Fprintf(b, " (%d trials have no argument labels: not scored on arguments)", a.Args.Unlabelled)
	}
	fmt.Fprintf(b, "\n%s\n%s\n", costs(a), handling(a))
	for _, line := range trialsLines(a) {
		fmt.Fprintf(b, "%s\n", line)
	}
	perSkillTable(b, a)
	tagTable(b, a)
	mistakeTable(b, a)
	failureTable(b, "wrong", a.Failures)
	failureTable(b, "errors, not scored", a.ErrorList)
}

func perSkillTable(b *bytes.Buffer, a *metrics.Arm) {
	if len(a.Selection.PerSkill) == 0 {
		return
	}
	t := newTable("skill", "support", "predicted", "precision", "recall", "95 % interval", "F1", "args exact")
	alignRight(t, 2, 3, 4, 5, 6, 7, 8)
	for _, s := range a.Selection.PerSkill {
		t.AppendRow(table.Row{clipWide(s.Skill, nameWidth), s.Support, s.Predicted, percent(s.Precision.Value), percent(s.Recall.Value),
			interval(s.Recall), number(s.F1, 3), percent(s.ArgsExact.Value)})
	}
	b.WriteByte('\n')
	render(b, t)
	fmt.Fprintf(b, "%s\n", f1Line(a))
}

func tagTable(b *bytes.Buffer, a *metrics.Arm) {
	if len(a.Tags) == 0 {
		return
	}
	t := newTable("tag", "cases", "selection", "95 % interval", "n", "args exact", "95 % interval", "n")
	alignRight(t, 2, 3, 4, 5, 6, 7, 8)
	for _, g := range largestTags(a.Tags, listedTags) {
		t.AppendRow(table.Row{clipWide(g.Tag, nameWidth), g.Cases, percent(g.Selection.Value), interval(g.Selection), g.Selection.N,
			percent(g.ArgsExact.Value), interval(g.ArgsExact), g.ArgsExact.N})
	}
	b.WriteByte('\n')
	render(b, t)
	more(b, len(a.Tags)-listedTags)
}

func mistakeTable(b *bytes.Buffer, a *metrics.Arm) {
	off := mistakes(a)
	if len(off) == 0 {
		return
	}
	t := newTable("wanted", "called instead", "n")
	alignRight(t, 3)
	for _, c := range off[:min(len(off), listed)] {
		t.AppendRow(table.Row{clipWide(name(c.Want), nameWidth), clipWide(name(c.Got), nameWidth), c.N})
	}
	b.WriteByte('\n')
	render(b, t)
	more(b, len(off)-listed)
}

func failureTable(b *bytes.Buffer, title string, fs []metrics.Failure) {
	if len(fs) == 0 {
		return
	}
	t := newTable(fmt.Sprintf("%s: %d", title, len(fs)), "what", "wanted", "called", "request", "detail")
	rows := failureRows(fs)
	for _, f := range rows[:min(len(rows), listed)] {
		t.AppendRow(table.Row{clipWide(f.label(), nameWidth), Plain(f.What), clipWide(names(f.Want), 40), clipWide(names(f.Got), 40),
			clipWide(f.Input, 50), clipWide(f.shortDetail(), 90)})
	}
	b.WriteByte('\n')
	render(b, t)
	more(b, len(rows)-listed)
}

// planned is how many trials a run was to have.
func planned(h *results.Header) int { return h.Cases * max(len(h.Arms), 1) * max(h.Repetitions, 1) }

func gateTable(b *bytes.Buffer, gates []metrics.GateResult) {
	if len(gates) == 0 {
		return
	}
	t := newTable("gate", "value", "95 % interval", "n", "", "note")
	alignRight(t, 2, 3, 4)
	for _, g := range gates {
		t.AppendRow(table.Row{Plain(g.Expr), number(g.Value, 4), span(g.Lo, g.Hi), g.N, verdict(g.Pass), Plain(g.Note)})
	}
	b.WriteByte('\n')
	render(b, t)
}

func span(lo, hi *float64) string {
	if lo == nil || hi == nil {
		return "–"
	}
	return fmt.Sprintf("[%.4f, %.4f]", *lo, *hi)
}

func verdict(pass bool) string {
	if pass {
		return "passed"
	}
	return "FAILED"
}

func skillTable(b *bytes.Buffer, l *SkillList) {
	fmt.Fprintf(b, "%d found, %d loaded, %d failed\n", l.Found, l.Loaded, l.Failed)
	if len(l.List) > 0 {
		t := newTable("skill", "path", "available", "description")
		for _, s := range l.List {
			available := "yes"
			if !s.Available {
				available = "no: " + Plain(s.Unavailable)
			}
			t.AppendRow(table.Row{clipWide(s.Name, nameWidth), Plain(s.Path), available, clipWide(s.Description, 70)})
		}
		render(b, t)
	}
	for _, f := range l.Failures {
		fmt.Fprintf(b, "failed: %s\n", Plain(f.String()))
	}
	for _, d := range l.Duplicates {
		fmt.Fprintf(b, "same name %s: %s\n", Plain(d.Name), Plain(strings.Join(d.Paths, ", ")))
	}
	for _, d := range l.Shadowed {
		fmt.Fprintf(b, "shadowed %s: %s hides %s\n", Plain(d.Name), Plain(d.Paths[0]), Plain(strings.Join(d.Paths[1:], ", ")))
	}
	for _, n := range l.Notes {
		fmt.Fprintf(b, "note: %s\n", Plain(n.String()))
	}
	tolerated := 0
	for _, s := range l.List {
		tolerated += len(s.Tolerated)
	}
	if tolerated > 0 {
		fmt.Fprintf(b, "%d tolerances were applied while loading: -o json lists them\n", tolerated)
	}
}

func countTables(b *bytes.Buffer, tables []CountTable) {
	for i, c := range tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		t := newTable(c.Title, "n")
		alignRight(t, 2)
		for _, row := range c.Rows {
			t.AppendRow(table.Row{clipWide(row.Name, nameWidth), row.N})
		}
		render(b, t)
	}
}

func newTable(header ...string) table.Writer {
	t := &grid{Writer: table.NewWriter()}
	style := table.StyleLight
	style.Format = table.FormatOptions{Header: text.FormatDefault, Row: text.FormatDefault, Footer: text.FormatDefault}
	style.Options = table.OptionsNoBordersAndSeparators
	style.Options.SeparateHeader = true
	t.SetStyle(style)
	row := make(table.Row, len(header))
	for i, h := range header {
		row[i] = Plain(h)
	}
	t.AppendHeader(row)
	return t
}

func alignRight(t table.Writer, columns ...int) {
	cfg := make([]table.ColumnConfig, len(columns))
	for i, c := range columns {
		cfg[i] = table.ColumnConfig{Number: c, Align: text.AlignRight, AlignHeader: text.AlignRight}
	}
	t.SetColumnConfigs(cfg)
}

func render(b *bytes.Buffer, t table.Writer) {
	for line := range strings.Lines(t.Render() + "\n") {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func more(b *bytes.Buffer, n int) {
	if n > 0 {
		fmt.Fprintf(b, "… and %d more; -o json lists all\n", n)
	}
}

// clipList joins the first n names and counts the rest.
func clipList(list []string, n int) string {
	if len(list) <= n {
		return Plain(strings.Join(list, ", "))
	}
	return Plain(strings.Join(list[:n], ", ")) + fmt.Sprintf(" and %d more", len(list)-n)
}
