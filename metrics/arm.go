package metrics

import (
	"maps"
	"slices"

	"github.com/skilleval/skilleval/results"
)

// armState collects one arm.
type armState struct {
	out Arm // counts and lists so far

	accuracy, asWrong, level1, over, under        ratio
	exact, exactGiven, perArgument, first, repair ratio
	calls                                         ratio

	classes   *classes
	tags      map[string]*tagState
	tokens    tokenCounts
	latencies []float64
	rounds    int64
	retries   int
	spent     results.Tokens // over all trials

	current     int32 // the case that is being read; -1: none
	currentID   string
	seen        []bool // cases, by number
	n, passed   int32  // trials of the current case
	cases       []passes
	flaky       []string
	same        consistency
	repetitions int // highest seen, from 1
}

// passes counts one case's scored trials, and those with exact calls.
type passes struct{ n, passed int32 }

type tagState struct {
	selection, args ratio
	cases           int
	last            int32 // case
}

func newArmState(name string) *armState {
	return &armState{out: Arm{Arm: name}, classes: newClasses(), tags: map[string]*tagState{}, current: -1}
}

// openCase goes on with a case or begins it; false means that the case was there before, with others in between.
func (a *armState) openCase(id int32, name string) bool {
	if id == a.current {
		return true
	}
	a.closeCase()
	for int(id) >= len(a.seen) {
		a.seen = append(a.seen, false)
	}
	if a.seen[id] {
		return false
	}
	a.seen[id], a.current, a.currentID = true, id, name
	a.out.Cases++
	return true
}

// closeCase ends the case that is being read.
func (a *armState) closeCase() {
	if a.current < 0 {
		return
	}
	a.cases = append(a.cases, passes{a.n, a.passed})
	if a.passed > 0 && a.passed < a.n {
		a.flaky = append(a.flaky, a.currentID)
	}
	a.n, a.passed, a.current = 0, 0, -1
	for _, r := range []*ratio{&a.accuracy, &a.asWrong, &a.level1, &a.over, &a.under, &a.exact, &a.exactGiven, &a.calls} {
		r.closeCase()
	}
	a.classes.closeCase()
	a.same.closeCase()
}

// add takes one trial: what counts for every trial here, the rest by whether it is an error.
func (a *armState) add(t *results.Trial, unit int32) {
	a.out.Trials++
	a.retries += t.Retries
	a.spent.Prompt += t.Usage.Prompt
	a.spent.Completion += t.Usage.Completion
	a.repetitions = max(a.repetitions, t.Repetition+1)
	a.asWrong.addIf(unit, t.Error == nil && t.Scores.Selection)
	if t.Error != nil {
		a.addError(t)
	} else {
		a.addScored(t, unit)
	}
	a.addTags(t, unit)
}

// addError takes a trial that is not scored: it is counted and listed, and no figure but the totals knows of it.
func (a *armState) addError(t *results.Trial) {
	a.out.Errors++
	a.out.ErrorClasses = count(a.out.ErrorClasses, t.Error.Class)
	a.out.ErrorList = append(a.out.ErrorList, errorFailure(t))
}

// count adds one of a class.
func count(classes map[string]int, class string) map[string]int {
	if classes == nil {
		classes = map[string]int{}
	}
	if class == "" {
		class = "unknown"
	}
	classes[class]++
	return classes
}

// addScored takes a scored trial.
func (a *armState) addScored(t *results.Trial, unit int32) {
	s := t.Scores
	a.out.Scored++
	if t.Fault != nil {
		a.out.FaultClasses = count(a.out.FaultClasses, t.Fault.Class)
	}
	a.out.Refusals += oneIf(t.Refusal != "")
	a.out.Repairs += t.Repairs
	a.out.ParseTiers.add(t.Tiers)
	a.rounds += int64(t.Rounds)
	a.tokens.add(t.Usage)
	a.latencies = append(a.latencies, t.LatencyMS)

	right := passed(t)
	a.n++
	a.passed += int32(oneIf(right))
	a.calls.addIf(unit, right)
	a.same.add(t, unit)
	a.addSelection(s, unit)
	a.addArgs(t, unit)
	if !right {
		a.out.Failures = append(a.out.Failures, a.failure(t))
	}
}

// passed reports whether a scored trial is right as a whole: selection, arguments where they are labelled, no fault.
func passed(t *results.Trial) bool {
	return t.Scores.Selection && (t.Scores.Args == nil || *t.Scores.Args) && t.Fault == nil
}

// expectsCalls and makesCalls read the pairs: of the expectation that was used, and of the calls made.
func expectsCalls(s *results.Scores) bool {
	return slices.ContainsFunc(s.Pairs, func(p results.SkillPair) bool { return p.Want != "" })
}

func makesCalls(s *results.Scores) bool {
	return slices.ContainsFunc(s.Pairs, func(p results.SkillPair) bool { return p.Got != "" })
}

