package reports

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/metrics"
)

// markdownLimit is the size in bytes above which no further rows are listed.
const markdownLimit = 60_000

// markdownCap is the size in bytes that a document never exceeds: a GitHub comment holds 65,536 characters and a step
// summary 1 MiB, and a longer one is dropped whole.
const markdownCap = 65_000

// WriteMarkdown writes the report for a pull-request comment or a step summary: totals first, then lists that are
// cut, and counted, before the size limit.
func WriteMarkdown(w io.Writer, r *Report) error {
	m := &markdown{}
	m.marker(r.Marker)
	if r.Run != nil {
		m.title(r)
	}
	m.totals(r)
	m.similar(r.Similar)
	m.gates(r.Gates)
	m.comparison(namedForMarkdown(r))
	m.ablation(r.Ablation)
	for i := range r.Arms {
		if r.Comparison == nil && r.Ablation == nil {
			m.arm(r, &r.Arms[i])
		}
	}
	m.pairs(r)
	m.findings(r)
	if r.Skills != nil {
		m.skills(r.Skills)
	}
	for _, c := range r.Counts {
		m.rows(c.Title, "| | n |\n|---|--:|", len(c.Rows), func(i int) string {
			return fmt.Sprintf("| %s | %d |\n", Code(Clip(c.Rows[i].Name, 80)), c.Rows[i].N)
		})
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&m.b, "\nNote: %s\n", Code(Clip(n, 500)))
	}
	if _, err := w.Write(capped(m.b.Bytes(), markdownCap)); err != nil {
		return fmt.Errorf("write markdown report: %w", err)
	}
	return nil
}

// capped keeps a document within limit bytes: it cuts after a whole line, closes what was open there, and says so.
func capped(doc []byte, limit int) []byte {
	if len(doc) <= limit {
		return doc
	}
	const end = "\n</details>\n"
	const notice = "\n… the rest is left out for its size; the JSON report has all\n"
	kept := doc[:max(limit-len(end)-len(notice), 0)]
	kept = kept[:bytes.LastIndexByte(kept, '\n')+1]
	out := bytes.Clone(kept)
	if bytes.Count(out, []byte("\n<details>")) > bytes.Count(out, []byte("\n</details>")) {
		out = append(out, end...)
	}
	return append(out, notice...)
}

// markdown builds one document.
type markdown struct{ b bytes.Buffer }

// namedForMarkdown is r with the names in its comparison escaped, since they stand outside code there.
func namedForMarkdown(r *Report) *Report {
	if r.Comparison == nil {
		return r
	}
	c := *r.Comparison
	c.A, c.B, c.Method, c.Metric = escapeMarkdown(c.A), escapeMarkdown(c.B), escapeMarkdown(c.Method), escapeMarkdown(c.Metric)
	c.Flipped = slices.Clone(c.Flipped)
	for i := range c.Flipped {
		c.Flipped[i].From, c.Flipped[i].To = escapeMarkdown(c.Flipped[i].From), escapeMarkdown(c.Flipped[i].To)
	}
	named := *r
	named.Comparison = &c
	return &named
}

// marker writes the hidden comment that names the report. A word that could end the comment loses what would end it.
func (m *markdown) marker(word string) {
	if word = strings.TrimSpace(strings.NewReplacer("-->", "", "--", "", "<", "", ">", "").Replace(safeLine(word, 100))); word != "" {
		fmt.Fprintf(&m.b, "<!-- %s -->\n", word)
	}
}

func (m *markdown) title(r *Report) {
	h := r.Run
	fmt.Fprintf(&m.b, "## skilleval: %s\n\n%s · %s", Code(Clip(h.Suite, 200)), Code(Clip(modelName(h.Model.Name), 200)), escapeMarkdown(settingsLine(r)))
	if h.Descriptions != "" {
		fmt.Fprintf(&m.b, ", descriptions %s", Code(Clip(h.Descriptions, 200)))
	}
	m.b.WriteString("\n")
	if !h.Complete {
		fmt.Fprintf(&m.b, "\n**Incomplete run: the figures cover the finished trials only, of %d planned.**\n", planned(h))
	}
	for _, n := range h.Notes {
		fmt.Fprintf(&m.b, "\nNote: %s\n", Code(Clip(n, 500)))
	}
}

func (m *markdown) gates(gates []metrics.GateResult) {
	if len(gates) == 0 {
		return
	}
	m.b.WriteString("\n| gate | value | 95 % interval | n | | note |\n|---|--:|--:|--:|---|---|\n")
	for _, g := range gates {
		fmt.Fprintf(&m.b, "| %s | %s | %s | %d | %s | %s |\n", Code(g.Expr), number(g.Value, 4), span(g.Lo, g.Hi), g.N,
			verdict(g.Pass), Code(Clip(g.Note, 200)))
	}
}

