package skills

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestUsageSentences(t *testing.T) {
	type lists = []string
	tests := []struct {
		text     string
		use, not []string
	}{
		{"Current weather. Use when the user asks about rain or umbrellas. Do not use for air quality; use get_air_quality.",
			lists{"the user asks about rain or umbrellas"}, lists{"air quality; use get_air_quality"}},
		{"Use this skill whenever e.g. a PDF is named. Fast.", lists{"e.g. a PDF is named"}, nil},
		{"Charts. Use this tool for: bars, lines", lists{"bars, lines"}, nil},
		{"Charts - use when drawing.", lists{"drawing"}, nil},
		{"USE FOR: a b, c d\nDO NOT USE FOR: e f (use other)", lists{"a b, c d"}, lists{"e f (use other)"}},
		{"Reads PDFs. Don't use this when it is scanned. Never use it for images! Not for Word.", nil,
			lists{"it is scanned", "images", "Word"}},
		{"This skill should be used when sorting.", lists{"sorting"}, nil},
		{"When the user wants ads. Also use when the user says \"ppc.\" Covers it.", lists{"the user wants ads", `the user says "ppc`}, nil},
		{"Sorts. Triggers: sort it, order it. Skip when: it is sorted.", lists{"sort it, order it"}, lists{"it is sorted"}},
		{"Notes. Only use this skill after a review.", lists{"a review"}, nil},
		{"Never used for figures.", nil, lists{"figures"}},
		{"Avoid using this for .NET projects.", nil, lists{"this for .NET projects"}},
		{"Do not use for .NET projects.", nil, lists{".NET projects"}},
		{"使用场景：查询天气、气温。不要用于空气质量。", lists{"查询天气、气温"}, lists{"空气质量"}},
		{"查询天气。当用户询问天气时使用。不适用于空气质量；请勿用于潮汐。", lists{"用户询问天气"}, lists{"空气质量", "潮汐"}},
		{"当用户问空气质量时不要使用。", nil, lists{"用户问空气质量"}},
		{"当用户要连接浏览器时，使用本技能。不要使用它来下载文件。", lists{"用户要连接浏览器"}, lists{"下载文件"}},
		{"适用场景：写代码，也不要用于翻译。", lists{"写代码"}, lists{"翻译"}},
		{"Explains when users log in.", nil, nil},
		{"A useful user guide, not perfect for all.", nil, nil},
		{"Reuse for later.", nil, nil},
		{"", nil, nil},
		{"Use when: ", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			use, not := usageSentences(tt.text)
			assert.Equal(t, tt.use, use, "use when")
			assert.Equal(t, tt.not, not, "do not use when")
		})
	}
}

func TestMetadataBeatsSentences(t *testing.T) {
	s := mustParse(t, "---\nname: a\ndescription: X. Use when cold. Do not use for y1.\nmetadata:\n  use-when: warm\n---\n")
	assert.Equal(t, []string{"warm"}, s.UseWhen)
	assert.Equal(t, []string{"y1"}, s.DoNotUseWhen)
}

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"One. Two.":                "One.",
		"Uses e.g. this. Two.":     "Uses e.g. this.",
		"Version 1.5 is new. Two":  "Version 1.5 is new.",
		"Is it? Yes.":              "Is it?",
		"查询天气。当用户":                 "查询天气。",
		"No stop":                  "No stop",
		"Para\n\nNext":             "Para",
		"List:\n- a\n- b":          "List:",
		`He said "go." Then left.`: `He said "go.`,
		"":                         "",
	} {
		assert.Equal(t, want, firstSentence(text), text)
	}
}

// What is found is always a part of the text, so that a description that holds it is not repeated to a model.
func TestUsageIsPartOfText(t *testing.T) {
	words := rapid.SampledFrom([]string{"use when ", "Do not use for ", ". ", "; ", "\n", "当", "时使用", "不要用于", "。", "rain", " e.g. ", "(", ")", "Not for "})
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, w := range rapid.SliceOfN(words, 0, 20).Draw(t, "words") {
			text += w
		}
		use, not := usageSentences(text)
		assert.Empty(t, missing(append(use, not...), text))
	})
}
