package lint

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/xrash/smetrics"
	"go.yaml.in/yaml/v4"
)

// Config says how much each rule counts. The zero value keeps every default.
type Config struct {
	Rules     map[string]Setting // by rule id
	Overrides []Override         // the last that fits a path wins
}

// Setting changes one rule. Severity "" and Max 0 keep what was.
type Setting struct {
	Severity Severity
	Max      int // of rules with a limit
}

// Override changes rules for the files whose paths fit one of the patterns: * and ? stand for a part of a name, ** for
// any number of folders. Paths are those of findings, as reached from the working directory.
type Override struct {
	Paths []string
	Rules map[string]Setting
}

// ParseConfig reads a configuration in YAML:
//
//	rules:
//	  name-underscore: warning
//	  description-too-long: {severity: error, max: 800}
//	overrides:
//	  - paths: ["vendor/**"]
//	    rules: {description-too-long: note}
//
// The error names every fault of the file with line and column.
func ParseConfig(file string, data []byte) (Config, error) {
	var c Config
	p := configParser{file: file}
	var root yaml.Node
	if err := yaml.Load([]byte(strings.TrimPrefix(string(data), bom)), &root); err != nil && !empty(data) {
		return c, p.yaml(err)
	}
	if len(root.Content) == 0 {
		return c, nil
	}
	p.entries(root.Content[0], []string{"rules", "overrides"}, func(key string, value *yaml.Node) {
		if key == "rules" {
			c.Rules = p.rules(value)
			return
		}
		c.Overrides = p.overrides(value)
	})
	return c, errors.Join(p.faults...)
}

func empty(data []byte) bool {
	for line := range strings.Lines(string(data)) {
		if text := strings.TrimSpace(strings.TrimPrefix(line, bom)); text != "" && text[0] != '#' {
			return false
		}
	}
	return true
}

type configParser struct {
	file   string
	faults []error
}

func (p *configParser) fault(n *yaml.Node, format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf("%s:%d:%d: %s", p.file, n.Line, n.Column, fmt.Sprintf(format, args...)))
}

func (p *configParser) yaml(err error) error {
	var one *yaml.LoadError
	if errors.As(err, &one) {
		return fmt.Errorf("%s:%d:%d: %s", p.file, max(one.Mark.Line, 1), max(one.Mark.Column, 1), one.Message)
	}
	return fmt.Errorf("%s: %w", p.file, err)
}

// entries calls take for each key of a map, once, refusing those that are not known; nil knows all.
func (p *configParser) entries(n *yaml.Node, known []string, take func(key string, value *yaml.Node)) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		want := "a map from rule id to severity"
		if known != nil {
			want = "a map with " + strings.Join(known, ", ")
		}
		p.fault(n, "want %s", want)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case seen[key.Value]:
			p.fault(key, "%q is given twice", key.Value)
		case known != nil && !slices.Contains(known, key.Value):
			p.fault(key, "unknown key %q: write one of %s", key.Value, strings.Join(known, ", "))
		default:
			take(key.Value, value)
		}
		seen[key.Value] = true
	}
}

// rules reads a map from rule id to setting.
func (p *configParser) rules(n *yaml.Node) map[string]Setting {
	out := map[string]Setting{}
	p.entries(n, nil, func(id string, value *yaml.Node) {
		rule, err := Find(id)
		if err != nil {
			for i := 0; i < len(n.Content); i += 2 {
				if n.Content[i].Value == id {
					p.fault(n.Content[i], "%v", err)
					break
				}
			}
			return
		}
		out[id] = p.setting(rule, value)
	})
	return out
}

func (p *configParser) setting(r Rule, n *yaml.Node) Setting {
	var s Setting
	if n.Kind == yaml.ScalarNode {
		s.Severity = p.severity(n)
		return s
	}
	p.entries(n, []string{"severity", "max"}, func(key string, value *yaml.Node) {
		if key == "severity" {
			s.Severity = p.severity(value)
			return
		}
		max, err := strconv.Atoi(value.Value)
		switch {
		case r.Limit == 0:
			p.fault(value, "rule %s measures nothing: leave max out", r.ID)
		case err != nil || max < 1:
			p.fault(value, "max: want a number of %s from 1 on, not %q", r.Unit, value.Value)
		default:
			s.Max = max
		}
	})
	return s
}

