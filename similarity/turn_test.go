package similarity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReversedConversions(t *testing.T) {
	for _, c := range []struct {
		a, b     Text
		reversed float64
	}{
		{text("a", "Converts a PDF to a Word document."), text("b", "Converts a Word document to a PDF."), 1},
		{text("a", "Converts a PDF to a Word document."), text("b", "Turns a PDF into a Word document."), 0},
		{text("pdf_to_word", "Converter."), text("word_to_pdf", "Converter."), 1},
		{text("pdf-to-word", "Converter."), text("word-to-pdf", "Converter."), 1},
		{text("pdfToWord", "Converter."), text("wordToPdf", "Converter."), 1},
		{text("pdfIntoWord", "Converter."), text("pdfToWord", "Converter."), 0},
		{text("pdf_2_word", "Converter."), text("word_2_pdf", "Converter."), 1},
		{text("a", "把PDF转换成Word文档。"), text("b", "把Word文档转换成PDF。"), 1},
		{text("a", "CSV → JSON"), text("b", "JSON -> CSV"), 1},
		{text("a", "Converts euros to dollars."), text("b", "Converts miles to kilometres."), 0},
		{text("a", "Converts a PDF to Word."), text("b", "Converts a PDF to Excel."), 0},
		{text("a", "To convert a PDF, upload it."), text("b", "Upload it to convert a PDF."), 0},
	} {
		f, s := compared(t, append([]Text{c.a, c.b}, strangersTo()...)...)
		assert.Equal(t, c.reversed, f.reversed, "%v %v", c.a, c.b)
		g, back := compared(t, append([]Text{c.b, c.a}, strangersTo()...)...)
		assert.Equal(t, f.reversed, g.reversed)
		assert.Equal(t, s, back)
		if c.reversed == 1 {
			assert.Less(t, s, DefaultThresholds().Near, "%v %v", c.a, c.b)
		}
	}
}

func TestTurnReversed(t *testing.T) {
	x := turn{from: []uint32{1, 2}, to: []uint32{3}}
	assert.True(t, x.reversed(turn{from: []uint32{3}, to: []uint32{1}}))
	assert.False(t, x.reversed(x))
	assert.False(t, x.reversed(turn{}))
	assert.False(t, x.reversed(turn{from: []uint32{3}, to: []uint32{9}}), "one side alone does not turn")
	assert.False(t, turn{from: []uint32{1, 2}, to: []uint32{1, 2}}.reversed(turn{from: []uint32{1, 2}, to: []uint32{1, 2}}), "as straight as crossed")
}
