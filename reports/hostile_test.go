package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/results"
)

// attacks are texts that mean something to one of the consumers of a report.
var attacks = map[string]string{
	"terminal":      "\x1b[2J\x1b]0;owned\x07\u009b2J\x00\x7f",
	"lines":         "a\nb\r\nc\u2028d\u2029e\u0085f",
	"bidi":          "\u202etxt\u2066x\u200f",
	"zero width":    "\u200bex\u200dec\u2060\U000e0041\ufeff",
	"cell":          "a|b `c` || ``d``\n| x |",
	"html":          `</script><img src=x onerror=alert(1)></details></summary><!-- --> "'&`,
	"command":       "::error file=a,line=1::owned",
	"later command": "x\n::error::owned\n  \u3000::set-output name=a::b",
	"old command":   "x ##[error]owned",
	"hidden":        "\u200d::error::owned",
	"percent":       "%0A::error::owned %25",
	"markup":        "[x](https://evil.example) @team #12 **b**",
	"invalid":       "\xff\xfe\xc0\xaf",
	"URL":           "https://evil.example/a?b#c",
	"path":          `..\..\..\etc/passwd`,
	"long":          strings.Repeat("天气 ", 1_500),
}

// fill sets every text below v to s: one element in each list, something behind each pointer.
func fill(v reflect.Value, s string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), s)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.Set(reflect.ValueOf(json.RawMessage(`{"x":1}`)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), s)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, s)
		fill(value, s)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), s)
			}
		}
	}
}

// hostileReports are reports whose every text is s: one for each shape that a command makes.
func hostileReports(s string) map[string]*Report {
	full := func() *Report {
		r := &Report{}
		fill(reflect.ValueOf(r).Elem(), s)
		r.SourceRoot, r.WorkDir = "/home/user/repo", "/home/user/repo"
		r.Dataset = map[string]any{"x": s}
		trial := results.Trial{}
		fill(reflect.ValueOf(&trial).Elem(), s)
		r.Trials = func(yield func(*results.Trial) error) error { return yield(&trial) }
		return r
	}
	all, arms, static := full(), full(), full()
	arms.Comparison, arms.Ablation, arms.AB = nil, nil, nil
	arms.Arms = append(arms.Arms, arms.Arms[0])
	arms.Gates[0].Pass = false
	static.Trials, static.Pairs[0].Accepted = nil, ""
	return map[string]*Report{"all": all, "arms": arms, "static": static}
}

// assertInert checks that no line of a log starts a workflow command, as GitHub's runner reads it.
func assertInert(t *testing.T, out, what string) {
	t.Helper()
	assert.NotContains(t, out, "##[", what)
	for line := range strings.SplitSeq(out, "\n") {
		assert.Equal(t, -1, commandStart(line), "%s: a command: %.80s", what, line)
	}
}

func TestNoTextOfAnyFieldActsInAnyFormat(t *testing.T) {
	for name, attack := range attacks {
		for shape, r := range hostileReports(attack) {
			for _, f := range Formats() {
				what := fmt.Sprintf("%s in %s as %s", name, shape, f.Name)
				var b bytes.Buffer
				require.NoError(t, f.Write(&b, r), what)
				out := b.String()
				if f.Name == "github" {
					assertOnlyOurCommands(t, out, what)
				} else {
					assertInert(t, out, what)
				}
				data := f.Name == "json" || f.Name == "jsonl" // they keep the text; their readers decode it
				at := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && (r < 0x20 || !data && unsafeRune(r)) })
				require.Equal(t, -1, at, "%s: %.40q", what, out[max(at, 0):])
			}
		}
	}
}

// assertOnlyOurCommands checks that each line is one annotation, and no property is another than ours.
func assertOnlyOurCommands(t *testing.T, out, what string) {
	t.Helper()
	for line := range strings.Lines(out) {
		require.Regexp(t, `^::(error|warning|notice) (file=[^:,]*,(line=\d+,)?(col=\d+,)?)?title=[^:,]*::`, line, what)
	}
}

