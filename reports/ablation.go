package reports

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/skilleval/skilleval/metrics"
)

// Ablation is one table over the arms of a run, each against the first.
type Ablation struct {
	Baseline string        `json:"baseline"`
	Rows     []AblationRow `json:"rows"`
}

// AblationRow is one arm. Difference, PValue and PAdjusted (Holm, over the rows) are nil in the first.
type AblationRow struct {
	Arm          string            `json:"arm"`
	Catalog      string            `json:"catalog"`
	Descriptions string            `json:"descriptions"` // "authored": the skills' own
	Order        string            `json:"order"`
	Protocol     string            `json:"protocol"`
	Skills       int               `json:"skills"`
	Selection    metrics.Estimate  `json:"selection"`
	Args         metrics.Estimate  `json:"args"`
	Calls        metrics.Estimate  `json:"calls"`
	PromptTokens *float64          `json:"prompt_tokens"` // mean per trial
	Level1Tokens *float64          `json:"level1_tokens"` // of them at level 1
	Rounds       *float64          `json:"rounds"`
	CostUSD      *float64          `json:"cost_usd"`
	Errors       int               `json:"errors"`
	Difference   *metrics.Estimate `json:"difference"` // of selection accuracy, from the baseline
	PValue       *float64          `json:"p_value"`
	PAdjusted    *float64          `json:"p_adjusted"`
}

// settingsLine says what all of a run was made with. What an ablation varies stands in its table.
func settingsLine(r *Report) string {
	p := &r.Run.Prompt
	line := "until " + p.Until
	if !varied(r.Ablation, func(row *AblationRow) string { return row.Protocol }) {
		line = "protocol " + p.Protocol + ", " + line
	}
	if !varied(r.Ablation, func(row *AblationRow) string { return row.Catalog }) {
		line = "catalogue " + p.Catalog + ", " + line
	}
	return line
}

// varied reports that the rows of an ablation do not agree.
func varied(a *Ablation, of func(*AblationRow) string) bool {
	return a != nil && slices.ContainsFunc(a.Rows, func(r AblationRow) bool { return of(&r) != of(&a.Rows[0]) })
}

// cells are the row's columns as text, arm first.
func (r *AblationRow) cells() []string {
	difference := "baseline"
	if r.Difference != nil {
		difference = points(*r.Difference)
	}
	cost := "–"
	if r.CostUSD != nil {
		cost = number(r.CostUSD, 4)
	}
	return []string{r.Arm, fmt.Sprint(r.Skills), percent(r.Selection.Value), interval(r.Selection), percent(r.Args.Value), interval(r.Args), percent(r.Calls.Value),
		fmt.Sprint(r.Selection.N), number(r.PromptTokens, 0), number(r.Level1Tokens, 0), number(r.Rounds, 2), cost, fmt.Sprint(r.Errors), difference, number(r.PAdjusted, 4)}
}

var ablationHead = []string{"arm", "skills", "selection", "95 % interval", "args exact", "95 % interval", "both", "n", "prompt tokens", "at level 1", "rounds", "USD", "errors",
	"difference, points", "p adjusted"}

func ablationTable(b *bytes.Buffer, a *Ablation) {
	if a == nil {
		return
	}
	t := newTable(ablationHead...)
	columns := make([]int, len(ablationHead)-1)
	for i := range columns {
		columns[i] = i + 2
	}
	alignRight(t, columns...)
	for i := range a.Rows {
		cells := a.Rows[i].cells()
		row := make(table.Row, len(cells))
		for k, c := range cells {
			row[k] = Plain(c)
		}
		t.AppendRow(row)
	}
	b.WriteByte('\n')
	render(b, t)
}

func (m *markdown) ablation(a *Ablation) {
	if a == nil {
		return
	}
	m.b.WriteString("\n|")
	for _, h := range ablationHead {
		m.b.WriteString(" " + h + " |")
	}
	m.b.WriteString("\n|---|" + string(bytes.Repeat([]byte("--:|"), len(ablationHead)-1)) + "\n")
	for i := range a.Rows {
		cells := a.Rows[i].cells()
		m.b.WriteString("| " + Code(cells[0]) + " |")
		for _, c := range cells[1:] {
			m.b.WriteString(" " + c + " |")
		}
		m.b.WriteString("\n")
	}
}
