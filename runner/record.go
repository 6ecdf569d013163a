package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// task is what the agent is asked. It depends on the plan and the trial's key alone, and is the same for every
// arm but for the trace id.
func (j *job) task(u unit) agent.Task {
	t := agent.Task{
		Input:       u.c.Input,
		ContextTags: u.c.ContextTags,
		Results:     u.c.Results,
		Until:       j.until(u.c),
		TraceID:     traceID(j.plan.Seed, u.key()),
	}
	for _, turn := range u.c.History {
		t.History = append(t.History, agent.Message{Role: turn.Role, Content: turn.Content})
	}
	if j.plan.SendSeed {
		seed := TrialSeed(j.plan.Seed, u.c.ID, u.repetition)
		t.Seed = &seed
	}
	if j.o.Observe != nil {
		key := u.key()
		t.Observe = func(e agent.Event) { j.o.Observe(key, redactEvent(e, j.o.Redact)) }
	}
	return t
}

// until is where a trial of the case may stop: at its first complete call only where no more than one is expected.
func (j *job) until(c *datasets.Case) string {
	several := func(e *datasets.Expectation) bool { return len(e.Calls) > 1 }
	if several(&c.Expect) || slices.ContainsFunc(c.Accept, func(e datasets.Expectation) bool { return several(&e) }) {
		return ""
	}
	return j.plan.Until
}

// record makes a trial of an outcome. It shares no slice with it, so that redaction can write in place.
func record(u unit, out *agent.Outcome) (*results.Trial, error) {
	expect, err := compact(u.c.Expect)
	if err != nil {
		return nil, fmt.Errorf("case %q: expect: %w", u.c.ID, err)
	}
	var accept json.RawMessage
	if len(u.c.Accept) > 0 {
		if accept, err = compact(u.c.Accept); err != nil {
			return nil, fmt.Errorf("case %q: accept: %w", u.c.ID, err)
		}
	}
	t := &results.Trial{
		Case: u.c.ID, Arm: u.arm.name, Repetition: u.repetition,
		Group: u.c.Group, Tags: u.c.Tags, Expect: expect, Accept: accept,
		Selected: slices.Clone(out.Selected), Calls: make([]results.Call, len(out.Calls)),
		Answer: out.Answer, Refusal: out.Refusal,
		Usage: usage(out), Rounds: out.Rounds, Repairs: out.Repairs, Retries: out.Retries,
	}
	for i := range out.Calls {
		t.Calls[i] = recordCall(&out.Calls[i])
	}
	if out.Fault != nil {
		t.Fault = &results.Problem{Class: string(out.Fault.Class), Message: out.Fault.Message}
	}
	if len(out.Tiers) > 0 {
		t.Tiers = make(map[string]int, len(out.Tiers))
		for tier, n := range out.Tiers {
			t.Tiers[string(tier)] = n
		}
	}
	return t, nil
}

func recordCall(c *agent.Call) results.Call {
	return results.Call{
		Skill: c.Skill, Args: c.Args, Level1: c.Level1, Tier: string(c.Tier),
		Valid: c.Valid, FirstValid: c.FirstValid, Repairs: c.Repairs,
		Faults: slices.Clone(c.Faults), Dropped: slices.Clone(c.Dropped),
		Aliased: slices.Clone(c.Aliased), Flags: slices.Clone(c.Flags), Failed: c.Failed,
	}
}

func usage(out *agent.Outcome) results.Usage {
	sum, source := out.Usage(), "server"
	if sum.Estimated {
		source = "estimated"
	}
	return results.Usage{
		Source: source, Prompt: sum.Prompt, Completion: sum.Completion,
		Level1: results.Tokens{Prompt: out.Level1.Prompt, Completion: out.Level1.Completion},
		Level2: results.Tokens{Prompt: out.Level2.Prompt, Completion: out.Level2.Completion},
	}
}

// compact writes a label as JSON on one line, with <, > and & left alone.
func compact[T datasets.Expectation | []datasets.Expectation](v T) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
