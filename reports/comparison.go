package reports

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/skilleval/skilleval/metrics"
)

// AB describes the two descriptions of an A/B comparison.
type AB struct {
	Skill string `json:"skill"`
	A     ABSide `json:"a"`
	B     ABSide `json:"b"`
}

// ABSide is one description, where it came from, and its length in tokens.
type ABSide struct {
	From        string `json:"from"`
	Description string `json:"description"`
	Tokens      int    `json:"tokens"`
}

// points formats a difference of rates in percentage points.
func points(e metrics.Estimate) string {
	if e.Value == nil {
		return "–"
	}
	s := fmt.Sprintf("%+.1f", *e.Value*100)
	if e.Lo != nil && e.Hi != nil {
		s += fmt.Sprintf(" [%+.1f, %+.1f]", *e.Lo*100, *e.Hi*100)
	}
	return s
}

// comparisonLines are the figures of a comparison in words, one a line, for every textual format.
func comparisonLines(c *metrics.Comparison) []string {
	out := []string{
		fmt.Sprintf("%s of %d paired cases (%d clusters): %s %s %s, %s %s %s", metricName(c.Metric), c.Cases, c.Clusters,
			c.A, percent(c.AccuracyA.Value), interval(c.AccuracyA), c.B, percent(c.AccuracyB.Value), interval(c.AccuracyB)),
		fmt.Sprintf("difference %s − %s: %s points, %s (%s)%s", c.B, c.A, points(c.Difference), metrics.PText(c.PValue), c.Method, midP(c)),
		fmt.Sprintf("%d won, %d lost, %d tied (%d right in both, %d wrong in both); errors: %d in %s, %d in %s", c.Wins, c.Losses, c.Ties,
			c.BothRight, c.BothWrong, c.ErrorsA, c.A, c.ErrorsB, c.B),
	}
	if c.MinDetectable != nil {
		out = append(out, fmt.Sprintf("smallest difference that so many cases find four times in five: %.1f points", *c.MinDetectable*100))
	}
	tokens := fmt.Sprintf("prompt tokens a trial: %s → %s (%s); completion: %s → %s", number(c.Prompt.A, 0), number(c.Prompt.B, 0),
		signed(c.Prompt.Difference), number(c.Completion.A, 0), number(c.Completion.B, 0))
	if c.LatencyMS != nil {
		tokens += fmt.Sprintf("; latency: %s → %s ms", number(c.LatencyMS.A, 0), number(c.LatencyMS.B, 0))
	}
	if c.CostUSD != nil {
		tokens += fmt.Sprintf("; cost: %s → %s USD", number(c.CostUSD.A, 4), number(c.CostUSD.B, 4))
	}
	return append(out, tokens)
}

func metricName(m string) string {
	return map[string]string{metrics.MetricSelection: "selection accuracy", metrics.MetricArgs: "arguments exact", metrics.MetricCalls: "selection and arguments"}[m]
}

func midP(c *metrics.Comparison) string {
	if c.MidP == nil {
		return ""
	}
	return fmt.Sprintf(", mid-p %.4f", *c.MidP)
}

func signed(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%+.0f", *v)
}

// moved keeps the groups in which some case flipped.
func moved(rows []metrics.GroupDifference) []metrics.GroupDifference {
	var out []metrics.GroupDifference
	for _, r := range rows {
		if r.Gained+r.Lost > 0 {
			out = append(out, r)
		}
	}
	return out
}

func comparisonTables(b *bytes.Buffer, r *Report) {
	c := r.Comparison
	if c == nil {
		return
	}
	fmt.Fprintf(b, "verdict: %s\n", Plain(c.VerdictText))
	if c.Next != "" {
		fmt.Fprintf(b, "next: %s\n", Plain(c.Next))
	}
	b.WriteByte('\n')
	if r.AB != nil {
		fmt.Fprintf(b, "skill %s\n", Plain(r.AB.Skill))
		for _, s := range []struct {
			label string
			side  ABSide
		}{{"A", r.AB.A}, {"B", r.AB.B}} {
			fmt.Fprintf(b, "%s: %s (%d tokens): %s\n", s.label, clipWide(s.side.From, nameWidth), s.side.Tokens, clipWide(s.side.Description, 100))
		}
		b.WriteByte('\n')
	}
	for _, line := range comparisonLines(c) {
		b.WriteString(Plain(line) + "\n")
	}
	groupTable(b, "skill", moved(c.PerSkill), func(g metrics.GroupDifference) string { return g.Skill })
	groupTable(b, "tag", moved(c.PerTag), func(g metrics.GroupDifference) string { return g.Tag })
	flipTable(b, c)
	for _, n := range c.Notes {
		fmt.Fprintf(b, "note: %s\n", Plain(n))
	}
}

