package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
)

func TestNewNamesEverythingThatIsWrong(t *testing.T) {
	bad := weather()
	bad.Parameters = json.RawMessage(`{"type":"strng"}`)
	_, err := New(nil, registry(t, bad), Options{
		Catalog: "deep", Protocol: "xml", Rendering: "table", Order: "random", Placement: "nowhere", LevelTwoChoice: "none",
		MaxRounds: -1, TokenLimit: -1, HistoryTokens: -1, ResultLimit: -1, CallTimeout: -1, Preload: []string{"fly"},
	})
	require.Error(t, err)
	for _, part := range []string{
		"no model", `catalog "deep"`, "two-level, flat, grouped", `protocol "xml"`, "native, text", `rendering "table"`, `order "random"`,
		`placement "nowhere"`, `level-two choice "none"`, "maximum of rounds is -1", "token limit", "history tokens", "result limit",
		"call timeout", `no skill is named "fly"`, `skill "get_weather": parameters:`,
	} {
		assert.Contains(t, err.Error(), part)
	}
	_, err = New(scripted(), nil, Options{})
	require.ErrorContains(t, err, "no skills are registered")
	_, err = New(scripted(), registry(t), Options{})
	require.NoError(t, err, "the zero value is usable")
}

func TestRequestsFor(t *testing.T) {
	for catalog, want := range map[string][4]int{"two-level": {1, 3, 5, 2}, "flat": {1, 2, 3, 1}, "grouped": {1, 4, 7, 3}} {
		a := agentOf(t, scripted(), Options{Catalog: catalog})
		require.Equal(t, want, [4]int{a.RequestsFor(0, "answer"), a.RequestsFor(1, ""), a.RequestsFor(2, "answer"), a.RequestsFor(2, "call")}, catalog)
		require.Equal(t, 1, a.RequestsFor(0, "call"))
	}
}

func TestRegistryIsReadOnce(t *testing.T) {
	r := registry(t, weather(), airQuality())
	m := scripted(says("ok"))
	a, err := New(m, r, native)
	require.NoError(t, err)
	require.True(t, r.Unregister("get_weather"))
	_, err = a.Run(t.Context(), rain)
	require.NoError(t, err)
	require.Contains(t, m.last(1).Content, "get_weather")
}

func TestTokenLimitNarrowsWhatIsOffered(t *testing.T) {
	m := scripted(says("ok"))
	_, err := agentOf(t, m, Options{TokenLimit: 20}).Run(t.Context(), rain)
	require.NoError(t, err)
	var schema struct {
		Properties struct{ Name struct{ Enum []string } }
	}
	require.NoError(t, json.Unmarshal(m.request(1).Tools[0].Parameters, &schema))
	for _, name := range []string{"get_weather", "get_air_quality", "list_scopes", "take_note"} {
		require.Equal(t, strings.Contains(m.last(1).Content, "- "+name), contains(schema.Properties.Name.Enum, name), name)
	}
	require.Less(t, len(schema.Properties.Name.Enum), 4)
}

func contains(list []string, name string) bool {
	return strings.Contains("\n"+strings.Join(list, "\n")+"\n", "\n"+name+"\n")
}

func TestHistoryIsCutFromItsOldestTurn(t *testing.T) {
	turns := func(n int) (out []Message) {
		for i := range n {
			out = append(out, Message{Role: "user", Content: fmt.Sprint("question ", i)}, Message{Role: "assistant", Content: fmt.Sprint("answer ", i)})
		}
		return out
	}
	words := func(s string) int { return len(strings.Fields(s)) }
	require.Len(t, cutHistory(turns(5), 0, words), 10)
	require.Len(t, cutHistory(turns(5), 20, words), 10)
	require.Equal(t, turns(5)[2:], cutHistory(turns(5), 19, words))
	require.Equal(t, turns(5)[8:], cutHistory(turns(5), 6, words), "no answer without its question")
	require.Empty(t, cutHistory(turns(5), 3, words))

	m := scripted(says("ok"))
	o := Options{HistoryTokens: 6, CountTokens: words}
	_, err := agentOf(t, m, o).Run(t.Context(), Task{Input: "now", History: turns(3)})
	require.NoError(t, err)
	require.Equal(t, turns(3)[4:], m.request(1).Messages[1:3])
}

