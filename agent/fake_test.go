package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
)

// answering is a model that is one function of the request; it is safe for concurrent use when the function is.
type answering func(req *Request) (*Reply, error)

func (f answering) Chat(_ context.Context, req *Request) (*Reply, error) { return f(req) }

// script is a model that gives prepared replies one after another and records every request.
type script struct {
	mu       sync.Mutex
	replies  []*Reply
	requests []*Request
}

func scripted(replies ...*Reply) *script { return &script{replies: replies} }

func (s *script) Chat(ctx context.Context, req *Request) (*Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	if len(s.requests) > len(s.replies) {
		return nil, &ModelError{Class: ErrServer, Message: fmt.Sprintf("the script ends after %d replies", len(s.replies))}
	}
	return s.replies[len(s.requests)-1], ctx.Err()
}

// request returns the nth request, from 1.
func (s *script) request(n int) *Request { return s.requests[n-1] }

// last returns the last message of the nth request.
func (s *script) last(n int) Message {
	m := s.request(n).Messages
	return m[len(m)-1]
}

// calls is a reply with native tool calls: name, arguments, name, arguments, …
func calls(namesAndArguments ...string) *Reply {
	r := &Reply{FinishReason: "tool_calls", Usage: Usage{Prompt: 100, Completion: 10}}
	for i := 0; i < len(namesAndArguments); i += 2 {
		r.ToolCalls = append(r.ToolCalls, ToolCall{
			ID: fmt.Sprintf("id%d", i/2+1), Name: namesAndArguments[i], Arguments: namesAndArguments[i+1]})
	}
	return r
}

// choose is a native call of select_skill for each name.
func choose(names ...string) *Reply {
	var list []string
	for _, name := range names {
		list = append(list, "select_skill", fmt.Sprintf(`{"name":%q}`, name))
	}
	return calls(list...)
}

// says is a reply in text.
func says(text string) *Reply {
	return &Reply{Content: text, FinishReason: "stop", Usage: Usage{Prompt: 50, Completion: 5}}
}

// Bodies that must never be seen before their skill is chosen.
const (
	weatherBody = "BODY-OF-WEATHER: ask the station."
	airBody     = "BODY-OF-AIR: look at particles."
)

func weather() *skills.Skill {
	return &skills.Skill{
		Name:         "get_weather",
		Description:  "Current weather and rain forecast for a city.",
		DoNotUseWhen: []string{"the question is about air quality"},
		Category:     "outdoors", Tags: []string{"travel"},
		Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","minimum":1},` +
			`"metric":{"type":"boolean"}},"required":["city"]}`),
		Aliases: map[string]string{"location": "city", "town": "city"},
		Result:  json.RawMessage(`{"temp":7}`),
		Body:    weatherBody,
	}
}

func airQuality() *skills.Skill {
	return &skills.Skill{
		Name: "get_air_quality", Description: "Particles and ozone in a city's air.",
		Category: "outdoors", Tags: []string{"health"},
		Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
		Body:       airBody,
	}
}

func listScopes() *skills.Skill {
	return &skills.Skill{Name: "list_scopes", Description: "Lists the scopes of this account.", Body: "No arguments."}
}

func takeNote() *skills.Skill {
	return &skills.Skill{
		Name: "take_note", Description: "Saves a note.", Category: "office",
		Parameters: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"},"price":{"type":"number","minimum":20,"maximum":100},` +
			`"text":{"type":"string"},"x":{"type":"object"},"tags":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}`),
	}
}

func registry(t testing.TB, list ...*skills.Skill) *skills.Registry {
	t.Helper()
	if len(list) == 0 {
		list = []*skills.Skill{weather(), airQuality(), listScopes(), takeNote()}
	}
	r, err := skills.NewRegistry(list...)
	require.NoError(t, err)
	return r
}

// agentOf makes an agent over the four skills of this file, or the given ones.
func agentOf(t testing.TB, m Model, o Options, list ...*skills.Skill) *Agent {
	t.Helper()
	a, err := New(m, registry(t, list...), o)
	require.NoError(t, err)
	return a
}

// perform runs one task with a script and returns the outcome, which must not be an error.
func perform(t testing.TB, o Options, task Task, replies ...*Reply) (*Outcome, *script) {
	t.Helper()
	m := scripted(replies...)
	out, err := agentOf(t, m, o).Run(t.Context(), task)
	require.NoError(t, err)
	return out, m
}

var (
	native = Options{}
	text   = Options{Protocol: "text"}
	flat   = Options{Catalog: "flat"}
)

var rain = Task{Input: "Will it rain in Oslo?"}

// callsOf writes the calls of an outcome as NAME{ARGS} and, when not valid, "!".
func callsOf(out *Outcome) string {
	var parts []string
	for _, c := range out.Calls {
		text := c.Skill + string(c.Args)
		if !c.Valid {
			text += "!"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// requireConversation checks what every server demands: each assistant message with tool calls is followed by
// one tool message for each of its ids, in order; ids are never empty nor used twice.
func requireConversation(t testing.TB, req *Request) {
	t.Helper()
	seen := map[string]bool{}
	var waiting []string
	for i, m := range req.Messages {
		if m.Role == "tool" {
			require.NotEmpty(t, waiting, "message %d answers no call", i)
			require.Equal(t, waiting[0], m.ToolCallID)
			waiting = waiting[1:]
			continue
		}
		require.Empty(t, waiting, "message %d comes before all calls are answered", i)
		for _, c := range m.ToolCalls {
			require.NotEmpty(t, c.ID)
			require.False(t, seen[c.ID], "id %s is used twice", c.ID)
			require.Regexp(t, functionName, c.Name)
			require.True(t, json.Valid([]byte(c.Arguments)), "arguments are replayed as JSON: %s", c.Arguments)
			seen[c.ID] = true
			waiting = append(waiting, c.ID)
		}
	}
	require.Empty(t, waiting)
}

func toolNames(req *Request) []string {
	var out []string
	for _, tool := range req.Tools {
		out = append(out, tool.Name)
	}
	return out
}

// failing is an executor that fails a number of times and then answers.
type failing struct {
	times int
	tries atomic.Int32
}

func (f *failing) Execute(context.Context, *skills.Skill, json.RawMessage, *Task) (string, error) {
	if int(f.tries.Add(1)) <= f.times {
		return "", errors.New("station is down")
	}
	return "sunny", nil
}

func flagsOf(c Call) []string { return slices.Sorted(slices.Values(c.Flags)) }
