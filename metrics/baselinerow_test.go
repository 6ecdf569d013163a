package metrics

import (
	"fmt"
	"strings"
	"testing"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/results"
)

// fullRow has every field of a row.
var fullRow = BaselineCase{Case: "c-é", Group: "g", Tags: []string{"en", "golden"}, Label: "0123456789abcdef", Trials: 3,
	Selection: Share{1, 3}, Level1: Share{2, 3}, Over: Share{1, 1}, Under: Share{0, 2}, Args: Share{1, 2}, Calls: Share{0, 3}, Prompt: 123456789,
	Skills: map[string]SkillShare{"weather": {1, 2, 1, 1, 0}, "mail": {}}}

func rowText(t testing.TB, c BaselineCase) string {
	t.Helper()
	data, err := json2.Marshal(&c, json2.Deterministic(true))
	require.NoError(t, err)
	return string(data)
}

// sameRow holds the scanner to its promise on one row, and reports whether it accepts it.
func sameRow(t testing.TB, s *rowScanner, text string) bool {
	t.Helper()
	var want, got BaselineCase
	if !jsontext.Value(text).IsValid() || !s.row([]byte(text), &got) {
		return false
	}
	require.NoError(t, json2.Unmarshal([]byte(text), &want, json2.RejectUnknownMembers(true)), text)
	require.Equal(t, want, got, text)
	return true
}

func TestRowScannerReadsWhatIsWritten(t *testing.T) {
	var s rowScanner
	for i, c := range []BaselineCase{fullRow, {Case: "least", Label: "x", Trials: 1}, fullRow} {
		assert.True(t, sameRow(t, &s, rowText(t, c)), "%d", i)
	}
	for text, usual := range map[string]bool{
		`{}`: true, `{"tags":[]}`: true, `{"skills":{}}`: true, `{"trials":999999999}`: true, `{"trials":1000000000}`: false,
		`{"trials":-1}`: false, `{"trials":1.0}`: false, `{"trials":1e2}`: false, `{"trials":null}`: false, `{"trials":"1"}`: false,
		`{"case":null}`: false, `{"case":"a\n"}`: false, `{"c\u0061se":"a"}`: false, `{"new":1}`: false, `{ "case":"a"}`: false, `{"case":"a"} `: false,
		`{"selection":[1]}`: false, `{"selection":[1,1,1]}`: false, `{"selection":[]}`: false, `{"selection":[1, 1]}`: false, `{"selection":{}}`: false,
		`{"skills":{"a":[1,1,1,1]}}`: false, `{"skills":{"a":[1,1,1,1,1]}}`: true, `{"skills":[]}`: false, `{"tags":["a",1]}`: false, `[]`: false, `"x"`: false,
	} {
		assert.Equal(t, usual, sameRow(t, &s, text), text)
	}
	for i := range 2 * maxWords {
		require.Equal(t, fmt.Sprint(i), s.kept(fmt.Append(nil, i)))
	}
	assert.Len(t, s.words, maxWords)
}

func TestRowScannerAgreesOnDamage(t *testing.T) {
	var s rowScanner
	full, accepted := rowText(t, fullRow), 0
	for i := range full {
		for _, by := range []string{"", `"`, `\`, ",", ":", "]", "}", "0", "-", ".", "e", " ", "\xff"} {
			accepted += oneIf(sameRow(t, &s, full[:i]+by+full[i+1:]))
		}
		// No bytes at all make it fail otherwise than by giving up.
		s.row([]byte(full[:i]), new(BaselineCase))
	}
	assert.Positive(t, accepted)
}

// A file with rows of both kinds, those the scanner takes and those it does not, is read the same.
func TestReadBaselineInBothWays(t *testing.T) {
	m := &memory{header: handmade(t).header}
	for i := range 20 {
		c := BaselineCase{Case: fmt.Sprintf("c%02d", i)}
		if i%3 == 0 {
			c.Group = "a \"group\"\n"
		}
		m.trials = append(m.trials, &results.Trial{Case: c.Case, Group: c.Group, Arm: "main", Error: &results.Problem{Class: "server"}})
	}
	text := strings.ReplaceAll(baselineText(t, baselineOf(t, m)), `"trials":1`, `"trials": 1 `)
	text = strings.Replace(text, `"trials": 1 `, `"trials":1`, 5)
	got, err := ReadBaseline([]byte(text))
	require.NoError(t, err)
	slow, err := readBaseline([]byte(text), nil)
	require.NoError(t, err)
	assert.Equal(t, slow, got)
	assert.Len(t, got.Cases, 20)
	assert.Equal(t, "a \"group\"\n", got.Cases[3].Group)
}

// Labels are made beside the reading, in batches; every row gets its own.
func TestLabelsGoToTheirRows(t *testing.T) {
	for _, n := range []int{0, 1, labelsAtOnce, labelsAtOnce + 1, 3*labelsAtOnce - 1} {
		var l labeller
		rows := make([]BaselineCase, n)
		expect := func(i int) *results.Trial {
			return &results.Trial{Expect: fmt.Appendf(nil, `{"b": %d, "a": 1}`, i), Accept: fmt.Appendf(nil, `[%d]`, i%7)}
		}
		for i := range n {
			l.add(expect(i))
		}
		l.finish(rows)
		for i := range n {
			require.Equal(t, labelDigest(expect(i).Expect, expect(i).Accept), rows[i].Label)
		}
		labels := map[string]bool{}
		for _, r := range rows {
			labels[r.Label] = true
		}
		assert.Len(t, labels, n)
	}
}

func FuzzRowScanner(f *testing.F) {
	f.Add(rowText(f, fullRow))
	f.Add(`{"case":"a","skills":{"":[0,0,0,0,0]},"tags":[""]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var s rowScanner
		sameRow(t, &s, text)
		s.row([]byte(text), new(BaselineCase))
	})
}