func TestSession(t *testing.T) {
	m := scripted(says("one"), says("two"), &Reply{}, &Reply{Refusal: "no"}, says("five"))
	s := NewSession(agentOf(t, m, native), 0)
	for _, input := range []string{"1", "2", "3", "4"} {
		_, err := s.Ask(t.Context(), Task{Input: input})
		require.NoError(t, err)
	}
	require.Equal(t, []Message{
		{Role: "user", Content: "1"}, {Role: "assistant", Content: "one"},
		{Role: "user", Content: "2"}, {Role: "assistant", Content: "two"},
		{Role: "user", Content: "4"}, {Role: "assistant", Content: "no"},
	}, s.History(), "a request that ended in a fault is not carried on")
	_, err := s.Ask(t.Context(), Task{Input: "5", History: []Message{{Role: "user", Content: "0"}, {Role: "assistant", Content: "zero"}}})
	require.NoError(t, err)
	sent := m.request(5).Messages
	require.Equal(t, []string{"0", "zero", "1", "one", "2", "two", "4", "no"}, contents(sent[1:len(sent)-1]))
	_, err = s.Ask(t.Context(), Task{Input: "6"})
	require.Error(t, err)
	require.Len(t, s.History(), 8, "nor is one that ended in an error")

	short := NewSession(agentOf(t, scripted(says("one two three"), says("four five six")), Options{CountTokens: func(s string) int { return len(strings.Fields(s)) }}), 5)
	for _, input := range []string{"a b", "c d"} {
		_, err := short.Ask(t.Context(), Task{Input: input})
		require.NoError(t, err)
	}
	require.Equal(t, []string{"c d", "four five six"}, contents(short.History()))
}

func contents(list []Message) (out []string) {
	for _, m := range list {
		out = append(out, m.Content)
	}
	return out
}

func TestEvents(t *testing.T) {
	var events []Event
	task := Task{Input: "Rain?", TraceID: "trace-1", Observe: func(e Event) { events = append(events, e) }}
	out, _ := perform(t, native, task, atWeather(calls("get_weather", `{"town":"Oslo","x":1}`), says("ok"))...)
	require.Equal(t, "trace-1", out.TraceID)
	var kinds []string
	for i, e := range events {
		require.Equal(t, "trace-1", e.TraceID)
		require.Equal(t, i+1, e.Seq)
		kinds = append(kinds, fmt.Sprintf("%d.%d %s %s %s", e.Round, e.Level, e.Kind, e.Skill, e.Outcome))
	}
	require.Equal(t, []string{
		"1.1 prompt  ok", "1.1 reply  ok", "1.1 parse  ok",
		"2.2 prompt  ok", "2.2 reply  ok", "2.2 parse  ok", "2.2 bind get_weather ok", "2.2 validate get_weather ok",
		"2.2 execute get_weather ok", "2.2 result get_weather ok",
		"3.1 prompt  ok", "3.1 reply  ok", "3.1 parse  ok", "3.1 answer  ok",
	}, kinds)
	require.Equal(t, &Usage{Prompt: 100, Completion: 10}, events[1].Usage)
	require.Equal(t, []string{"x"}, events[6].Detail["dropped"])
	require.Equal(t, []string{"town→city"}, events[6].Detail["aliased"])

	events = nil
	out, _ = perform(t, Options{MaxRepairs: -1}, Task{Input: "Rain?", Observe: task.Observe}, atWeather(calls("get_weather", `{}`))...)
	last := events[len(events)-1]
	require.Equal(t, "error", last.Kind)
	require.Equal(t, string(FaultInvalidArgs), last.Outcome)
	require.Len(t, out.TraceID, 32)
	require.Equal(t, out.TraceID, last.TraceID)

	events = nil
	_, _ = perform(t, native, task, &Reply{Refusal: "no", Reasoning: "hm"})
	require.Equal(t, map[string]any{"content": "", "finish_reason": "", "refusal": "no", "reasoning": "hm"}, events[1].Detail)
	require.Equal(t, "refusal", events[3].Outcome)

	events = nil
	_, err := agentOf(t, scripted(), native).Run(t.Context(), Task{Input: "Rain?", Observe: task.Observe})
	require.Error(t, err)
	require.Equal(t, string(ErrServer), events[len(events)-1].Outcome)
}

