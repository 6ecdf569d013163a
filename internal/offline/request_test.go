package offline

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// garden is a small catalogue with neighbours.
var garden = []skill{
	{"get_rain_forecast", "Rain and temperature forecast for a city. Do not use for air quality; use check_air instead. 查询城市的下雨和气温预报。", `{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"City name"},"days":{"type":"integer","minimum":1,"description":"Number of days"}}}`},
	{"check_air", "Air quality index of a city: smog, particles and ozone. 查询空气质量和雾霾。", `{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}`},
	{"set_reminder", "Set a reminder for a task at a time. 设置提醒。", `{"type":"object","required":["task"],"properties":{"task":{"type":"string","description":"Text of the reminder"},"time":{"type":"string","format":"date-time"}}}`},
	{"translate_text", "Translate a text into another language. 翻译文本。", `{"type":"object","required":["text","target_language"],"properties":{"text":{"type":"string"},"target_language":{"type":"string"}}}`},
	{"ping", "Check that the service is alive.", ""},
}

// named returns what a select function was called with.
func named(t *testing.T, m answered) string {
	t.Helper()
	if len(m.Calls) == 0 {
		return ""
	}
	var args map[string]string
	require.NoError(t, json.Unmarshal([]byte(m.Calls[0].Function.Arguments), &args))
	return args["name"]
}

// xmlBlock renders a catalogue in the other way.
func xmlBlock(list []skill) string {
	var b strings.Builder
	b.WriteString(skillsHeader + "\n<skills>")
	for _, s := range list {
		b.WriteString("\n<skill available=\"true\"><name>" + s.name + "</name><description>" + strings.ReplaceAll(collapse(s.description), "&", "&amp;") + "</description></skill>")
	}
	b.WriteString("\n<skill available=\"false\"><name>broken</name><description>air quality smog</description></skill>")
	return b.String() + "\n</skills>"
}

func TestSelectionInEveryMode(t *testing.T) {
	question := "How bad are smog and ozone in Lyon?\n\n---\nI have asthma."
	for name, c := range map[string]struct {
		system, user string
		text         bool
	}{
		"question first": {systemText, question + divider + block(garden) + "\n" + nativeTwoLevel, false},
		"catalog first":  {systemText, block(garden) + divider + question + divider + nativeTwoLevel, false},
		"system":         {systemText + "\n\n" + block(garden), question + divider + nativeTwoLevel, false},
		"xml":            {systemText, question + divider + xmlBlock(garden) + "\n" + nativeTwoLevel, false},
		"xml first":      {systemText, xmlBlock(garden) + divider + question + divider + nativeTwoLevel, false},
		"xml system":     {systemText + "\n\n" + xmlBlock(garden), question + divider + nativeTwoLevel, false},
		"text":           {systemText, question + divider + block(garden) + "\n" + textTwoLevel, true},
		"text first":     {systemText, block(garden) + divider + question + divider + textTwoLevel, true},
		"text system":    {systemText + "\n\n" + xmlBlock(garden), question + divider + textTwoLevel, true},
	} {
		t.Run(name, func(t *testing.T) {
			request := object{"model": "m", "messages": []object{msg("system", c.system), msg("user", c.user)}}
			if !c.text {
				request["tools"], request["tool_choice"] = []object{selector(garden)}, "auto"
			}
			m := ask(t, Lexical(), request)
			if c.text {
				assert.JSONEq(t, `{"skill":"check_air"}`, *m.Content)
				return
			}
			assert.Equal(t, "check_air", named(t, m))

			chat, err := decodeRequest(marshal(t, request))
			require.NoError(t, err)
			p := readPrompt(chat)
			assert.Equal(t, question, p.question)
			assert.Equal(t, stepSelect, p.step)
			assert.GreaterOrEqual(t, len(parseBlock(p.block)), len(garden))
		})
	}
}

func marshal(t testing.TB, v any) []byte {
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}