// addSelection takes what a trial says of the choice of skills.
func (a *armState) addSelection(s *results.Scores, unit int32) {
	a.accuracy.addIf(unit, s.Selection)
	if s.Level1 != nil {
		a.level1.addIf(unit, *s.Level1)
	}
	if expectsCalls(s) {
		a.under.addIf(unit, !makesCalls(s))
	} else {
		a.over.addIf(unit, makesCalls(s))
	}
	a.classes.addPairs(unit, s.Pairs)
}

// addArgs takes what a trial says of arguments.
func (a *armState) addArgs(t *results.Trial, unit int32) {
	s := t.Scores
	for i := range t.Calls {
		a.first.addIf(unit, t.Calls[i].FirstValid)
		a.repair.addIf(unit, t.Calls[i].Valid)
	}
	if s.Args == nil {
		a.out.Args.Unlabelled += oneIf(expectsCalls(s))
		return
	}
	a.exact.addIf(unit, *s.Args)
	if s.Selection {
		a.exactGiven.addIf(unit, *s.Args)
	}
	a.perArgument.add(unit, s.Right, s.Labelled)
	f := &a.out.Args.Faults
	f.Missing += s.Faults.Missing
	f.Extra += s.Faults.Extra
	f.Type += s.Faults.Type
	f.Value += s.Faults.Value
	for _, c := range labelledCalls(t) {
		a.classes.add(unit, c.skill, tally{labelled: 1, exact: int32(oneIf(c.exact))})
	}
}

// addTags counts the trial under each of its tags.
func (a *armState) addTags(t *results.Trial, unit int32) {
	for i, tag := range t.Tags {
		if slices.Contains(t.Tags[:i], tag) {
			continue
		}
		s := a.tags[tag]
		if s == nil {
			s = &tagState{last: -1}
			a.tags[tag] = s
		}
		if s.last != a.current {
			s.last = a.current
			s.cases++
			s.selection.closeCase()
			s.args.closeCase()
		}
		if t.Error != nil {
			continue
		}
		s.selection.addIf(unit, t.Scores.Selection)
		if t.Scores.Args != nil {
			s.args.addIf(unit, *t.Scores.Args)
		}
	}
}

// add counts replies by the tier they were read with.
func (p *ParseTiers) add(tiers map[string]int) {
	p.Native += tiers["native"]
	p.JSON += tiers["json"]
	p.Fragment += tiers["fragment"]
	p.Pattern += tiers["pattern"]
	p.None += tiers["none"]
}

// finish makes the summary.
func (a *armState) finish(h *results.Header, o SummaryOptions) Arm {
	a.closeCase()
	out := &a.out
	out.Selection = a.selection(o)
	out.Args.Exact = a.exact.estimate("no scored trial labels arguments")
	out.Args.ExactGivenSelection = a.exactGiven.estimate("no scored trial that labels arguments has the right selection")
	out.Args.PerArgument = a.perArgument.estimate("no scored trial labels an argument")
	out.Args.FirstTryValid = a.first.estimate("no scored trial made a call")
	out.Args.RepairedValid = a.repair.estimate("no scored trial made a call")
	out.Calls.Exact = a.calls.estimate("no trial was scored")
	out.TrialsDetail = a.trials(max(h.Repetitions, a.repetitions))
	out.Tokens = a.tokens.summary()
	out.Rounds = Mean{N: out.Scored}
	if out.Scored > 0 {
		out.Rounds.Mean = finite(float64(a.rounds) / float64(out.Scored))
	}
	if h.Prices != nil {
		out.CostUSD = finite((float64(a.spent.Prompt)*h.Prices.Prompt + float64(a.spent.Completion)*h.Prices.Completion) / 1e6)
	}
	if !o.Stable {
		slices.Sort(a.latencies)
		out.LatencyMS = &Latency{N: len(a.latencies)}
		out.LatencyMS.P50, out.LatencyMS.P95 = quantiles(a.latencies)
		out.Retries = &a.retries
	}
	for _, tag := range slices.Sorted(maps.Keys(a.tags)) {
		s := a.tags[tag]
		out.Tags = append(out.Tags, TagSummary{
			Tag: tag, Cases: s.cases,
			Selection: s.selection.estimate("no trial with this tag was scored"),
			ArgsExact: s.args.estimate("no scored trial with this tag labels arguments"),
		})
	}
	return *out
}

// selection makes the figures of the choice of skills.
func (a *armState) selection(o SummaryOptions) Selection {
	s := Selection{
		Accuracy:            a.accuracy.estimate("no trial was scored"),
		AccuracyErrorsWrong: a.asWrong.estimate("there are no trials"),
		Level1:              a.level1.estimate("no scored trial has a level 1: the catalogue is flat"),
		OverTrigger:         a.over.estimate("no scored trial expects no call"),
		UnderTrigger:        a.under.estimate("no scored trial expects calls"),
		PerSkill:            a.classes.rows(),
		Confusion:           a.classes.matrix(),
		Unmeasured:          a.classes.unmeasured(o.Skills),
	}
	if s.Level1.N == 0 && a.out.Scored == 0 {
		s.Level1.Reason = "no trial was scored"
	}
	s.Macro, s.Micro, s.Weighted = a.classes.averages(len(a.accuracy.cells), o.Seed)
	return s
}