func groupTable(b *bytes.Buffer, title string, rows []metrics.GroupDifference, label func(metrics.GroupDifference) string) {
	if len(rows) == 0 {
		return
	}
	t := newTable(title, "cases", "gained", "lost", "difference, points", "p", "p adjusted")
	alignRight(t, 2, 3, 4, 5, 6, 7)
	for _, g := range rows {
		t.AppendRow(table.Row{clipWide(label(g), nameWidth), g.Cases, g.Gained, g.Lost, points(g.Difference), number(&g.PValue, 4), number(g.PAdjusted, 4)})
	}
	b.WriteByte('\n')
	render(b, t)
}

func flipTable(b *bytes.Buffer, c *metrics.Comparison) {
	if len(c.Flipped) == 0 {
		b.WriteString("no case flipped\n")
		return
	}
	t := newTable(fmt.Sprintf("flipped: %d", len(c.Flipped)), c.A, c.B, "wanted", "called in "+c.A, "called in "+c.B)
	for _, f := range c.Flipped[:min(len(c.Flipped), listed)] {
		t.AppendRow(table.Row{clipWide(f.Case, nameWidth), f.From, f.To, clipWide(names(f.Want), 40),
			clipWide(names(f.FromCalls), 50), clipWide(names(f.ToCalls), 50)})
	}
	b.WriteByte('\n')
	render(b, t)
	more(b, len(c.Flipped)-listed)
}

func (m *markdown) comparison(r *Report) {
	c := r.Comparison
	if c == nil {
		return
	}
	fmt.Fprintf(&m.b, "\n**Verdict:** %s\n", Code(c.VerdictText))
	if c.Next != "" {
		fmt.Fprintf(&m.b, "\n**Next:** %s\n", Code(c.Next))
	}
	if r.AB != nil {
		fmt.Fprintf(&m.b, "\nSkill %s\n\n- A (%d tokens): %s\n- B (%d tokens): %s\n", Code(r.AB.Skill), r.AB.A.Tokens,
			Code(Clip(r.AB.A.Description, 1000)), r.AB.B.Tokens, Code(Clip(r.AB.B.Description, 1000)))
	}
	m.b.WriteString("\n")
	for _, line := range comparisonLines(c) {
		fmt.Fprintf(&m.b, "- %s\n", strings.ReplaceAll(Plain(line), "|", `\|`))
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&m.b, "\nNote: %s\n", Code(Clip(n, 500)))
	}
	const head = "| | cases | gained | lost | difference, points | p | p adjusted |\n|---|--:|--:|--:|--:|--:|--:|"
	skills := moved(c.PerSkill)
	m.rows(fmt.Sprintf("Skills with flipped cases: %d", len(skills)), head, len(skills), func(i int) string { return groupRow(skills[i].Skill, skills[i]) })
	tags := moved(c.PerTag)
	m.rows(fmt.Sprintf("Tags with flipped cases: %d", len(tags)), head, len(tags), func(i int) string { return groupRow(tags[i].Tag, tags[i]) })
	m.rows(fmt.Sprintf("Flipped cases: %d", len(c.Flipped)), fmt.Sprintf("| case | %s | %s | wanted | called in %s | called in %s |\n|---|---|---|---|---|---|", c.A, c.B, c.A, c.B),
		len(c.Flipped), func(i int) string {
			f := c.Flipped[i]
			return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", Code(Clip(f.Case, 80)), f.From, f.To, Code(Clip(names(f.Want), 80)),
				Code(Clip(names(f.FromCalls), 120)), Code(Clip(names(f.ToCalls), 120)))
		})
}

func groupRow(label string, g metrics.GroupDifference) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %s | %s | %s |\n", Code(Clip(label, 80)), g.Cases, g.Gained, g.Lost, points(g.Difference),
		number(&g.PValue, 4), number(g.PAdjusted, 4))
}
