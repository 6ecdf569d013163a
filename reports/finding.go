package reports

import "github.com/skilleval/skilleval/similarity"

// Finding is one remark about an input file.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // error, warning, note
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"` // what to write instead
	Path     string `json:"path,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"` // counted in characters
	Skill    string `json:"skill,omitempty"`
	Case     string `json:"case,omitempty"`
	// Fingerprint names the finding across versions of its file: it stays the same when lines move. "": made from the
	// rule, the path, the skill, the case and the message.
	Fingerprint string  `json:"fingerprint,omitempty"`
	Related     []Place `json:"related,omitempty"` // other places it is about, such as the other skill of a pair
}

// Rule describes what a finding's rule is about.
type Rule struct {
	ID       string
	Title    string // one sentence
	Doc      string // Markdown: what, why, how to mend
	Severity string // by default: error, warning, note, off
}

// SimilarInfo is what a search for near-duplicate descriptions covered, and how.
type SimilarInfo struct {
	Texts      int                   `json:"texts"`  // descriptions that were compared
	Failed     int                   `json:"failed"` // files that could not be loaded
	Levels     SimilarLevels         `json:"levels"`
	Thresholds similarity.Thresholds `json:"thresholds"`         // the lowest values of each level
	Accepted   int                   `json:"accepted"`           // pairs that a reviewer let stand
	Reopened   []Place               `json:"reopened,omitempty"` // accepted pairs whose description has changed since
	Stale      []Place               `json:"stale,omitempty"`    // accepted pairs that are no pair any more
	Notes      []Place               `json:"notes,omitempty"`    // such as descriptions too short to compare
}

// SimilarLevels counts the pairs of each level, the accepted ones left out.
type SimilarLevels struct {
	Duplicate int `json:"duplicate"`
	Near      int `json:"near"`
	Related   int `json:"related"`
}

// pairRule is the rule that a pair of descriptions falls under.
const pairRule = "similar-descriptions"
