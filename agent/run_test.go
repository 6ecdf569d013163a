package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
)

func TestAnswerWithoutSkill(t *testing.T) {
	for name, o := range map[string]Options{"two-level": native, "text": text, "flat": flat, "grouped": {Catalog: "grouped"}} {
		t.Run(name, func(t *testing.T) {
			out, m := perform(t, o, Task{Input: "Thanks, that is all."}, says("You are welcome."))
			require.Equal(t, "You are welcome.", out.Answer)
			require.Empty(t, out.Calls)
			require.Empty(t, out.Selected)
			require.Len(t, m.requests, a1(t, o).RequestsFor(0, ""))
			require.Equal(t, map[Tier]int{TierNone: 1}, out.Tiers)
		})
	}
}

func a1(t *testing.T, o Options) *Agent { return agentOf(t, scripted(), o) }

// TestBodyAppearsOnlyOnceChosen looks at every request that was sent: what a skill says in its body must not
// help it to be chosen.
func TestBodyAppearsOnlyOnceChosen(t *testing.T) {
	seen := func(req *Request, body string) bool {
		all, err := json.Marshal(req)
		require.NoError(t, err)
		return strings.Contains(string(all), body)
	}
	for name, c := range map[string]struct {
		o       Options
		replies []*Reply
		chosen  int // request from which the body may be seen
	}{
		"native":  {native, atWeather(calls("get_weather", `{"city":"Oslo"}`), says("ok")), 2},
		"text":    {text, atWeatherText(says(`{"skill":"get_weather","args":{"city":"Oslo"}}`), says("ok")), 2},
		"system":  {Options{Placement: "system"}, atWeather(calls("get_weather", `{"city":"Oslo"}`), says("ok")), 2},
		"xml":     {Options{Rendering: "xml"}, atWeather(says("ok")), 2},
		"flat":    {flat, []*Reply{calls("get_weather", `{"city":"Oslo"}`), says("ok")}, 99},
		"grouped": {Options{Catalog: "grouped"}, append([]*Reply{calls("select_category", `{"name":"outdoors"}`)}, atWeather(says("ok"))...), 3},
		"preload": {Options{Preload: []string{"get_weather"}}, []*Reply{says("ok")}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, m := perform(t, c.o, rain, c.replies...)
			for i, req := range m.requests {
				require.Equal(t, i+1 >= c.chosen, seen(req, weatherBody), "request %d", i+1)
				require.False(t, seen(req, airBody), "request %d holds the body of a skill that was never chosen", i+1)
			}
		})
	}
}

