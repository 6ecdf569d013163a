package metrics

// Comparison holds two sides against each other, paired by case: the JSON report's "comparison" entry (field names are a
// contract). Differences are B − A; a win is a case that B gets right and A does not.
type Comparison struct {
	A      string `json:"a"`
	B      string `json:"b"`
	Metric string `json:"metric"` // selection, args or calls

	Cases    int `json:"cases"`    // scored on both sides: what everything below stands on
	Clusters int `json:"clusters"` // independent units among them
	// OnlyA and OnlyB are cases that one side has and the other has not; Unscored are cases that both have and that are
	// errors on one side, or to which the metric does not apply.
	OnlyA    CaseList `json:"only_a"`
	OnlyB    CaseList `json:"only_b"`
	Unscored CaseList `json:"unscored"`
	ErrorsA  int      `json:"errors_a"` // trials
	ErrorsB  int      `json:"errors_b"`

	AccuracyA  Estimate `json:"accuracy_a"` // over the paired cases
	AccuracyB  Estimate `json:"accuracy_b"`
	Difference Estimate `json:"difference"`
	PValue     float64  `json:"p_value"`
	MidP       *float64 `json:"mid_p,omitempty"` // with McNemar's test only
	Method     string   `json:"method"`          // of PValue

	Wins      int `json:"wins"`
	Losses    int `json:"losses"`
	Ties      int `json:"ties"`
	BothRight int `json:"both_right"` // of the ties
	BothWrong int `json:"both_wrong"`

	// MinDetectable is the smallest difference that so many cases find four times in five; nil when none is.
	MinDetectable *float64 `json:"min_detectable"`
	Detect        float64  `json:"detect"`                 // the difference that was asked for
	CasesNeeded   *int     `json:"cases_needed,omitempty"` // to find it four times in five
	// Skill is the skill whose description is compared, SkillNeeded how many cases that expect it would find the
	// difference among themselves; both are left out of other comparisons.
	Skill       string  `json:"skill,omitempty"`
	SkillNeeded *int    `json:"skill_cases_needed,omitempty"`
	Verdict     Verdict `json:"verdict"`
	VerdictText string  `json:"verdict_text"`
	Next        string  `json:"next,omitempty"` // what to do about it

	PerSkill []GroupDifference `json:"per_skill"` // by expected skill, p adjusted over them
	PerTag   []GroupDifference `json:"per_tag"`   // by tag, p not adjusted
	Flipped  []Flip            `json:"flipped"`

	Prompt     MeanPair  `json:"prompt_tokens"` // per trial
	Completion MeanPair  `json:"completion_tokens"`
	LatencyMS  *MeanPair `json:"latency_ms,omitempty"` // mean per trial
	CostUSD    *MeanPair `json:"cost_usd,omitempty"`   // in all
	Notes      []string  `json:"notes,omitempty"`      // what differs between the sides beside what is compared
}

// Verdict is the conclusion of a comparison.
type Verdict string

// The verdicts.
const (
	ABetter      Verdict = "a_better"
	BBetter      Verdict = "b_better"
	NoDifference Verdict = "no_difference_shown"
	TooFewCases  Verdict = "too_few_cases"
)

// CaseList counts cases and names the first of them.
type CaseList struct {
	N   int      `json:"n"`
	IDs []string `json:"ids,omitempty"`
}

// GroupDifference is the difference within the cases that expect one skill, or have one tag.
type GroupDifference struct {
	Skill      string   `json:"skill,omitempty"`
	Tag        string   `json:"tag,omitempty"`
	Cases      int      `json:"cases"`
	Difference Estimate `json:"difference"`
	PValue     float64  `json:"p_value"`
	PAdjusted  *float64 `json:"p_adjusted,omitempty"` // Holm, over the skills
	Gained     int      `json:"gained"`               // cases won
	Lost       int      `json:"lost"`                 // cases lost
}

// Flip is a case that the sides do not get right equally often.
type Flip struct {
	Case string `json:"case"`
	From string `json:"from"` // right, wrong, or "2 of 3 right"
	To   string `json:"to"`
	// FromCalls and ToCalls are what each side called in its first trial.
	FromCalls []string `json:"from_calls"`
	ToCalls   []string `json:"to_calls"`
	Want      []string `json:"want"`
}

// MeanPair is a figure of both sides.
type MeanPair struct {
	A          *float64 `json:"a"`
	B          *float64 `json:"b"`
	Difference *float64 `json:"difference"`
}

func newMeanPair(a, b *float64) MeanPair {
	p := MeanPair{A: a, B: b}
	if a != nil && b != nil {
		p.Difference = finite(*b - *a)
	}
	return p
}
