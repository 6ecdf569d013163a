package skills

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func sampleSkills() []*Skill {
	weather := &Skill{Name: "get_weather", Description: "Current weather\n and  rain. Use when the user asks about rain. More words here.",
		UseWhen: []string{"the user asks about rain"}, DoNotUseWhen: []string{"air quality.", "tides"}, Tags: []string{"weather"}, Path: "s/get_weather/SKILL.md",
		Parameters: json.RawMessage("{\"type\": \"object\",\n \"properties\": {\"city\": {\"type\": \"string\"}, \"days\": {\"type\": \"integer\"}}, \"required\": [\"city\"]}")}
	clock := &Skill{Name: "clock", Description: "Tells <the> time & \"date\".", UseWhen: []string{"asked for the time"}, Tags: []string{"Time"},
		Requires: Requires{Bins: []string{"date"}, AnyBins: []string{"a", "b"}, Env: []string{"TZ"}}, Unavailable: "program date is not on PATH"}
	plain := &Skill{Name: "plain", Description: "Has no tags."}
	return []*Skill{weather, clock, plain}
}

func TestRenderList(t *testing.T) {
	r := Render(sampleSkills(), RenderOptions{})
	assert.Equal(t, "- get_weather: Current weather and rain. Use when the user asks about rain. More words here. Do not use when: air quality; tides. Arguments: city (required), days.\n"+
		"- clock: Tells <the> time & \"date\". Use when: asked for the time.\n"+
		"- plain: Has no tags.", r.Text)
	assert.Equal(t, []string{"get_weather", "clock", "plain"}, r.Names)
	assert.Empty(t, r.Shortened)
	assert.Empty(t, r.Dropped)
	assert.Equal(t, EstimateTokens(r.Text), r.Tokens)

	r = Render(sampleSkills()[:2], RenderOptions{Schemas: true})
	assert.Equal(t, "- get_weather: Current weather and rain. Use when the user asks about rain. More words here. Do not use when: air quality; tides. Arguments: city (required), days.\n"+
		`  Parameters: {"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`+"\n"+
		"- clock: Tells <the> time & \"date\". Use when: asked for the time.\n"+
		`  Parameters: {"type":"object","additionalProperties":false}`, r.Text)
	assert.Equal(t, Rendering{}, Render(nil, RenderOptions{}))
}

func TestRenderXML(t *testing.T) {
	r := Render(sampleSkills(), RenderOptions{Format: FormatXML, Schemas: true})
	assert.Equal(t, "<skills>\n"+
		`<skill available="true"><name>get_weather</name><description>Current weather and rain. Use when the user asks about rain. More words here.</description>`+
		`<do-not-use-when>air quality; tides</do-not-use-when><arguments>city (required), days</arguments>`+
		`<parameters>{&quot;type&quot;:&quot;object&quot;,&quot;properties&quot;:{&quot;city&quot;:{&quot;type&quot;:&quot;string&quot;},&quot;days&quot;:{&quot;type&quot;:&quot;integer&quot;}},&quot;required&quot;:[&quot;city&quot;]}</parameters>`+
		`<location>s/get_weather/SKILL.md</location></skill>`+"\n"+
		`<skill available="false"><name>clock</name><description>Tells &lt;the&gt; time &amp; &quot;date&quot;.</description><use-when>asked for the time</use-when>`+
		`<parameters>{&quot;type&quot;:&quot;object&quot;,&quot;additionalProperties&quot;:false}</parameters><requires>program date, one of a or b, environment variable TZ</requires></skill>`+"\n"+
		`<skill available="true"><name>plain</name><description>Has no tags.</description><parameters>{&quot;type&quot;:&quot;object&quot;,&quot;additionalProperties&quot;:false}</parameters></skill>`+"\n</skills>", r.Text)
	assert.Equal(t, "<skills>\n</skills>", Render(nil, RenderOptions{Format: FormatXML}).Text)
}

func TestRenderTags(t *testing.T) {
	for tags, want := range map[string][]string{
		"": {"get_weather", "clock", "plain"}, "weather": {"get_weather", "plain"}, "time": {"clock", "plain"}, "other": {"plain"}, "TIME,weather ": {"get_weather", "clock", "plain"},
	} {
		var o RenderOptions
		if tags != "" {
			o.ContextTags = strings.Split(tags, ",")
		}
		assert.Equal(t, want, Render(sampleSkills(), o).Names, tags)
	}
}

