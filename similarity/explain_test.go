package similarity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// explained gives the pair of the first two texts, whatever its level.
func explained(t *testing.T, a, b Text) Pair {
	t.Helper()
	r := find(t, Options{Least: Unrelated}, append([]Text{a, b}, strangersTo()...)...)
	for _, p := range r.Pairs {
		if p.IDA == "0" && p.IDB == "1" {
			return p
		}
	}
	require.Fail(t, "the pair was not measured")
	return Pair{}
}

func TestPhrases(t *testing.T) {
	p := explained(t, text("pay_bill", "Pays an electricity bill from a savings account. Keeps a receipt."), text("show_bill", "Shows an electricity bill as a chart. Keeps a copy."))
	assert.Equal(t, "electricity bill", p.Shared[0])
	assert.Equal(t, "savings account", p.OnlyA[0])
	assert.Contains(t, p.OnlyA, "Pays")
	assert.Contains(t, p.OnlyA, "receipt")
	assert.Contains(t, p.OnlyB, "chart")
	assert.NotContains(t, strings.Join(append(p.OnlyA, p.OnlyB...), " "), "bill")
	assert.Equal(t, `say in each when to use the other: in pay_bill "Do not use for …; use show_bill.", in show_bill "Do not use for …; use pay_bill."`, p.Suggestion)
	assert.Equal(t, []string{`a request about "electricity bill" that names nothing more: which of the two should it be?`, `one about "electricity bill" and "savings account", which expects pay_bill`,
		`one about "electricity bill" and "` + telling(p.OnlyB) + `", which expects show_bill`}, p.Cases)
	assert.Contains(t, p.Against, "each names an action of its own")
	assert.Equal(t, []string{"savings account", "a", "查询发票"}, []string{telling([]string{"x", "savings account"}), telling([]string{"a", "b"}), telling([]string{"发票", "查询发票"})})
}

func TestPhrasesInChinese(t *testing.T) {
	p := explained(t, text("query_invoice", "查询客户的电子发票，并导出为表格。"), text("void_invoice", "作废客户的电子发票，并通知财务。"))
	require.NotEmpty(t, p.Shared)
	assert.Contains(t, p.Shared[0], "发票")
	assert.NotEmpty(t, p.OnlyA)
	assert.NotEmpty(t, p.OnlyB)
	assert.Equal(t, "分别写明边界：在 query_invoice 中写“不要用于……，请用 void_invoice。”，在 void_invoice 中写“不要用于……，请用 query_invoice。”", p.Suggestion)
}

func TestSuggestions(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b       Text
		suggestion string
	}{
		{"two copies", text("x", "Books a flight."), text("x", "Books a flight."), "two copies of one skill: keep one"},
		{"two copies, Chinese", text("x", "预订机票和酒店。"), text("x", "预订机票和酒店。"), "同一技能的两份拷贝：保留一份"},
		{"one text", text("x", "Books a flight."), text("y", "Books a flight."), "the descriptions are the same: merge the skills, or say in each what only it does"},
		{"one text, Chinese", text("x", "预订机票和酒店。"), text("y", "预订机票和酒店。"), "两段描述相同：合并技能，或分别写明各自独有的用途"},
		{"function words", text("reply", "Replies to the sender of a mail."), text("reply_all", "Replies to all the sender of a mail."), "neither says what sets it apart: merge the skills, or name in each what only it does"},
		{"function words, Chinese", text("x", "预订机票和酒店。"), text("y", "请预订机票或酒店。"), "两段描述都没有说明差别：合并技能，或分别写明各自独有的用途"},
		{"more in a", text("x", "Books a flight with a window seat."), text("y", "Books a flight."), `say in each when to use the other: in x "Do not use for …; use y.", in y "Do not use for …; use x."`},
		{"one name", text("x", "Books a flight with a window seat."), text("x", "Books a flight."), "two skills of one name: rename one, or keep one"},
		{"one name, Chinese", text("x", "预订靠窗座位的机票。"), text("x", "预订机票。"), "两个技能同名：改名，或只保留一个"},
		{"two languages", text("x", "Books a flight."), text("y", "预订机票。"), "neither says what sets it apart: merge the skills, or name in each what only it does"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := explained(t, c.a, c.b)
			assert.Equal(t, c.suggestion, p.Suggestion)
			assert.NotNil(t, p.OnlyA)
			assert.NotNil(t, p.OnlyB)
			if p.Identical {
				assert.Empty(t, p.Cases)
			}
		})
	}
}

func TestPhrasesAreClippedByCharacters(t *testing.T) {
	long := strings.Repeat("龘靐", 100)
	p := explained(t, text("a", long+"。预订机票。"), text("b", long+"。浇花养草。"))
	assert.Equal(t, strings.Repeat("龘靐", maxSurface/2)+"…", p.Shared[0])
	q := explained(t, text("a", "zebra tiger lemon melon, mango, papaya, cherry, walnut, almond, peanut"), text("b", "zebra tiger\n lemon   melon"))
	assert.Equal(t, []string{"zebra tiger lemon melon"}, q.Shared, "white space is collapsed")
	assert.Len(t, q.OnlyA, maxPhrases)
	assert.Empty(t, q.OnlyB)
}

func TestPhrasesOfBoilerplateAreLeftOut(t *testing.T) {
	p := explained(t, text("a", "Use this skill when the user wants to book a flight."), text("b", "Use this skill when the user wants to book a train."))
	for _, list := range [][]string{p.Shared, p.OnlyA, p.OnlyB} {
		for _, s := range list {
			assert.NotContains(t, []string{"Use", "skill", "user", "Use this skill"}, s)
		}
	}
}

func TestRepeatedPhrasesAreListedOnce(t *testing.T) {
	p := explained(t, text("a", "Zebra crossings. Zebra crossings. Lemon."), text("b", "Zebra crossings. Melon."))
	assert.Equal(t, []string{"Zebra crossings"}, p.Shared)
}

func TestRound(t *testing.T) {
	assert.Equal(t, []float64{0.1235, 1, 0}, []float64{round(0.12345001), round(0.99999), round(0.00001)})
}

func TestOptionalPartsAreShown(t *testing.T) {
	a, b := text("a", "Books a flight to a city."), text("b", "Books flights to a city.")
	a.UseWhen, a.Parameters = []string{"the user wants to fly"}, []string{"city: where to"}
	p := explained(t, a, b)
	assert.Nil(t, p.Parts.UseWhen)
	assert.Nil(t, p.Parts.Parameters)
	b.UseWhen, b.Parameters = a.UseWhen, a.Parameters
	p = explained(t, a, b)
	require.NotNil(t, p.Parts.UseWhen)
	assert.Equal(t, []float64{1, 1}, []float64{*p.Parts.UseWhen, *p.Parts.Parameters})
}

func TestMostlyHan(t *testing.T) {
	for s, want := range map[string]bool{"预订机票和酒店。": true, "把 PDF 转换成 Word 文件": true, "Books a flight 机票": false, "天気を調べる": false, "พยากรณ์อากาศ": false, "": false} {
		assert.Equal(t, want, mostlyHan(s), s)
	}
}
