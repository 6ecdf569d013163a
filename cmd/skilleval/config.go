package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/skilleval/skilleval/results"
)

// configFile is one skilleval.yaml: flag values by flag name, and what no flag can say.
type configFile struct {
	path         string
	values       map[string][]string // flag name → values, in order
	descriptions map[string]string   // description set → file
	prices       *results.Prices
	extra        map[string]any // further request fields, sent as they are
}

// blankYAML reports a file of blank lines and comments alone.
func blankYAML(data []byte) bool {
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "#") {
			return false
		}
	}
	return true
}

// notInFile lists the flags that make no sense in a suite file: they belong to one invocation.
var notInFile = []string{"config", "help", "resume", "output", "quiet", "no-progress", "no-color", "stable", "events", "comment-marker", "descriptions"}

// structured lists the keys of a suite file that are no flags.
var structured = []string{"descriptions", "prices", "request"}

// readConfig parses a suite file. All faults of the file are reported at once, with line and column.
func readConfig(path string, data []byte) (*configFile, error) {
	c := &configFile{path: path, values: map[string][]string{}}
	if blankYAML(data) {
		return c, nil
	}
	var doc yaml.Node
	if err := yaml.Load([]byte(strings.TrimPrefix(string(data), "\ufeff")), &doc); err != nil {
		return nil, yamlError(path, err)
	}
	if len(doc.Content) == 0 {
		return c, nil
	}
	root := doc.Content[0]
	if root.Kind == yaml.SequenceNode {
		return nil, fmt.Errorf("%s:%d:%d: want keys such as \"skills: skills\", found a list; a list of cases is a dataset: use --dataset %s", path, root.Line, root.Column, path)
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s:%d:%d: want keys such as \"skills: skills\", found %s", path, root.Line, root.Column, kindName(root))
	}
	known := suiteFlags()
	var faults []error
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		flag := strings.ReplaceAll(key.Value, "_", "-")
		if seen[flag] {
			faults = append(faults, fmt.Errorf("%s:%d:%d: key %q is given twice", path, key.Line, key.Column, key.Value))
			continue
		}
		seen[flag] = true
		if err := c.read(known, flag, key, value); err != nil {
			faults = append(faults, err)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return c, nil
}

// read takes one key of the file.
func (c *configFile) read(known *pflag.FlagSet, flag string, key, value *yaml.Node) error {
	switch {
	case flag == "descriptions":
		return c.decode(key, value, &c.descriptions, "a map from set name to file")
	case flag == "prices":
		var p struct {
			Prompt     float64 `yaml:"prompt_per_mtok"`
			Completion float64 `yaml:"completion_per_mtok"`
		}
		err := c.decode(key, value, &p, "prompt_per_mtok and completion_per_mtok, in US dollars per million tokens")
		c.prices = &results.Prices{Prompt: p.Prompt, Completion: p.Completion}
		if err == nil && !(p.Prompt >= 0 && p.Completion >= 0 && p.Prompt+p.Completion < math.Inf(1)) {
			err = fmt.Errorf("%s:%d:%d: %s: prices are numbers from 0 on", c.path, value.Line, value.Column, key.Value)
		}
		return err
	case flag == "request":
		return c.decode(key, value, &c.extra, "a map of request fields")
	case known.Lookup(flag) == nil || slices.Contains(notInFile, flag):
		return fmt.Errorf("%s:%d:%d: unknown key %q%s", c.path, key.Line, key.Column, key.Value, c.suggest(known, flag))
	}
	values, err := scalars(value)
	if err != nil {
		return fmt.Errorf("%s:%d:%d: %s: %w", c.path, value.Line, value.Column, key.Value, err)
	}
	f := known.Lookup(flag)
	if len(values) > 1 && !strings.HasSuffix(f.Value.Type(), "Array") {
		return fmt.Errorf("%s:%d:%d: %s takes one value, found a list", c.path, value.Line, value.Column, key.Value)
	}
	for _, v := range values {
		if err := f.Value.Set(v); err != nil {
			return fmt.Errorf("%s:%d:%d: %s: %q is not %s", c.path, value.Line, value.Column, key.Value, v, kindOf(f))
		}
	}
	c.values[flag] = values
	return nil
}

// decode reads a structured key, refusing fields it does not know.
func (c *configFile) decode(key, value *yaml.Node, into any, want string) error {
	text, err := yaml.Dump(value)
	if err == nil {
		err = yaml.Load(text, into, yaml.WithKnownFields())
	}
	if err != nil {
		return fmt.Errorf("%s:%d:%d: %s: want %s", c.path, value.Line, value.Column, key.Value, want)
	}
	return nil
}

