package datasets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/skilleval/skilleval/skills"
)

// Stats describes a set of cases.
type Stats struct {
	Cases         int `json:"cases"`
	None          int `json:"none"`           // no skill should be used
	Single        int `json:"single"`         // one call
	Multi         int `json:"multi"`          // more than one
	WithHistory   int `json:"with_history"`   // earlier turns are given
	LabelledCases int `json:"labelled_cases"` // arguments of at least one call are labelled
	LabelledArgs  int `json:"labelled_args"`  // arguments labelled, over all calls
	Clusters      int `json:"clusters"`       // independent units: groups, and cases without one
	// Tags counts cases by tag, the most frequent first.
	Tags []Count `json:"tags"`
	// Skills counts, for every skill of the catalogue and every other one that is expected, the cases that expect
	// it; in the order of the catalogue.
	Skills []Count `json:"skills"`
	// Scripts counts cases by the script of the input: latin, han, other, mixed.
	Scripts []Count `json:"scripts"`
	// Warnings says what these cases cannot show.
	Warnings []string `json:"warnings,omitempty"`
}

// Count is how many cases have a property.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Describe counts what there is in cases. list is the catalogue; with nil, only skills that are expected appear.
func Describe(cases []Case, list []*skills.Skill) Stats {
	s := count(cases, list)
	for _, f := range balance(s, list) {
		if f.Rule != RuleFewCases { // the counts of the skills show it
			s.Warnings = append(s.Warnings, f.Message)
		}
	}
	return s
}

func count(cases []Case, list []*skills.Skill) Stats {
	s := Stats{Cases: len(cases)}
	tags, scripts, clusters := map[string]int{}, map[string]int{}, map[string]bool{}
	var order []string
	perSkill := map[string]int{}
	name := func(n string) {
		if _, ok := perSkill[n]; !ok {
			perSkill[n] = 0
			order = append(order, n)
		}
	}
	for _, sk := range list {
		name(sk.Name)
	}
	for i := range cases {
		c := &cases[i]
		s.expectation(&c.Expect)
		if len(c.History) > 0 {
			s.WithHistory++
		}
		clusters[clusterKey(c)] = true
		for _, t := range c.Tags {
			tags[t]++
		}
		scripts[script(c.Input)]++
		expected := c.Expect.Skills()
		for j, sk := range expected {
			if name(sk); !slices.Contains(expected[:j], sk) {
				perSkill[sk]++
			}
		}
	}
	s.Clusters = len(clusters)
	s.Tags = counted(tags)
	s.Scripts = []Count{}
	for _, n := range []string{"latin", "han", "other", "mixed"} {
		if scripts[n] > 0 {
			s.Scripts = append(s.Scripts, Count{n, scripts[n]})
		}
	}
	s.Skills = []Count{}
	for _, n := range order {
		s.Skills = append(s.Skills, Count{n, perSkill[n]})
	}
	return s
}

// clusterKey tells a group apart from a case with the same id.
func clusterKey(c *Case) string {
	if c.Group != "" {
		return "g" + c.Group
	}
	return "c" + c.ID
}

func (s *Stats) expectation(e *Expectation) {
	switch {
	case e.None:
		s.None++
	case len(e.Calls) == 1:
		s.Single++
	default:
		s.Multi++
	}
	if e.LabelsArgs() {
		s.LabelledCases++
	}
	for i := range e.Calls {
		if args := e.Calls[i].Args; len(args) > 0 && typeOf(args) == "object" {
			members(args, 0, func(_, _ []byte, _ int) { s.LabelledArgs++ })
		}
	}
}

// counted lists a tally, the most frequent first, then by name.
func counted(m map[string]int) []Count {
	out := make([]Count, 0, len(m))
	for n, k := range m {
		out = append(out, Count{n, k})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return out
}

// script names the script of a text: "latin" or "han" when at least nine in ten of its letters are, "mixed" when
// both are there with more than one in ten, else "other".
func script(text string) string {
	var latin, han, letters int
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.Is(unicode.Han, r):
			han++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case letters == 0:
		return "other"
	case latin*10 >= letters*9:
		return "latin"
	case han*10 >= letters*9:
		return "han"
	case latin*10 > letters && han*10 > letters:
		return "mixed"
	}
	return "other"
}

// CasesPerSkill is the fewest cases of a skill that can show a 10-point drop: 6 of 60 cases then turn from right to
// wrong, and the exact McNemar test cannot call fewer than 6 one-sided changes significant at 5 %
// (2·0.5⁶ = 0.031, 2·0.5⁵ = 0.063).
const CasesPerSkill = 60

// maxImbalance is how many times as many cases the most frequent skill may have as the least frequent one.
const maxImbalance = 10

// RuleFewCases is the rule of the warning that a skill has fewer cases than [CasesPerSkill].
const RuleFewCases = "few-cases"

// balance warns of what the numbers of cases cannot show; of the skills with few cases, those with the fewest first.
// What is expected and is no skill of the catalogue is a mistake of its own, and counts for nothing here; without a
// catalogue everything expected counts.
func balance(s Stats, list []*skills.Skill) Faults {
	var out Faults
	warn := func(rule, format string, args ...any) {
		out = append(out, Fault{Severity: SeverityWarning, Rule: rule, Message: fmt.Sprintf(format, args...)})
	}
	if len(list) > 0 {
		known := make(map[string]bool, len(list))
		for _, sk := range list {
			known[sk.Name] = true
		}
		s.Skills = slices.DeleteFunc(slices.Clone(s.Skills), func(k Count) bool { return !known[k.Name] })
	}
	var without []string
	var few []Count
	var least, most Count
	for _, k := range s.Skills {
		switch {
		case k.N == 0:
			without = append(without, k.Name)
			continue
		case k.N < CasesPerSkill:
			few = append(few, k)
		}
		if least.N == 0 || k.N < least.N {
			least = k
		}
		if k.N > most.N {
			most = k
		}
	}
	if len(without) > 0 {
		warn("skill-without-case", "%d of %d skills have no case, so nothing is measured of them: %s", len(without), len(s.Skills), some(without))
	}
	slices.SortStableFunc(few, func(a, b Count) int { return cmp.Compare(a.N, b.N) })
	for _, k := range few[:min(len(few), shown)] {
		plural := "s"
		if k.N == 1 {
			plural = ""
		}
		warn(RuleFewCases, "%s has %d case%s: with fewer than %d, a drop of 10 points cannot be told from chance", k.Name, k.N, plural, CasesPerSkill)
	}
	if more := len(few) - shown; more > 0 {
		warn(RuleFewCases, "%d more skills have fewer than %d cases", more, CasesPerSkill)
	}
	if most.N > maxImbalance*least.N {
		warn("class-imbalance", "%q has %d cases, %q only %d: averages over cases speak mostly of the first; look at the macro average", most.Name, most.N, least.Name, least.N)
	}
	if s.Cases > 0 && s.None == 0 {
		warn("no-none-case", "no case expects that no skill is used, so over-triggering is not measured")
	}
	return out
}

// shown is how many skills are named one by one.
const shown = 10

// some lists the first names and counts the rest.
func some(names []string) string {
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}