func (p *configParser) severity(n *yaml.Node) Severity {
	s := Severity(n.Value)
	if n.Kind != yaml.ScalarNode || !slices.Contains(severities, s) {
		p.fault(n, "severity %q is not known: write error, warning, note or off", n.Value)
		return ""
	}
	return s
}

func (p *configParser) overrides(n *yaml.Node) []Override {
	if n.Kind != yaml.SequenceNode {
		p.fault(n, "overrides: want a list of entries with paths and rules")
		return nil
	}
	var out []Override
	for _, item := range n.Content {
		var o Override
		p.entries(item, []string{"paths", "rules"}, func(key string, value *yaml.Node) {
			if key == "rules" {
				o.Rules = p.rules(value)
				return
			}
			o.Paths = p.paths(value)
		})
		if item.Kind == yaml.MappingNode && len(o.Paths) == 0 {
			p.fault(item, `no paths: write paths: ["vendor/**"]`)
		}
		out = append(out, o)
	}
	return out
}

func (p *configParser) paths(n *yaml.Node) []string {
	items := n.Content
	if n.Kind == yaml.ScalarNode {
		items = []*yaml.Node{n}
	}
	var out []string
	for _, item := range items {
		if _, err := path.Match(item.Value, ""); err != nil || item.Value == "" || item.Kind != yaml.ScalarNode {
			p.fault(item, "%q is not a pattern: write one such as vendor/** or skills/*/SKILL.md", item.Value)
			continue
		}
		out = append(out, item.Value)
	}
	return out
}

// Find gives a rule by its id; the error names the nearest one.
func Find(id string) (Rule, error) {
	rules := Rules()
	best, distance := "", max(len(id)/3, 1)+1
	for _, r := range rules {
		if r.ID == id {
			return r, nil
		}
		if len(id) <= 64 {
			if d := smetrics.WagnerFischer(id, r.ID, 1, 1, 1); d < distance {
				best, distance = r.ID, d
			}
		}
	}
	if best != "" {
		return Rule{}, fmt.Errorf("there is no rule %q: did you mean %q? \"skilleval lint --rules\" lists all", id, best)
	}
	var alike []string // those that hold the word: underscore, cross-reference
	for _, r := range rules {
		if len(id) > 3 && len(id) <= 64 && strings.Contains(r.ID, strings.ToLower(id)) && len(alike) < 5 {
			alike = append(alike, r.ID)
		}
	}
	if len(alike) > 0 {
		return Rule{}, fmt.Errorf(`there is no rule %s: did you mean %s? "skilleval lint --rules" lists all`, quote(id), strings.Join(alike, ", "))
	}
	return Rule{}, fmt.Errorf(`there is no rule %s: "skilleval lint --rules" lists those there are`, quote(id))
}

// check refuses rules that do not exist, for a configuration that was not parsed.
func (c Config) check() error {
	var faults []error
	try := func(rules map[string]Setting) {
		for id := range rules {
			if _, err := Find(id); err != nil {
				faults = append(faults, err)
			}
		}
	}
	try(c.Rules)
	for _, o := range c.Overrides {
		try(o.Rules)
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(faults...)
}

// severity gives what counts for a rule in a file.
func (c Config) severity(r Rule, given Severity, file string) Severity {
	c.each(r.ID, file, func(s Setting) {
		if s.Severity != "" {
			given = s.Severity
		}
	})
	return given
}

func (c Config) limit(r Rule, file string) int {
	limit := r.Limit
	c.each(r.ID, file, func(s Setting) {
		if s.Max > 0 {
			limit = s.Max
		}
	})
	return limit
}

// each visits the settings of a rule that count for a file, the strongest last.
func (c Config) each(id, file string, visit func(Setting)) {
	if s, ok := c.Rules[id]; ok {
		visit(s)
	}
	for _, o := range c.Overrides {
		s, ok := o.Rules[id]
		if ok && slices.ContainsFunc(o.Paths, func(p string) bool { return matches(p, file) }) {
			visit(s)
		}
	}
}
