package lint

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
)

// Options says how a catalogue is looked at. The zero value applies every rule with its default.
type Options struct {
	Config Config
	// Pairs are the descriptions that sound alike, as similarity found them; IDA and IDB are paths of SKILL.md files.
	// Only those at level duplicate or near count.
	Pairs []similarity.Pair
	// Only keeps the findings of files for which it is true, and those that such a file brings up elsewhere; nil keeps
	// all.
	Only func(path string) bool
	// Descriptions says where the description of a skill stands, by the path of its SKILL.md, when that is another file
	// such as a description set: what is said of the description is said there. Configuration goes by the SKILL.md.
	Descriptions map[string]skills.Note
}

// Report is what a catalogue gave cause for.
type Report struct {
	Findings []Finding // by path, line, column, rule
	Found    int       // SKILL.md files seen
	Loaded   int
	Failed   int
}

// Count gives how many findings have exactly this severity.
func (r Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Files gives how many files have findings.
func (r Report) Files() int {
	n := 0
	for i, f := range r.Findings { // sorted by path
		if i == 0 || f.Path != r.Findings[i-1].Path {
			n++
		}
	}
	return n
}

// Run holds every rule against a catalogue. The report does not depend on timing. The error is not nil only when the
// configuration names a rule that does not exist.
func Run(c *skills.Catalog, o Options) (Report, error) {
	if err := o.Config.check(); err != nil {
		return Report{}, err
	}
	r := Report{Found: c.Found, Failed: len(c.Failures), Loaded: c.Found - len(c.Failures)}
	rules := Rules()
	all := slices.Concat(c.Skills, c.Broken)
	perSkill := make([][]Finding, len(all))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	const chunk = 64
	for from := 0; from < len(all); from += chunk { // each goroutine writes its own indices only
		g.Go(func() error {
			for i := from; i < min(from+chunk, len(all)); i++ {
				perSkill[i] = checkSkill(all[i], rules, o)
			}
			return nil
		})
	}
	_ = g.Wait() // no function returns an error
	for _, list := range perSkill {
		r.Findings = append(r.Findings, list...)
	}
	keepFixes(r.Findings, c.Failures)
	r.Findings = append(r.Findings, checkCatalog(c, rules, o)...)
	slices.SortFunc(r.Findings, compare)
	number(r.Findings)
	return r, nil
}

// keepFixes takes the fixes of files away that cannot be loaded, which [ApplyFixes] leaves alone.
func keepFixes(list []Finding, failures []skills.Note) {
	failed := make(map[string]bool, len(failures))
	for _, n := range failures {
		failed[n.Path] = true
	}
	for i := range list {
		if failed[list[i].Path] {
			list[i].Fix = nil
		}
	}
}

// number tells findings apart that are about the same thing in the same file, so that fingerprints are unique: the
// second of them gets "#2" behind its key.
func number(list []Finding) {
	seen := make(map[string]int, len(list))
	for i := range list {
		f := &list[i]
		print := f.Fingerprint()
		seen[print]++
		if n := seen[print]; n > 1 {
			f.Key = fmt.Sprintf("%s#%d", f.Key, n)
		}
	}
}

// collector gathers the findings of one rule.
type collector struct {
	rule     Rule
	options  *Options
	findings []Finding
}

// add takes a finding, unless configuration or Only leaves it out. It fills rule and severity; a severity that f has
// already is the rule's default for it.
func (c *collector) add(f Finding) {
	if c.weigh(&f) {
		c.take(f)
	}
}

// addField is add for a finding about a field, which may be a description that stands in another file.
func (c *collector) addField(f Finding) {
	if !c.weigh(&f) {
		return
	}
	if f.Key != "description" && !strings.HasPrefix(f.Key, "description~") {
		c.take(f)
		return
	}
	if at, ok := c.options.Descriptions[f.Path]; ok {
		f.Key = f.Skill + " " + f.Key // the file holds those of many skills
		f.Path, f.Line, f.Column, f.Fix = at.Path, at.Line, at.Column, nil
	}
	for i, n := range f.Related {
		if at, ok := c.options.Descriptions[n.Path]; ok {
			f.Related[i].Path, f.Related[i].Line, f.Related[i].Column = at.Path, at.Line, at.Column
		}
	}
	c.take(f)
}

// weigh fills rule and severity, and reports whether configuration leaves the finding in.
func (c *collector) weigh(f *Finding) bool {
	f.Rule = c.rule.ID
	if f.Severity == "" {
		f.Severity = c.rule.Severity
	}
	f.Severity = c.options.Config.severity(c.rule, f.Severity, f.Path)
	return f.Severity != Off
}

// take keeps a finding that is wanted.
func (c *collector) take(f Finding) {
	if !c.wanted(f) {
		return
	}
	if f.Hint == "" {
		f.Hint = c.rule.hint
	}
	f.Message, f.Hint = oneLine(f.Message), oneLine(f.Hint)
	c.findings = append(c.findings, f)
}

func (c *collector) wanted(f Finding) bool {
	only := c.options.Only
	if only == nil || only(f.Path) || slices.ContainsFunc(f.touches, only) {
		return true
	}
	return slices.ContainsFunc(f.Related, func(n skills.Note) bool { return only(n.Path) })
}

// limit gives what counts for a rule in a file.
func (c *collector) limit(path string) int { return c.options.Config.limit(c.rule, path) }
