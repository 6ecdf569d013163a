package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// read reads text that must be in order.
func read(t *testing.T, name, text string) []Case {
	t.Helper()
	cases, err := Read(name, strings.NewReader(text))
	require.NoError(t, err)
	return cases
}

// faultsOf reads text that must not be in order.
func faultsOf(t *testing.T, name, text string) Faults {
	t.Helper()
	_, err := Read(name, strings.NewReader(text))
	var faults Faults
	require.ErrorAs(t, err, &faults, "%s", text)
	require.NotEmpty(t, faults)
	return faults
}

const oneCase = `{"id":"c1","input":"rain in Oslo?","expect":{"none":true}}`

func TestReadJSONL(t *testing.T) {
	cases := read(t, "cases.jsonl", `{"id":"rain-zh-1","input":"今天杭州会不会下雨","tags":["zh","confusable"],"expect":{"calls":[{"skill":"get_weather","args":{"city":"杭州"}}]}}

{"id":"none-1","input":"thanks, that is all","expect":{"none":true}}
{"id":"chain-1","input":"go","history":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"context_tags":["web"],"expect":{"calls":[{"skill":"fetch","args":{}},{"skill":"extract","args":{"language":{"$anyOf":["go","golang"]}}},{"skill":"save"}],"order":"strict"},"accept":[{"skill":"x"},{"none":true}],"results":{"fetch":"text","extract":{"a":1}},"group":"p-7","notes":""}`)
	require.Len(t, cases, 3)
	assert.Equal(t, Case{
		ID: "rain-zh-1", Input: "今天杭州会不会下雨", Tags: []string{"zh", "confusable"}, File: "cases.jsonl", Line: 1,
		Expect: Expectation{Calls: []ExpectedCall{{Skill: "get_weather", Args: []byte(`{"city":"杭州"}`)}}},
	}, cases[0])
	assert.Equal(t, Case{ID: "none-1", Input: "thanks, that is all", Expect: Expectation{None: true}, File: "cases.jsonl", Line: 3}, cases[1])
	c := cases[2]
	assert.Equal(t, 4, c.Line)
	assert.Equal(t, []Turn{{"user", "a"}, {"assistant", "b"}}, c.History)
	assert.Equal(t, []string{"web"}, c.ContextTags)
	assert.Equal(t, "strict", c.Expect.Order)
	assert.Equal(t, []string{"fetch", "extract", "save"}, c.Expect.Skills())
	assert.Equal(t, `{}`, string(c.Expect.Calls[0].Args))
	assert.Nil(t, c.Expect.Calls[2].Args, "absent arguments are not labelled")
	assert.Equal(t, []Expectation{{Calls: []ExpectedCall{{Skill: "x"}}}, {None: true}}, c.Accept)
	assert.Equal(t, `{"a":1}`, string(c.Results["extract"]))
	assert.Equal(t, "p-7", c.Group)
	assert.True(t, c.Expect.LabelsArgs())
	assert.False(t, c.Accept[0].LabelsArgs())
	assert.Nil(t, cases[1].Expect.Skills())
}

