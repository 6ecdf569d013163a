package match

// Kind says how an argument differs.
type Kind string

// The kinds of difference.
const (
	Missing Kind = "missing" // labelled, not given
	Extra   Kind = "extra"   // given, not labelled
	Type    Kind = "type"    // given with another JSON type
	Value   Kind = "value"   // right type, another value
)

// Diff is one difference. Path is a JSON path such as "city" or "to[0].name"; Want and Got are compact JSON or a
// description of a matcher ("any of "go", "golang""), cut to 200 characters; Want is empty for an extra value, Got
// for a missing one.
type Diff struct {
	Path string
	Kind Kind
	Want string
	Got  string
	// Hint says how close the two are ("differs only in case"); "" when there is nothing to say.
	Hint string
}

// Result is the outcome of one comparison. Labelled counts top-level labelled arguments, Right those that match.
// OK is true exactly when Diffs is empty.
type Result struct {
	OK       bool
	Labelled int
	Right    int
	Diffs    []Diff
	Notes    []string // tolerances that made a match: "days: equal to the schema's default"
}
