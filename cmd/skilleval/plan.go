package main

import "fmt"

// requestsPerTrial is how many requests a usual trial makes: choose, fill, answer.
const requestsPerTrial = 3

// announce prints what a run is about to do, before the first request.
func (a *app) announce(j *job, st *store) {
	s := j.set
	if s.quiet {
		return
	}
	if len(j.arms) == 1 {
		a.say("plan: %d cases × %d trials = %d, %s, %d skills", len(j.cases), s.trials, len(j.cases)*s.trials, j.suite.name, len(j.offered))
	} else {
		a.say("plan: %d cases × %d arms × %d trials = %d, %s, %d skills", len(j.cases), len(j.arms), s.trials, len(j.cases)*len(j.arms)*s.trials, j.suite.name, len(j.offered))
	}
	if n := len(st.done); n > 0 {
		a.say("resuming %s: %d trials are finished and are not asked again", st.dir, n)
	}
	a.say("about %d requests, %d at once; catalogue %s, protocol %s, until %s", j.requests(len(st.done)), s.concurrency, s.catalog, s.protocol, s.until)
	where := "at the OpenAI API"
	switch {
	case j.model.desc.Name == lexicalModel:
		where = "in this process, offline"
	case j.model.desc.BaseURL != "":
		where = "at " + j.model.desc.BaseURL
	}
	a.say("model %s, %s; %s", j.model.desc.Name, where, priceLine(j))
	a.say("run file: %s", st.dir)
	if s.rpm > 0 && s.timeout > 0 && float64(s.concurrency)*requestsPerTrial/float64(s.rpm) > s.timeout.Minutes() {
		a.say("note: %d trials at once wait for --rpm %d longer than --timeout %s lets them: lower --concurrency", s.concurrency, s.rpm, s.timeout)
	}
	for _, remark := range append(j.remarks, st.notes...) {
		a.say("note: %s", remark)
	}
}

// requests estimates how many requests the run takes when nothing goes wrong.
func (j *job) requests(done int) int {
	total := 0
	for i := range j.cases {
		calls, until := len(j.cases[i].Expect.Calls), j.set.until
		if calls > 1 {
			until = "answer"
		}
		for _, arm := range j.arms {
			total += arm.agent.RequestsFor(calls, until) * j.set.trials
		}
	}
	if planned := len(j.cases) * len(j.arms) * j.set.trials; done > 0 {
		total = total * (planned - done) / planned
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
