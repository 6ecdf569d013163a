package agent

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
)

func TestStubResults(t *testing.T) {
	own := weather()
	none := airQuality()
	task := &Task{Results: map[string]json.RawMessage{"get_weather": json.RawMessage(`"Sunny, \"dry\""`)}}
	result := func(s *skills.Skill, task *Task) string {
		text, err := StubExecutor{}.Execute(t.Context(), s, json.RawMessage("{}"), task)
		require.NoError(t, err)
		return text
	}
	require.Equal(t, `Sunny, "dry"`, result(own, task), "the task's result wins, and text is text")
	require.Equal(t, `{"temp":7}`, result(own, &Task{}))
	require.Equal(t, `{"status":"ok","skill":"get_air_quality"}`, result(none, task))

	out, _ := perform(t, native, Task{Input: "Rain?", Results: task.Results}, finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
	require.Equal(t, `Sunny, "dry"`, out.Calls[0].Result)
}

func TestResultsAreSummarised(t *testing.T) {
	long := Task{Input: "Rain?", Results: map[string]json.RawMessage{"get_weather": quoteJSON(strings.Repeat("雨", 9000))}}
	out, m := perform(t, native, long, finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
	require.Len(t, []rune(out.Calls[0].Result), 4096)
	require.Equal(t, out.Calls[0].Result, m.last(3).Content)

	short := weather()
	short.ResultLimit = 100
	s := scripted(finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
	out, err := agentOf(t, s, Options{ResultLimit: 500}, short).Run(t.Context(), long)
	require.NoError(t, err)
	require.Len(t, []rune(out.Calls[0].Result), 100, "the skill's own limit wins")
}

func TestExecutionIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := weather()
		s.Retries = 2
		executor := &failing{times: 2}
		m := scripted(finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
		out, err := agentOf(t, m, Options{Executor: executor}, s).Run(t.Context(), rain)
		require.NoError(t, err)
		require.Equal(t, "sunny", out.Calls[0].Result)
		require.EqualValues(t, 3, executor.tries.Load())
		require.Equal(t, 300*time.Millisecond, out.Calls[0].Elapsed, "100 ms, then 200 ms")
	})
}

func TestFailedExecutionIsToldToTheModel(t *testing.T) {
	executor := &failing{times: 9}
	out, m := perform(t, Options{Executor: executor}, rain, finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
	require.EqualValues(t, 1, executor.tries.Load())
	require.Equal(t, "station is down", out.Calls[0].Failed)
	require.True(t, out.Calls[0].Valid)
	require.Equal(t, "Error: get_weather failed: station is down", m.last(3).Content)
	require.Nil(t, out.Fault)
	require.Zero(t, out.Repairs)
	require.Equal(t, "ok", out.Answer)
}

func TestExecutionEndsInTime(t *testing.T) {
	for name, c := range map[string]struct {
		o     Options
		skill time.Duration
		want  time.Duration
	}{
		"default": {Options{}, 0, 30 * time.Second},
		"agent":   {Options{CallTimeout: time.Second}, 0, time.Second},
		"skill":   {Options{CallTimeout: time.Second}, 3 * time.Second, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deaf := make(chan struct{}) // the executor heeds no context
				c.o.Executor = executorFunc(func(context.Context, string) (string, error) {
					<-deaf
					return "", nil
				})
				s := weather()
				s.Timeout, s.Retries = c.skill, 5
				m := scripted(finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
				out, err := agentOf(t, m, c.o, s).Run(t.Context(), rain)
				require.NoError(t, err)
				require.Equal(t, c.want, out.Calls[0].Elapsed)
				require.Equal(t, "timed out after "+c.want.String(), out.Calls[0].Failed)
				require.Equal(t, "ok", out.Answer)
				close(deaf)
			})
		})
	}
}

func TestRetriesShareOneTimeBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := weather()
		s.Timeout, s.Retries = time.Second, 100
		executor := &failing{times: 1000}
		m := scripted(finished(atWeather(calls("get_weather", `{"city":"Oslo"}`)))...)
		out, err := agentOf(t, m, Options{Executor: executor}, s).Run(t.Context(), rain)
		require.NoError(t, err)
		require.Equal(t, time.Second, out.Calls[0].Elapsed)
		require.EqualValues(t, 4, executor.tries.Load(), "at 0, 100, 300 and 700 ms")
		require.NotEmpty(t, out.Calls[0].Failed)
	})
}

func TestCancelWhileExecuting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		o := Options{Executor: executorFunc(func(ctx context.Context, _ string) (string, error) {
			cancel()
			<-ctx.Done()
			return "", ctx.Err()
		})}
		m := scripted(atWeather(calls("get_weather", `{"city":"Oslo"}`))...)
		out, err := agentOf(t, m, o).Run(ctx, rain)
		var me *ModelError
		require.ErrorAs(t, err, &me)
		require.Equal(t, ErrCancelled, me.Class)
		require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out), "what happened up to then stays")
	})
}

func TestSkillsHaveTheirOwnConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		o := Options{Executor: executorFunc(func(context.Context, string) (string, error) {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			return "ok", nil
		})}
		s := weather()
		s.MaxConcurrent = 2
		m := scripted(finished(atWeather(calls("get_weather", `{"city":"a"}`, "get_weather", `{"city":"b"}`, "get_weather", `{"city":"c"}`, "get_weather", `{"city":"d"}`)))...)
		out, err := agentOf(t, m, o, s).Run(t.Context(), rain)
		require.NoError(t, err)
		require.Len(t, out.Calls, 4)
		require.EqualValues(t, 2, most.Load())
		require.Equal(t, 2*time.Second, out.Elapsed)
	})
}
