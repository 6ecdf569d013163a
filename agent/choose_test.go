package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGrouped(t *testing.T) {
	o := Options{Catalog: "grouped"}
	out, m := perform(t, o, rain, calls("select_category", `{"name":"Outdoors"}`), choose("get_weather"),
		calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out))
	require.Equal(t, []string{"get_weather"}, out.Selected, "categories are not skills")
	require.Equal(t, []string{"select_category"}, toolNames(m.request(1)))
	require.Contains(t, string(m.request(1).Tools[0].Parameters), `"enum":["outdoors","other","office"]`)
	require.Contains(t, string(m.request(2).Tools[0].Parameters), `"enum":["get_weather","get_air_quality"]`)
	require.Equal(t, []string{"select_category"}, toolNames(m.request(4)), "after a result the category is chosen again")
	require.Equal(t, 3*100-100+50, out.Level1.Prompt, "the category rounds and the answer count for level 1")
	require.Len(t, m.requests, a1(t, o).RequestsFor(1, ""))

	out, _ = perform(t, o, rain, choose("list_scopes"), calls("list_scopes", ""), says("ok"))
	require.Equal(t, `list_scopes{}`, callsOf(out), "a skill may be named at once")

	out, m = perform(t, o, rain, calls("select_category", `{"name":"sea"}`), calls("select_category", `{"name":"none"}`))
	require.Contains(t, m.last(2).Content, `Error: there is no category "sea"; the categories are: outdoors, other, office`)
	require.Nil(t, out.Fault)
	require.Equal(t, 1, out.Repairs)
}

