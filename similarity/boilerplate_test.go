package similarity

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func drafts(texts ...Text) []draft {
	out := make([]draft, len(texts))
	for i := range texts {
		out[i] = draftOf(&texts[i])
	}
	return out
}

func TestBoilerplateIsWhatManyDescriptionsShare(t *testing.T) {
	build := func(n, with int) map[string]bool {
		texts := make([]Text, n)
		for i := range texts {
			texts[i].Description = fmt.Sprintf("Does number %d.", i)
			if i < with {
				texts[i].Description = "Part of  ACME. " + texts[i].Description
			}
		}
		return boilerplate(drafts(texts...))
	}
	const sentence = "part of acme."
	assert.False(t, build(5, 2)[sentence], "two are too few")
	assert.True(t, build(5, 3)[sentence])
	assert.True(t, build(30, 3)[sentence], "one in ten")
	assert.False(t, build(31, 3)[sentence], "fewer than one in ten")
	assert.False(t, build(1000, 9)[sentence])
	assert.True(t, build(1000, 10)[sentence], "ten are many in any catalogue")
	assert.Len(t, build(5, 3), 1)
}

func TestCopiesAreNoBoilerplate(t *testing.T) {
	copied := text("a", "Waters the plants. Feeds the cat.")
	assert.Empty(t, boilerplate(drafts(copied, copied, copied, copied)))
	whole := text("a", "Waters the plants.")
	assert.Empty(t, boilerplate(drafts(whole, text("b", "waters  the plants."), text("c", "Waters the PLANTS."))), "a description of one sentence is not left out")
	twice := text("a", "Waters. Waters. Feeds.")
	assert.Empty(t, boilerplate(drafts(twice, text("b", "x"))), "one text counts once")
}

func TestPointsAway(t *testing.T) {
	names := referableNames(drafts(text("send_mail", ""), text("Post-Letter", ""), text("report", ""), text("v2.send", "")))
	for _, c := range []struct {
		sentence string
		want     bool
	}{
		{"For letters use post-letter.", true}, {"Use SEND_MAIL for that", true}, {"See v2.send.", true}, {"请用send_mail。", true},
		{"This is my_own skill.", false}, {"Writes a report.", false}, {"Calls send_mail_now.", false}, {"No sign", false}, {"", false},
	} {
		assert.Equal(t, c.want, pointsAway(c.sentence, "my_own", names), c.sentence)
	}
	assert.False(t, pointsAway("Send_Mail sends.", "send_mail", names), "its own name")
}

// TestBoilerplateCountsLittle measures what a shared template makes of two skills of different fields.
func TestBoilerplateCountsLittle(t *testing.T) {
	template := func(i int, what string) Text {
		return text(fmt.Sprintf("acme-skill-%d", i), "This skill should be used when the user asks for help inside the ACME platform. "+what)
	}
	what := []string{"Books a table in a restaurant.", "Waters the plants of a greenhouse.", "Tunes a violin by ear.", "Counts the calories of a meal.", "Plans a hiking tour."}
	var plain, dressed []Text
	for i, w := range what {
		plain, dressed = append(plain, text(fmt.Sprint("s", i), w)), append(dressed, template(i, w))
	}
	f, _ := compared(t, plain...)
	g, s := compared(t, dressed...)
	assert.Less(t, g.tokens, f.tokens+0.1)
	assert.Greater(t, g.raw, g.tokens, "the raw cosine shows what boilerplate would have made of it")
	assert.Less(t, s, 0.2)
}

func TestSharedPrefixesAndSuffixesCountLittle(t *testing.T) {
	kinds := []string{"topic", "category", "member", "comment", "badge", "group"}
	plural := []string{"topics", "categories", "members", "comments", "badges", "groups"}
	var texts []Text
	for i, k := range kinds {
		texts = append(texts, text(k+"-mcp-server", "Lists "+plural[i]+"."))
	}
	r := find(t, Options{Least: Related}, texts...)
	assert.Empty(t, r.Pairs, "topic-mcp-server and category-mcp-server are not related")
	two := find(t, Options{Least: Near}, texts[0], texts[1])
	assert.Empty(t, two.Pairs, "in a catalogue of two neither")
	f, s := compared(t, texts...)
	g, bare := compared(t, append(texts[:2:2], strangersTo()...)...)
	assert.Less(t, f.tokens, g.tokens, "the suffix counts less where all have it")
	assert.LessOrEqual(t, s, bare)
}
