package skilleval_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runAction runs the script of the Action with a program that does what the shell text says, and returns its outputs.
func runAction(t *testing.T, program string, env ...string) (code int, outputs string) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs bash")
	}
	dir := t.TempDir()
	fake, out := filepath.Join(dir, "program"), filepath.Join(dir, "outputs")
	require.NoError(t, os.WriteFile(fake, []byte("#!/usr/bin/env bash\n"+program), 0o755))
	cmd := exec.CommandContext(t.Context(), "bash", ".github/action/run.sh")
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "PROGRAM=" + fake, "RUNNER_TEMP=" + dir, "GITHUB_OUTPUT=" + out,
		"GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary"), "INPUT_COMMAND=lint", "INPUT_SARIF=true"}, env...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		require.IsType(t, &exec.ExitError{}, err, "%s", said)
	}
	data, err := os.ReadFile(out)
	require.NoError(t, err, "%s", said)
	return cmd.ProcessState.ExitCode(), string(data)
}

// writesReports is a program that writes the reports it is asked for.
const writesReports = `for a in "$@"; do case "$a" in *=*.json | *=*.sarif) echo '{}' > "${a#*=}" ;; esac; done`

// The output category keeps suites apart whose names are not plain.
func TestActionCategories(t *testing.T) {
	seen := map[string]string{}
	for _, suite := range []string{"", "suite", "天气", "新闻", "été", "ete", "a b", "a/b", "a  b", "a--b", "a-b", "x天气", "x新闻"} {
		code, out := runAction(t, writesReports, "INPUT_SUITE="+suite)
		require.Equal(t, 0, code, suite)
		m := regexp.MustCompile(`(?m)^category=([A-Za-z0-9._/-]{1,110})$`).FindStringSubmatch(out)
		require.NotNil(t, m, out)
		assert.NotContains(t, seen, m[1], "%q and %q have one category", suite, seen[m[1]])
		seen[m[1]] = suite
	}
	assert.Equal(t, "suite", seen["skilleval/lint/suite"], "a plain name stays as it is")
}

// A command that only prints something has checked nothing.
func TestActionWithoutReport(t *testing.T) {
	code, out := runAction(t, "echo help", "INPUT_ARGUMENTS=--help")
	assert.Equal(t, 2, code)
	assert.Regexp(t, `(?s)verdict=error\n.*exit-code=2\n`, out)
	assert.NotContains(t, out, "verdict=passed")
	code, out = runAction(t, writesReports)
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "verdict=passed")
}
