package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// fullDisk takes so many bytes and no more.
type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.left {
		return d.left, errors.New("no space left on device")
	}
	d.left -= len(p)
	return len(p), nil
}

// TestOutputThatCannotBeWritten is the machine's fault, whatever writes it, and never a good end; a mistake on the command
// line stays one.
func TestOutputThatCannotBeWritten(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run")
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"completion bash", exitServer, "no space left on device"},
		{"completion zsh", exitServer, "no space left on device"},
		{"completion fish", exitServer, "no space left on device"},
		{"completion powershell", exitServer, "no space left on device"},
		{"--help", exitServer, "no space left on device"},
		{"help run", exitServer, "no space left on device"},
		{"run --help", exitServer, "no space left on device"},
		{"version", exitServer, "no space left on device"},
		{"skills list testdata/suites/small", exitServer, "no space left on device"},
		{"run testdata/suites/small --out " + run, exitServer, "no space left on device"},
		{"report " + run, exitServer, "no space left on device"},
		{"completion tcsh", exitUsage, "write one of bash, fish, powershell, zsh"},
		{"nonsense", exitUsage, "unknown command"},
		{"run --nonsense", exitUsage, "unknown flag"},
		{"report " + run + " -o pdf", exitUsage, "unknown report format"},
	} {
		for _, room := range []int{0, 10} {
			var stderr bytes.Buffer
			args := strings.Fields(c.args)
			if args[0] == "run" && room > 0 {
				continue // the run is there
			}
			code := Main(context.Background(), args, Streams{In: strings.NewReader(""), Out: &fullDisk{room}, Err: &stderr}, func(string) (string, bool) { return "", false })
			assert.Equal(t, c.code, code, "%s: %s", c.args, stderr.String())
			assert.Contains(t, stderr.String(), c.says, c.args)
		}
	}
}
