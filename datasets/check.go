package datasets

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skilleval/skilleval/datasets/match"
	"github.com/skilleval/skilleval/skills"
)

// Check holds cases against a catalogue: labels that name unknown skills, arguments that the skill's own schema
// refuses or does not declare, stub results for unknown skills, contradictory and duplicate requests are found
// before anything is spent on them. Errors make the cases unfit for a run; warnings (few cases, imbalance) limit
// what a run can show. Faults are sorted by file and line.
func Check(cases []Case, list []*skills.Skill) Faults {
	var faults faultList
	if len(cases) == 0 {
		faults.add(Fault{Severity: SeverityError, Rule: "no-cases", Message: "there is no case to run"})
		return faults.all()
	}
	ch := newChecker(&faults, list)
	for i := range cases {
		ch.check(&cases[i])
	}
	ch.schemaFaults()
	checkInputs(&faults, cases)
	out := faults.all().sorted()
	return append(out, balance(count(cases, list), list)...)
}

// checker holds a catalogue ready for looking up labels.
type checker struct {
	faults *faultList
	skills map[string]*entry
	names  []string
}

// entry is one skill, its schema compiled once.
type entry struct {
	skill    *skills.Skill
	schema   *skills.Schema
	err      error
	compiled bool
	used     *Case // first case that needs the schema
	declared map[string]bool
	names    []string
}

func newChecker(faults *faultList, list []*skills.Skill) *checker {
	ch := &checker{faults: faults, skills: make(map[string]*entry, len(list))}
	for _, s := range list {
		if _, ok := ch.skills[s.Name]; !ok {
			ch.skills[s.Name] = &entry{skill: s}
			ch.names = append(ch.names, s.Name)
		}
	}
	slices.Sort(ch.names)
	return ch
}

func (e *entry) compile(c *Case) (*skills.Schema, bool) {
	if !e.compiled {
		e.compiled, e.used = true, c
		if e.schema, e.err = e.skill.Schema(); e.err == nil {
			e.declared = make(map[string]bool)
			for _, p := range e.schema.Properties() {
				e.declared[p.Name] = true
				e.names = append(e.names, p.Name)
			}
		}
	}
	return e.schema, e.err == nil
}

// schemaFaults reports, once for each skill, schemas that cannot be used.
func (ch *checker) schemaFaults() {
	for _, name := range ch.names {
		if e := ch.skills[name]; e.err != nil {
			ch.fail(e.used, "", "schema", "the arguments of %q cannot be checked: %v", name, e.err)
		}
	}
}

func (ch *checker) fail(c *Case, path, rule, format string, args ...any) {
	ch.faults.add(fault(c, path, SeverityError, rule, fmt.Sprintf(format, args...)))
}

func fault(c *Case, path, severity, rule, message string) Fault {
	return Fault{File: c.File, Line: c.Line, Case: c.ID, Path: path, Severity: severity, Rule: rule, Message: message}
}

func (ch *checker) check(c *Case) {
	ch.expectation(c, at("expect"), &c.Expect)
	for i := range c.Accept {
		ch.expectation(c, place{"accept", i}, &c.Accept[i])
	}
	if c.Expect.None && len(c.Results) > 0 && !acceptsCalls(c) {
		ch.faults.add(fault(c, "results", SeverityWarning, "none-with-results", "stub results are given, and no skill is expected; is the label right?"))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Results)) {
		if ch.skills[name] == nil {
			ch.fail(c, join("results", name), "unknown-result", "a stub result for %q, which is not a skill of the catalogue%s", short(name), didYouMean(name, ch.names))
		}
	}
}

func acceptsCalls(c *Case) bool {
	return slices.ContainsFunc(c.Accept, func(e Expectation) bool { return len(e.Calls) > 0 })
}

func (ch *checker) expectation(c *Case, path place, e *Expectation) {
	if e.None == (len(e.Calls) > 0) {
		ch.fail(c, path.String(), "expect", "exactly one of calls and none is needed")
	}
	for i := range e.Calls {
		call := &e.Calls[i]
		s := ch.skills[call.Skill]
		switch {
		case s == nil:
			ch.fail(c, callPath(path, i)+".skill", "unknown-skill", "%q is not a skill of the catalogue%s", short(call.Skill), ch.suggest(call.Skill))
		case call.Args != nil:
			ch.args(c, path, i, s, call.Args)
		}
	}
}

