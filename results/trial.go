package results

import "encoding/json"

// Trial is one case, under one arm, at one repetition, finished: a score or an error, never both.
type Trial struct {
	Case       string          `json:"case"`
	Arm        string          `json:"arm"`
	Repetition int             `json:"repetition"`      // from 0
	Group      string          `json:"group,omitempty"` // cluster; empty: the case itself
	Tags       []string        `json:"tags,omitempty"`
	Expect     json.RawMessage `json:"expect"`           // as in the dataset
	Accept     json.RawMessage `json:"accept,omitempty"` // as in the dataset

	Selected []string `json:"selected,omitempty"` // level-1 choices in order: by select_skill, or by a direct call
	Calls    []Call   `json:"calls"`
	Answer   string   `json:"answer,omitempty"`
	Refusal  string   `json:"refusal,omitempty"`
	Fault    *Problem `json:"fault,omitempty"`  // scored, as wrong
	Error    *Problem `json:"error,omitempty"`  // not scored
	Scores   *Scores  `json:"scores,omitempty"` // nil exactly when Error is set

	Usage     Usage          `json:"usage"`
	Rounds    int            `json:"rounds"`
	Repairs   int            `json:"repairs"`
	Retries   int            `json:"retries"`
	Tiers     map[string]int `json:"parse_tiers,omitempty"`
	StartedAt string         `json:"started_at,omitempty"` // RFC 3339, UTC
	LatencyMS float64        `json:"latency_ms"`
}

// Call is one skill call of a trial.
type Call struct {
	Skill      string          `json:"skill"`
	Args       json.RawMessage `json:"args"`
	Level1     string          `json:"level1,omitempty"`
	Tier       string          `json:"tier"`
	Valid      bool            `json:"valid"`
	FirstValid bool            `json:"first_valid"`
	Repairs    int             `json:"repairs,omitempty"`
	Faults     []string        `json:"faults,omitempty"`
	Dropped    []string        `json:"dropped,omitempty"`
	Aliased    []string        `json:"aliased,omitempty"`
	Flags      []string        `json:"flags,omitempty"`
	Failed     string          `json:"failed,omitempty"`
}

// Problem is a class and what was said. Secrets are redacted before it is made.
type Problem struct {
	Class   string `json:"class"`
	Message string `json:"message"`
	Status  int    `json:"status,omitempty"` // HTTP
}

// Usage counts tokens by level. Source is "server" or "estimated".
type Usage struct {
	Source     string `json:"source"`
	Prompt     int    `json:"prompt"`
	Completion int    `json:"completion"`
	Level1     Tokens `json:"level1"`
	Level2     Tokens `json:"level2"`
}

// Tokens is a pair of counts.
type Tokens struct {
	Prompt     int `json:"prompt"`
	Completion int `json:"completion"`
}

// Scores is what metrics made of one scored trial. Pointers are nil where the measure does not apply.
type Scores struct {
	Selection bool  `json:"selection"`
	Level1    *bool `json:"level1,omitempty"` // nil in flat mode
	// Args is nil when the expectation labels no arguments.
	Args *bool `json:"args,omitempty"`
	// Labelled and Right count labelled arguments over the calls of the expectation that was used.
	Labelled int         `json:"labelled,omitempty"`
	Right    int         `json:"right,omitempty"`
	Faults   ArgFaults   `json:"arg_faults,omitzero"`
	Diffs    []string    `json:"diffs,omitempty"` // "call 1 get_weather: city: want \"Oslo\", got \"Bergen\""
	Pairs    []SkillPair `json:"pairs,omitempty"` // wanted skill against the one called; "" stands for none
}

// ArgFaults counts arguments that did not match, by kind.
type ArgFaults struct {
	Missing int `json:"missing,omitempty"`
	Extra   int `json:"extra,omitempty"`
	Type    int `json:"type,omitempty"`
	Value   int `json:"value,omitempty"`
}

// SkillPair is one expected call and the one made in its place: one cell of the confusion matrix.
type SkillPair struct {
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
	// Args is whether the arguments of the expected call were right; nil where they are not labelled.
	Args *bool `json:"args,omitempty"`
}