// TestEncodings: a byte order mark and line ends never change what is read, nor at which line.
func TestEncodings(t *testing.T) {
	texts := map[string]string{
		"c.jsonl": oneCase + "\n" + `{"id":"c2","input":"b","expect":{"skill":"x"},"notes":"n"}` + "\n",
		"c.yaml":  "- id: c1\n  input: rain in Oslo?\n  expect: {none: true}\n- id: c2\n  input: b\n  expect: {skill: x}\n  notes: n\n",
		"c.csv":   "id,input,skill,none,notes\nc1,rain in Oslo?,,true,\nc2,b,x,,n\n",
		"c.json":  "[\n" + oneCase + ",\n" + `{"id":"c2","input":"b","expect":{"skill":"x"},"notes":"n"}` + "]\n",
	}
	for name, text := range texts {
		want := read(t, name, text)
		require.Len(t, want, 2)
		assert.Equal(t, "n", want[1].Notes)
		for what, changed := range map[string]string{
			"BOM":              "\ufeff" + text,
			"CRLF":             strings.ReplaceAll(text, "\n", "\r\n"),
			"CR":               strings.ReplaceAll(text, "\n", "\r"),
			"BOM and CRLF":     "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"),
			"no last line end": strings.TrimSuffix(text, "\n"),
		} {
			assert.Equal(t, want, read(t, name, changed), "%s with %s", name, what)
			one, err := Read(name, iotest.OneByteReader(strings.NewReader(changed)))
			require.NoError(t, err)
			assert.Equal(t, want, one, "%s with %s, byte by byte", name, what)
		}
		bad := faultsOf(t, name, "\xff\xfe"+text)
		assert.Contains(t, bad.Error(), "UTF-8", name)
	}
	// Exactly one mark is dropped: a second one is data, and no JSON.
	assert.Contains(t, faultsOf(t, "c.jsonl", "\ufeff\ufeff"+oneCase).Error(), "not valid JSON")
	// Errors keep their line.
	f := faultsOf(t, "c.jsonl", "\ufeff"+oneCase+"\r\n\r\n{\r\n")
	assert.Equal(t, 3, f[0].Line)
}