func TestEventsAsJSONLines(t *testing.T) {
	var b bytes.Buffer
	w := NewEventWriter(&b)
	out, _ := perform(t, text, Task{Input: "Rain?", Observe: w.Observe}, atWeatherText(says(`{"skill":"get_weather","args":{"city":"x\ny"}}`), says("<ok>"))...)
	require.NoError(t, w.Err())
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	require.Greater(t, len(lines), 10)
	for i, line := range lines {
		var e Event
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		require.Equal(t, i+1, e.Seq)
		require.Equal(t, out.TraceID, e.TraceID)
	}
	full := NewEventWriter(writerFunc(func([]byte) (int, error) { return 0, errors.New("disk full") }))
	full.Observe(Event{})
	full.Observe(Event{})
	require.ErrorContains(t, full.Err(), "disk full")
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestTasksDoNotSeeEachOther runs tasks side by side on one agent and one model: the outcome of each is the
// same as alone, and no request holds anything of another task.
func TestTasksDoNotSeeEachOther(t *testing.T) {
	echo := answering(func(req *Request) (*Reply, error) {
		all, err := json.Marshal(req.Messages)
		if err != nil {
			return nil, err
		}
		for i := range 64 {
			mark := fmt.Sprintf("mark-%02d!", i)
			if !strings.Contains(string(all), mark) {
				continue
			}
			for j := range 64 {
				if i != j && strings.Contains(string(all), fmt.Sprintf("mark-%02d!", j)) {
					return nil, fmt.Errorf("marks %d and %d in one request", i, j)
				}
			}
			switch len(req.Messages) {
			case 4:
				return choose("get_weather"), nil
			case 6:
				return calls("get_weather", `{"city":"`+mark+`","zip":1}`), nil
			}
			return says("done " + mark), nil
		}
		return nil, errors.New("no mark")
	})
	a := agentOf(t, echo, native)
	task := func(i int) Task {
		mark := fmt.Sprintf("mark-%02d!", i)
		return Task{Input: mark, History: []Message{{Role: "user", Content: mark}, {Role: "assistant", Content: mark}}, ContextTags: []string{"travel"}[:i%2]}
	}
	plain := func(out *Outcome) Outcome {
		o := *out
		o.TraceID, o.Elapsed = "", 0
		for i := range o.Calls {
			o.Calls[i].Elapsed = 0
		}
		return o
	}
	var alone, beside [64]Outcome
	for i := range alone {
		out, err := a.Run(t.Context(), task(i))
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("done mark-%02d!", i), out.Answer)
		alone[i] = plain(out)
	}
	var group sync.WaitGroup
	for i := range beside {
		group.Go(func() {
			out, err := a.Run(t.Context(), task(i))
			assert.NoError(t, err)
			beside[i] = plain(out)
		})
	}
	group.Wait()
	require.Equal(t, alone, beside)
}

// TestSameTaskSixtyFourTimes holds that equal tasks have equal outcomes, whatever else runs.
func TestSameTaskSixtyFourTimes(t *testing.T) {
	for name, o := range map[string]Options{"native": native, "flat": flat, "grouped": {Catalog: "grouped"}} {
		t.Run(name, func(t *testing.T) {
			a := agentOf(t, answering(func(req *Request) (*Reply, error) {
				for _, tool := range req.Tools {
					switch {
					case len(req.Messages) > 10:
						return says("ok"), nil
					case tool.Name == selectCategory:
						return calls(selectCategory, `{"name":"outdoors"}`), nil
					case tool.Name == selectSkill:
						return choose("get_weather", "get_air_quality"), nil
					}
				}
				return calls(req.Tools[0].Name, `{"city":"Oslo"}`, req.Tools[0].Name, `{"city":"Rome"}`), nil
			}), o)
			var outcomes [64]Outcome
			var group sync.WaitGroup
			for i := range outcomes {
				group.Go(func() {
					out, err := a.Run(t.Context(), rain)
					assert.NoError(t, err)
					out.TraceID, out.Elapsed = "", 0
					for j := range out.Calls {
						out.Calls[j].Elapsed = 0
					}
					outcomes[i] = *out
				})
			}
			group.Wait()
			require.NotEmpty(t, outcomes[0].Calls)
			for i := range outcomes {
				require.Equal(t, outcomes[0], outcomes[i])
			}
		})
	}
}

// manySkills is a catalogue of the size that agents have in practice.
func manySkills(n int) []*skills.Skill {
	var list []*skills.Skill
	for i := range n {
		s := weather()
		s.Name = fmt.Sprintf("skill_%02d", i)
		s.Description = strings.Repeat("Does one thing and does it well. ", 6)
		list = append(list, s)
	}
	return list
}

// BenchmarkRound measures what the agent itself costs a request: the model answers at once.
func BenchmarkRound(b *testing.B) {
	for name, o := range map[string]Options{"native": native, "text": text, "flat": flat} {
		b.Run(name, func(b *testing.B) {
			replies := map[string][]*Reply{
				"native": {choose("skill_07"), calls("skill_07", `{"city":"Oslo","days":3}`), says("ok")},
				"text":   {says(`{"skill":"skill_07"}`), says(`{"skill":"skill_07","args":{"city":"Oslo","days":3}}`), says("ok")},
				"flat":   {calls("skill_07", `{"city":"Oslo","days":3}`), says("ok")},
			}[name]
			n := 0
			a := agentOf(b, answering(func(*Request) (*Reply, error) {
				n++
				return replies[(n-1)%len(replies)], nil
			}), o, manySkills(30)...)
			b.ReportAllocs()
			started := time.Now()
			for b.Loop() {
				out, err := a.Run(b.Context(), rain)
				if err != nil || len(out.Calls) != 1 || out.Answer != "ok" {
					b.Fatal(out, err)
				}
			}
			b.ReportMetric(float64(time.Since(started).Nanoseconds())/float64(n), "ns/request")
		})
	}
}