func callPath(path place, i int) string { return fmt.Sprintf("%s.calls[%d]", path, i) }

// suggest names the nearest skill, or lists a small catalogue.
func (ch *checker) suggest(name string) string {
	if s := didYouMean(name, ch.names); s != "" {
		return s
	}
	if len(ch.names) > 0 && len(ch.names) <= 30 {
		return "; known: " + strings.Join(ch.names, ", ")
	}
	return ""
}

// args holds labelled arguments against the skill's schema.
func (ch *checker) args(c *Case, path place, i int, e *entry, args json.RawMessage) {
	where := func(inner string) string { return join(callPath(path, i)+".args", inner) }
	pattern, err := match.Compile(args)
	if err != nil {
		ch.fail(c, where(""), "matcher", "%v", err)
		return
	}
	if name := matcherText(args); name != "" {
		ch.faults.add(fault(c, where(""), SeverityWarning, "matcher-text",
			fmt.Sprintf("%q is compared as a text; if the matcher is meant, write {%q: …}", name, name)))
	}
	schema, ok := e.compile(c)
	if !ok {
		return
	}
	reported := make(map[string]bool)
	for _, sample := range pattern.Samples() {
		ch.declared(c, e, sample.Value, where, reported)
		for _, f := range schema.Validate(sample.Value) {
			key := f.Path + "\x00" + f.Message
			if reported[key] || !counts(f, &sample) || e.alreadySaid(f, reported) {
				continue
			}
			reported[key] = true
			ch.fail(c, where(f.Path), "args-schema", "the schema of %q refuses the label: %s", e.skill.Name, f.Message)
		}
	}
}

// declared reports labelled arguments that the skill does not declare: an agent drops them, so no call can match.
func (ch *checker) declared(c *Case, e *entry, value json.RawMessage, where func(string) string, reported map[string]bool) {
	if e.schema.AllowsExtra() || typeOf(value) != "object" {
		return
	}
	members(value, 0, func(key, _ []byte, _ int) {
		name := unquote(key)
		if e.declared[name] || reported["undeclared "+name] {
			return
		}
		reported["undeclared "+name] = true
		hint := didYouMean(name, e.names)
		switch real, ok := e.skill.Aliases[name]; {
		case ok:
			hint = fmt.Sprintf("; it is an alias: label %q", real)
		case hint == "" && len(e.names) == 0:
			hint = "; it takes no arguments"
		case hint == "":
			hint = "; declared: " + short(strings.Join(e.names, ", "))
		}
		ch.fail(c, where(name), "undeclared-argument", "%q is not a parameter of %q%s", short(name), e.skill.Name, hint)
	})
}

// alreadySaid tells that a schema fault only repeats an undeclared argument.
func (e *entry) alreadySaid(f skills.SchemaFault, reported map[string]bool) bool {
	if f.Keyword != "additionalProperties" && f.Keyword != "unevaluatedProperties" {
		return false
	}
	for key := range reported {
		if name, ok := strings.CutPrefix(key, "undeclared "); ok && (f.Path == name || f.Path == "["+strconv.Quote(name)+"]") {
			return true
		}
	}
	return false
}

// counts tells whether a schema fault speaks against the label, and not only against the sample that stands in for
// a matcher: where many values match, only the JSON type is certain.
func counts(f skills.SchemaFault, s *match.Sample) bool {
	for _, p := range s.Unknown {
		if under(f.Path, p) || around(f, p) {
			return false
		}
	}
	for _, p := range s.Loose {
		if under(f.Path, p) && f.Keyword != "type" || around(f, p) {
			return false
		}
	}
	for _, p := range s.Partial {
		if missing := f.Keyword == "required" || f.Keyword == "minProperties" || f.Keyword == "dependentRequired"; missing && (f.Path == p || parent(f.Path) == p) {
			return false
		}
	}
	return true
}

// parent cuts the last key or index off a path.
func parent(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }

// under reports whether path lies at or inside outer.
func under(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || outer == "" || rest[0] == '.' || rest[0] == '[')
}

// around tells that a composite keyword of an enclosing value failed, maybe because of the sample inside it.
func around(f skills.SchemaFault, inner string) bool {
	switch f.Keyword {
	case "required", "additionalProperties", "unevaluatedProperties", "type", "minProperties", "maxProperties", "minItems", "maxItems":
		return false
	}
	return under(inner, f.Path)
}
