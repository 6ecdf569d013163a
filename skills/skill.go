package skills

import (
	"encoding/json"
	"io/fs"
	"time"
)

// Skill is one ability an agent may choose: a name and description that the model reads, a JSON Schema
// for its arguments, and what is known of how to run it.
type Skill struct {
	Name        string `json:"name"`
	Description string `json:"description"` // as authored, newlines kept
	// DescriptionSource is "frontmatter" for authored text, "body" where the description was missing and
	// the first paragraph of the body stands in, "override" where a description set replaced it.
	DescriptionSource string `json:"description_source,omitempty"`

	UseWhen      []string `json:"use_when,omitempty"`        // from metadata; else sentences of the description
	DoNotUseWhen []string `json:"do_not_use_when,omitempty"` // likewise
	Examples     []string `json:"examples,omitempty"`
	Category     string   `json:"category,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	Version      string   `json:"version,omitempty"`
	Author       string   `json:"author,omitempty"`
	License      string   `json:"license,omitempty"`
	Compatible   string   `json:"compatibility,omitempty"`
	AllowedTools []string `json:"allowed_tools,omitempty"`

	// Parameters is the JSON Schema of the arguments, byte for byte as authored; nil means no arguments.
	Parameters json.RawMessage `json:"parameters,omitempty"`
	// Aliases maps another spelling of a parameter to its declared name.
	Aliases   map[string]string `json:"aliases,omitempty"`
	DependsOn []string          `json:"depends_on,omitempty"`
	Requires  Requires          `json:"requires,omitzero"`
	Always    bool              `json:"always,omitempty"` // loaded at level 2 without being selected

	Timeout       time.Duration   `json:"timeout,omitempty"` // of one execution; 0: the agent's default
	Retries       int             `json:"retries,omitempty"`
	MaxConcurrent int             `json:"max_concurrent,omitempty"` // 0: no limit
	ResultLimit   int             `json:"result_limit,omitempty"`   // characters of a result summary; 0: the default
	Result        json.RawMessage `json:"result,omitempty"`         // declared stub result; nil: a generic one

	Body     string            `json:"body,omitempty"`     // Markdown after the frontmatter
	Metadata map[string]string `json:"metadata,omitempty"` // every metadata entry, as written
	Extra    map[string]string `json:"extra,omitempty"`    // unknown top-level frontmatter keys, as written

	Path string `json:"path,omitempty"` // of SKILL.md, as reached from the root that was given
	Dir  string `json:"-"`              // its directory; "" when the skill does not come from the file system

	Tolerated []Note `json:"tolerated,omitempty"` // each tolerance that loading applied
	// Unavailable says why requirements are not met; "" when the skill can be used.
	Unavailable string `json:"unavailable,omitempty"`

	// Lines holds the 1-based line of SKILL.md at which a frontmatter field starts ("description" → 3).
	Lines map[string]int `json:"-"`

	broken bool // it is a failure, and its frontmatter could not be read
	schema schemaOnce
	files  fs.FS // its directory, when the skill comes from an fs.FS; else nil
}

// Requires lists what must be present on the machine for a skill to be available.
type Requires struct {
	Bins    []string `json:"bins,omitempty"`     // programs looked up on PATH, each of them
	AnyBins []string `json:"any_bins,omitempty"` // programs of which one is enough
	Env     []string `json:"env,omitempty"`      // environment variables that must be set and not empty
}

// Note is a remark at a place in a file. Line and Column are 1-based; 0 means unknown.
type Note struct {
	Code    string `json:"code"` // short stable id, such as "bom" or "plain-scalar"
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}