func TestGrouped(t *testing.T) {
	categories := categoriesHeader + "\n- weather: get_rain_forecast, check_air\n- language: translate_text"
	choose := tool(selectCategory, "Choose a category.", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","enum":["weather","language"]}}}`))
	q := "Please translate this text"
	m := ask(t, Lexical(), object{"tools": []object{choose}, "messages": []object{msg("system", systemText), msg("user", q+divider+categories+"\n"+nativeCategory)}})
	require.Len(t, m.Calls, 1)
	assert.Equal(t, selectCategory, m.Calls[0].Function.Name)
	assert.Equal(t, "language", named(t, m))

	list := []skill{garden[3]}
	m = ask(t, Lexical(), object{"tools": []object{selector(list)}, "messages": []object{msg("system", systemText),
		msg("user", q+divider+block(list)+"\n"+nativeTwoLevel), echo(m), {"role": "tool", "tool_call_id": m.Calls[0].ID, "content": "ok"}}})
	assert.Equal(t, "translate_text", named(t, m))

	m = ask(t, Lexical(), object{"messages": []object{msg("system", systemText), msg("user", q+divider+categories+"\n"+textCategory)}})
	assert.JSONEq(t, `{"category":"language"}`, *m.Content)
}

func TestFlat(t *testing.T) {
	var tools []object
	var schemas strings.Builder
	schemas.WriteString(skillsHeader)
	for _, s := range garden {
		tools = append(tools, tool(s.name, s.description, s.schema()))
		schemas.WriteString("\n- " + s.name + ": " + s.description + "\n  Parameters: " + string(s.schema()))
	}
	m := ask(t, Lexical(), object{"tools": tools, "messages": []object{msg("system", systemText), msg("user", "Translate 'good evening' to French"+divider+nativeFlat)}})
	require.Len(t, m.Calls, 1)
	assert.Equal(t, "translate_text", m.Calls[0].Function.Name)
	assert.JSONEq(t, `{"text":"good evening","target_language":"French"}`, m.Calls[0].Function.Arguments)

	m = ask(t, Lexical(), object{"messages": []object{msg("system", systemText), msg("user", "Translate 'good evening' to French"+divider+schemas.String()+"\n"+textFlat)}})
	assert.JSONEq(t, `{"skill":"translate_text","args":{"text":"good evening","target_language":"French"}}`, *m.Content)

	m = ask(t, Lexical(), object{"tools": tools, "messages": []object{msg("user", "Is the service alive?")}})
	require.Len(t, m.Calls, 1, "also without an instruction")
	assert.Equal(t, "{}", m.Calls[0].Function.Arguments)
}

func TestTextLevelTwo(t *testing.T) {
	chose := "You chose translate_text.\nTranslate a text into another language." + schemaPrefix + garden[3].parameters + "\n" + `Reply with only {"skill": "translate_text", "args": {…}}.`
	base := []object{msg("system", systemText), msg("user", "把“早上好”翻译成法语"), msg("assistant", `{"skill": "translate_text"}`), msg("user", chose)}
	m := ask(t, Lexical(), object{"messages": base})
	assert.JSONEq(t, `{"skill":"translate_text","args":{"text":"早上好","target_language":"法语"}}`, *m.Content)

	done := append(append([]object{}, base...), msg("assistant", *m.Content), msg("user", "Result of translate_text:\nBonjour\n\nChoose again if the request needs another skill; otherwise answer."))
	done[1] = msg("user", "把“早上好”翻译成法语"+divider+block(garden)+"\n"+textTwoLevel)
	m = ask(t, Lexical(), object{"messages": done})
	assert.Contains(t, *m.Content, "translate_text")
	assert.False(t, strings.HasPrefix(*m.Content, "{"), "an answer, no call")

	failed := append(append([]object{}, base...), msg("assistant", `{"skill": "translate_text", "args": {}}`), msg("user", "Error: text: is required"))
	m = ask(t, Lexical(), object{"messages": failed})
	assert.JSONEq(t, `{"skill":"translate_text","args":{"text":"早上好","target_language":"法语"}}`, *m.Content)
}

func TestAnswersDirectly(t *testing.T) {
	for _, q := range []string{"hello", "Thanks, that is all!", "谢谢，再见", "你好", "What do you think about modern art?", "", "早上好", "You are great", "Tell me a joke", "ok", "你喜欢什么颜色？"} {
		assert.Empty(t, converse(t, Lexical(), garden, q), q)
	}
	m := ask(t, Lexical(), object{"messages": []object{msg("user", "smog in Lyon")}})
	assert.NotEmpty(t, *m.Content, "nothing is offered")
}

func TestToolChoice(t *testing.T) {
	request := func(choice any, q string) object {
		return object{"tools": []object{tool("ping", garden[4].description, garden[4].schema()), tool("check_air", garden[1].description, garden[1].schema())},
			"tool_choice": choice, "messages": []object{msg("user", q)}}
	}
	m := ask(t, Lexical(), request("none", "How bad is the smog in Lyon?"))
	assert.Empty(t, m.Calls)
	m = ask(t, Lexical(), request("required", "hello"))
	assert.Len(t, m.Calls, 1)
	m = ask(t, Lexical(), request(object{"type": "function", "function": object{"name": "check_air"}}, "hello"))
	require.Len(t, m.Calls, 1)
	assert.Equal(t, "check_air", m.Calls[0].Function.Name)
	m = ask(t, Lexical(), object{"tools": []object{selector(garden)}, "tool_choice": "required", "messages": []object{
		msg("system", systemText), msg("user", "hello"+divider+block(garden)+"\n"+nativeTwoLevel)}})
	assert.Equal(t, "get_rain_forecast", named(t, m), "nothing speaks for any: the first")
}

func TestSteps(t *testing.T) {
	for q, want := range map[string][]called{
		"Check the smog in Lyon, then set a reminder to buy masks": {{"check_air", `{"city":"Lyon"}`}, {"set_reminder", `{"task":"buy masks"}`}},
		"查一下北京的空气质量，然后把“今天有雾霾”翻译成法语":                               {{"check_air", `{"city":"北京"}`}, {"translate_text", `{"text":"今天有雾霾","target_language":"法语"}`}},
		"How is the air quality in Lyon and then in general?":      {{"check_air", `{"city":"Lyon"}`}},
	} {
		assert.Equal(t, want, converse(t, Lexical(), garden, q), q)
	}
}

func TestHistoryIsWeakContext(t *testing.T) {
	history := []object{msg("user", "How bad is the smog in Lyon?"), msg("assistant", "Moderate.")}
	assert.Equal(t, []called{{"check_air", `{"city":"Paris"}`}}, converse(t, Lexical(), garden, "What about Paris?", history...))
	assert.Equal(t, []called{{"translate_text", `{"text":"good night","target_language":"French"}`}}, converse(t, Lexical(), garden, "Translate 'good night' to French", history...))
	assert.Empty(t, converse(t, Lexical(), garden, "Thanks, that was it", history...))

	earlier := []object{msg("user", "I live in Lyon."), msg("assistant", "Nice.")}
	assert.Equal(t, []called{{"check_air", `{"city":"Lyon"}`}}, converse(t, Lexical(), garden, "How is the air quality there?", earlier...), "a missing argument is looked for in earlier turns")
}

func TestRefusedSelectionAndRepair(t *testing.T) {
	q := "How bad is the smog in Lyon?"
	first := msg("user", q+divider+block(garden)+"\n"+nativeTwoLevel)
	m := ask(t, Lexical(), object{"tools": []object{selector(garden)}, "messages": []object{msg("system", systemText), first}})
	assert.Equal(t, "check_air", named(t, m))
	again := ask(t, Lexical(), object{"tools": []object{selector(garden)}, "messages": []object{msg("system", systemText), first, echo(m),
		{"role": "tool", "tool_call_id": m.Calls[0].ID, "content": "Error: unknown skill"}}})
	assert.NotEqual(t, "check_air", named(t, again))

	schema := json.RawMessage(`{"type":"object","required":["level","city"],"properties":{"level":{"type":"string","enum":["low","high"]},"city":{"type":"string"}}}`)
	tools := []object{tool("check_air", "Air quality index: smog.", schema)}
	base := []object{msg("system", systemText), msg("user", q+divider+nativeFlat)}
	m = ask(t, Lexical(), object{"tools": tools, "messages": base})
	assert.JSONEq(t, `{"city":"Lyon"}`, m.Calls[0].Function.Arguments, "no invention at first")
	base = append(base, echo(m), object{"role": "tool", "tool_call_id": m.Calls[0].ID, "content": "Error: level: is required"})
	m = ask(t, Lexical(), object{"tools": tools, "messages": base})
	assert.JSONEq(t, `{"level":"low","city":"Lyon"}`, m.Calls[0].Function.Arguments, "repaired with the least the schema takes")
	base = append(base, echo(m), object{"role": "tool", "tool_call_id": m.Calls[0].ID, "content": "Error: still wrong"})
	m = ask(t, Lexical(), object{"tools": tools, "messages": base})
	assert.Empty(t, m.Calls, "the same again would not help")
}

func TestErrorTextOfAUserIsAQuestion(t *testing.T) {
	q := "Error: smog in Lyon"
	m := ask(t, Lexical(), object{"messages": []object{msg("system", systemText), msg("user", "hi"), msg("assistant", "Hello {there}"), msg("user", q+divider+block(garden)+"\n"+textTwoLevel)}})
	assert.JSONEq(t, `{"skill":"check_air"}`, *m.Content)
}

func TestContentParts(t *testing.T) {
	m := ask(t, Lexical(), object{"tools": []object{selector(garden)}, "messages": []object{msg("system", systemText),
		{"role": "user", "content": []object{{"type": "text", "text": "How bad is the smog in Lyon?" + divider + block(garden) + "\n" + nativeTwoLevel}, {"type": "image_url", "image_url": object{"url": "x"}}}}}})
	assert.Equal(t, "check_air", named(t, m))
}

func TestPreloadedFunctionIsCalledAtOnce(t *testing.T) {
	m := ask(t, Lexical(), object{"tools": []object{selector(garden), tool("check_air", garden[1].description, garden[1].schema())}, "messages": []object{
		msg("system", systemText), msg("user", "How bad is the smog in Lyon?"+divider+block(garden)+"\n"+nativeTwoLevel)}})
	require.Len(t, m.Calls, 1)
	assert.Equal(t, called{"check_air", `{"city":"Lyon"}`}, called{m.Calls[0].Function.Name, m.Calls[0].Function.Arguments})
}

func TestOnlyOfferedNamesAreChosen(t *testing.T) {
	m := ask(t, Lexical(), object{"tools": []object{selector([]skill{garden[0], garden[2], {name: "smog_report"}})}, "messages": []object{
		msg("system", systemText), msg("user", "How bad is the smog in Lyon?"+divider+block(garden)+"\n"+nativeTwoLevel)}})
	assert.Equal(t, "smog_report", named(t, m), "check_air is not offered; a name without a line is judged by itself")
}
