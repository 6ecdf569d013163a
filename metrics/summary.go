package metrics

// Estimate is a figure with its uncertainty. Value, Lo and Hi are nil where N is 0, and Reason says why.
type Estimate struct {
	Value  *float64 `json:"value"`
	Lo     *float64 `json:"lo"` // 95 % interval
	Hi     *float64 `json:"hi"`
	N      int      `json:"n"`
	Method string   `json:"method,omitempty"`
	// Clusters is the number of independent units behind N, where it differs from N.
	Clusters int    `json:"clusters,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// Arm is the summary of one arm: the JSON report's "arms" entry (field names are a contract).
type Arm struct {
	Arm          string         `json:"arm"`
	Cases        int            `json:"cases"`
	Trials       int            `json:"trials"`
	Scored       int            `json:"scored"`
	Errors       int            `json:"errors"`
	ErrorClasses map[string]int `json:"error_classes,omitempty"`
	FaultClasses map[string]int `json:"fault_classes,omitempty"`
	Refusals     int            `json:"refusals,omitempty"`
	Selection    Selection      `json:"selection"`
	Args         Args           `json:"args"`
	Calls        CallSummary    `json:"calls"`
	TrialsDetail *TrialsDetail  `json:"trials_detail,omitempty"`
	Tokens       Tokens         `json:"tokens"`
	Rounds       Mean           `json:"rounds"`
	LatencyMS    *Latency       `json:"latency_ms,omitempty"`
	CostUSD      *float64       `json:"cost_usd"`
	ParseTiers   ParseTiers     `json:"parse_tiers"`
	Repairs      int            `json:"repairs"`
	Retries      *int           `json:"retries,omitempty"`
	Tags         []TagSummary   `json:"tags,omitempty"`
	Failures     []Failure      `json:"failures,omitempty"` // every scored trial that is not right, in canonical order
	ErrorList    []Failure      `json:"error_list,omitempty"`
}

// Selection is how well skills were chosen.
type Selection struct {
	Accuracy Estimate `json:"accuracy"`
	// AccuracyErrorsWrong counts every error as wrong: the lower bound that no error can hide behind.
	AccuracyErrorsWrong Estimate `json:"accuracy_errors_as_wrong"`
	// Level1 is the choice made at level 1, whatever was called in the end: by select_skill, or by calling a skill at once.
	Level1       Estimate    `json:"level1"`
	OverTrigger  Estimate    `json:"over_trigger"`
	UnderTrigger Estimate    `json:"under_trigger"`
	Macro        PRF         `json:"macro"`
	Micro        PRF         `json:"micro"`
	Weighted     PRF         `json:"weighted"`
	PerSkill     []SkillRow  `json:"per_skill"`
	Confusion    []Confusion `json:"confusion"`
	// Unmeasured lists the skills of the catalogue that no case expects and no trial called.
	Unmeasured []string `json:"unmeasured,omitempty"`
}

// PRF is precision, recall and F1 = 2TP/(2TP+FP+FN), over calls; nil where undefined. Macro is the plain mean over
// the classes (skills) that are expected or called, where an undefined precision or recall counts as 0; weighted is
// the same weighted by support; micro takes all calls together. N is the number of classes (macro), of expected
// calls (weighted), or of calls, a right one counted once (micro: TP+FP+FN).
type PRF struct {
	Precision *float64 `json:"precision"`
	Recall    *float64 `json:"recall"`
	F1        *float64 `json:"f1"`
	// F1Lo and F1Hi are the 95 % percentile interval of F1 by a cluster bootstrap; nil where resampling shows no spread.
	F1Lo *float64 `json:"f1_lo,omitempty"`
	F1Hi *float64 `json:"f1_hi,omitempty"`
	N    int      `json:"n"`
}

// SkillRow is one skill's figures, over calls.
type SkillRow struct {
	Skill     string   `json:"skill"`
	Support   int      `json:"support"`   // expected calls
	Predicted int      `json:"predicted"` // calls made
	Precision Estimate `json:"precision"`
	Recall    Estimate `json:"recall"`
	F1        *float64 `json:"f1"`
	ArgsExact Estimate `json:"args_exact"` // over this skill's labelled expected calls
}

// Confusion is one cell off or on the diagonal; "" stands for no call.
type Confusion struct {
	Want string `json:"want"`
	Got  string `json:"got"`
	N    int    `json:"n"`
}

// Args is how well arguments were filled.
type Args struct {
	Exact               Estimate `json:"exact"`
	ExactGivenSelection Estimate `json:"exact_given_selection"`
	PerArgument         Estimate `json:"per_argument"`
	// FirstTryValid and RepairedValid are over the calls made in scored trials: valid by the skill's schema at the
	// first attempt, and in the end.
	FirstTryValid Estimate  `json:"first_try_valid"`
	RepairedValid Estimate  `json:"repaired_valid"`
	Faults        ArgFaults `json:"faults"`
	// Unlabelled counts scored trials whose expectation speaks of calls but not of their arguments.
	Unlabelled int `json:"unlabelled"`
}

// ArgFaults counts arguments that did not match, by kind.
type ArgFaults struct {
	Missing int `json:"missing"`
	Extra   int `json:"extra"`
	Type    int `json:"type"`
	Value   int `json:"value"`
}

// CallSummary joins selection and arguments: exact is right when both are.
type CallSummary struct {
	Exact Estimate `json:"exact"`
}

// TrialsDetail is filled when there is more than one repetition. K is the number of repetitions. A trial passes when
// its calls are exact. PassAtK is the mean over cases of the chance that at least one of K trials passes,
// 1 − C(n−c,K)/C(n,K); PassHatK that all of them do, C(c,K)/C(n,K). N is the number of cases with K scored trials:
// a case with errors has fewer, and is left out of both. Flaky lists cases with trials that pass and trials that do not.
//
// Consistency is the mean over cases of the share of pairs of a case's scored trials that made the same selection: the
// same skills in the same order, right or wrong, whatever the arguments. An error is in no pair; a trial whose fault makes
// its selection wrong agrees with trials of the same fault and calls only. Its N is the number of cases with two scored
// trials or more.
type TrialsDetail struct {
	K           int      `json:"k"`
	N           int      `json:"n"`
	PassAtK     *float64 `json:"pass_at_k"`
	PassHatK    *float64 `json:"pass_hat_k"`
	Consistency Estimate `json:"consistency"`
	Flaky       []string `json:"flaky"`
}

// Tokens counts tokens per trial, over trials that are not errors. Source is "server", "estimated" or "mixed".
type Tokens struct {
	Source     string `json:"source"`
	Prompt     Spread `json:"prompt"`
	Completion Spread `json:"completion"`
	Level1     Levels `json:"level1"`
	Level2     Levels `json:"level2"`
}

// Spread describes a count over trials.
type Spread struct {
	Mean  *float64 `json:"mean"`
	P50   *float64 `json:"p50"`
	P95   *float64 `json:"p95"`
	Total int64    `json:"total"`
	N     int      `json:"n"`
}

// Levels is the mean per trial and the total of one level.
type Levels struct {
	Prompt     Spread `json:"prompt"`
	Completion Spread `json:"completion"`
}

// Mean is an average and its n.
type Mean struct {
	Mean *float64 `json:"mean"`
	N    int      `json:"n"`
}

// Latency is per trial, in milliseconds.
type Latency struct {
	P50 *float64 `json:"p50"`
	P95 *float64 `json:"p95"`
	N   int      `json:"n"`
}

// ParseTiers counts replies by how they were read.
type ParseTiers struct {
	Native   int `json:"native"`
	JSON     int `json:"json"`
	Fragment int `json:"fragment"`
	Pattern  int `json:"pattern"`
	None     int `json:"none"`
}

// TagSummary is accuracy within one tag.
type TagSummary struct {
	Tag       string   `json:"tag"`
	Cases     int      `json:"cases"`
	Selection Estimate `json:"selection"`
	ArgsExact Estimate `json:"args_exact"`
}

// Failure is one trial that a reader should look at.
type Failure struct {
	Case       string   `json:"case"`
	Repetition int      `json:"repetition,omitempty"`
	Want       []string `json:"want"`
	Got        []string `json:"got"`
	What       string   `json:"what"` // selection, arguments, a fault class or an error class
	// Input is the request. Trials do not hold it: who has the cases may fill it in.
	Input  string   `json:"input,omitempty"`
	Detail []string `json:"detail,omitempty"`
}
