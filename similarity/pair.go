package similarity

// Text is one description to compare with others.
type Text struct {
	ID           string // unique among the texts that are compared, such as the path of a SKILL.md
	Name         string // of the skill
	Description  string // as the model reads it
	UseWhen      []string
	DoNotUseWhen []string
	Parameters   []string // names and descriptions of the arguments
}

// Level is how alike two descriptions are; the thresholds between the levels are calibrated on labelled pairs.
type Level string

// The levels, from the most alike.
const (
	Duplicate Level = "duplicate" // the same ability in nearly the same words
	Near      Level = "near"      // the same ability in other words: a model has no ground to choose
	Related   Level = "related"   // the same field, and neither names the other as the one to use instead; worth a look
	Unrelated Level = "unrelated"
)

// Pair is two descriptions that sound alike. The JSON names are a contract.
type Pair struct {
	A         string     `json:"a"` // name of the skill
	B         string     `json:"b"`
	IDA       string     `json:"id_a"` // [Text.ID], such as a path
	IDB       string     `json:"id_b"`
	Level     Level      `json:"level"`
	Score     float64    `json:"score"`     // probability that both are one ability, fitted to labelled pairs
	Lexical   float64    `json:"lexical"`   // 0 to 1, from the words alone
	Embedding *float64   `json:"embedding"` // cosine of the embeddings; nil: not asked for
	Confusion *Confusion `json:"confusion"` // what a run saw; nil: no run was given
	Identical bool       `json:"identical,omitempty"`
	Parts     Parts      `json:"parts"`
	Shared    []string   `json:"shared"` // phrases that both have, the most telling first
	OnlyA     []string   `json:"only_a"` // telling phrases of A that B lacks
	OnlyB     []string   `json:"only_b"`
	// Against says what speaks against one ability.
	Against []string `json:"against,omitempty"`
	// Suggestion says which boundary sentence is missing.
	Suggestion string `json:"suggestion,omitempty"`
	// Cases suggests requests worth labelling, because they could mean either.
	Cases []string `json:"cases,omitempty"`
	// Accepted is the reason for which a reviewer let the pair stand; "" when nobody has.
	Accepted string `json:"accepted,omitempty"`
}

// Parts holds the measures the lexical score is made of, each from 0 to 1; a measure that does not apply, because a
// side has no such text, is nil.
type Parts struct {
	Field       float64  `json:"field"`       // probability of one field of work, whatever the ability; [Related] is taken from it
	Tokens      float64  `json:"tokens"`      // cosine of the words, weighted by rarity
	Grams       float64  `json:"grams"`       // cosine of character n-grams, weighted by rarity
	Containment float64  `json:"containment"` // share of the lighter description's weight that the other holds
	Raw         float64  `json:"raw"`         // cosine of the words without weights: what boilerplate would have made of it
	Name        float64  `json:"name"`        // of the names' words
	JaroWinkler float64  `json:"jaro_winkler"`
	UseWhen     *float64 `json:"use_when"`
	Parameters  *float64 `json:"parameters"`
}

// Confusion counts how often the trials of a run took one skill for the other.
type Confusion struct {
	AasB int `json:"a_as_b"` // A was expected, B was chosen
	BasA int `json:"b_as_a"`
	N    int `json:"n"` // trials that expected A or B
}
