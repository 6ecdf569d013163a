package offline

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func keysOf(s string) []string {
	var list []string
	terms(s, func(t term) { list = append(list, t.key) })
	return list
}

func TestTerms(t *testing.T) {
	for text, want := range map[string][]string{
		"Summaries of the meetings":  {"summari", "meet"},
		"get_airQuality":             {"get", "air", "qualiti", "airqualiti"},
		"C++ and ＧＯ":                 {"c++", "go"},
		"帮我查一下天气":                    {"查", "天", "气", "天气"},
		"what is it":                 nil,
		strings.Repeat("x", 100):     nil,
		"don't":                      nil,
		"café":                       {"café"},
		"H1 header":                  {"h1", "head"},
		"translation and translator": {"translat", "translat"},
	} {
		assert.Equal(t, want, keysOf(text), text)
	}
	weights := map[string]float64{}
	terms("find weather 12 天气 用户", func(t term) { weights[t.key] = t.weight })
	assert.Less(t, weights["find"], weights["weath"])
	assert.Less(t, weights["12"], weights["weath"])
	assert.Less(t, weights["天"], weights["天气"])
	assert.Less(t, weights["用户"], weights["天气"])
}

func first(x *index, question string) string {
	h, ok := x.rank(newQuery(question)).best()
	if !ok {
		return ""
	}
	return x.entries[h.doc].name
}

func TestNegativeWordsAndRedirections(t *testing.T) {
	x := newIndex([]entry{
		{name: "forecast", description: "Rain and sun for a city. Do not use for smog; use check_air."},
		{name: "check_air", description: "Particles for a city."},
		{name: "other", description: "Knits socks."},
	})
	assert.Equal(t, "check_air", first(x, "smog in the city"), "a word of the do-not part speaks for the skill it points to")
	assert.Equal(t, "forecast", first(x, "rain in the city"))
	plainOnes := newIndex([]entry{{name: "a", description: "Handles tables and pictures."}, {name: "b", description: "Handles tables.", doNot: "pictures"}})
	assert.Equal(t, "a", first(plainOnes, "pictures of tables"))
	r := plainOnes.rank(newQuery("pictures"))
	assert.Len(t, r.hits, 1, "what is only negative does not score")

	zh := newIndex([]entry{{name: "forecast", description: "查询城市下雨。不要用于空气质量，请用check_air。"}, {name: "check_air", description: "查询城市颗粒物。"}})
	assert.Equal(t, "check_air", first(zh, "城市空气质量"))
}

func TestRank(t *testing.T) {
	x := newIndex([]entry{
		{name: "createPDF", description: "Make a file."}, {name: "b", description: "Documentation for every user of the file."}, {name: "web_search", description: "Looks things up."}, {name: "c", description: "Summary writer."},
	})
	assert.Equal(t, "createPDF", first(x, "a pdf, now"), "parts of names count")
	assert.Equal(t, "c", first(x, "summarizing"), "similar spelling counts")
	assert.Equal(t, "web_search", first(x, "call web_search on the file of documentation"), "a name called whole wins")
	assert.Empty(t, first(x, "giraffe"))
	assert.Empty(t, first(newIndex(nil), "giraffe"))
	same := newIndex([]entry{{name: "one", description: "kite"}, {name: "two", description: "kite"}})
	assert.Equal(t, "one", first(same, "kite"), "equals keep their order")
	rare := newIndex([]entry{{name: "a", description: "tool kite"}, {name: "b", description: "tool sail"}, {name: "c", description: "tool rope"}})
	r := rare.rank(newQuery("sail rope kite kite"))
	assert.Len(t, r.hits, 3)
	assert.Greater(t, rarity(1, 30), rarity(10, 30))
	assert.InDelta(t, 1, rarity(0, 30), 1e-9)
}

func TestQuotedWordsCountLess(t *testing.T) {
	x := newIndex([]entry{{name: "translate", description: "Translate a sentence."}, {name: "weather", description: "Weather and rain."}})
	assert.Equal(t, "translate", first(x, `please translate the sentence "weather rain"`))
	assert.Equal(t, "weather", first(x, `"weather and rain"`))
}

func TestCuts(t *testing.T) {
	strong := func(text string) (list []string) {
		for _, c := range cuts(text) {
			if c.strong {
				list = append(list, text[c.from:c.to])
			}
		}
		return list
	}
	assert.Equal(t, []string{", then "}, strong("Do a, then b"))
	assert.Equal(t, []string{" and then ", " after that "}, strong("Do a and then b after that c"))
	assert.Equal(t, []string{"，然后", "，最后", "；"}, strong("先做甲，然后做乙，最后做丙；完"))
	assert.Empty(t, strong("Then what is more than that?"))
	assert.Empty(t, strong("再见"))
	assert.NotPanics(t, func() { cuts("İİİ then \xff") })
}

func TestWeakPartsNeedTwoClearSides(t *testing.T) {
	x := newIndex([]entry{
		{name: "fetch_page", description: "Fetch a web page by its address."}, {name: "extract_code", description: "Extract code blocks from a text."}, {name: "knit", description: "Knits socks."},
	})
	p := x.plan(&prompt{question: "fetch the web page and extract the code blocks"}, enough)
	assert.Len(t, p, 2)
	assert.Equal(t, "fetch the web page", p[0].text)
	p = x.plan(&prompt{question: "fetch the web page and the text"}, enough)
	assert.Len(t, p, 1)
}

func TestParseBlock(t *testing.T) {
	list := parseBlock("Skills you can choose from:\n- a: Does a: things. Use when: x; y. Do not use when: z. Arguments: city (required), n.\n  Parameters: {\"type\":\"object\"}\nnoise\n- b\n- : nameless\n<skill available=\"true\"><name>c</name><description>x &lt; y</description><do-not-use-when>w</do-not-use-when><parameters>{&quot;type&quot;:1}</parameters></skill>\n<skill available=\"false\"><name>d</name></skill>\n<skill><name>e</na")
	assert.Equal(t, []entry{
		{name: "a", description: "Does a: things.", useWhen: "x; y.", doNot: "z.", arguments: "city (required), n", schema: []byte(`{"type":"object"}`)},
		{name: "b"},
		{name: "c", description: "x < y", doNot: "w", schema: []byte(`{"type":1}`)},
	}, list)
}

func TestClip(t *testing.T) {
	assert.Equal(t, "short", clip("short", 10))
	got := clip(strings.Repeat("汉", 1000), 100)
	assert.LessOrEqual(t, len(got), 101)
	assert.True(t, strings.HasPrefix(got, "汉") && strings.HasSuffix(got, "汉"))
	assert.NotContains(t, got, "\uFFFD")
}