// suggest names the nearest key that would have been understood.
func (c *configFile) suggest(known *pflag.FlagSet, flag string) string {
	candidates := slices.Clone(structured)
	known.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(notInFile, f.Name) {
			candidates = append(candidates, f.Name)
		}
	})
	if best := nearest(flag, candidates); best != "" {
		return fmt.Sprintf(": did you mean %q?", strings.ReplaceAll(best, "-", "_"))
	}
	for i, k := range candidates {
		candidates[i] = strings.ReplaceAll(k, "-", "_")
	}
	slices.Sort(candidates)
	return ": known keys are " + strings.Join(candidates, ", ")
}

// scalars returns the text of a scalar or of a list of scalars, as written.
func scalars(n *yaml.Node) ([]string, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return nil, errors.New("no value is given")
		}
		return []string{n.Value}, nil
	case yaml.SequenceNode:
		var out []string
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("want a list of plain values, found %s", kindName(item))
			}
			out = append(out, item.Value)
		}
		if len(out) == 0 {
			return nil, errors.New("the list is empty")
		}
		return out, nil
	}
	return nil, fmt.Errorf("want a value or a list of values, found %s", kindName(n))
}

// kindOf says in words what a flag takes.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a duration such as 90s or 5m"
	case "bool":
		return "true or false"
	case "stringSlice":
		return "a list separated by commas"
	case "intSlice":
		return "a list of whole numbers such as 10,25"
	}
	return otherKind
}

// otherKind is what kindOf says of flags that tell themselves what they take.
const otherKind = "a value it takes"

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		return fmt.Sprintf("%q", n.Value)
	}
	return "something else"
}

// yamlError turns the library's error into one line a fault with our path.
func yamlError(path string, err error) error {
	var many *yaml.LoadErrors
	if errors.As(err, &many) {
		var faults []error
		for _, e := range many.Errors {
			faults = append(faults, fmt.Errorf("%s:%d:%d: %s", path, max(e.Mark.Line, 1), max(e.Mark.Column, 1), e.Message))
		}
		return errors.Join(faults...)
	}
	var one *yaml.LoadError
	if errors.As(err, &one) {
		return fmt.Errorf("%s:%d:%d: %s", path, max(one.Mark.Line, 1), max(one.Mark.Column, 1), one.Message)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// suiteFlags is a fresh set of every flag a suite file may set, for looking names up and trying values.
func suiteFlags() *pflag.FlagSet {
	var s settings
	f := pflag.NewFlagSet("suite", pflag.ContinueOnError)
	s.inputFlags(f)
	s.modelFlags(f)
	s.promptFlags(f)
	s.runFlags(f)
	s.outputFlags(f)
	s.gateFlags(f)
	s.lintFlags(f)
	s.similarFlags(f)
	return f
}

// origin says where a setting's value comes from.
type origin int

const (
	fromDefault origin = iota
	fromFlag
	fromEnvironment
	fromFile
)

// resolveEnvironment fills the flags that were not given on the command line from the environment.
func (s *settings) resolveEnvironment(flags *pflag.FlagSet, env LookupEnv) error {
	s.origin = map[string]origin{}
	var faults []error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			s.origin[f.Name] = fromFlag
			return
		}
		variable := "SKILLEVAL_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v, ok := env(variable); ok && v != "" && f.Name != "help" {
			if err := flags.Set(f.Name, v); err != nil {
				faults = append(faults, fmt.Errorf("environment variable %s: %q is not %s", variable, v, kindOf(f)))
			}
			s.origin[f.Name] = fromEnvironment
		}
	})
	return errors.Join(faults...)
}

// resolveFile fills the flags that neither the command line nor the environment set from the suite file, whose values
// were tried when it was read.
func (s *settings) resolveFile(flags *pflag.FlagSet, file *configFile) error {
	s.file = file
	if file == nil {
		return nil
	}
	var faults []error
	flags.VisitAll(func(f *pflag.Flag) {
		values := file.values[f.Name]
		if s.origin[f.Name] != fromDefault || len(values) == 0 {
			return
		}
		s.origin[f.Name] = fromFile
		for _, v := range values {
			if err := flags.Set(f.Name, v); err != nil {
				faults = append(faults, fmt.Errorf("%s: %s: %w", file.path, f.Name, err))
			}
		}
	})
	return errors.Join(faults...)
}

// isNotExist reports that a file is not there, as opposed to not readable.
func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
