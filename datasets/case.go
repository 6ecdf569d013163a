package datasets

import "encoding/json"

// Case is one labelled request.
type Case struct {
	ID          string                     `json:"id"`
	Input       string                     `json:"input"`
	History     []Turn                     `json:"history,omitempty"`
	Tags        []string                   `json:"tags,omitempty"`
	ContextTags []string                   `json:"context_tags,omitempty"`
	Expect      Expectation                `json:"expect"`
	Accept      []Expectation              `json:"accept,omitempty"`
	Results     map[string]json.RawMessage `json:"results,omitempty"` // stub results by skill
	Group       string                     `json:"group,omitempty"`   // cluster; empty: the case itself
	Notes       string                     `json:"notes,omitempty"`

	File string `json:"-"` // where it was read from
	Line int    `json:"-"` // 1-based
}

// Turn is one message of an earlier conversation. Role is "user" or "assistant".
type Turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Expectation is what should happen: exactly one of Calls or None.
type Expectation struct {
	Calls []ExpectedCall `json:"calls,omitempty"`
	None  bool           `json:"none,omitempty"`
	Order string         `json:"order,omitempty"` // "strict", or "" for any order
}

// ExpectedCall is one call that should be made. Args is nil when the label does not speak of arguments, and
// "{}" when there should be none; its values may be matchers (see package match).
type ExpectedCall struct {
	Skill string          `json:"skill"`
	Args  json.RawMessage `json:"args,omitempty"`
}

// Cluster returns the unit of independent sampling: the group, or the case when it has none.
func (c *Case) Cluster() string {
	if c.Group != "" {
		return c.Group
	}
	return c.ID
}