func TestLevelTwoOffersTheSkillAlone(t *testing.T) {
	_, m := perform(t, native, rain, finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
	require.Equal(t, []string{"select_skill"}, toolNames(m.request(1)))
	require.Equal(t, []string{"get_weather"}, toolNames(m.request(2)))
	require.Equal(t, []string{"select_skill"}, toolNames(m.request(3)), "after a result the task chooses again")
	require.JSONEq(t, string(weather().Parameters), string(m.request(2).Tools[0].Parameters))
	require.Equal(t, string(weather().Parameters), string(m.request(2).Tools[0].Parameters), "the schema is sent unchanged")
	require.Equal(t, "auto", m.request(2).ToolChoice)
	for i, req := range m.requests {
		question := req.Messages[1].Content
		require.Equal(t, i != 1, strings.Contains(question, "Skills you can choose from:"), "request %d", i+1)
	}
	_, m = perform(t, Options{LevelTwoChoice: "required"}, rain, finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
	require.Equal(t, "auto", m.request(1).ToolChoice)
	require.Equal(t, "required", m.request(2).ToolChoice)
}

// TestWholeTrajectory holds that a task goes on after a result, and that nothing is judged by its first call.
func TestWholeTrajectory(t *testing.T) {
	out, m := perform(t, native, Task{Input: "Note the weather in Oslo.", Seed: new(int64(7))},
		choose("list_scopes"), calls("list_scopes", ""),
		choose("get_weather"), calls("get_weather", `{"city":"Oslo"}`),
		choose("take_note"), calls("take_note", `{"text":"7"}`), says("Noted."))
	require.Equal(t, []string{"list_scopes", "get_weather", "take_note"}, out.Selected)
	require.Equal(t, `list_scopes{} get_weather{"city":"Oslo"} take_note{"text":"7"}`, callsOf(out))
	require.Equal(t, "Noted.", out.Answer)
	require.Equal(t, 7, out.Rounds)
	require.Equal(t, Usage{Prompt: 350, Completion: 35}, out.Level1, "four rounds of choosing, one of them the answer")
	require.Equal(t, Usage{Prompt: 300, Completion: 30}, out.Level2)
	require.Equal(t, Usage{Prompt: 650, Completion: 65}, out.Usage())
	require.Equal(t, map[Tier]int{TierNative: 6, TierNone: 1}, out.Tiers)
	for _, req := range m.requests {
		require.EqualValues(t, 7, *req.Seed)
	}
	for _, c := range out.Calls {
		require.Equal(t, c.Skill, c.Level1)
		require.True(t, c.Valid)
		require.True(t, c.FirstValid)
	}
	require.Equal(t, `{"temp":7}`, out.Calls[1].Result)
	require.Len(t, m.requests, a1(t, native).RequestsFor(3, "answer"))
}

func TestWordsBesideACallAreReplayed(t *testing.T) {
	reply := choose("get_weather")
	reply.Content = "Let me look."
	_, m := perform(t, native, rain, reply, says("ok"))
	require.Equal(t, Message{Role: "assistant", Content: "Let me look.", ToolCalls: reply.ToolCalls}, m.request(2).Messages[2])
	_, m = perform(t, native, rain, says(`I take {"skill": "get_weather"}`), says("ok"))
	require.Empty(t, m.request(2).Messages[2].Content, "a call that came as text is replayed as a call")
	require.Len(t, m.request(2).Messages[2].ToolCalls, 1)
}

func TestSchemaIsCompactInText(t *testing.T) {
	s := weather()
	s.Parameters = json.RawMessage("{\n  \"type\": \"object\",\n  \"properties\": {\"city\": {}}\n}")
	m := scripted(says(`{"skill":"get_weather"}`), says("ok"))
	_, err := agentOf(t, m, text, s).Run(t.Context(), rain)
	require.NoError(t, err)
	require.Contains(t, m.last(2).Content, `Parameters (JSON Schema): {"type":"object","properties":{"city":{}}}`+"\n")
}

func TestFlat(t *testing.T) {
	out, m := perform(t, flat, rain, calls("get_weather", `{"city":"Oslo"}`, "get_air_quality", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, `get_weather{"city":"Oslo"} get_air_quality{"city":"Oslo"}`, callsOf(out))
	require.Empty(t, out.Selected)
	require.Empty(t, out.Calls[0].Level1)
	require.Zero(t, out.Level1)
	require.Equal(t, Usage{Prompt: 150, Completion: 15}, out.Level2)
	require.Equal(t, []string{"get_weather", "get_air_quality", "list_scopes", "take_note"}, toolNames(m.request(2)))
	require.Equal(t, []string{"tool", "tool"}, []string{m.request(2).Messages[3].Role, m.request(2).Messages[4].Role})

	out, _ = perform(t, flat, rain, choose("get_weather"), calls("get_weather", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, 1, out.Repairs, "select_skill does not exist in flat mode")
	require.Empty(t, out.Selected)

	o := Options{Catalog: "flat", Protocol: "text"}
	out, _ = perform(t, o, rain, says(`[{"skill":"get_weather","args":{"city":"Oslo"}},{"skill":"list_scopes"}]`), says("ok"))
	require.Equal(t, `get_weather{"city":"Oslo"} list_scopes{}`, callsOf(out))
}

func TestAnotherSkillsFunctionAtLevelTwo(t *testing.T) {
	out, m := perform(t, native, rain, choose("get_air_quality"), calls("get_weather", `{"city":"Oslo"}`), calls("get_air_quality", `{"city":"Oslo"}`), says("ok"))
	require.Equal(t, `get_air_quality{"city":"Oslo"}`, callsOf(out))
	require.Equal(t, 1, out.Repairs)
	require.Equal(t, "Error: get_weather is not offered now: call get_air_quality, call select_skill to choose another skill, or answer", m.last(3).Content)
}

func TestAnswerAtLevelTwo(t *testing.T) {
	out, _ := perform(t, native, rain, choose("get_weather"), says("Which city?"))
	require.Equal(t, "Which city?", out.Answer)
	require.Equal(t, []string{"get_weather"}, out.Selected)
	require.Empty(t, out.Calls)
	require.Nil(t, out.Fault)
}

func TestRepairs(t *testing.T) {
	out, m := perform(t, native, rain, atWeather(calls("get_weather", `{"city":7,"days":"x"}`), calls("get_weather", `{"city":"Oslo"}`), says("ok"))...)
	require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out))
	c := out.Calls[0]
	require.True(t, c.Valid)
	require.False(t, c.FirstValid)
	require.Equal(t, 1, c.Repairs)
	require.Empty(t, c.Faults)
	lines := strings.Split(m.last(3).Content, "\n")
	require.Equal(t, "Error: invalid arguments for get_weather:", lines[0])
	require.Len(t, lines, 3, "one line a fault: %s", m.last(3).Content)
	for i, field := range []string{"city", "days"} {
		require.Regexp(t, "^"+field+": expected .*, given ", lines[i+1])
	}

	out, m = perform(t, text, rain, atWeatherText(says(`{"skill":"get_weather","args":{}}`), says(`{"skill":"get_weather","args":{"city":"Oslo"}}`), says("ok"))...)
	require.Equal(t, 1, out.Calls[0].Repairs)
	require.Regexp(t, "^Error: invalid arguments for get_weather:\ncity: expected", m.last(3).Content)
	require.Equal(t, "user", m.last(3).Role)

	for repairs, n := range map[int]int{-1: 0, 0: 2, 1: 1, 3: 3} {
		replies := atWeather()
		for range n + 1 {
			replies = append(replies, calls("get_weather", `{}`))
		}
		out, m = perform(t, Options{MaxRepairs: repairs}, rain, replies...)
		require.Equal(t, FaultInvalidArgs, out.Fault.Class)
		require.Len(t, m.requests, n+2)
		require.Len(t, out.Calls, 1, "a call that never became valid was still made")
		require.False(t, out.Calls[0].Valid)
		require.False(t, out.Calls[0].FirstValid)
		require.Equal(t, n, out.Calls[0].Repairs)
		require.NotEmpty(t, out.Calls[0].Faults)
		require.Empty(t, out.Calls[0].Result, "it never ran")
	}
}

// TestAbandonedRepairIsStillACall covers a model that gives up on arguments that were refused.
func TestAbandonedRepairIsStillACall(t *testing.T) {
	out, _ := perform(t, native, rain, atWeather(calls("get_weather", `{}`), says("Which city?"))...)
	require.Equal(t, "get_weather{}!", callsOf(out))
	require.Nil(t, out.Fault)
	require.Equal(t, "Which city?", out.Answer)

	out, _ = perform(t, native, rain, atWeather(calls("get_weather", `{}`), choose("list_scopes"), calls("list_scopes", ""), says("ok"))...)
	require.Equal(t, "get_weather{}! list_scopes{}", callsOf(out))
}

func TestParallelCalls(t *testing.T) {
	out, m := perform(t, native, rain, atWeather(
		calls("get_weather", `{"city":"Oslo"}`, "get_weather", `{}`, "get_weather", `{"city":"Rome"}`),
		calls("get_weather", `{"city":"Paris"}`), says("ok"))...)
	require.Equal(t, `get_weather{"city":"Oslo"} get_weather{"city":"Rome"} get_weather{"city":"Paris"}`, callsOf(out))
	require.Equal(t, []int{0, 0, 1}, []int{out.Calls[0].Repairs, out.Calls[1].Repairs, out.Calls[2].Repairs})
	require.Equal(t, []string{"get_weather"}, toolNames(m.request(3)), "the refused call comes first")
	var told []string
	for _, message := range m.request(3).Messages[len(m.request(3).Messages)-3:] {
		told = append(told, strings.SplitN(message.Content, ":", 2)[0])
	}
	require.Equal(t, []string{`{"temp"`, "Error", `{"temp"`}, told, "results and errors stay in the order of the calls")

	slow := Options{Executor: executorFunc(func(ctx context.Context, args string) (string, error) {
		if strings.Contains(args, "Oslo") { // the first call ends last
			time.Sleep(20 * time.Millisecond)
		}
		return args, nil
	})}
	out, m = perform(t, slow, rain, atWeather(calls("get_weather", `{"city":"Oslo"}`, "get_weather", `{"city":"Rome"}`), says("ok"))...)
	require.Equal(t, `{"city":"Oslo"}`, out.Calls[0].Result)
	require.Equal(t, `{"city":"Rome"}`, m.last(3).Content)
}

type executorFunc func(ctx context.Context, args string) (string, error)

func (f executorFunc) Execute(ctx context.Context, _ *skills.Skill, args json.RawMessage, _ *Task) (string, error) {
	return f(ctx, string(args))
}

func TestTooManyCallsInOneReply(t *testing.T) {
	var list []string
	for range maxCalls + 1 {
		list = append(list, "get_weather", `{"city":"Oslo"}`)
	}
	out, m := perform(t, native, rain, atWeather(calls(list...), calls("get_weather", `{"city":"Oslo"}`), says("ok"))...)
	require.Len(t, out.Calls, 1)
	require.Equal(t, 1, out.Repairs)
	for _, req := range m.requests {
		requireConversation(t, req)
	}
	out, m = perform(t, text, rain, says(strings.Repeat(`{"skill":"get_weather"}`, maxCalls+1)), says("ok"))
	require.Equal(t, 1, out.Repairs)
	require.Empty(t, out.Selected)
	require.Less(t, len(m.last(2).Content), 500)
}

func TestMaxRounds(t *testing.T) {
	var replies []*Reply
	for range 10 {
		replies = append(replies, choose("list_scopes"), calls("list_scopes", ""))
	}
	out, m := perform(t, native, rain, replies...)
	require.Equal(t, FaultMaxRounds, out.Fault.Class)
	require.Equal(t, 10, out.Rounds)
	require.Len(t, m.requests, 10)
	require.Len(t, out.Calls, 5)

	out, _ = perform(t, Options{MaxRounds: 2}, rain, atWeather(calls("get_weather", "{}"))...)
	require.Equal(t, FaultMaxRounds, out.Fault.Class)
	require.Equal(t, "get_weather{}!", callsOf(out), "an open call is part of what happened")
}

func TestUntilCall(t *testing.T) {
	task := Task{Input: "Rain?", Until: "call"}
	for name, c := range map[string]struct {
		o       Options
		replies []*Reply
	}{
		"two-level": {native, atWeather(calls("get_weather", `{"city":"Oslo"}`))},
		"text":      {text, atWeatherText(says(`{"skill":"get_weather","args":{"city":"Oslo"}}`))},
		"flat":      {flat, []*Reply{calls("get_weather", `{"city":"Oslo"}`)}},
		"grouped":   {Options{Catalog: "grouped"}, append([]*Reply{calls("select_category", `{"name":"outdoors"}`)}, atWeather(calls("get_weather", `{"city":"Oslo"}`))...)},
	} {
		t.Run(name, func(t *testing.T) {
			out, m := perform(t, c.o, task, c.replies...)
			require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out))
			require.Nil(t, out.Fault)
			require.Empty(t, out.Answer)
			require.Len(t, m.requests, a1(t, c.o).RequestsFor(1, "call"))
			require.Len(t, m.requests, a1(t, c.o).RequestsFor(3, "call"))
		})
	}
	out, _ := perform(t, native, task, atWeather(calls("get_weather", `{}`), calls("get_weather", `{"city":"Oslo"}`))...)
	require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out), "a refused call is not complete")
	out, _ = perform(t, native, task, atWeather(calls("get_weather", `{"city":"Oslo"}`, "get_weather", `{}`), choose("list_scopes"))...)
	require.Equal(t, `get_weather{"city":"Oslo"} get_weather{}!`, callsOf(out))
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		class ErrorClass
	}{
		"as given":   {&ModelError{Class: ErrRateLimit, Status: 429, Message: "slow down", Retries: 3}, ErrRateLimit},
		"wrapped":    {fmt.Errorf("chat: %w", &ModelError{Class: ErrAuth, Retries: 3}), ErrAuth},
		"other":      {errors.New("broken pipe"), ErrNetwork},
		"timeout":    {fmt.Errorf("chat: %w", context.DeadlineExceeded), ErrTimeout},
		"cancelled":  {context.Canceled, ErrCancelled},
		"no reply":   {nil, ErrReply},
		"bad status": {&ModelError{Class: ErrServer, Status: 503}, ErrServer},
	} {
		t.Run(name, func(t *testing.T) {
			first := true
			a := agentOf(t, answering(func(*Request) (*Reply, error) {
				if first {
					first = false
					r := choose("get_weather")
					r.Retries = 2
					return r, nil
				}
				return nil, c.err
			}), native)
			out, err := a.Run(t.Context(), rain)
			me, ok := err.(*ModelError) //nolint:errorlint // the type itself is the contract
			require.True(t, ok)
			require.Equal(t, c.class, me.Class)
			if c.err != nil && name != "wrapped" { // there the ModelError inside is what comes back
				require.ErrorIs(t, err, c.err)
			}
			require.Equal(t, []string{"get_weather"}, out.Selected)
			require.Equal(t, 1, out.Rounds)
			require.Nil(t, out.Fault)
			require.Equal(t, 2+me.Retries, out.Retries)
		})
	}
}

