package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/reports"
)

// The exit codes of every command.
const (
	exitPassed      = 0
	exitFailed      = 1   // a gate, a case rule or a finding failed
	exitUsage       = 2   // usage or bad input, before any request
	exitServer      = 3   // server or I/O failure, also when a trial is an error and errors were not allowed
	exitInterrupted = 130 // the run file is readable and resumable
)

// Streams are the standard streams of one invocation.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// LookupEnv reads one environment variable.
type LookupEnv func(name string) (string, bool)

// exitError carries the exit code that an error stands for.
type exitError struct {
	code int
	err  error // nil: everything was said already
}

// Error implements error.
func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

// Unwrap returns the cause.
func (e *exitError) Unwrap() error { return e.err }

// failWith attaches an exit code to an error.
func failWith(code int, err error) error { return &exitError{code, err} }

// app is what every command of one invocation shares.
type app struct {
	Streams
	env    LookupEnv
	redact func(string) string // removes secrets, and what looks like one, from whatever is printed
	// redactData removes the known secrets, and nothing else, from what is stored.
	redactData func(string) string
	keys       []string       // the secrets that are known
	closers    []func() error // what must be closed before the program ends
	replies    *replies       // where replies come from, when not all are from the model; else nil
}

// atExit has a function called when the command is over, whatever came of it.
func (a *app) atExit(f func() error) { a.closers = append(a.closers, f) }

// close calls what was registered, the last first; its error counts only where the command had none.
func (a *app) close(err error) error {
	for i := len(a.closers) - 1; i >= 0; i-- {
		if closed := a.closers[i](); closed != nil && err == nil {
			err = failWith(exitServer, closed)
		}
	}
	return err
}

// Main runs one invocation and returns its exit code. It is the whole program but for process concerns.
func Main(ctx context.Context, args []string, s Streams, env LookupEnv) int {
	out := &watched{Writer: s.Out}
	s.Out = out
	a := &app{Streams: s, env: env}
	a.hide(usualKey(env))
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := a.close(root.ExecuteContext(ctx))
	var exit *exitError
	if !errors.As(err, &exit) && out.err != nil { // cobra drops it, or returns it as an error of usage
		err = failWith(exitServer, fmt.Errorf("write standard output: %w", out.err))
	}
	if err == nil {
		return exitPassed
	}
	if !errors.As(err, &exit) { // cobra's own errors: unknown command or flag, wrong number of arguments
		exit = &exitError{exitUsage, err}
	}
	if exit.err != nil {
		a.complain(exit.err)
	}
	return exit.code
}

// usualKey is the key that commands take which are not told of another one. It is hidden from the beginning, also by
// commands that ask no model: a text that holds it may come from anywhere.
func usualKey(env LookupEnv) string {
	name, ok := env("SKILLEVAL_API_KEY_ENV")
	if !ok || name == "" {
		name = usualKeyVariable
	}
	key, _ := env(name)
	return key
}

// watched is a stream that keeps its first write error.
type watched struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

// complain prints an error to standard error, one line a fault, safe for a terminal and without secrets.
func (a *app) complain(err error) {
	for line := range lines(a.redact(err.Error())) {
		fmt.Fprintf(a.Err, "skilleval: %s\n", reports.Plain(line))
	}
}

// print writes a text to standard output.
func (a *app) print(text string) error {
	if _, err := io.WriteString(a.Out, text); err != nil {
		return failWith(exitServer, fmt.Errorf("write standard output: %w", err))
	}
	return nil
}

// say prints a remark to standard error.
func (a *app) say(format string, args ...any) {
	for line := range lines(a.redact(fmt.Sprintf(format, args...))) {
		fmt.Fprintln(a.Err, reports.Plain(line))
	}
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "skilleval",
		Short: "Measure how well an AI agent chooses among its skills and fills their arguments",
		Long: `skilleval replays labelled cases (request → skill → arguments) through a full agent, scores what it selected
and how it filled the arguments, and says how sure the figures are.

Exit codes: 0 passed; 1 a gate or a finding failed; 2 usage or bad input, before any request; 3 server or I/O
failure, also when any trial is an error and errors were not allowed; 130 interrupted.

Every flag can also be given as an environment variable (--base-url as SKILLEVAL_BASE_URL) or as a key of
skilleval.yaml (base_url); a flag wins over the environment, the environment over the file.`,
		Example: `  skilleval run                                  # the built-in sample suite, offline
  skilleval run my-suite --base-url http://localhost:11434/v1 --model qwen3:8b
  skilleval report .skilleval/runs/20260302-101500-1f2e3d -o markdown`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(newRunCommand(a), newABCommand(a), newCompareCommand(a), newAblateCommand(a), newReportCommand(a), newAskCommand(a), newSkillsCommand(a), newDatasetCommand(a),
		newCacheCommand(a), newInitCommand(a), newVersionCommand(a), newLintCommand(a), newSimilarCommand(a), newGateCommand(a), newBaselineCommand(a))
	root.CompletionOptions.HiddenDefaultCmd = false
	root.Version = version()
	root.SetVersionTemplate(versionLine())
	addBuiltins(root, a.Out)
	root.SetUsageTemplate(usageOfGroups(root))
	plainUsage(root)
	return root
}