func (m *markdown) arm(r *Report, a *metrics.Arm) {
	if len(r.Arms) > 1 {
		fmt.Fprintf(&m.b, "\n### Arm %s\n", Code(a.Arm))
	}
	fmt.Fprintf(&m.b, "\n%s\n\n", escapeMarkdown(scoredLine(a)))
	if a.Scored == 0 {
		m.failures("Errors, not scored", a.ErrorList)
		return
	}
	m.b.WriteString("| | value | 95 % interval | n |\n|---|--:|--:|--:|\n")
	for _, f := range headline(a) {
		fmt.Fprintf(&m.b, "| %s | %s | %s | %d |\n", strings.TrimLeft(f.label, " "), percent(f.e.Value), interval(f.e), f.e.N)
	}
	fmt.Fprintf(&m.b, "\nArgument faults: missing %d, extra %d, wrong type %d, wrong value %d", a.Args.Faults.Missing,
		a.Args.Faults.Extra, a.Args.Faults.Type, a.Args.Faults.Value)
	if a.Args.Unlabelled > 0 {
		fmt.Fprintf(&m.b, " (%d trials have no argument labels: not scored on arguments)", a.Args.Unlabelled)
	}
	fmt.Fprintf(&m.b, "\n\n%s\n\n%s\n", escapeMarkdown(costs(a)), escapeMarkdown(handling(a)))
	for _, line := range trialsLines(a) {
		fmt.Fprintf(&m.b, "\n%s\n", Code(line))
	}
	fmt.Fprintf(&m.b, "\n%s\n", Code(f1Line(a)))
	m.mistakes(a)
	m.failures("Wrong", a.Failures)
	m.failures("Errors, not scored", a.ErrorList)
	m.perSkill(a)
	m.rows(fmt.Sprintf("Tags: %d", len(a.Tags)), "| tag | cases | selection | 95 % interval | n | args exact | 95 % interval | n |\n|---|--:|--:|--:|--:|--:|--:|--:|",
		len(a.Tags), func(i int) string {
			g := a.Tags[i]
			return fmt.Sprintf("| %s | %d | %s | %s | %d | %s | %s | %d |\n", Code(Clip(g.Tag, 80)), g.Cases, percent(g.Selection.Value),
				interval(g.Selection), g.Selection.N, percent(g.ArgsExact.Value), interval(g.ArgsExact), g.ArgsExact.N)
		})
}

// rows writes a folded table, row by row, until the size limit, and counts what it left out. The title stands inside
// HTML, where nothing is Markdown.
func (m *markdown) rows(title, head string, n int, row func(i int) string) {
	if n == 0 {
		return
	}
	fmt.Fprintf(&m.b, "\n<details><summary>%s</summary>\n\n%s\n", html.EscapeString(escapeMarkdown(Clip(title, 200))), head)
	for i := range n {
		line := row(i)
		if m.b.Len()+len(line) > markdownLimit {
			fmt.Fprintf(&m.b, "\n… and %d more; the JSON report lists all\n", n-i)
			break
		}
		m.b.WriteString(line)
	}
	m.b.WriteString("\n</details>\n")
}

func (m *markdown) perSkill(a *metrics.Arm) {
	rows := a.Selection.PerSkill
	m.rows(fmt.Sprintf("Skills: %d", len(rows)),
		"| skill | support | predicted | precision | recall | 95 % interval | F1 | args exact |\n|---|--:|--:|--:|--:|--:|--:|--:|",
		len(rows), func(i int) string {
			s := rows[i]
			return fmt.Sprintf("| %s | %d | %d | %s | %s | %s | %s | %s |\n", Code(Clip(s.Skill, 80)), s.Support, s.Predicted,
				percent(s.Precision.Value), percent(s.Recall.Value), interval(s.Recall), number(s.F1, 3), percent(s.ArgsExact.Value))
		})
}

func (m *markdown) mistakes(a *metrics.Arm) {
	off := mistakes(a)
	m.rows("Confused: "+Counted(len(off), "pair"), "| wanted | called instead | n |\n|---|---|--:|", len(off),
		func(i int) string {
			return fmt.Sprintf("| %s | %s | %d |\n", Code(Clip(name(off[i].Want), 80)), Code(Clip(name(off[i].Got), 80)), off[i].N)
		})
}

func (m *markdown) failures(title string, fs []metrics.Failure) {
	rows := failureRows(fs)
	m.rows(fmt.Sprintf("%s: %d", title, len(fs)), "| case | what | wanted | called | request | detail |\n|---|---|---|---|---|---|", len(rows),
		func(i int) string {
			f := rows[i]
			return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", Code(Clip(f.label(), 80)), Code(f.What), Code(Clip(names(f.Want), 120)),
				Code(Clip(names(f.Got), 120)), Code(Clip(f.Input, 200)), Code(Clip(f.shortDetail(), 400)))
		})
}

func (m *markdown) skills(l *SkillList) {
	fmt.Fprintf(&m.b, "\n%d found, %d loaded, %d failed\n", l.Found, l.Loaded, l.Failed)
	m.rows("Failed to load", "| file |\n|---|", len(l.Failures), func(i int) string {
		return fmt.Sprintf("| %s |\n", Code(Clip(l.Failures[i].String(), 300)))
	})
	m.rows("Same name in several files", "| skill | files |\n|---|---|", len(l.Duplicates), func(i int) string {
		return fmt.Sprintf("| %s | %s |\n", Code(l.Duplicates[i].Name), Code(Clip(strings.Join(l.Duplicates[i].Paths, ", "), 300)))
	})
	m.rows("Skills", "| skill | path | description |\n|---|---|---|", len(l.List), func(i int) string {
		s := l.List[i]
		return fmt.Sprintf("| %s | %s | %s |\n", Code(Clip(s.Name, 80)), Code(Clip(s.Path, 120)), Code(Clip(s.Description, 200)))
	})
}
