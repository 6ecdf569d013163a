package skilleval_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// step is one step of a workflow or of the Action.
type step struct {
	Uses  string            `yaml:"uses"`
	Run   string            `yaml:"run"`
	Shell string            `yaml:"shell"`
	With  map[string]any    `yaml:"with"`
	Env   map[string]string `yaml:"env"`
}

// workflow is what the tests look at of a workflow file.
type workflow struct {
	Permissions map[string]string `yaml:"permissions"`
	Concurrency map[string]any    `yaml:"concurrency"`
	Jobs        map[string]struct {
		Permissions map[string]string `yaml:"permissions"`
		Timeout     int               `yaml:"timeout-minutes"`
		Steps       []step            `yaml:"steps"`
	} `yaml:"jobs"`
}

// actionFile is what the tests look at of action.yml.
type actionFile struct {
	Inputs  map[string]any `yaml:"inputs"`
	Outputs map[string]any `yaml:"outputs"`
	Runs    struct {
		Using string `yaml:"using"`
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

func TestActionsArePinnedByCommit(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	uses := regexp.MustCompile(`(?m)^\s*(?:- )?uses:\s*(.+?)\s*$`)
	one := map[string]string{}
	for _, file := range append(workflowFiles(t), "action.yml") {
		found := uses.FindAllStringSubmatch(readText(t, file), -1)
		require.NotEmpty(t, found, "%s uses no action", file)
		for _, m := range found {
			if strings.HasPrefix(m[1], "./") {
				continue
			}
			if !assert.Regexp(t, pinned, m[1], "%s: write owner/name@COMMIT # vX.Y.Z", file) {
				continue
			}
			name, pin, _ := strings.Cut(m[1], "@")
			if one[name] == "" {
				one[name] = pin
			}
			assert.Equal(t, one[name], pin, "%s: %s is pinned to two commits", file, name)
		}
	}
}

func TestWorkflowsHaveLeastPermissions(t *testing.T) {
	mayWrite := map[string]bool{"pull-requests": true, "security-events": true}
	for _, file := range workflowFiles(t) {
		w := readYAML[workflow](t, file)
		assert.Equal(t, map[string]string{"contents": "read"}, w.Permissions, "%s: permissions of the whole workflow", file)
		assert.NotEmpty(t, w.Concurrency, "%s has no concurrency", file)
		require.NotEmpty(t, w.Jobs, file)
		for name, job := range w.Jobs {
			assert.Positive(t, job.Timeout, "%s: job %s has no timeout-minutes", file, name)
			assert.LessOrEqual(t, len(job.Permissions), 2, "%s: job %s", file, name)
			for what, level := range job.Permissions {
				assert.True(t, level == "read" || mayWrite[what], "%s: job %s has %s: %s", file, name, what, level)
			}
			assert.Equal(t, job.Permissions["pull-requests"] == "write", wants(job.Steps, "comment"), "%s: job %s: pull-requests: write is for comment", file, name)
			assert.Equal(t, job.Permissions["security-events"] == "write", wants(job.Steps, "sarif"), "%s: job %s: security-events: write is for sarif", file, name)
		}
	}
}

// wants reports that a step sets an input to true.
func wants(steps []step, input string) bool {
	return slices.ContainsFunc(steps, func(s step) bool { return s.With[input] == true })
}

func TestNoExpressionInsideAScript(t *testing.T) {
	var runs int
	check := func(file string, steps []step) {
		for _, s := range steps {
			if s.Run != "" {
				runs++
			}
			assert.NotContains(t, s.Run, "${{", "%s: give the value to the script as a variable", file)
		}
	}
	action := readYAML[actionFile](t, "action.yml")
	check("action.yml", action.Runs.Steps)
	for _, file := range workflowFiles(t) {
		for _, job := range readYAML[workflow](t, file).Jobs {
			check(file, job.Steps)
		}
	}
	assert.Greater(t, runs, 3)
	for _, s := range action.Runs.Steps {
		assert.Equal(t, s.Run != "", s.Shell == "bash", "a script of a composite action names its shell")
	}
}

func TestActionInputsReachTheScriptAndTheDocumentation(t *testing.T) {
	action := readYAML[actionFile](t, "action.yml")
	require.Equal(t, "composite", action.Runs.Using)
	text, docs := readText(t, "action.yml"), readText(t, "docs/ci.md")
	for _, name := range slices.Sorted(maps.Keys(action.Inputs)) {
		assert.Contains(t, text, "${{ inputs."+name+" }}", "the input %s is used nowhere", name)
		assert.Contains(t, docs, "\n| `"+name+"` |", "docs/ci.md has no row for the input %s", name)
	}
	for _, name := range slices.Sorted(maps.Keys(action.Outputs)) {
		assert.Regexp(t, "\n\\|[^|]*`"+name+"`[^|]*\\|", docs, "docs/ci.md has no row for the output %s", name)
	}
	set := map[string]bool{}
	for _, s := range action.Runs.Steps {
		for name := range s.Env {
			set[name] = true
		}
	}
	scripts := readText(t, ".github/action/run.sh") + readText(t, ".github/action/build.sh")
	read := map[string]bool{}
	for _, m := range regexp.MustCompile(`\$\{?((?:INPUT_\w+)|PROGRAM|PULL_REQUEST|HEAD_REPOSITORY)`).FindAllStringSubmatch(scripts, -1) {
		read[m[1]] = true
	}
	read["GH_TOKEN"] = true // by the program gh
	assert.Equal(t, slices.Sorted(maps.Keys(set)), slices.Sorted(maps.Keys(read)), "variables that action.yml sets, and that the scripts read")
}

func TestWorkflowsGiveTheActionWhatItTakes(t *testing.T) {
	inputs := readYAML[actionFile](t, "action.yml").Inputs
	var used int
	for _, file := range workflowFiles(t) {
		for _, job := range readYAML[workflow](t, file).Jobs {
			for _, s := range job.Steps {
				if s.Uses != "./" && !strings.HasPrefix(s.Uses, "skilleval/skilleval@") {
					continue
				}
				used++
				for name := range s.With {
					assert.Contains(t, inputs, name, "%s: the Action has no such input", file)
				}
			}
		}
	}
	assert.GreaterOrEqual(t, used, 8)
}

func TestPreCommitHooksAreDocumented(t *testing.T) {
	type hook struct {
		ID, Entry, Language, Files string
		AlwaysRun                  bool  `yaml:"always_run"`
		PassFilenames              *bool `yaml:"pass_filenames"`
	}
	docs := readText(t, "docs/ci.md")
	hooks := readYAML[[]hook](t, ".pre-commit-hooks.yaml")
	require.Len(t, hooks, 2)
	for _, h := range hooks {
		assert.Contains(t, docs, "- id: "+h.ID)
		assert.Equal(t, "golang", h.Language)
		assert.True(t, strings.HasPrefix(h.Entry, strings.Replace(h.ID, "-", " ", 1)), "%s runs %s", h.ID, h.Entry)
		assert.Contains(t, h.Entry, " --fail-", "%s: without it the sample suite may stand in where no suite is named", h.ID)
		assert.True(t, h.AlwaysRun && h.Files == "", "%s: a skill's files have any name, and one that is deleted counts, too", h.ID)
		assert.True(t, h.PassFilenames != nil && !*h.PassFilenames, "%s looks at the whole catalogue", h.ID)
	}
}

// TestTheExampleMarksWhatToChange looks for names in the workflow that are not those of its reader.
func TestTheExampleMarksWhatToChange(t *testing.T) {
	comment, marked := "", 0 // the comment above a line
	for line := range strings.Lines(readText(t, "docs/examples/skills-ci.yml")) {
		code, _, _ := strings.Cut(line, "#")
		if regexp.MustCompile(`my-suite|branches:|@0{40}`).MatchString(code) {
			assert.Regexp(t, "# CHANGE", comment+line)
			marked++
		}
		switch strings.TrimSpace(code) {
		case "":
			comment += line
		case "- id: run": // its second line names the Action
		default:
			comment = ""
		}
	}
	assert.GreaterOrEqual(t, marked, 9)
}

// workflowFiles are the workflows of the repository and those that its documentation offers.
func workflowFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{".github/workflows/*", "docs/examples/*.y*ml"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		files = append(files, found...)
	}
	return files
}

func readText(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(data)
}

func readYAML[T any](t *testing.T, file string) T {
	t.Helper()
	var v T
	require.NoError(t, yaml.Load([]byte(readText(t, file)), &v), file)
	return v
}
