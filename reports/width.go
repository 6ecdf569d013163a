package reports

import (
	"strings"
	"unicode"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// grid is a table that aligns by what a terminal shows. The library pads by the sum of its runes' widths, which is too
// much for an emoji joined of several: a cell with one is laid out as a stand-in of the right width, and put back.
type grid struct {
	table.Writer
	cells []string // behind the stand-ins
}

// Stand-ins are runes of a private plane, which [Plain] never lets through: one that numbers the cell, then fillers.
const (
	standIn     = 0xF0000
	maxStandIns = 0xFF00
	filler      = "\U0010F000"
)

// AppendRow adds a row; cells are texts or numbers.
func (g *grid) AppendRow(row table.Row, config ...table.RowConfig) {
	out := make(table.Row, len(row))
	for i, cell := range row {
		out[i] = cell
		if s, ok := cell.(string); ok {
			out[i] = g.stand(s)
		}
	}
	g.Writer.AppendRow(out, config...)
}

func (g *grid) stand(s string) string {
	width := text.StringWidth(s)
	if width == 0 || width == text.StringWidthWithoutEscSequences(s) || len(g.cells) == maxStandIns {
		return s
	}
	g.cells = append(g.cells, s)
	return string(rune(standIn+len(g.cells)-1)) + strings.Repeat(filler, width-1)
}

// Render lays the table out.
func (g *grid) Render() string {
	out := g.Writer.Render()
	if len(g.cells) == 0 {
		return out
	}
	var b strings.Builder
	for _, r := range strings.ReplaceAll(out, filler, "") {
		if i := int(r) - standIn; i >= 0 && i < len(g.cells) {
			b.WriteString(g.cells[i])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// clipWide makes text safe and cuts it to a display width, never inside a character.
func clipWide(s string, width int) string {
	s = Plain(Clip(s, messageLimit))
	if text.StringWidth(s) <= width {
		return s
	}
	runes := []rune(s)
	cut, used := 0, 0
	for cut < len(runes) && used+text.RuneWidth(runes[cut]) <= width-1 {
		used += text.RuneWidth(runes[cut])
		cut++
	}
	for cut > 0 && cut < len(runes) && continues(runes[cut-1], runes[cut]) {
		cut--
	}
	return string(runes[:cut]) + "…"
}

// continues reports that b belongs to the character that a is the last rune of.
func continues(a, b rune) bool {
	return a == 0x200D || b == 0x200D || unicode.In(b, unicode.Mn, unicode.Me) || b >= 0x1F3FB && b <= 0x1F3FF
}