func TestLongLines(t *testing.T) {
	long := func(id string, n int) string {
		return fmt.Sprintf(`{"id":%q,"input":%q,"expect":{"none":true}}`, id, strings.Repeat("x", n))
	}
	text := oneCase + "\n" + long("c2", 100<<10) + "\n" + long("c3", 5<<20) + "\n" + long("c4", 10)
	cases := read(t, "c.jsonl", text)
	require.Len(t, cases, 4, "one case for every line")
	assert.Len(t, cases[2].Input, 5<<20)
	assert.Equal(t, 4, cases[3].Line)

	assert.Equal(t, 64<<20, newLoader().limit)
	for name, start := range map[string]string{"c.jsonl": oneCase + "\n", "c.json": `["`, "c.csv": "id,input\n1,\"", "c.yaml": `- "`} {
		l := newLoader()
		l.limit = 1 << 20
		l.read(name, io.MultiReader(strings.NewReader(start), endless{}))
		_, err := l.result()
		assert.ErrorContains(t, err, "1048576 bytes", name)
		if name == "c.jsonl" {
			assert.ErrorContains(t, err, "c.jsonl:2: error: the line is longer than 1048576 bytes")
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReadErrorIsNotTheEnd(t *testing.T) {
	broken := errors.New("disk gone")
	for _, name := range []string{"c.jsonl", "c.json", "c.csv", "c.yaml"} {
		text := map[string]string{"c.jsonl": oneCase + "\n", "c.json": "[" + oneCase, "c.csv": "id,input,none\na,b,true\n", "c.yaml": "- {id: a, input: b, expect: {none: true}}\n"}[name]
		_, err := Read(name, io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		assert.ErrorContains(t, err, "disk gone", name)
	}
}

// TestFaultsOfCases: each row is the JSON text of one case (line 1 of cases.jsonl) and the fault it has.
func TestFaultsOfCases(t *testing.T) {
	with := func(more string) string { return `{"id":"x","input":"i","expect":{"none":true},` + more + `}` }
	expect := func(e string) string { return `{"id":"x","input":"i","expect":` + e + `}` }
	tests := []struct {
		name, text string
		path, rule string
		message    string
	}{
		{"not JSON", `{"id":‸`, "", "syntax", "cut short"},
		{"trailing text", oneCase + ` ‸x`, "", "syntax", "more text"},
		{"not an object", `‸[1]`, "", "case", "not array"},
		{"duplicate key", `{"id":"a",‸"id":"b"}`, "", "syntax", `duplicate key "id"`},
		{"duplicate key deep inside", expect(`{"skill":"s","args":{"a":{"b":1,‸"b":2}}}`), "", "syntax", `duplicate key "b" at /expect/args/a/b`},
		{"lone surrogate", `{"id":"a","input":"‸\ud83d"}`, "", "syntax", "not valid JSON"},
		{"invalid UTF-8", "{\"id\":\"a\",\"input\":\"‸\xff\"}", "", "syntax", "not valid JSON"},
		{"NaN", expect(`{"skill":"s","args":{"a":‸NaN}}`), "", "syntax", "not valid JSON"},
		{"no input", `‸{"id":"x","expect":{"none":true}}`, "input", "input", "missing"},
		{"input of another type", `{"id":"x","input":‸5,"expect":{"none":true}}`, "input", "input", `not number; write "5"`},
		{"empty input", `{"id":"x","input":‸"","expect":{"none":true}}`, "input", "input", "empty"},
		{"blank input", `{"id":"x","input":‸" \u3000 ","expect":{"none":true}}`, "input", "input", "blank"},
		{"no expect", `‸{"id":"x","input":"i"}`, "expect", "expect", `"expect" is missing`},
		{"expect null", expect(`‸null`), "expect", "expect", `{"none": true}`},
		{"expect a word", expect(`‸"none"`), "expect", "expect", `{"none": true}`},
		{"expect nothing", expect(`‸{}`), "expect", "expect", "exactly one"},
		{"expect both", expect(`‸{"none":true,"calls":[{"skill":"a"}]}`), "expect", "expect", "exactly one"},
		{"none false", expect(`{"none":‸false}`), "expect.none", "expect", "only true"},
		{"none with strict order", expect(`‸{"none":true,"order":"strict"}`), "expect.order", "expect", "no order"},
		{"calls not a list", expect(`{"calls":‸{}}`), "expect.calls", "expect", "a list"},
		{"call not an object", expect(`{"calls":[‸"a"]}`), "expect.calls[0]", "expect", "a call is"},
		{"call without skill", expect(`{"calls":[{"skill":"a"},‸{"args":{}}]}`), "expect.calls[1].skill", "expect", "missing"},
		{"short call without skill", expect(`‸{"args":{}}`), "expect.skill", "expect", "missing"},
		{"blank skill", expect(`{"skill":‸" "}`), "expect.skill", "expect", "the name of a skill"},
		{"skill of another type", expect(`{"skill":‸5}`), "expect.skill", "expect", "the name of a skill"},
		{"order beside skill", expect(`{"skill":"a","order":‸"strict"}`), "expect.order", "expect", "does not belong"},
		{"unknown order", expect(`{"calls":[{"skill":"a"}],"order":‸"Strict"}`), "expect.order", "expect", `"strict", "any"`},
		{"args null", expect(`{"skill":"a","args":‸null}`), "expect.args", "args", "leave \"args\" out"},
		{"args a list", expect(`{"skill":"a","args":‸[]}`), "expect.args", "args", "write {}"},
		{"unknown matcher", expect(`{"calls":[{"skill":"a","args":‸{"q":[{"$regexp":"x"}]}}]}`), "expect.calls[0].args.q[0]", "matcher", `did you mean "$regex"?`},
		{"matcher in an alternative", with(`"accept":[{"skill":"a","args":‸{"q":{"$anyOf":[]}}}]`), "accept[0].args.q.$anyOf", "matcher", "alternative"},
		{"accept not a list", with(`"accept":‸{"none":true}`), "accept", "accept", "a list"},
		{"unknown key", with(`"expects":‸1`), "expects", "unknown-key", `unknown key "expects"; did you mean "expect"?; known: id, input`},
		{"capital letters", with(`"Tags":‸[]`), "Tags", "unknown-key", `did you mean "tags"?`},
		{"unknown key in call", expect(`{"skill":"a","arguments":‸{}}`), "expect.arguments", "unknown-key", `known: skill, args`},
		{"tags not a list", with(`"tags":‸"a"`), "tags", "tags", "a list of strings"},
		{"tag of another type", with(`"tags":["a",‸5]`), "tags[1]", "tags", `write "5"`},
		{"blank tag", with(`"tags":[‸" "]`), "tags[0]", "tags", "blank"},
		{"history not a list", with(`"history":‸{}`), "history", "history", "a list of turns"},
		{"turn not an object", with(`"history":[‸"a"]`), "history[0]", "history", "a turn is"},
		{"unknown role", with(`"history":[{"role":‸"system","content":"a"}]`), "history[0].role", "history", "known: user, assistant"},
		{"turn without content", with(`"history":[‸{"role":"user"}]`), "history[0].content", "history", "missing"},
		{"turn without role", with(`"history":[‸{"content":"a"}]`), "history[0].role", "history", "missing"},
		{"unknown key in a turn", with(`"history":[{"role":"user","content":"a","text":‸"b"}]`), "history[0].text", "unknown-key", "known: role, content"},
		{"results not an object", with(`"results":‸[]`), "results", "results", "an object"},
		{"group of another type", with(`"group":‸1`), "group", "group", "a string"},
		{"notes of another type", with(`"notes":‸1`), "notes", "notes", "a string"},
		{"id of another type", `{"id":‸true,"input":"i","expect":{"none":true}}`, "id", "id", "a string"},
		{"blank id", `{"id":‸" ","input":"i","expect":{"none":true}}`, "id", "id", "leave it out"},
		{"column counts characters", `{"id":"天气","input":‸5,"expect":{"none":true}}`, "input", "input", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// ‸ marks the place of the fault.
			before, after, _ := strings.Cut(tt.text, "‸")
			faults := faultsOf(t, "cases.jsonl", before+after)
			require.Len(t, faults, 1, "%v", faults)
			f := faults[0]
			assert.Equal(t, [...]any{tt.path, tt.rule, 1, len([]rune(before)) + 1, "error", "cases.jsonl"}, [...]any{f.Path, f.Rule, f.Line, f.Column, f.Severity, f.File})
			assert.Contains(t, f.Message, tt.message)
		})
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	faults := faultsOf(t, "c.jsonl", `{"id":"a","input":1,"expect":{"skill":"s","args":5},"tag":[]}
`+oneCase+`
{"id":"b","input":"x"}
not json`)
	var got []string
	for _, f := range faults {
		got = append(got, fmt.Sprintf("%d %s %s", f.Line, f.Case, f.Path))
	}
	assert.Equal(t, []string{"1 a input", "1 a expect.args", "1 a tag", "3 b expect", "4  "}, got)
	assert.Equal(t, `c.jsonl:3:1: error: case "b": expect: "expect" is missing: write `+expectForms, faults[3].String())

	many := faultsOf(t, "c.jsonl", strings.Repeat("x\n", 5000))
	require.Len(t, many, 1001)
	assert.Equal(t, "error: 4000 more faults are not listed", many[1000].String())
}

// TestEmptyIsALabel: an empty list says that nothing should be called; an absent or null label says nothing.
func TestEmptyIsALabel(t *testing.T) {
	for _, e := range []string{`[]`, `{"calls":[]}`, `{"none":true}`} {
		c := read(t, "c.jsonl", `{"id":"x","input":"i","expect":`+e+`}`)
		assert.Equal(t, Expectation{None: true}, c[0].Expect, e)
	}
	c := read(t, "c.jsonl", `{"id":"x","input":"i","expect":[{"skill":"a"},{"skill":"a"}]}`)
	assert.Equal(t, []string{"a", "a"}, c[0].Expect.Skills())
	c = read(t, "c.jsonl", `{"id":"x","input":"i","expect":{"calls":[{"skill":" a "}],"order":"any"}}`)
	assert.Equal(t, Expectation{Calls: []ExpectedCall{{Skill: "a"}}}, c[0].Expect)
}

func TestIDs(t *testing.T) {
	line := func(id string) string {
		return `{"id":` + id + `,"input":"` + strings.Trim(id, `" `) + `","expect":{"none":true}}`
	}
	t.Run("numbers are their text", func(t *testing.T) {
		c := read(t, "c.jsonl", line(`1`)+"\n"+line(`1.0`)+"\n"+line(`" case-1 "`))
		assert.Equal(t, []string{"1", "1.0", "case-1"}, []string{c[0].ID, c[1].ID, c[2].ID})
	})
	for _, pair := range [][2]string{{`"case-1"`, `" case-1 "`}, {`1`, `"1"`}, {`"é"`, `"e\u0301"`}} {
		faults := faultsOf(t, "c.jsonl", line(pair[0])+"\n"+oneCase+"\n"+line(pair[1]))
		require.Len(t, faults, 1)
		assert.Equal(t, "duplicate-id", faults[0].Rule)
		assert.Equal(t, 3, faults[0].Line)
		assert.Contains(t, faults[0].Message, "c.jsonl:1")
	}
	t.Run("generated from the content", func(t *testing.T) {
		a := `{"input":"a","expect":{"skill":"s","args":{"x":1,"y":2}}}`
		b := `{"input":"b","expect":{"none":true}}`
		one, two := read(t, "c.jsonl", a+"\n"+b), read(t, "d.jsonl", b+"\n\n"+`{"id":null,"tags":["t"],"notes":"n","expect":{"args":{"y":2, "x":1},"skill":"s"},"input":"a"}`)
		assert.Equal(t, one[0].ID, two[1].ID, "neither place, key order, tags nor notes matter")
		assert.Equal(t, one[1].ID, two[0].ID)
		assert.Regexp(t, `^case-[0-9a-f]{16}$`, one[0].ID)
		other := read(t, "c.jsonl", strings.Replace(a, `"y":2`, `"y":3`, 1))
		assert.NotEqual(t, one[0].ID, other[0].ID)
		faults := faultsOf(t, "c.jsonl", a+"\n"+b+"\n"+a)
		require.Len(t, faults, 1)
		assert.Contains(t, faults[0].Message, "neither has an id")
	})
	t.Run("parse", func(t *testing.T) {
		c, err := Parse([]byte(`{"input":"a","expect":{"skill":"s"}}`))
		require.NoError(t, err)
		assert.NotEmpty(t, c.ID)
		_, err = Parse([]byte(`{"input":"a"}`))
		assert.ErrorContains(t, err, `expect: "expect" is missing`)
	})
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(p, []byte(text), 0o600))
		return p
	}
	numbered := func() string {
		var b strings.Builder
		for i := range 5 {
			fmt.Fprintf(&b, `{"id":%d,"input":"i%d","expect":{"none":true}}`+"\n", i, i)
		}
		return b.String()
	}
	a, b := write("a.jsonl", numbered()), write("b.jsonl", numbered())
	other := write("c.CSV", "id,input,none\nx,y,true\n")
	cases, err := Load(a, other)
	require.NoError(t, err)
	require.Len(t, cases, 6)
	assert.Equal(t, other, cases[5].File)

	_, err = Load(a, b)
	var faults Faults
	require.ErrorAs(t, err, &faults)
	require.Len(t, faults, 5, "ids are unique over all files")
	assert.Equal(t, b, faults[0].File)
	assert.Contains(t, faults[0].Message, a+":1")

	_, err = Load(filepath.Join(dir, "absent.jsonl"), dir, write("e.jsonl", "\n\n"), write("x.txt", "x"), write("broken.jsonl", "{]"))
	require.ErrorAs(t, err, &faults)
	require.Len(t, faults, 5, "%v", faults)
	assert.Contains(t, faults[0].String(), "no such file")
	assert.Contains(t, faults[1].Message, "directory")
	assert.Contains(t, faults[2].Message, "holds no case")
	assert.Contains(t, faults[3].Message, "known: .jsonl, .ndjson, .yaml, .yml, .csv, .json")
	assert.Equal(t, "syntax", faults[4].Rule)
	_, err = Load()
	assert.ErrorContains(t, err, "no case file")
}

func TestCasesWithoutAFaultAreReturnedBesideTheFaults(t *testing.T) {
	cases, err := Read("c.jsonl", strings.NewReader(oneCase+"\n{\"id\":\"broken\"}\n"))
	require.Error(t, err)
	require.Len(t, cases, 1)
	assert.Equal(t, "c1", cases[0].ID)
}
