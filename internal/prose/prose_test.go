package prose

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestStem(t *testing.T) {
	for _, group := range [][]string{
		{"summarise", "summarize", "summarising", "summarizes", "summarized", "summarization"}, {"translate", "translation", "translating", "translator"},
		{"city", "cities"}, {"note", "notes", "noting"}, {"stop", "stopping", "stopped"}, {"convert", "converter", "converting"}, {"search", "searches", "searching"},
		{"analyse", "analysing"}, {"class", "classes"}, {"box", "boxes"}, {"quick", "quickly"}, {"argue", "argument"},
	} {
		for _, w := range group[1:] {
			assert.Equal(t, Stem(group[0]), Stem(w), w)
		}
	}
	for _, w := range []string{"bus", "this", "go", "1990s", "été", "sing", "red", "Notes", "天气"} {
		assert.Equal(t, w, Stem(w))
	}
}

func TestFold(t *testing.T) {
	assert.Equal(t, "http server 1", Fold("ＨＴＴＰ Server １"))
	assert.Equal(t, "é", Fold("E\u0301"))
}

func TestScripts(t *testing.T) {
	for _, r := range "天あアー한" {
		assert.True(t, IsIdeographic(r), string(r))
		assert.False(t, IsWordRune(r), string(r))
	}
	for _, r := range "aZ9éжש" {
		assert.True(t, IsWordRune(r), string(r))
		assert.False(t, IsIdeographic(r), string(r))
	}
	for _, r := range " -_.👍" {
		assert.False(t, IsWordRune(r) || IsIdeographic(r), string(r))
	}
	assert.Equal(t, len("天气"), RunLength("天气 now", IsIdeographic))
	assert.Equal(t, 3, RunLength("now", IsWordRune))
	assert.Equal(t, 0, RunLength("", IsWordRune))
}

func TestStops(t *testing.T) {
	assert.True(t, IsStop("the"))
	assert.False(t, IsStop("weather"))
	assert.Equal(t, len("是不是"), HanStopLength("是不是要下雨"), "the longest one")
	assert.Equal(t, 0, HanStopLength("天气"))
	assert.Equal(t, 0, HanStopLength(""))
}

func TestSentences(t *testing.T) {
	assert.Equal(t, []string{"See example.com for more.", "Rain (e.g. in Oslo)!", "查天气。", "End"}, Sentences("See example.com for more. Rain (e.g. in Oslo)! 查天气。End\n\n"))
	assert.Empty(t, Sentences(" \n "))
}

func TestTakeApart(t *testing.T) {
	s := TakeApart("Rain for a city (e.g. Oslo). Use when asked. Do not use for smog; use check_air. Fast, not for oceans. 查天气。不要用于空气质量，请用check_air。")
	assert.Equal(t, []string{"Rain for a city (e.g. Oslo).", "Use when asked.", "Fast,", "查天气。"}, s.Positive)
	assert.Equal(t, []string{"Do not use for smog; use check_air.", "not for oceans.", "不要用于空气质量，请用check_air。"}, s.Negative)
}

// Whatever the text, its sides are parts of it, and stems are no longer than words.
func FuzzTakeApart(f *testing.F) {
	f.Add("Do not use İ for X. 不要用于 Y")
	f.Add("e.g. \xff. not for ")
	f.Fuzz(func(t *testing.T, text string) {
		s := TakeApart(text)
		for _, part := range append(s.Positive, s.Negative...) {
			assert.Contains(t, text, part)
		}
		for _, w := range strings.Fields(strings.ToLower(text)) {
			assert.LessOrEqual(t, utf8.RuneCountInString(Stem(w)), utf8.RuneCountInString(w)+1)
		}
	})
}