func TestContextEndsATask(t *testing.T) {
	for _, class := range []ErrorClass{ErrTimeout, ErrCancelled} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			a := agentOf(t, chatFunc(func(ctx context.Context, _ *Request) (*Reply, error) {
				if class == ErrCancelled {
					cancel()
				}
				<-ctx.Done()
				return nil, &ModelError{Class: ErrNetwork, Message: "connection closed", Retries: 1}
			}), native)
			out, err := a.Run(ctx, rain)
			var me *ModelError
			require.ErrorAs(t, err, &me)
			require.Equal(t, class, me.Class, "whatever the model makes of it")
			require.ErrorIs(t, err, ctx.Err())
			require.Equal(t, 1, out.Retries)
			for _, ask := range []func(context.Context, Task) (*Outcome, error){a.Run, NewSession(a, 0).Ask} {
				out, err = ask(ctx, rain)
				require.ErrorAs(t, err, &me)
				require.Equal(t, class, me.Class, "before the first request")
				require.Zero(t, out.Rounds)
			}
		})
	}
}

func TestSessionTurnsWaitWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		s := NewSession(agentOf(t, answering(func(*Request) (*Reply, error) {
			<-hang
			return says("ok"), nil
		}), native), 0)
		go func() { _, _ = s.Ask(t.Context(), rain) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		out, err := s.Ask(ctx, rain)
		var me *ModelError
		require.ErrorAs(t, err, &me)
		require.Equal(t, ErrTimeout, me.Class)
		require.NotNil(t, out)
		close(hang)
	})
}

type chatFunc func(ctx context.Context, req *Request) (*Reply, error)

func (f chatFunc) Chat(ctx context.Context, req *Request) (*Reply, error) { return f(ctx, req) }