func TestMarkdownKeepsItsShapeWhateverTheTextIs(t *testing.T) {
	for name, attack := range attacks {
		for shape, r := range hostileReports(attack) {
			what := name + " in " + shape
			var b bytes.Buffer
			require.NoError(t, WriteMarkdown(&b, r), what)
			assert.LessOrEqual(t, b.Len(), markdownCap, what)
			assertColumns(t, b.String(), what)
			assert.Equal(t, strings.Count(b.String(), "\n<details>"), strings.Count(b.String(), "\n</details>"), what)
			_, body, _ := strings.Cut(b.String(), " -->\n") // the marker is a comment
			for _, tag := range []string{"<img", "<script", "@team", "#12", "](https", "https://"} {
				if strings.Contains(body, tag) {
					assertInCode(t, body, tag)
				}
			}
		}
	}
}

// assertColumns checks that all rows of each table have as many cells as its head.
func assertColumns(t *testing.T, doc, what string) {
	t.Helper()
	columns := 0
	for line := range strings.Lines(doc) {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := strings.Count(line, "|") - strings.Count(line, `\|`)
		if columns == 0 {
			columns = n
		}
		assert.Equal(t, columns, n, "%s: row with another number of cells: %.200s", what, line)
	}
}

func TestPlainShowsWhatHides(t *testing.T) {
	for in, want := range map[string]string{
		"a\u200bb":                `a\u200bb`,
		"pass\u200dword":          `pass\u200dword`,
		"\u200cx":                 `\u200cx`,
		"می\u200cخواهم":           "می\u200cخواهم",
		"👨\u200d👩":                "👨\u200d👩",
		"a\U000e0041":             `a\U000e0041`,
		"::error::x":              `\x3a:error::x`,
		" \u3000::error::x":       " \u3000" + `\x3a:error::x`,
		":\u0301:x":               `\x3a` + "\u0301:x",
		"a::b":                    "a::b",
		":a::b":                   ":a::b",
		"x ##[error]y":            `x #\x23[error]y`,
		"## [heading]":            "## [heading]",
		"\u2060::warning::hidden": `\u2060::warning::hidden`,
	} {
		assert.Equal(t, want, Plain(in))
	}
}

func TestJSONSpellsOldCommandsAsEscapes(t *testing.T) {
	const text = `a ##[error]b ##[`
	for _, f := range []func(*bytes.Buffer) error{
		func(b *bytes.Buffer) error { return WriteJSON(b, &Report{Notes: []string{text}}) },
		func(b *bytes.Buffer) error { return WriteJSONL(b, &Report{Findings: []Finding{{Message: text}}}) },
	} {
		var b bytes.Buffer
		require.NoError(t, f(&b))
		assert.NotContains(t, b.String(), "##[")
		var doc struct {
			Notes   []string
			Message string
		}
		require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
		assert.Equal(t, text, strings.Join(doc.Notes, "")+doc.Message)
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range attacks {
		f.Add(s[:min(len(s), 200)])
	}
	f.Add("\x8b\u200d0")
	f.Fuzz(func(t *testing.T, s string) {
		out := Plain(s)
		assertInert(t, out, s)
		assert.NotContains(t, out, "\n")
		assert.False(t, strings.ContainsFunc(out, unsafeRune))
		assert.Equal(t, out, Plain(out), "safe text stays as it is")
	})
}

func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"4 cases: 71.6 % [64.1, 76.1], p = 0.0167 (mcnemar-exact)": "4 cases: 71.6 % [64.1, 76.1], p = 0.0167 (mcnemar-exact)",
		"HEAD~1 a@b rate_limit #":                                  `HEAD~1 a@b rate_limit \x23`,
		"<b>|`&":                                                   `\x3cb\x3e\x7c\x60\x26`,
		"@team (@team)":                                            `\x40team (\x40team)`,
		"[x](y) http://z www.z":                                    `[x]\x28y) http:/\x2fz www\x2ez`,
	} {
		assert.Equal(t, want, escapeMarkdown(in))
	}
}
