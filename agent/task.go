package agent

import (
	"encoding/json"
	"time"
)

// Task is one request to the agent.
type Task struct {
	Input       string
	History     []Message // user and assistant turns before Input
	ContextTags []string  // narrow the catalogue to skills with one of these tags, or with none
	// Results holds stub results by skill name; they win over the skill's own declared result.
	Results map[string]json.RawMessage
	// Until is "answer" (default: until the model answers or the maximum of rounds) or "call" (stop once
	// the first call is complete).
	Until string
	Seed  *int64
	// TraceID marks the task's events; empty: one is made.
	TraceID string
	// Observe receives every event of the task, in order, from the goroutine that runs it; nil: none.
	Observe func(Event)
}

// FaultClass names why a finished task is wrong whatever was called.
type FaultClass string

// The fault classes. Unlike an error, a fault is the model's own and is scored.
const (
	FaultUnparsable   FaultClass = "unparsable"        // a reply that tries to call and cannot be read
	FaultUnknownSkill FaultClass = "unknown_skill"     // named a skill that was not offered, after repairs
	FaultInvalidArgs  FaultClass = "invalid_arguments" // arguments refused by the schema, after repairs
	FaultMaxRounds    FaultClass = "max_rounds"        // no answer within the maximum of rounds
	FaultEmpty        FaultClass = "empty_reply"       // neither text nor call
)

// Fault is a model's own failure.
type Fault struct {
	Class   FaultClass
	Message string
}

// Outcome is what one task came to. When Run returns an error, the Outcome holds what happened up to it.
type Outcome struct {
	TraceID  string
	Calls    []Call   // in the order they were completed
	Selected []string // what select_skill named, in order, right or wrong; empty in flat mode
	Answer   string
	Refusal  string
	Fault    *Fault

	Rounds  int           // requests answered
	Level1  Usage         // selection rounds (and select_category); zero in flat mode
	Level2  Usage         // argument rounds; every round in flat mode
	Tiers   map[Tier]int  // replies by parse tier
	Repairs int           // times an error was given back to the model
	Retries int           // HTTP attempts beyond the first
	Elapsed time.Duration // whole task
}

// Usage is the sum over both levels.
func (o *Outcome) Usage() Usage { return o.Level1.Add(o.Level2) }

// Tier is how a reply was read.
type Tier string

// The parse tiers, in the order they are tried.
const (
	TierNative   Tier = "native"   // tool_calls of the protocol
	TierJSON     Tier = "json"     // the whole text is one JSON value
	TierFragment Tier = "fragment" // a JSON value inside prose, fences or <tool_call> tags
	TierPattern  Tier = "pattern"  // vendor markup, Python literals, other near-JSON
	TierNone     Tier = "none"     // no call in the reply
)

// Call is one skill call the model made.
type Call struct {
	Skill      string
	Args       json.RawMessage // a JSON object, after aliases and dropping; as last given when not valid
	Level1     string          // what select_skill had named for this call; "" in flat mode
	Tier       Tier
	Valid      bool     // Args satisfy the schema
	FirstValid bool     // the first attempt's arguments, bound but not repaired, satisfied it
	Repairs    int      // attempts after the first
	Faults     []string // what the schema said of the last attempt when not Valid
	Dropped    []string // undeclared fields left out, by name
	Aliased    []string // "given→declared"
	// Flags lists tolerances applied: "double_encoded", "normalized_name", "reasoning", "direct", "repaired".
	Flags   []string
	Result  string        // summarised, as given back to the model
	Failed  string        // execution error, "" when it ran
	Elapsed time.Duration // of execution
}

// Event is one step of a task, for traces.
type Event struct {
	TraceID  string         `json:"trace_id"`
	Seq      int            `json:"seq"` // from 1
	Round    int            `json:"round"`
	Level    int            `json:"level"` // 0 category, 1 selection, 2 arguments
	Kind     string         `json:"kind"`  // prompt, reply, parse, bind, validate, execute, result, answer, error
	Skill    string         `json:"skill,omitempty"`
	Outcome  string         `json:"outcome"` // ok, or a class
	Duration time.Duration  `json:"duration_ns"`
	Usage    *Usage         `json:"usage,omitempty"`
	Detail   map[string]any `json:"detail,omitempty"`
}
