package offline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// object is a JSON object of a request.
type object = map[string]any

// answered is the message of a reply.
type answered struct {
	Content *string
	Calls   []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// post sends a body to a model and reads status and reply.
func post(t testing.TB, model http.RoundTripper, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://offline.invalid/v1/chat/completions", strings.NewReader(body))
	require.NoError(t, err)
	resp, err := model.RoundTrip(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(data)
}

// ask sends a request and expects a reply.
func ask(t testing.TB, model http.RoundTripper, request object) answered {
	t.Helper()
	body, err := json.Marshal(request)
	require.NoError(t, err)
	status, text := post(t, model, string(body))
	require.Equal(t, http.StatusOK, status, text)
	var reply struct {
		Choices []struct {
			Message      answered
			FinishReason string `json:"finish_reason"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &reply), text)
	require.Len(t, reply.Choices, 1)
	m := reply.Choices[0].Message
	if len(m.Calls) > 0 {
		require.Equal(t, "tool_calls", reply.Choices[0].FinishReason)
		require.True(t, json.Valid([]byte(m.Calls[0].Function.Arguments)), text)
	} else {
		require.NotNil(t, m.Content)
	}
	return m
}

// skill is a skill as the tests describe it.
type skill struct{ name, description, parameters string }

func (s skill) schema() json.RawMessage {
	if s.parameters == "" {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return json.RawMessage(s.parameters)
}

// block renders a catalogue as the agent does.
func block(list []skill) string {
	var b strings.Builder
	b.WriteString(skillsHeader)
	for _, s := range list {
		fmt.Fprintf(&b, "\n- %s: %s", s.name, collapse(s.description))
		if args := arguments(s); args != "" {
			b.WriteString(" Arguments: " + args + ".")
		}
	}
	return b.String()
}

// arguments lists the parameters of a skill as the agent does.
func arguments(s skill) string {
	var list []string
	for _, p := range readSchema(s.schema()).properties {
		if p.required {
			list = append(list, p.name+" (required)")
		} else {
			list = append(list, p.name)
		}
	}
	return strings.Join(list, ", ")
}

func tool(name, description string, parameters json.RawMessage) object {
	return object{"type": "function", "function": object{"name": name, "description": description, "parameters": parameters}}
}

// selector is the function of level 1.
func selector(list []skill) object {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.name
	}
	enum, _ := json.Marshal(names)
	return tool(selectSkill, "Choose a skill.", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","enum":`+string(enum)+`}},"required":["name"]}`))
}

const (
	systemText     = "Choose among the skills. If none fits, answer directly."
	nativeTwoLevel = "Call select_skill with the name of the one skill that fits. If none fits, answer directly."
	nativeFlat     = "Call the skill that fits. If none fits, answer directly."
	textTwoLevel   = `Reply with only {"skill": "NAME"} to choose one skill. If none fits, answer directly.`
	textFlat       = `Reply with only {"skill": "NAME", "args": {…}} to call one skill. If none fits, answer directly.`
	nativeCategory = "Call select_category with the name of the category that fits. If none fits, answer directly."
	textCategory   = `Reply with only {"category": "NAME"} to choose one category. If none fits, answer directly.`
)

func msg(role, content string) object { return object{"role": role, "content": content} }

// called is one call of the two-level conversation below.
type called struct{ name, args string }

// converse plays the agent of the native two-level protocol to its end and returns the calls.
func converse(t testing.TB, model http.RoundTripper, list []skill, question string, history ...object) []called {
	t.Helper()
	var calls []called
	var after []object
	for range 8 {
		first := msg("user", question+divider+block(list)+"\n"+nativeTwoLevel)
		m := ask(t, model, object{"model": "m", "tools": []object{selector(list)}, "tool_choice": "auto", "messages": conversation(history, first, after)})
		if len(m.Calls) == 0 {
			return calls
		}
		require.Equal(t, selectSkill, m.Calls[0].Function.Name)
		var chosen struct{ Name string }
		require.NoError(t, json.Unmarshal([]byte(m.Calls[0].Function.Arguments), &chosen))
		s := find(list, chosen.Name)
		after = append(after, echo(m), object{"role": "tool", "tool_call_id": m.Calls[0].ID, "content": s.description})
		m = ask(t, model, object{"model": "m", "tools": []object{tool(s.name, s.description, s.schema())}, "tool_choice": "auto",
			"messages": conversation(history, msg("user", question), after)})
		require.Len(t, m.Calls, 1)
		calls = append(calls, called{m.Calls[0].Function.Name, m.Calls[0].Function.Arguments})
		after = append(after, echo(m), object{"role": "tool", "tool_call_id": m.Calls[0].ID, "content": "ok"})
	}
	return calls
}

func conversation(history []object, first object, after []object) []object {
	list := append([]object{msg("system", systemText)}, history...)
	return append(append(list, first), after...)
}

// echo is a reply as a message of the next request.
func echo(m answered) object {
	calls := make([]object, len(m.Calls))
	for i, c := range m.Calls {
		calls[i] = object{"id": c.ID, "type": "function", "function": object{"name": c.Function.Name, "arguments": c.Function.Arguments}}
	}
	return object{"role": "assistant", "content": nil, "tool_calls": calls}
}

func find(list []skill, name string) skill {
	for _, s := range list {
		if s.name == name {
			return s
		}
	}
	return skill{}
}

// chat sends a raw body straight to the model.
func chat(body string) ([]byte, *apiError) {
	return (&lexical{cache: newIndexCache(4, 1<<20)}).complete(bytes.TrimSpace([]byte(body)))
}

// collapse turns every run of white space into one space and trims the ends.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }
