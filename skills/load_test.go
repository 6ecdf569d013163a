package skills

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLoadKeepsGoing(t *testing.T) {
	files := map[string]string{"bad/SKILL.md": "---\nname: bad\n", "worse/SKILL.md": "\xff\xfex"}
	for _, n := range strings.Split("a b c d e f g h i j", " ") {
		files[n+"/SKILL.md"] = ""
	}
	c := load(t, writeTree(t, files))
	assert.Len(t, c.Skills, 10)
	assert.Equal(t, 12, c.Found)
	require.Len(t, c.Failures, 2)
	assert.Contains(t, c.Failures[0].String(), "bad/SKILL.md:1:1: frontmatter opened at line 1 is never closed")
	var e *CatalogError
	require.ErrorAs(t, c.Err(), &e)
	assert.Len(t, e.Faults, 2)
	assert.Len(t, strings.Split(e.Error(), "\n"), 2)
}

func TestLoadDuplicatesAndShadows(t *testing.T) {
	body := func(name string) string { return "---\nname: " + name + "\ndescription: d1\n---\n" }
	root := writeTree(t, map[string]string{
		"one/a/SKILL.md": body("dup"), "one/b/SKILL.md": body("Dup"), "one/c/SKILL.md": body("caf\u00e9"), "one/d/SKILL.md": body("cafe\u0301"), "one/e/SKILL.md": body("solo"),
		"two/a/SKILL.md": body("SOLO"), "two/b/SKILL.md": body("fresh"), "two/c/SKILL.md": body("fresh"), "three/a/SKILL.md": body("solo")})
	c := load(t, filepath.Join(root, "one"), filepath.Join(root, "two"), filepath.Join(root, "three"))
	assert.Equal(t, 9, c.Found)
	assert.Len(t, c.Skills, 7)
	require.Len(t, c.Duplicates, 3)
	short := func(d Duplicate) []string {
		var out []string
		for _, p := range d.Paths {
			out = append(out, strings.TrimPrefix(p, filepath.ToSlash(root)+"/"))
		}
		return out
	}
	assert.Equal(t, []string{"one/c/SKILL.md", "one/d/SKILL.md"}, short(c.Duplicates[0]))
	assert.Equal(t, []string{"one/a/SKILL.md", "one/b/SKILL.md"}, short(c.Duplicates[1]))
	assert.Equal(t, []string{"two/b/SKILL.md", "two/c/SKILL.md"}, short(c.Duplicates[2]))
	require.Len(t, c.Shadowed, 1)
	assert.Equal(t, "solo", c.Shadowed[0].Name)
	assert.Equal(t, []string{"one/e/SKILL.md", "two/a/SKILL.md", "three/a/SKILL.md"}, short(c.Shadowed[0]))
	for _, p := range []string{"one/a/", "one/b/", "one/c/", "one/d/", "two/b/", "two/c/"} {
		assert.ErrorContains(t, c.Err(), p)
	}
	assert.NotContains(t, c.Err().Error(), "solo", "shadowing is no fault")
}

func TestLoadParameters(t *testing.T) {
	root := writeTree(t, map[string]string{"a/SKILL.md": "---\nname: a\ndescription: d1\nmetadata:\n  aliases: {town: city, x: wrong}\n---\n",
		"a/parameters.json": "\ufeff{ \"type\": \"object\",\n \"properties\": {\"city\": {\"type\":\"string\", \"pattern\": \"^(?!x)\"}}}\n", "a/result.json": " {\"t\": 1.50}\n"})
	c := load(t, root)
	s := c.Skills[0]
	assert.Equal(t, "{ \"type\": \"object\",\n \"properties\": {\"city\": {\"type\":\"string\", \"pattern\": \"^(?!x)\"}}}\n", string(s.Parameters), "byte for byte")
	assert.Equal(t, `{"t": 1.50}`, string(s.Result))
	assert.Equal(t, []string{CodeBOM, CodeUnchecked, CodeAliasTarget}, codes(s))
	assert.Contains(t, s.Tolerated[1].Message, "/properties/city/pattern")
	assert.True(t, strings.HasSuffix(s.Tolerated[1].Path, "a/parameters.json"))
	assert.Contains(t, s.Tolerated[2].Message, "wrong")
	assert.Equal(t, 5, s.Tolerated[2].Line)
	assert.NoError(t, c.Err())
}

