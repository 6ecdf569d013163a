package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// announce prints what a run is about to do, before the first request.
func (a *app) announce(j *job, st *store) {
	s := j.set
	if s.quiet {
		return
	}
	planned := int64(len(j.cases)) * int64(len(j.arms)) * int64(s.trials)
	if len(j.arms) == 1 {
		a.say("plan: %d cases × %d trials = %d, %s, %d skills", len(j.cases), s.trials, planned, j.suite.name, len(j.offered))
	} else {
		a.say("plan: %d cases × %d arms × %d trials = %d, %s, %d skills", len(j.cases), len(j.arms), s.trials, planned, j.suite.name, len(j.offered))
	}
	if n := len(st.done); n > 0 {
		a.say("resuming %s: %d trials are finished and are not asked again", st.dir, n)
	}
	a.say("about %d requests, %d at once; catalogue %s, protocol %s, until %s", j.requests(st.done), s.concurrency,
		j.ofArms(s.catalog, func(arm *results.Arm) string { return arm.Catalog }),
		j.ofArms(s.protocol, func(arm *results.Arm) string { return arm.Protocol }), s.until)
	where := "at the OpenAI API"
	switch {
	case j.model.desc.Name == lexicalModel:
		where = "in this process, offline"
	case j.model.desc.BaseURL != "":
		where = "at " + j.model.desc.BaseURL
	}
	a.say("model %s, %s; %s", j.model.desc.Name, where, priceLine(j))
	a.say("run file: %s", st.dir)
	perTrial := float64(j.requests(nil)) / float64(planned)
	if s.rpm > 0 && s.timeout > 0 && float64(s.concurrency)*perTrial/float64(s.rpm) > s.timeout.Minutes() {
		a.say("note: %d trials at once wait for --rpm %d longer than --timeout %s lets them: lower --concurrency", s.concurrency, s.rpm, s.timeout)
	}
	for _, remark := range append(j.remarks, st.notes...) {
		a.say("note: %s", remark)
	}
}

// ofArms lists the values that the arms have of a setting, in their order; those that have none of their own have the run's.
func (j *job) ofArms(ofRun string, of func(*results.Arm) string) string {
	var values []string
	for i := range j.arms {
		if v := cmp.Or(of(&j.arms[i].Arm), ofRun); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return strings.Join(values, ", ")
}

// requests estimates how many requests the run takes when nothing goes wrong: every arm's by its own catalogue mode, and
// none for the trials that are done.
func (j *job) requests(done map[results.Key]bool) int64 {
	type cell struct{ id, arm string }
	finished := make(map[cell]int64, len(done)) // trials
	for key := range done {
		if done[key] {
			finished[cell{key.Case, key.Arm}]++
		}
	}
	total := int64(0)
	for i := range j.cases {
		c := &j.cases[i]
		calls, until := len(c.Expect.Calls), j.set.until
		if calls > 1 || slices.ContainsFunc(c.Accept, func(e datasets.Expectation) bool { return len(e.Calls) > 1 }) {
			until = "answer" // several calls are not over with the first one
		}
		for _, arm := range j.arms {
			each := int64(arm.agent.RequestsFor(calls, until))
			total += each * max(0, int64(j.set.trials)-finished[cell{c.ID, arm.Name}])
		}
	}
	return total
}

func priceLine(j *job) string {
	if f := j.set.file; f != nil && f.prices != nil {
		return fmt.Sprintf("prices known: %g USD prompt, %g USD completion per million tokens", f.prices.Prompt, f.prices.Completion)
	}
	if j.model.desc.Name == lexicalModel {
		return "no cost"
	}
	return "prices not known: write \"prices: {prompt_per_mtok: 0.15, completion_per_mtok: 0.6}\" into skilleval.yaml to see the cost"
}