func TestSeveralSelectionsAreTakenUpInOrder(t *testing.T) {
	out, m := perform(t, native, rain, choose("get_weather", "get_air_quality"),
		calls("get_weather", `{"city":"Oslo"}`), calls("get_air_quality", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, `get_weather{"city":"Oslo"} get_air_quality{"city":"Oslo"}`, callsOf(out))
	require.Equal(t, []string{"get_weather", "get_air_quality"}, out.Selected)
	require.Equal(t, []string{"get_weather"}, toolNames(m.request(2)))
	require.Equal(t, []string{"get_air_quality"}, toolNames(m.request(3)))
	require.Contains(t, m.request(2).Messages[3].Content, weatherBody)
	require.Contains(t, m.request(2).Messages[4].Content, airBody)

	out, m = perform(t, text, rain, says(`{"skill":"get_weather"} {"skill":"get_air_quality"}`),
		says(`{"skill":"get_weather","args":{"city":"Oslo"}}`), says(`{"skill":"get_air_quality","args":{"city":"Oslo"}}`), says("ok"))
	require.Len(t, out.Calls, 2)
	require.Equal(t, []string{"get_weather", "get_air_quality"}, out.Selected)
	require.Regexp(t, `^You chose get_weather\.\n`, m.last(2).Content)
	require.NotContains(t, m.last(2).Content, airBody)
	require.Regexp(t, `(?s)^Result of get_weather:\n{"temp":7}\n\nYou chose get_air_quality\.\n`, m.last(3).Content)
	require.Contains(t, m.last(4).Content, "Choose again if the request needs another skill; otherwise answer.")
}

func TestChosenTwiceCalledTwiceIsDone(t *testing.T) {
	out, m := perform(t, native, rain, choose("get_weather", "get_weather"),
		calls("get_weather", `{"city":"Oslo"}`, "get_weather", `{"city":"Rome"}`), says("ok"))
	require.Equal(t, `get_weather{"city":"Oslo"} get_weather{"city":"Rome"}`, callsOf(out))
	require.Equal(t, []string{"select_skill"}, toolNames(m.request(3)))

	out, m = perform(t, native, rain, choose("get_weather", "get_weather"),
		calls("get_weather", `{"city":"Oslo"}`), calls("get_weather", `{"city":"Rome"}`), says("ok"))
	require.Equal(t, `get_weather{"city":"Oslo"} get_weather{"city":"Rome"}`, callsOf(out))
	require.Equal(t, []string{"get_weather"}, toolNames(m.request(3)), "one call for each choice")
}

func TestUnknownSkill(t *testing.T) {
	out, m := perform(t, native, rain, choose("fly"), choose("get_weather"), calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Nil(t, out.Fault)
	require.Equal(t, []string{"fly", "get_weather"}, out.Selected, "right or wrong")
	require.Equal(t, 1, out.Repairs)
	require.Equal(t, `Error: there is no skill "fly"; call select_skill with one of: get_weather, get_air_quality, list_scopes, take_note; or answer`, m.last(2).Content)

	for name, c := range map[string]struct {
		o     Options
		reply *Reply
	}{
		"selection":     {native, choose("fly")},
		"function":      {native, calls("fly", "{}")},
		"no name":       {native, calls("select_skill", `{"name":["get_weather"]}`)},
		"text":          {text, says(`{"skill":"fly"}`)},
		"flat":          {flat, calls("fly", "{}")},
		"text and call": {text, says(`{"name":"fly","arguments":{}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			out, m := perform(t, c.o, rain, c.reply, c.reply, c.reply)
			require.Equal(t, FaultUnknownSkill, out.Fault.Class)
			require.Equal(t, 2, out.Repairs)
			require.Len(t, m.requests, 3)
			require.Empty(t, out.Calls)
			require.Contains(t, m.last(3).Content, "Error: ")
		})
	}
}

func TestDirectCall(t *testing.T) {
	out, m := perform(t, native, rain, calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out))
	require.Equal(t, []string{flagDirect}, out.Calls[0].Flags)
	require.Equal(t, []string{"get_weather"}, out.Selected)
	require.Equal(t, "get_weather", out.Calls[0].Level1)
	require.Equal(t, `{"temp":7}`, m.last(2).Content)

	out, m = perform(t, native, rain, calls("get_weather", `{}`), calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, []string{"get_weather"}, toolNames(m.request(2)), "level 2 follows")
	require.Contains(t, m.last(2).Content, weatherBody)
	require.Equal(t, []string{"get_weather"}, out.Selected)
	require.Equal(t, []string{flagDirect}, out.Calls[0].Flags)
	require.True(t, out.Calls[0].FirstValid, "its schema had not been shown before")
	require.Zero(t, out.Repairs)

	out, _ = perform(t, text, rain, says(`{"skill":"get_weather","args":{"city":"Oslo"}}`), says("ok"))
	require.Equal(t, []string{flagDirect}, out.Calls[0].Flags)

	out, _ = perform(t, native, rain, calls("select_skill", `{"name":"get_weather"}`, "get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out), "chosen and called in one turn is one call")
	require.Equal(t, []string{"get_weather"}, out.Selected)
}

func TestReselection(t *testing.T) {
	out, m := perform(t, native, rain, choose("get_air_quality"), choose("get_weather"), calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, []string{"get_air_quality", "get_weather"}, out.Selected)
	require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out))
	require.Equal(t, "get_weather", out.Calls[0].Level1)
	require.Equal(t, []string{"get_weather"}, toolNames(m.request(3)))

	out, _ = perform(t, text, rain, says(`{"skill":"get_air_quality"}`), says(`{"skill":"get_weather"}`), says(`{"skill":"get_weather","args":{"city":"Oslo"}}`), says("ok"))
	require.Equal(t, []string{"get_air_quality", "get_weather"}, out.Selected)
	require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out))
}

func TestContextTagsNarrowTheCatalogue(t *testing.T) {
	for name, o := range map[string]Options{"two-level": native, "flat": flat, "text": text, "grouped": {Catalog: "grouped"}} {
		t.Run(name, func(t *testing.T) {
			_, m := perform(t, o, Task{Input: "Rain?", ContextTags: []string{"travel"}}, says("ok"))
			all, err := json.Marshal(m.request(1))
			require.NoError(t, err)
			require.Contains(t, string(all), "get_weather")
			require.Contains(t, string(all), "list_scopes", "skills without tags stay")
			require.NotContains(t, string(all), "get_air_quality")
		})
	}
	m := scripted(choose("get_air_quality"), says("ok"), choose("get_air_quality"), says("ok"))
	a := agentOf(t, m, native)
	out, err := a.Run(t.Context(), Task{Input: "Rain?", ContextTags: []string{"travel"}})
	require.NoError(t, err)
	require.Equal(t, 1, out.Repairs, "what the tags hide cannot be chosen")
	out, err = a.Run(t.Context(), Task{Input: "Rain?"})
	require.NoError(t, err)
	require.Zero(t, out.Repairs, "and comes back with the next task")
}

func TestNothingLeftToChooseFrom(t *testing.T) {
	for _, o := range []Options{native, flat, text, {Catalog: "grouped"}, {Catalog: "grouped", Protocol: "text", Placement: "system"}} {
		m := scripted(says("ok"))
		_, err := agentOf(t, m, o, weather()).Run(t.Context(), Task{Input: "Rain?", ContextTags: []string{"sea"}})
		require.NoError(t, err)
		require.Empty(t, m.request(1).Tools)
		require.Equal(t, "Rain?", m.last(1).Content)
	}
}

func TestViewsAreBounded(t *testing.T) {
	a := agentOf(t, answering(func(*Request) (*Reply, error) { return says("ok"), nil }), native)
	for i := range 3 * maxViews {
		_, err := a.Run(t.Context(), Task{Input: "x", ContextTags: []string{fmt.Sprint(i)}})
		require.NoError(t, err)
	}
	require.LessOrEqual(t, len(a.cache.views), maxViews)
	require.Equal(t, viewKey([]string{"a", "b"}), viewKey([]string{"b", "a", "b"}))
	require.NotEqual(t, viewKey([]string{"a", "b"}), viewKey([]string{`a","b`}))
}

func TestPreload(t *testing.T) {
	o := Options{Preload: []string{"get_weather"}}
	out, m := perform(t, o, rain, calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, []string{"select_skill", "get_weather"}, toolNames(m.request(1)))
	require.Contains(t, m.request(1).Messages[0].Content, weatherBody)
	require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out))
	require.Empty(t, out.Calls[0].Flags, "it was offered")
	require.Equal(t, []string{"get_weather"}, out.Selected)

	out, m = perform(t, o, rain, calls("get_weather", `{}`), calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, 1, out.Calls[0].Repairs, "its schema was known, so this was the first try")
	require.False(t, out.Calls[0].FirstValid)
	require.Equal(t, []string{"get_weather"}, toolNames(m.request(2)))
	require.Equal(t, []string{"get_weather"}, out.Selected)

	always := weather()
	always.Always = true
	m = scripted(calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	out, err := agentOf(t, m, native, airQuality(), always).Run(t.Context(), rain)
	require.NoError(t, err)
	require.Empty(t, out.Calls[0].Flags)
	require.Equal(t, []string{"select_skill", "get_weather"}, toolNames(m.request(1)))
}

func TestFunctionNamesAreMappedAndBack(t *testing.T) {
	odd := weather()
	odd.Name = "天气.查询"
	m := scripted(choose("天气.查询"), &Reply{}, says("ok"))
	a := agentOf(t, m, native, odd, airQuality())
	function := a.byName[odd.Name].function()
	require.Regexp(t, functionName, function)
	m.replies[1] = calls(function, `{"city":"Oslo"}`)
	out, err := a.Run(t.Context(), rain)
	require.NoError(t, err)
	require.Equal(t, `天气.查询{"city":"Oslo"}`, callsOf(out))
	require.Empty(t, out.Calls[0].Flags, "the mapped name is the skill's own")
	require.Equal(t, []string{function}, toolNames(m.request(2)))
	require.Contains(t, string(m.request(1).Tools[0].Parameters), `"天气.查询"`, "selection shows the skill's own name")
	require.Equal(t, []string{"天气.查询"}, out.Selected)
}

// TestWaysToNameTheChoice covers what models put into select_skill.
func TestWaysToNameTheChoice(t *testing.T) {
	strict := Options{Strict: true}
	for name, c := range map[string]struct {
		o         Options
		arguments string
		selected  []string
	}{
		"name":             {native, `{"name":"get_weather"}`, []string{"get_weather"}},
		"encoded twice":    {native, `"{\"name\":\"get_weather\"}"`, []string{"get_weather"}},
		"another key":      {native, `{"skill":"get_weather","reason":"rain"}`, []string{"get_weather"}},
		"one value":        {native, `{"choice":"get_weather"}`, []string{"get_weather"}},
		"name goes first":  {native, `{"skill":"get_air_quality","name":"get_weather"}`, []string{"get_weather"}},
		"string":           {native, `"get_weather"`, []string{"get_weather"}},
		"bare":             {native, `get_weather`, []string{"get_weather"}},
		"several values":   {native, `{"a":"get_weather","b":"x"}`, nil},
		"nothing":          {native, ``, nil},
		"strict name":      {strict, `{"name":"get_weather"}`, []string{"get_weather"}},
		"strict one value": {strict, `{"skill":"get_weather"}`, nil},
		"strict bare":      {strict, `get_weather`, nil},
		"strict spelling":  {strict, `{"name":"Get_Weather"}`, []string{"Get_Weather"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := perform(t, c.o, rain, calls("select_skill", c.arguments), says("ok"))
			require.Equal(t, c.selected, out.Selected)
			bad := len(c.selected) == 0 || c.selected[0] != "get_weather"
			require.Equal(t, bad, out.Repairs == 1)
		})
	}
	for _, arguments := range []string{`{"name":null}`, `{"name":"none"}`, `{"name":""}`} {
		out, m := perform(t, native, rain, &Reply{Content: "Nothing fits.", ToolCalls: []ToolCall{{Name: "select_skill", Arguments: arguments}}})
		require.Equal(t, "Nothing fits.", out.Answer)
		require.Empty(t, out.Selected)
		require.Nil(t, out.Fault)
		require.Len(t, m.requests, 1)
	}
	none := weather()
	none.Name = "none"
	m := scripted(choose("none"), calls("none", `{"city":"Oslo"}`), says("ok"))
	out, err := agentOf(t, m, native, none).Run(t.Context(), rain)
	require.NoError(t, err)
	require.Equal(t, `none{"city":"Oslo"}`, callsOf(out), "a skill may have that name")
}

// TestErrorsSayWhatWouldBeAccepted holds one message for each kind of step.
func TestErrorsSayWhatWouldBeAccepted(t *testing.T) {
	all := "get_weather, get_air_quality, list_scopes, take_note"
	for name, c := range map[string]struct {
		o       Options
		replies []*Reply
		want    string
	}{
		"native":         {native, []*Reply{calls("fly", "{}")}, `Error: there is no skill "fly"; call select_skill with one of: ` + all + "; or answer"},
		"text":           {text, []*Reply{says(`{"skill":"fly"}`)}, `Error: there is no skill "fly"; reply {"skill": NAME} with one of: ` + all + "; or answer in plain words"},
		"flat":           {flat, []*Reply{calls("fly", "{}")}, `Error: there is no skill "fly"; call one of: ` + all + "; or answer"},
		"flat text":      {Options{Catalog: "flat", Protocol: "text"}, []*Reply{says(`{"skill":"fly"}`)}, `Error: there is no skill "fly"; reply {"skill": NAME, "args": {…}} with one of: ` + all + "; or answer in plain words"},
		"level 2":        {native, atWeather(calls("fly", "{}")), `Error: there is no skill "fly"; call get_weather, call select_skill to choose another skill, or answer`},
		"level 2 text":   {text, atWeatherText(says(`{"skill":"fly"}`)), `Error: there is no skill "fly"; reply {"skill": "get_weather", "args": {…}}, {"skill": NAME} to choose another skill, or answer in plain words`},
		"grouped":        {Options{Catalog: "grouped"}, []*Reply{calls("fly", "{}")}, `Error: there is no skill "fly"; call select_category with one of: outdoors, other, office; or answer`},
		"grouped text":   {Options{Catalog: "grouped", Protocol: "text"}, []*Reply{says(`{"skill":"fly"}`)}, `Error: there is no skill "fly"; reply {"category": NAME} with one of: outdoors, other, office; or answer in plain words`},
		"no categories":  {text, []*Reply{says(`{"category":"outdoors"}`)}, `Error: there are no categories to choose from: reply {"skill": NAME} with one of: ` + all + "; or answer in plain words"},
		"cut object":     {text, []*Reply{says(`{"skill":`)}, `Error: the reply starts like JSON but is no call; reply {"skill": NAME} with one of: ` + all + "; or answer in plain words"},
		"no name given":  {native, []*Reply{calls("select_skill", "")}, `Error: select_skill needs {"name": NAME}, given nothing`},
		"a list":         {native, atWeather(calls("get_weather", "[1]")), "Error: invalid arguments for get_weather:\nthe arguments must be one JSON object, given an array: [1]"},
		"a number":       {native, atWeather(calls("get_weather", "7")), "Error: invalid arguments for get_weather:\nthe arguments must be one JSON object, given a number: 7"},
		"true":           {native, atWeather(calls("get_weather", "true")), "Error: invalid arguments for get_weather:\nthe arguments must be one JSON object, given a boolean: true"},
		"broken":         {native, atWeather(calls("get_weather", `{"city":`)), "Error: invalid arguments for get_weather:\nthe arguments are not valid JSON: expected one object, given {\"city\":"},
		"several values": {native, atWeather(calls("get_weather", `{}{}`)), "Error: invalid arguments for get_weather:\nthe arguments must be one JSON object, given several values: {}{}"},
	} {
		t.Run(name, func(t *testing.T) {
			out, m := perform(t, c.o, rain, append(c.replies, says("ok"))...)
			require.Equal(t, c.want, m.last(len(m.requests)).Content)
			require.Equal(t, 1, out.Repairs)
		})
	}
	names := make([]string, 60)
	for i := range names {
		names[i] = "s"
	}
	require.Equal(t, strings.Repeat("s, ", 49)+"s and 10 more", listed(names))
}
