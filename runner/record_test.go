package runner

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

const secret = `sk-"q<é\`

func hide(s string) string { return strings.ReplaceAll(s, secret, "[REDACTED]") }

// full is an outcome with every field set, the secret in every text.
func full() *agent.Outcome {
	quoted, _ := json.Marshal(secret)
	return &agent.Outcome{
		Selected: []string{"weather", secret}, Answer: "answer " + secret, Refusal: secret + " refusal",
		Fault: &agent.Fault{Class: agent.FaultMaxRounds, Message: secret}, Rounds: 3, Repairs: 2, Retries: 4,
		Level1: agent.Usage{Prompt: 10, Completion: 1}, Level2: agent.Usage{Prompt: 20, Completion: 2, Estimated: true},
		Tiers: map[agent.Tier]int{agent.TierNative: 2, agent.TierNone: 1},
		Calls: []agent.Call{{
			Skill: secret, Args: json.RawMessage(`{"key": ` + string(quoted) + `, "n": 1.0e+02}`), Level1: secret, Tier: agent.TierNative,
			Valid: true, FirstValid: true, Repairs: 1, Faults: []string{secret}, Dropped: []string{secret},
			Aliased: []string{secret}, Flags: []string{"direct"}, Failed: secret, Result: secret,
		}},
	}
}

func TestRecord(t *testing.T) {
	p := testPlan(1, 1, 1)
	p.Cases[0] = datasets.Case{ID: "c1", Input: "q", Group: "g", Tags: []string{"zh"},
		Expect: datasets.Expectation{Calls: []datasets.ExpectedCall{{Skill: "weather", Args: json.RawMessage(`{"city": {"$anyOf": ["a<b", 1.0]}}`)}}},
		Accept: []datasets.Expectation{{None: true}}}
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("east", 3600))
	now := func() time.Time { clock = clock.Add(1500 * time.Microsecond); return clock }
	s := &sink{}
	out := full()
	scored := ""
	score := scorer(func(c *datasets.Case, tr *results.Trial) (*results.Scores, error) {
		scored = string(tr.Calls[0].Args)
		return &results.Scores{Selection: true, Diffs: []string{"want x, got " + secret}, Pairs: []results.SkillPair{{Want: "weather", Got: secret}}}, nil
	})
	_, err := execute(t.Context(), p, []arm{{"main", fake(func(context.Context, agent.Task) (*agent.Outcome, error) { return out, nil })}},
		Options{Writer: s, Scorer: score, Now: now, Redact: hide})
	require.NoError(t, err)
	const r = "[REDACTED]"
	assert.Equal(t, &results.Trial{
		Case: "c1", Arm: "main", Group: "g", Tags: []string{"zh"},
		Expect: json.RawMessage(`{"calls":[{"skill":"weather","args":{"city":{"$anyOf":["a<b",1.0]}}}]}`), Accept: json.RawMessage(`[{"none":true}]`),
		Selected: []string{"weather", r}, Answer: "answer " + r, Refusal: r + " refusal",
		Fault: &results.Problem{Class: "max_rounds", Message: r},
		Calls: []results.Call{{Skill: secret, Args: json.RawMessage(`{"key":"[REDACTED]","n":1.0e+02}`), Level1: r, Tier: "native", Valid: true, FirstValid: true,
			Repairs: 1, Faults: []string{r}, Dropped: []string{r}, Aliased: []string{r}, Flags: []string{"direct"}, Failed: r}},
		Scores: &results.Scores{Selection: true, Diffs: []string{"want x, got " + r}, Pairs: []results.SkillPair{{Want: "weather", Got: secret}}},
		Usage:  results.Usage{Source: "estimated", Prompt: 30, Completion: 3, Level1: results.Tokens{Prompt: 10, Completion: 1}, Level2: results.Tokens{Prompt: 20, Completion: 2}},
		Rounds: 3, Repairs: 2, Retries: 4, Tiers: map[string]int{"native": 2, "none": 1},
		StartedAt: "2026-01-02T02:04:05.0015Z", LatencyMS: 1.5,
	}, s.trials[0])
	assert.Contains(t, scored, "sk-", "scored before it is redacted")
	assert.Equal(t, full(), out, "the outcome is left alone")
}

func TestUsageSource(t *testing.T) {
	assert.Equal(t, "server", usage(&agent.Outcome{Level1: agent.Usage{Prompt: 1}}).Source)
}

func TestErrorKeepsWhatHappened(t *testing.T) {
	s := &sink{}
	worker := fake(func(context.Context, agent.Task) (*agent.Outcome, error) {
		return full(), &agent.ModelError{Class: agent.ErrTruncated, Message: "cut " + secret, Err: errors.New(secret)}
	})
	_, err := execute(t.Context(), testPlan(1, 1, 1), []arm{{"main", worker}}, Options{Writer: s, Scorer: fine, Redact: hide})
	require.NoError(t, err)
	assert.Equal(t, &results.Problem{Class: "truncated", Message: "cut [REDACTED]"}, s.trials[0].Error)
	assert.Equal(t, 3, s.trials[0].Rounds)
	assert.Nil(t, s.trials[0].Scores)
}

func TestUnreadableLabelIsARunError(t *testing.T) {
	p := testPlan(1, 1, 1)
	p.Cases[0].Expect = datasets.Expectation{Calls: []datasets.ExpectedCall{{Skill: "s", Args: json.RawMessage(`{`)}}}
	_, err := execute(t.Context(), p, []arm{{"main", fake(good)}}, Options{Writer: &sink{}})
	require.ErrorContains(t, err, `case "c1": expect`)
	p.Cases[0].Accept, p.Cases[0].Expect = []datasets.Expectation{p.Cases[0].Expect}, datasets.Expectation{None: true}
	_, err = execute(t.Context(), p, []arm{{"main", fake(good)}}, Options{Writer: &sink{}})
	require.ErrorContains(t, err, `case "c1": accept`)
}

func TestRedactJSON(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing to hide", `{ "a" : 1.50, "b":"x\n" }`, `{ "a" : 1.50, "b":"x\n" }`},
		{"plain", `{"a":"hunter2"}`, `{"a":"***"}`},
		{"inside", `{"a":["my hunter2!"], "n": 12345678901234567890.10}`, `{"a":["my ***!"],"n":12345678901234567890.10}`},
		{"escaped", `{"a":"\u0068unter2"}`, `{"a":"***"}`},
		{"key", `{"hunter2":1,"hunter2":2}`, `{"***":1,"***":2}`},
		{"number", `{"pin":4711}`, `{"pin":"***"}`},
		{"no JSON", `{"a":"hunter2`, `{"a":"***`},
		{"no JSON with escape", `\ hunter2`, `\ ***`},
		{"empty", ``, ``},
		{"broken UTF-8", "{\"a\":\"\xffhunter2\"}", "{\"a\":\"\ufffd***\"}"},
	} {
		got := RedactJSON(json.RawMessage(c.in), func(s string) string {
			return strings.NewReplacer("hunter2", "***", "4711", "***").Replace(s)
		})
		assert.Equal(t, c.want, string(got), c.name)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	text := strings.Repeat("x", maxText-1) + "é" + secret
	trial := &results.Trial{Answer: text, Refusal: strings.Repeat("y", maxText), Error: &results.Problem{Message: text}}
	redactTrial(trial, nil)
	assert.Equal(t, strings.Repeat("x", maxText-1)+"… [cut: 1048586 bytes in all]", trial.Answer)
	assert.Equal(t, trial.Answer, trial.Error.Message)
	assert.Len(t, trial.Refusal, maxText, "just fits")

	trial.Answer = strings.Repeat("x", maxText-4) + secret // the cut would leave half of it
	redactTrial(trial, hide)
	assert.NotContains(t, trial.Answer, "sk-")
	assert.Contains(t, trial.Answer, "[RED… [cut")
}

func TestObserve(t *testing.T) {
	worker := fake(func(_ context.Context, task agent.Task) (*agent.Outcome, error) {
		detail := map[string]any{"text": secret, "n": 7, "ok": true, "none": nil, "err": errors.New(secret),
			"raw": json.RawMessage(`"sk-\"q\u003cé\\"`), "list": []map[string]any{{"content": secret}}, "bad": func() {}, secret: 1.5}
		task.Observe(agent.Event{Seq: 1, Kind: "prompt", Skill: secret, Detail: detail})
		task.Observe(agent.Event{Seq: 2, Kind: "answer"})
		assert.Equal(t, secret, detail["text"], "the agent's event is left alone")
		return answer("x"), nil
	})
	var mu sync.Mutex
	seen := map[results.Key][]agent.Event{}
	o := Options{Writer: &sink{}, Redact: hide, Observe: func(k results.Key, e agent.Event) {
		mu.Lock()
		defer mu.Unlock()
		seen[k] = append(seen[k], e)
	}}
	_, err := execute(t.Context(), testPlan(10, 2, 8), []arm{{"A", worker}, {"B", worker}}, o)
	require.NoError(t, err)
	require.Len(t, seen, 40)
	for k, events := range seen {
		require.Len(t, events, 2, k)
		assert.Equal(t, []int{1, 2}, []int{events[0].Seq, events[1].Seq})
		text, err := json.Marshal(events[0].Detail["list"])
		require.NoError(t, err)
		assert.Equal(t, `[{"content":"[REDACTED]"}]`, string(text))
		d := events[0].Detail
		assert.Equal(t, []any{"[REDACTED]", "[REDACTED]", "[REDACTED]", 7, true, nil, 1.5},
			[]any{events[0].Skill, d["text"], d["err"], d["n"], d["ok"], d["none"], d["[REDACTED]"]})
		assert.Equal(t, `"[REDACTED]"`, string(d["raw"].(json.RawMessage)))
		assert.IsType(t, "", d["bad"])
		_, err = json.Marshal(events[0])
		require.NoError(t, err)
	}
	e := agent.Event{Detail: map[string]any{"x": secret}}
	assert.Equal(t, e, redactEvent(e, nil))
}