func TestRenderTokenLimit(t *testing.T) {
	words := func(s string) int { return len(strings.Fields(s)) }
	list := sampleSkills()
	full := Render(list, RenderOptions{CountTokens: words})
	at := func(limit int) Rendering { return Render(list, RenderOptions{CountTokens: words, TokenLimit: limit}) }
	assert.Equal(t, full, at(full.Tokens))
	short := at(full.Tokens - 1)
	assert.Equal(t, "- get_weather: Current weather and rain. Use when: the user asks about rain. Do not use when: air quality; tides. Arguments: city (required), days.\n"+
		"- clock: Tells <the> time & \"date\". Use when: asked for the time.\n- plain: Has no tags.", short.Text)
	assert.Equal(t, []string{"get_weather"}, short.Shortened)
	assert.Equal(t, full.Names, short.Names)
	names := at(short.Tokens - 1)
	assert.Equal(t, "- get_weather: Arguments: city, days.\n- clock\n- plain", names.Text)
	assert.Equal(t, full.Names, names.Shortened)
	fewer := at(names.Tokens - 1)
	assert.Equal(t, "- get_weather: Arguments: city, days.\n- clock", fewer.Text)
	assert.Equal(t, []string{"plain"}, fewer.Dropped)
	assert.Equal(t, []string{"get_weather", "clock"}, fewer.Names)
	assert.Equal(t, []string{"get_weather", "clock"}, fewer.Shortened)
	none := at(1)
	assert.Equal(t, Rendering{Dropped: full.Names}, none)
	x := Render(list, RenderOptions{CountTokens: words, TokenLimit: 9, Format: FormatXML})
	assert.Equal(t, `<skills>`+"\n"+`<skill available="true"><name>get_weather</name><arguments>city, days</arguments></skill>`+"\n"+
		`<skill available="false"><name>clock</name></skill>`+"\n"+`<skill available="true"><name>plain</name></skill>`+"\n</skills>", x.Text)
}

// Whatever skills say, a list has one line a skill, XML is well formed and gives the text back, and the limit holds.
func TestRenderAnyText(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"</name>", "a\nb", "- x: y", "\x00\x1b", "\ufffe", "\xff", "中文。", "]]>", "Use when a; b."}))
	rapid.Check(t, func(t *rapid.T) {
		var list []*Skill
		for i := range rapid.IntRange(0, 5).Draw(t, "n") {
			list = append(list, &Skill{Name: fmt.Sprint("s", i) + text.Draw(t, "name"), Description: text.Draw(t, "d") + " x", UseWhen: []string{text.Draw(t, "use")},
				Parameters: json.RawMessage(object(`{"p":{"type":"string"}}`))})
		}
		plain := Render(list, RenderOptions{})
		lines := 0
		if plain.Text != "" {
			lines = strings.Count(plain.Text, "\n") + 1
		}
		require.Equal(t, len(list), lines)
		x := Render(list, RenderOptions{Format: FormatXML})
		require.True(t, utf8.ValidString(x.Text))
		d := xml.NewDecoder(strings.NewReader(x.Text))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				require.NoError(t, err, x.Text)
			}
		}
		limit := rapid.IntRange(1, 60).Draw(t, "limit")
		for _, format := range []string{FormatList, FormatXML} {
			r := Render(list, RenderOptions{TokenLimit: limit, Format: format})
			require.LessOrEqual(t, r.Tokens, limit)
			require.Equal(t, EstimateTokens(r.Text), r.Tokens)
			require.Len(t, list, len(r.Names)+len(r.Dropped))
		}
	})
}

func TestDetail(t *testing.T) {
	s := sampleSkills()[0]
	s.Examples = []string{"Will it\nrain?"}
	s.Body = "# Weather\n\nSteps.\n"
	assert.Equal(t, "Current weather\n and  rain. Use when the user asks about rain. More words here.\n\n"+
		"Do not use when: air quality; tides.\nExamples:\n- Will it rain?\n\n# Weather\n\nSteps.", Detail(s))
	assert.Equal(t, "d1", Detail(&Skill{Description: "d1"}))
	assert.Equal(t, "Sorts.", Detail(mustParse(t, "---\nname: a\n---\nSorts.")), "the body is not written twice")
	assert.Equal(t, "Tells <the> time & \"date\".\n\nUse when: asked for the time.", Detail(sampleSkills()[1]))
}

func TestResource(t *testing.T) {
	root := writeTree(t, map[string]string{"a/SKILL.md": "", "a/references/r.md": "guide", "secret": "key", "a/out": "-> ../secret", "a/in": "-> references/r.md",
		"b": "-> a", "a/big": strings.Repeat("x", maxFileSize+1)})
	s := load(t, root).Skills[0]
	for _, rel := range []string{"references/r.md", "in", "references/../in"} {
		data, err := s.Resource(rel)
		require.NoError(t, err, rel)
		assert.Equal(t, "guide", string(data))
	}
	for _, rel := range []string{"../secret", "out", "references/../../secret", filepath.Join(root, "secret"), "none", "references", "", "big"} {
		_, err := s.Resource(rel)
		assert.ErrorContains(t, err, `of skill "a"`, rel)
	}
	_, err := (&Skill{Name: "x"}).Resource("r")
	assert.ErrorContains(t, err, "no directory")
	require.NoError(t, os.RemoveAll(filepath.Join(root, "a")))
	_, err = s.Resource("in")
	assert.Error(t, err)
}

func TestEstimateTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "今天天气": 4, "今天 rain": 4, "。，！": 3, "éé": 1, "ｆｕ": 2, "ひらカタ한글": 6} {
		assert.Equal(t, want, EstimateTokens(text), text)
	}
}

func TestDigest(t *testing.T) {
	base := Digest(sampleSkills())
	assert.Regexp(t, `^sha256:[0-9a-f]{64}$`, base)
	list := sampleSkills()
	list[0], list[2] = list[2], list[0]
	assert.Equal(t, base, Digest(list), "order is no content")
	same := []func(s *Skill){
		func(s *Skill) { s.Path = "elsewhere" }, func(s *Skill) { s.Unavailable = "x" }, func(s *Skill) { s.Tolerated = []Note{{}} },
		func(s *Skill) { s.Parameters = json.RawMessage(compactJSON(s.Parameters)) }, func(s *Skill) { s.Examples = []string{} }, func(s *Skill) { s.Aliases = map[string]string{} },
	}
	other := []func(s *Skill){
		func(s *Skill) { s.Name += "x" }, func(s *Skill) { s.Description += "x" }, func(s *Skill) { s.UseWhen = nil }, func(s *Skill) { s.DoNotUseWhen = nil },
		func(s *Skill) { s.Examples = []string{"x"} }, func(s *Skill) { s.Parameters = nil }, func(s *Skill) { s.Aliases = map[string]string{"a": "b"} }, func(s *Skill) { s.Body = "x" },
		func(s *Skill) { s.DoNotUseWhen = []string{"air quality.; tides"} },
	}
	for i, change := range append(same, other...) {
		list := sampleSkills()
		change(list[0])
		assert.Equal(t, i < len(same), base == Digest(list), "change %d", i)
	}
	assert.NotEqual(t, Digest(nil), Digest([]*Skill{{}}))
}

// A run file holds the catalogue: what comes back says the same to a model.
func TestSkillAsJSON(t *testing.T) {
	root := writeTree(t, map[string]string{"a/SKILL.md": allFields, "a/parameters.json": "{\"type\":\"object\", \"properties\":{\"city\":{\"type\":\"string\",\"description\":\"<b> & \u2028 é\",\"pattern\":\"^(?!x)\"}}}"})
	s := load(t, root).Skills[0]
	data, err := json.Marshal(s)
	require.NoError(t, err)
	var back Skill
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, Digest([]*Skill{s}), Digest([]*Skill{&back}))
	assert.Equal(t, Render([]*Skill{s}, RenderOptions{Schemas: true}), Render([]*Skill{&back}, RenderOptions{Schemas: true}))
	assert.Equal(t, s.Requires, back.Requires)
	assert.Equal(t, s.Tolerated, back.Tolerated)
	first, err := back.Schema()
	require.NoError(t, err)
	second, err := back.Schema()
	require.NoError(t, err)
	assert.Same(t, first, second, "compiled once")
	again, err := json.Marshal(&back)
	require.NoError(t, err)
	assert.Equal(t, string(data), string(again))
	assert.Error(t, json.Unmarshal([]byte(`{"name":1}`), &back))
}

func TestNearest(t *testing.T) {
	for pair, want := range map[[2]string]int{{"kitten", "sitting"}: 3, {"abc", ""}: 3, {"", "ab"}: 2, {"ab", "xab"}: 1, {"xab", "ab"}: 1, {"天气", "空气"}: 1, {"a", "a"}: 0} {
		assert.Equal(t, want, distance([]rune(pair[0]), []rune(pair[1])), pair)
	}
	near, ok := nearest("get_wether", []string{"clock", "get_weather", "get_whether_x"})
	assert.Equal(t, "get_weather", near)
	assert.True(t, ok)
	_, ok = nearest("zzz", []string{"clock"})
	assert.False(t, ok)
	near, ok = nearest("查天汽", []string{"查天气", "查空气"})
	assert.Equal(t, "查天气", near)
	assert.True(t, ok)
	_, ok = nearest("x", nil)
	assert.False(t, ok)
}

func TestClip(t *testing.T) {
	assert.Equal(t, "天气", clip("天气", 2))
	assert.Equal(t, "天…", clip("天气", 1))
	assert.Equal(t, "abc", clip("abc", 3))
	assert.Equal(t, "ab…", clip("abcd", 2))
}