func TestLoadParameterFailures(t *testing.T) {
	tests := []struct {
		file, text   string
		line, column int
		says         string
	}{
		{"parameters.json", "{\n  \"type\": \"object\",\n  oops}", 3, 3, "not JSON"},
		{"parameters.json", "\n{\"type\": \"object\"", 2, 18, "unexpected end"},
		{"parameters.json", "{\r\n\"type\": \"object\"} x", 2, 19, "not JSON"},
		{"parameters.json", "", 1, 1, "file is empty"},
		{"parameters.json", "[]", 1, 1, "must be an object"},
		{"parameters.json", "{\"type\":\"object\",\n\"properties\":{\"x\":\n  {\"type\":\"float\"}}}", 3, 11, `schema at /properties/x/type: "float" is not a JSON Schema type; write "number"`},
		{"parameters.json", "{\"type\":\"object\",\n\"properties\":{\"x\":{\"$ref\":\"#/$defs/y\"}}}", 2, 27, `schema at /properties/x/$ref: "#/$defs/y": nothing stands at this reference`},
		{"parameters.json", "{\"type\":\"object\",\n \"type\":\"object\"}", 1, 9, "/type: this key is given twice"},
		{"result.json", "{\"a\": NaN}", 1, 7, "not JSON"},
		{"result.json", "{\"a\": 1, \"a\": 2}", 1, 1, "a is given twice"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			c := load(t, writeTree(t, map[string]string{"a/SKILL.md": "", "b/SKILL.md": "", "a/" + tt.file: tt.text}))
			require.Len(t, c.Failures, 1)
			assert.Len(t, c.Skills, 1)
			f := c.Failures[0]
			assert.True(t, strings.HasSuffix(f.Path, "a/"+tt.file), f.Path)
			assert.Equal(t, [2]int{tt.line, tt.column}, [2]int{f.Line, f.Column}, f.Message)
			assert.Contains(t, f.Message, tt.says)
		})
	}
}

func TestRequirements(t *testing.T) {
	text := func(name, requires string) string {
		return "---\nname: " + name + "\ndescription: d1\nmetadata:\n  requires: " + requires + "\n---\n"
	}
	root := writeTree(t, map[string]string{"a/SKILL.md": text("a", "{bins: [git, nope], env: [SET, EMPTY, UNSET]}"),
		"b/SKILL.md": text("b", "{bins: [git], env: [SET]}"), "c/SKILL.md": text("c", "{anyBins: [nope, git]}"), "d/SKILL.md": text("d", "{anyBins: [nope, nix]}"), "e/SKILL.md": ""})
	asked := map[string]int{}
	c, err := Load([]string{root}, LoadOptions{
		LookPath: func(p string) error {
			asked[p]++
			if p == "git" {
				return nil
			}
			return errors.New("no")
		},
		LookupEnv: func(n string) (string, bool) {
			v, ok := map[string]string{"SET": "1", "EMPTY": ""}[n]
			return v, ok
		},
	})
	require.NoError(t, err)
	var got []string
	for _, s := range c.Skills {
		got = append(got, s.Unavailable)
	}
	assert.Equal(t, []string{"program nope is not on PATH; environment variable EMPTY is not set; environment variable UNSET is not set",
		"", "", "none of the programs nope, nix is on PATH", ""}, got)
	assert.Equal(t, map[string]int{"git": 1, "nope": 1, "nix": 1}, asked, "each program is looked up once")
	assert.NoError(t, c.Err(), "an unavailable skill is no fault of the catalogue")

	t.Setenv("SKILL_TEST_SET", "x")
	r := newRequirements(LoadOptions{})
	assert.Empty(t, r.missing(Requires{Env: []string{"SKILL_TEST_SET"}}))
	assert.NotEmpty(t, r.missing(Requires{Bins: []string{"no-such-program-here"}}))
}

