package similarity

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func readOf(t Text, others ...Text) reading {
	texts := append([]Text{t}, others...)
	list := drafts(texts...)
	c := &corpus{lexicon: defaultLexicon()}
	return c.read(&texts[0], &list[0], boilerplate(list), referableNames(list))
}

func TestReadTakesATextApart(t *testing.T) {
	r := readOf(Text{Name: "Send_Mail", Description: "Sends mail. For letters use post-letter. Do not use for fax.", UseWhen: []string{"a reply is due", "Sends mail."},
		DoNotUseWhen: []string{"a phone is at hand"}, Parameters: []string{"to: address", "text"}}, text("post-letter", "x"))
	assert.Equal(t, "send_mail", r.name)
	assert.Equal(t, "Sends mail.\na reply is due", strings.ReplaceAll(r.positive, itemEnd, "\n"), "what stands in the description is not said twice")
	assert.Equal(t, "do not use for fax.\nfor letters use post-letter.\na phone is at hand", strings.ReplaceAll(strings.ReplaceAll(r.points, "..\n", ".\n"), "er.\n", "er.\n"))
	assert.Equal(t, []string{"=send", "=email"}, keys(r.head))
	assert.Equal(t, []string{"=send", "=email"}, keys(r.names))
	assert.NotContains(t, keys(r.body), "fax")
}

func TestNoPhraseGoesAcrossItems(t *testing.T) {
	r := readOf(Text{Name: "a", Description: "Helps.", UseWhen: []string{"finds a bug", "report spending"}, Parameters: []string{"bug", "report"}})
	assert.NotContains(t, keys(r.body), "=bug_report")
	assert.NotContains(t, keys(r.use), "=bug_report")
	assert.NotContains(t, keys(r.params), "=bug_report")
}

func TestBoilerplateSentencesAreLeftOut(t *testing.T) {
	others := []Text{text("b", "Part of ACME. Feeds cats."), text("c", "Part of ACME. Walks dogs."), text("d", "Part of ACME. Washes cars.")}
	assert.Equal(t, "Waters plants.", readOf(text("a", "Part of ACME. Waters plants."), others...).positive)
	assert.Equal(t, "Part of ACME.\nFeeds cats.", readOf(text("a", "Part of ACME. Feeds cats."), text("b", "Walks.")).positive, "not common")
	assert.Equal(t, "Part of ACME.", readOf(text("a", "Part of ACME."), others...).positive, "nothing else is there")
}

func TestWholeTellsTextsApart(t *testing.T) {
	whole := func(t Text) string { return readOf(t).whole }
	a := text("a", "Sends  mail")
	assert.Equal(t, whole(a), whole(text("b", "sends MAIL")))
	use, not := a, a
	use.UseWhen, not.DoNotUseWhen = []string{"x"}, []string{"x"}
	assert.NotEqual(t, whole(a), whole(use))
	assert.NotEqual(t, whole(use), whole(not))
}

func TestShareUnspaced(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{{"", 0}, {"abc", 0}, {"天气", 1}, {"天气abcdef", 0.5}, {"123 !", 0}} {
		assert.Equal(t, c.want, shareUnspaced(c.text), c.text)
	}
}

func TestCharGrams(t *testing.T) {
	grams := func(parts ...string) []uint32 {
		var out []uint32
		for _, p := range parts {
			out = append(out, hashRunes([]rune(p)))
		}
		return out
	}
	assert.Equal(t, grams(" ab", "ab ", " cd", "cd "), charGrams("ab, cd"))
	assert.Equal(t, grams("天气", "气预"), charGrams("天气预"))
	assert.Equal(t, grams(" ab", "天气", " cd", "cd "), charGrams("ab天气cd"))
	assert.Empty(t, charGrams(" .,"))
	assert.NotEqual(t, hashRunes([]rune("ab")), hashRunes([]rune("ba")))
}
