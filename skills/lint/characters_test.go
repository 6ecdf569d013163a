package lint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestInvisible(t *testing.T) {
	for text, n := range map[string]int{
		"a\u200bb": 1, "a\u2060b": 1, "a\ufeffb": 1, "\ufeffab": 0, "a\u00adb": 1, "a\u180eb": 1, "a\u034fb": 1, "a\u2062b": 1, "a\u115fb": 1, "a\u3164b": 1, "a\uffa0b": 1,
		"a\u200db": 1, "\u200d": 1, "👩\u200d💻": 0, "❤\ufe0f\u200d🔥": 0, "क्\u200dष": 0, "می\u200cخواهم": 0, "a\u200cم": 1, "م\u200c": 1,
		"☀\ufe0f": 0, "☀\ufe0e": 0, "1\ufe0e": 0, "a\ufe00": 1, " \ufe0e": 1, "\ufe01": 1, "葛\U000e0100": 0, "葛\U000e0100\U000e0101": 1, "x\U000e0100": 1,
		"a\U000e0061": 1, "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f": 0, "🏴" + strings.Repeat("\U000e0061", 10): 3, "🏴\U000e0061a\U000e0061": 1,
		"天气 plain é": 0, "\xff\u200b": 1,
	} {
		assert.Len(t, search([]byte(text), invisible), n, "%+q", text)
	}
}

func TestBidiAndControl(t *testing.T) {
	for _, r := range "\u202a\u202e\u2066\u2069\u200e\u200f\u061c" {
		assert.True(t, bidi(r), "%U", r)
	}
	for _, r := range "aم\u2029\u206a" {
		assert.False(t, bidi(r), "%U", r)
	}
	for _, r := range "\x00\x1b\x7f\u0085\u2028\u2029" {
		assert.True(t, control(r), "%U", r)
	}
	for _, r := range "\t\n\r a\u00a0天" {
		assert.False(t, control(r), "%U", r)
	}
}

func TestSearchGivesBytes(t *testing.T) {
	assert.Equal(t, []found{{0x200b, 3, 6}}, search([]byte("天\u200bx"), invisible))
}

func TestWords(t *testing.T) {
	for text, n := range map[string]int{"": 0, "  ": 0, "PDF": 1, "PDF-forms": 1, "it's": 1, "two words": 2, "天气": 1, "天气预报": 2, "查PDF": 1, "a 天气 b": 3, "!!": 0, "one two three four five": 4} {
		assert.Equal(t, n, words(text, 4), text)
	}
}

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{"startDate": "start date", "start_date-x y.z": "start date x y z", "URL": "url", "toURL2x": "to url2x", "": "", "天气": "天气"} {
		assert.Equal(t, want, strings.Join(nameWords(name), " "), name)
	}
}

func TestQuoteIsShortAndVisible(t *testing.T) {
	assert.Equal(t, `"a\u200bb"`, quote("a\u200bb"))
	assert.Equal(t, `"`+strings.Repeat("天", 60)+`…"`, quote(strings.Repeat("天", 1000)))
	assert.Equal(t, `"`+strings.Repeat("天", 60)+`"`, quote(strings.Repeat("天", 60)))
}

func TestOpeningCutsBetweenCharacters(t *testing.T) {
	assert.Equal(t, "x", opening("x"))
	cut := opening(strings.Repeat("天", 10_000))
	assert.Equal(t, strings.Repeat("天", (16<<10)/3), cut)
}

func TestFindingsAboutOneThingGetFingerprintsOfTheirOwn(t *testing.T) {
	list := []Finding{{Rule: "r", Path: "p", Key: "k"}, {Rule: "r", Path: "p", Key: "k"}, {Rule: "r", Path: "p", Key: "k"}, {Rule: "r", Path: "q", Key: "k"}}
	number(list)
	assert.Equal(t, []string{"k", "k#2", "k#3", "k"}, []string{list[0].Key, list[1].Key, list[2].Key, list[3].Key})
}

func TestSpread(t *testing.T) {
	assert.InDelta(t, 1/0.6745, spread([]float64{1, 2, 3, 4, 5}, 3), 1e-9)
	assert.InDelta(t, 1.2533*8/5, spread([]float64{1, 1, 1, 1, 9}, 1), 1e-9, "more than half are equal")
	assert.Equal(t, 2.5, median([]float64{4, 1, 3, 2}))
}