func TestLoadIsDeterministic(t *testing.T) {
	root := manySkills(t, 60)
	require.NoError(t, os.WriteFile(filepath.Join(root, "group-03", "SKILL.md"), []byte("---\nname: x\n"), 0o600))
	want, err := json.Marshal(load(t, root))
	require.NoError(t, err)
	for range 5 {
		got, err := json.Marshal(load(t, root))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

func TestCheckDependencies(t *testing.T) {
	skill := func(name string, on ...string) *Skill {
		return &Skill{Name: name, Path: name + "/SKILL.md", DependsOn: on, Lines: map[string]int{"depends-on": 7}}
	}
	tests := []struct {
		list []*Skill
		want []string
	}{
		{[]*Skill{skill("a", "b"), skill("b", "c"), skill("c")}, nil},
		{[]*Skill{skill("a", "b"), skill("b", "c"), skill("c", "a")}, []string{"c/SKILL.md:7: depends-on goes in a circle: a → b → c → a"}},
		{[]*Skill{skill("x", "b"), skill("b", "c"), skill("c", "b")}, []string{"c/SKILL.md:7: depends-on goes in a circle: b → c → b"}},
		{[]*Skill{skill("a", "a")}, []string{"a/SKILL.md:7: depends-on goes in a circle: a → a"}},
		{[]*Skill{skill("weather", "geo_lokup", "zzz"), skill("geo_lookup")}, []string{
			`weather/SKILL.md:7: weather depends on "geo_lokup", which is not in the catalogue; did you mean "geo_lookup"?`,
			`weather/SKILL.md:7: weather depends on "zzz", which is not in the catalogue`}},
		{[]*Skill{skill("a", "b", "b"), skill("b", "a")}, []string{"b/SKILL.md:7: depends-on goes in a circle: a → b → a"}},
		{[]*Skill{skill("a", "b", "c"), skill("b", "d"), skill("c", "d"), skill("d")}, nil},
		{[]*Skill{skill("a", "b"), skill("b", "a"), skill("c", "c")}, []string{"b/SKILL.md:7: depends-on goes in a circle: a → b → a", "c/SKILL.md:7: depends-on goes in a circle: c → c"}},
	}
	for _, tt := range tests {
		var got []string
		for _, n := range CheckDependencies(tt.list) {
			got = append(got, n.String())
		}
		assert.Equal(t, tt.want, got)
		c := &Catalog{Skills: tt.list}
		assert.Equal(t, tt.want == nil, c.Err() == nil)
	}
}

func TestRegistry(t *testing.T) {
	a, b := &Skill{Name: "a"}, &Skill{Name: "b", Path: "x/b/SKILL.md"}
	r, err := NewRegistry(b, a)
	require.NoError(t, err)
	assert.Equal(t, []*Skill{b, a}, r.List(), "in order of registration")
	assert.Equal(t, 2, r.Len())
	got, ok := r.Get("b")
	assert.True(t, ok)
	assert.Same(t, b, got)
	_, ok = r.Get("B")
	assert.False(t, ok)
	for _, s := range []*Skill{{Name: "b"}, {Name: "B"}} {
		assert.ErrorContains(t, r.Register(s), "already registered as \"b\" (x/b/SKILL.md)")
	}
	assert.Error(t, r.Register(nil))
	assert.Error(t, r.Register(&Skill{}))
	list := r.List()
	assert.True(t, r.Unregister("b"))
	assert.False(t, r.Unregister("b"))
	assert.Equal(t, []*Skill{b, a}, list, "a list that was given out does not change")
	assert.NoError(t, r.Register(&Skill{Name: "B"}), "the name is free again")
	_, err = NewRegistry(a, a)
	assert.Error(t, err)
	var zero Registry
	assert.NoError(t, zero.Register(a))

	other, err := NewRegistry()
	require.NoError(t, err)
	assert.Zero(t, other.Len(), "registries share nothing")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := string(rune('p' + i))
			assert.NoError(t, other.Register(&Skill{Name: name}))
			other.List()
			_, _ = other.Get(name)
		})
	}
	wg.Wait()
	assert.Equal(t, 8, other.Len())
}

func TestDescriptions(t *testing.T) {
	root := writeTree(t, map[string]string{
		"get_weather/SKILL.md": "---\nname: get_weather\ndescription: Weather. Use when it rains. Do not use for tides.\nmetadata:\n  tags: x\n---\n",
		"kept/SKILL.md":        "---\nname: kept\ndescription: d1\nmetadata:\n  use-when: always so\n---\n"})
	c := load(t, root)
	set, places, err := ParseDescriptionPlaces("set.yaml", []byte("\ufeffget_weather: >-\n  New text.\n  Use for umbrellas.\nkept: Other.\n"))
	require.NoError(t, err)
	assert.Equal(t, map[string]Note{"get_weather": {Path: "set.yaml", Line: 1, Column: 1}, "kept": {Path: "set.yaml", Line: 4, Column: 1}}, places)
	next, err := c.WithDescriptions(set)
	require.NoError(t, err)
	s, _ := next.Get("get_weather")
	assert.Equal(t, "New text. Use for umbrellas.", s.Description)
	assert.Equal(t, "override", s.DescriptionSource)
	assert.Equal(t, []string{"umbrellas"}, s.UseWhen)
	assert.Empty(t, s.DoNotUseWhen)
	kept, _ := next.Get("kept")
	assert.Equal(t, []string{"always so"}, kept.UseWhen, "conditions of metadata stay")
	old, _ := c.Get("get_weather")
	assert.Equal(t, []string{"it rains"}, old.UseWhen, "the old catalogue is as it was")
	assert.Equal(t, "frontmatter", old.DescriptionSource)

	_, err = c.WithDescriptions(map[string]string{"get_weather": "known", "get_wether": "x", "zzzzzz": "y"})
	assert.EqualError(t, err, `descriptions for skills that are not in the catalogue: "get_wether" (did you mean "get_weather"?), "zzzzzz"`)
	for text, says := range map[string]string{
		"": "set.yaml:1: no descriptions", "- a": "set.yaml:1:1: not a map", "a: x\na: y": `set.yaml:2:1: "a" is given twice`, "a: [x]": "set.yaml:1:1: description of \"a\" must be text",
		"a: x\nb:": `set.yaml:2:1: description of "b"`, "a: x: y": "set.yaml:1:5: not a map", "a: ~": "must be text", "a: '  '": "must be text and not empty",
	} {
		_, err := ParseDescriptions("set.yaml", []byte(text))
		assert.ErrorContains(t, err, says, text)
	}
}
