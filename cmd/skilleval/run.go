package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/runner"
	"github.com/skilleval/skilleval/skills"
)

// mainArm is the name of the only arm of a plain run.
const mainArm = "main"

func newRunCommand(a *app) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "run [SUITE]",
		Short: "Replay a suite's cases through the agent and score them",
		Long: `run replays every case of a suite through the full agent, writes each finished trial to the run file, and reports
how often the right skill was selected and its arguments were right.

SUITE is a skilleval.yaml or a directory with one. With nothing at hand, the built-in sample suite is used.

With any --gate, the cases tagged golden are held too, as by the command gate: in every scored trial the skills called
must be those expected and, where the case labels arguments, the arguments must match. Those that are not right are the
findings of -o github and -o sarif, which hold nothing of a run without a gate.`,
		Example: `  skilleval run
  skilleval run my-suite -o table -o json=report.json -o markdown=report.md
  skilleval run my-suite --base-url http://localhost:8000/v1 --model Qwen/Qwen3-8B --concurrency 32
  skilleval run --descriptions careless --filter "tag:zh -tag:chain"
  skilleval run my-suite --gate "selection.accuracy >= 0.9" --gate "args.exact >= 0.8"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), args, &s, cmd) },
	}
	f := cmd.Flags()
	s.inputFlags(f)
	s.modelFlags(f)
	s.promptFlags(f)
	s.runFlags(f)
	s.outputFlags(f)
	s.gateFlags(f)
	return cmd
}

// job is a run that has passed every check and may spend requests.
type job struct {
	set     *settings
	suite   *suite
	outputs []output
	gates   []metrics.Gate
	catalog *skills.Catalog
	offered []*skills.Skill // available ones: what the agent can choose from
	cases   []datasets.Case
	model   *chosenModel
	arms    []armPlan
	ab      *results.AB // what a run of two descriptions compares; nil in other runs
	looks   *looks      // stops the run early; nil: it is made to its end
	scorer  *metrics.Scorer
	remarks []string
}

// armPlan is one variant under test: how the run file describes it, and its agent.
type armPlan struct {
	results.Arm
	agent *agent.Agent
}

// run is the command from top to bottom: check everything, say the plan, ask, report, decide.
func (a *app) run(ctx context.Context, args []string, s *settings, cmd *cobra.Command) error {
	j, err := a.prepare(args, s, cmd)
	if err != nil {
		return err
	}
	main, err := s.newAgent(j.model, j.offered)
	if err != nil {
		return err
	}
	j.arms = []armPlan{{results.Arm{Name: mainArm}, main}}
	done, err := a.perform(ctx, j)
	if err != nil {
		return err
	}
	_, err = a.publish(done, j)
	return err
}

// publish writes the reports of a run that was made, and decides by errors, gates and golden cases what it means.
func (a *app) publish(done *performed, j *job) (*reports.Report, error) {
	rep, err := a.summarize(done.run, j.set.stable, j.gates, nil)
	if err != nil {
		return nil, err
	}
	golden, err := holdGolden(rep, done.run.Header(), j.gates)
	if err != nil {
		return nil, err
	}
	if err := a.writeReports(j.outputs, a.withReplies(rep)); err != nil {
		return nil, err
	}
	if err := a.unfinished(done); err != nil {
		return nil, err
	}
	if err := decide(rep, j.set.allowErrors); err != nil {
		return nil, a.replayed(err)
	}
	return rep, golden.decide()
}

// performed is a run that was made, complete or not.
type performed struct {
	run     *results.Run
	summary runner.Summary
	dir     string
}

// gcPercent trades a few per cent of CPU for half of the garbage: with 100,000 cases in memory the heap of a run stays
// small.
const gcPercent = 50

// perform makes the run of a job whose arms are set, from the run file's creation to its last trial.
func (a *app) perform(ctx context.Context, j *job) (*performed, error) {
	j.scorer = newScorer(j.offered, func(arm string) bool { return catalogOf(j.arms, arm, j.set.catalog) == "flat" })
	if v, _ := a.env("GOGC"); v == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	events, err := a.openEvents(j.set.events, j.set.resume)
	if err != nil {
		return nil, err
	}
	store, err := a.openStore(j)
	if err != nil {
		return nil, errors.Join(err, events.close())
	}
	a.announce(j, store)
	summary, err := a.execute(ctx, j, store, events)
	if err != nil {
		return nil, err
	}
	if from := a.replies.sentence(); from != "" && !j.set.quiet {
		a.say("%s", from)
	}
	j.cases, store.done = nil, nil // from here on everything is in the run file
	run, err := results.Open(store.dir)
	if err != nil {
		return nil, failWith(exitServer, err)
	}
	return &performed{run, summary, store.dir}, nil
}

// catalogOf is the catalogue mode of an arm.
func catalogOf(arms []armPlan, name, otherwise string) string {
	for i := range arms {
		if arms[i].Name == name && arms[i].Catalog != "" {
			return arms[i].Catalog
		}
	}
	return otherwise
}

// prepare checks everything that can be checked before the first request.
func (a *app) prepare(args []string, s *settings, cmd *cobra.Command) (*job, error) {
	su, err := a.openSuite(args, s, cmd.Flags())
	if err != nil {
		return nil, err
	}
	j := &job{set: s, suite: su}
	if j.gates, err = parseGates(s.gate); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if j.outputs, err = s.outputs(); err != nil {
		return nil, err
	}
	if err := j.load(su); err != nil {
		return nil, err
	}
	if err := s.sparePlaces(j.outputs, append(su.inputs(), skillFiles(j.catalog)...)); err != nil {
		return nil, err
	}
	if j.model, err = a.chooseModel(s); err != nil {
		return nil, err
	}
	j.remarks = append(j.remarks, j.model.remarks...)
	if err := j.gatesFit(); err != nil {
		return nil, err
	}
	return j, nil
}

// load reads skills and cases and holds them against each other.
func (j *job) load(su *suite) error {
	var err error
	if j.catalog, err = su.catalogue(); err != nil {
		return err
	}
	if err := j.catalog.Err(); err != nil {
		return failWith(exitUsage, err)
	}
	j.offered = availableSkills(j.catalog)
	for _, sk := range j.catalog.Skills {
		if sk.DescriptionSource == "body" {
			j.remarks = append(j.remarks, fmt.Sprintf("skill %s has no description in its frontmatter: the first paragraph of its body is measured in its place", sk.Name))
		}
		if sk.Unavailable != "" {
			j.remarks = append(j.remarks, fmt.Sprintf("skill %s is not offered: %s", sk.Name, sk.Unavailable))
		}
	}
	for _, d := range j.catalog.Shadowed {
		j.remarks = append(j.remarks, fmt.Sprintf("skill %s: %s hides %v", d.Name, d.Paths[0], d.Paths[1:]))
	}
	if j.cases, err = su.cases(); err != nil {
		return withLabelFaults(err, j.cases, j.offered)
	}
	faults := datasets.Check(j.cases, j.offered)
	if errs := faults.Errors(); len(errs) > 0 {
		return failWith(exitUsage, errs)
	}
	if n := len(withoutFewCases(faults)); n > 0 {
		j.remarks = append(j.remarks, fmt.Sprintf("warnings about the cases: %d; \"skilleval dataset check\" lists them", n))
	}
	return nil
}

// withLabelFaults adds, to the faults of cases that could not be read, those of the labels of the others: a user mends
// a file once.
func withLabelFaults(err error, cases []datasets.Case, list []*skills.Skill) error {
	var faults datasets.Faults
	if !errors.As(err, &faults) || len(cases) == 0 {
		return err
	}
	return failWith(exitUsage, slices.Concat(faults, datasets.Check(cases, list).Errors()))
}

// execute asks, case by case, and writes each finished trial before it counts.
func (a *app) execute(ctx context.Context, j *job, st *store, events *eventLog) (runner.Summary, error) {
	s := j.set
	bar := a.newProgress(s, len(st.done))
	opts := runner.Options{Writer: st.writer, Done: st.done, Scorer: j.scorer, Progress: bar.update, AbortAfter: max(abortAfter, s.allowErrors+1), Redact: a.redactData}
	if events != nil {
		opts.Observe = events.observe
	}
	arms := make([]runner.Arm, len(j.arms))
	for i, arm := range j.arms {
		arms[i] = runner.Arm{Name: arm.Name, Agent: arm.agent}
	}
	plan := runner.Plan{Cases: j.cases, Arms: arms, Repetitions: s.trials, Seed: s.seed, SendSeed: s.given("seed"), Until: s.until,
		Concurrency: s.concurrency, TrialTimeout: s.timeout, RunTimeout: s.runTimeout}
	ctx, halt := context.WithCancelCause(ctx)
	defer halt(nil)
	if a.replies != nil {
		a.replies.halt = halt
	}
	var summary runner.Summary
	var err error
	if j.looks != nil {
		summary, err = j.looks.run(ctx, plan, opts)
	} else {
		summary, err = runner.Run(ctx, plan, opts)
	}
	bar.stop()
	err = errors.Join(err, events.close(), st.finish(summary))
	if err != nil {
		return summary, failWith(exitServer, fmt.Errorf("%w (finished trials are safe in %s: continue with the same command and --resume --out %s)", err, st.dir, st.dir))
	}
	return summary, nil
}

// abortAfter is how many trials may fail on the server's account, with none that worked, before a run gives up: the
// address, the key or the model's name is wrong.
const abortAfter = 8

// newScorer scores against the schemas of the skills that were offered; flat says which arms have no level 1.
func newScorer(list []*skills.Skill, flat func(arm string) bool) *metrics.Scorer {
	schemas := make(map[string]json.RawMessage, len(list))
	for _, sk := range list {
		schemas[sk.Name] = sk.Parameters
	}
	scorer := metrics.NewScorer(schemas)
	scorer.Flat = flat
	return scorer
}
