package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skilleval/skilleval/skills"
)

// Options says how an agent puts its catalogue before the model and how far it goes. The zero value is
// usable: two-level, native tool calls, question first, catalogue in the user message.
type Options struct {
	Catalog   string // "two-level" (default), "flat" or "grouped"
	Protocol  string // "native" (default) or "text"
	Rendering string // "list" (default) or "xml"
	Order     string // "question-first" (default) or "catalog-first"
	Placement string // "user" (default) or "system"
	System    string // appended to the system message, for example today's date

	MaxRounds     int              // requests a task may take; 0: 10
	MaxRepairs    int              // errors given back for one call or one choice; 0: 2, negative: none
	TokenLimit    int              // of the catalogue block; 0: none
	CountTokens   func(string) int // safe for concurrent use; nil: skills.EstimateTokens
	HistoryTokens int              // history is cut from its oldest turn to this many tokens; 0: none
	ResultLimit   int              // characters of a result given back; 0: 4096

	CallTimeout time.Duration // of one call, its retries included, when the skill sets none; 0: 30 s
	Executor    Executor      // nil: StubExecutor
	Preload     []string      // skills whose detail and function are offered while choosing already
	// Strict switches off the normalisation of names and the second-chance parse of reasoning.
	Strict         bool
	LevelTwoChoice string // tool_choice at level 2: "auto" (default) or "required"
}

// Agent performs tasks with one model, one catalogue and one set of options. It is immutable and safe for
// concurrent use; no task sees anything of another.
type Agent struct {
	model   Model
	opts    Options
	entries []*entry // in the order of registration
	byName  map[string]*entry
	cache   viewCache
}

// New joins a model, the skills that are registered at this moment, and options. It compiles every schema and
// gives every skill a function name that servers accept. The error names everything that is wrong.
func New(model Model, registry *skills.Registry, o Options) (*Agent, error) {
	var faults []error
	if model == nil {
		faults = append(faults, errors.New("agent: no model"))
	}
	var list []*skills.Skill
	if registry != nil {
		list = registry.List()
	}
	if len(list) == 0 {
		faults = append(faults, errors.New("agent: no skills are registered"))
	}
	a := &Agent{model: model, opts: o.withDefaults(), byName: map[string]*entry{}}
	a.cache.views = map[string]*view{}
	faults = append(faults, o.check(list)...)
	faults = append(faults, a.prepare(list)...)
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	a.view(nil) // rendered before the first task asks for it
	return a, nil
}

// prepare makes the entries of the skills.
func (a *Agent) prepare(list []*skills.Skill) (faults []error) {
	all := make([]string, len(list))
	for i, s := range list {
		all[i] = s.Name
	}
	functions := functionNames(all)
	for _, s := range list {
		e, err := newEntry(s, functions[s.Name])
		if err != nil {
			faults = append(faults, fmt.Errorf("agent: %w", err))
			continue
		}
		e.stage = a.argumentStage(e)
		a.entries = append(a.entries, e)
		a.byName[s.Name] = e
	}
	return faults
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	setDefault(&o.Catalog, "two-level")
	setDefault(&o.Protocol, "native")
	setDefault(&o.Rendering, "list")
	setDefault(&o.Order, "question-first")
	setDefault(&o.Placement, "user")
	setDefault(&o.LevelTwoChoice, "auto")
	setDefault(&o.MaxRounds, 10)
	setDefault(&o.MaxRepairs, 2)
	setDefault(&o.ResultLimit, 4096)
	setDefault(&o.CallTimeout, 30*time.Second)
	if o.MaxRepairs < 0 {
		o.MaxRepairs = 0
	}
	if o.CountTokens == nil {
		o.CountTokens = skills.EstimateTokens
	}
	if o.Executor == nil {
		o.Executor = StubExecutor{}
	}
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// check validates the options as they were given.
func (o Options) check(list []*skills.Skill) (faults []error) {
	for _, c := range []struct{ name, value, accepted string }{
		{"catalog", o.Catalog, "two-level, flat, grouped"},
		{"protocol", o.Protocol, "native, text"},
		{"rendering", o.Rendering, "list, xml"},
		{"order", o.Order, "question-first, catalog-first"},
		{"placement", o.Placement, "user, system"},
		{"level-two choice", o.LevelTwoChoice, "auto, required"},
	} {
		if c.value != "" && !slices.Contains(strings.Split(c.accepted, ", "), c.value) {
			faults = append(faults, fmt.Errorf("agent: %s %q is not known; use one of: %s", c.name, c.value, c.accepted))
		}
	}
	for _, c := range []struct {
		name  string
		value int
	}{
		{"maximum of rounds", o.MaxRounds}, {"token limit", o.TokenLimit}, {"history tokens", o.HistoryTokens},
		{"result limit", o.ResultLimit}, {"call timeout", int(o.CallTimeout)},
	} {
		if c.value < 0 {
			faults = append(faults, fmt.Errorf("agent: %s is %d; use 0 for the default, or more", c.name, c.value))
		}
	}
	for _, name := range o.Preload {
		if !slices.ContainsFunc(list, func(s *skills.Skill) bool { return s.Name == name }) {
			faults = append(faults, fmt.Errorf("agent: preload: no skill is named %q", name))
		}
	}
	return faults
}

func (a *Agent) native() bool { return a.opts.Protocol == "native" }

// RequestsFor returns how many requests a fault-free task takes that calls so many skills, one after another:
// for two-level one to choose and one for the arguments of each, and one for the answer. until is that of
// [Task]: "call" ends with the first call.
func (a *Agent) RequestsFor(calls int, until string) int {
	each := map[string]int{"flat": 1, "two-level": 2, "grouped": 3}[a.opts.Catalog]
	if until == untilCall && calls > 0 {
		return each
	}
	return each*max(calls, 0) + 1
}

// Run performs one task. The error is a *[ModelError], or nil: whatever the model itself does wrong is a fault
// in the outcome. The outcome is never nil; with an error it holds what happened up to it.
func (a *Agent) Run(ctx context.Context, t Task) (*Outcome, error) {
	r := a.begin(t)
	err := r.loop(ctx)
	r.end(err)
	if err != nil { // not a nil *ModelError in an error
		return r.out, err
	}
	return r.out, nil
}

// Executor runs a call whose arguments are valid and returns the skill's result as text. The context ends
// when the call's time is up. Implementations must be safe for concurrent use.
type Executor interface {
	Execute(ctx context.Context, s *skills.Skill, args json.RawMessage, t *Task) (string, error)
}
