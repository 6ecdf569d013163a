package results

import "encoding/json"

// Schema is the version of the run file that this package writes and reads.
const Schema = "skilleval.run/v1"

// Header is run.json: everything about a run that is not a trial.
type Header struct {
	Schema      string `json:"schema"`
	ID          string `json:"id,omitempty"`
	ToolVersion string `json:"tool_version"`
	CreatedAt   string `json:"created_at,omitempty"` // RFC 3339, UTC
	FinishedAt  string `json:"finished_at,omitempty"`
	Complete    bool   `json:"complete"` // every planned trial is in trials.jsonl

	Suite        string   `json:"suite"`                  // as named by the user, or "builtin:sample"
	Descriptions string   `json:"descriptions,omitempty"` // description set; "" as authored
	Arms         []Arm    `json:"arms"`
	AB           *AB      `json:"ab,omitempty"` // in a run that compares two descriptions
	Model        Model    `json:"model"`
	Prompt       Prompt   `json:"prompt"`
	Seed         int64    `json:"seed"`
	SendSeed     bool     `json:"send_seed,omitempty"` // the seed was sent to the server
	Repetitions  int      `json:"repetitions"`
	Concurrency  int      `json:"concurrency,omitempty"`
	Cases        int      `json:"cases"`
	Filter       string   `json:"filter,omitempty"`
	Limit        int      `json:"limit,omitempty"`
	Prices       *Prices  `json:"prices,omitempty"`
	Notes        []string `json:"notes,omitempty"` // what a reader of the figures must know

	DatasetDigest string `json:"dataset_digest"` // "sha256:…" over the canonical cases
	SkillsDigest  string `json:"skills_digest"`  // over what the model can see of the skills
	// Skills is the catalogue as it was offered, one skills.Skill each, so that the run stands alone. The cases
	// lie beside it in cases.jsonl.
	Skills []json.RawMessage `json:"skills,omitempty"`
}

// Arm is one variant under test.
type Arm struct {
	Name  string `json:"name"`
	Label string `json:"label,omitempty"` // in words
	// Catalog, Descriptions, Order and Protocol say in what the arm differs from the header's settings; "" where it does not.
	Catalog      string `json:"catalog,omitempty"`
	Descriptions string `json:"descriptions,omitempty"`
	Order        string `json:"order,omitempty"`
	Protocol     string `json:"protocol,omitempty"`
	SkillsDigest string `json:"skills_digest,omitempty"` // where the arm has skills of its own
	Skills       int    `json:"skills,omitempty"`        // how many, where it has
}

// AB is what a comparison of two descriptions needs beside the trials of its two arms, so that it can be made again.
type AB struct {
	Skill        string   `json:"skill"`
	Descriptions []string `json:"descriptions"` // one an arm
	Metric       string   `json:"metric"`       // selection, args, calls
	Detect       float64  `json:"detect"`       // difference that should be found
	Sequential   bool     `json:"sequential,omitempty"`
}

// Model names what answered, and with which parameters. It holds no key and no user information.
type Model struct {
	Name        string   `json:"name"`
	BaseURL     string   `json:"base_url,omitempty"` // without user, password and query
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	MaxTokens   *int     `json:"max_tokens,omitempty"`
	// Request holds further request fields that were sent as they are.
	Request map[string]any `json:"request,omitempty"`
}

// Prompt holds the settings that shape requests.
type Prompt struct {
	Catalog    string   `json:"catalog"`  // two-level, flat, grouped
	Protocol   string   `json:"protocol"` // native, text
	Rendering  string   `json:"rendering"`
	Order      string   `json:"order"`     // question-first, catalog-first
	Placement  string   `json:"placement"` // user, system
	Until      string   `json:"until"`     // answer, call
	MaxRounds  int      `json:"max_rounds"`
	MaxRepairs int      `json:"max_repairs"`
	TokenLimit int      `json:"token_limit,omitempty"`
	System     string   `json:"system,omitempty"` // appended to the system message
	Preload    []string `json:"preload,omitempty"`
	Strict     bool     `json:"strict,omitempty"`
}

// Prices are US dollars per million tokens.
type Prices struct {
	Prompt     float64 `json:"prompt_per_mtok"`
	Completion float64 `json:"completion_per_mtok"`
}
