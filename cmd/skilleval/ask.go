package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

func newAskCommand(a *app) *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use:   "ask TEXT [SUITE]",
		Short: "Put one request through the agent and show its trace",
		Long: `ask runs one request through the same agent that run uses and prints each step: what was selected, the arguments as
the model gave them and as they were bound, validation, the result and the answer (long texts are cut; --events FILE has them whole). Skills are stubs: nothing is executed.`,
		Example: `  skilleval ask "Will it rain in Hangzhou tomorrow?"
  skilleval ask "把这段话翻译成英文：你好" --protocol text
  skilleval ask "Convert 20 EUR to USD" my-suite --base-url http://localhost:11434/v1 --model qwen3:8b`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return a.ask(cmd, args, &s) },
	}
	f := cmd.Flags()
	s.catalogueFlags(f)
	s.modelFlags(f)
	s.promptFlags(f)
	f.StringVar(&s.until, "until", "answer", "stop at the answer, or at the first complete call (`WHEN`)")
	f.DurationVar(&s.timeout, "timeout", 5*time.Minute, "most time the request may take")
	f.StringVar(&s.events, "events", "", "write every step to `FILE` as JSON Lines")
	return cmd
}

func (a *app) ask(cmd *cobra.Command, args []string, s *settings) error {
	su, err := a.openSuite(args[1:], s, cmd.Flags())
	if err != nil {
		if len(args) > 1 && !exists(args[1]) {
			err = failWith(exitUsage, fmt.Errorf("%w; if %q belongs to the request, put the whole request in quotes", err, args[1]))
		}
		return err
	}
	s.trials, s.concurrency = 1, 1
	if err := s.check(); err != nil {
		return err
	}
	c, err := su.catalogue()
	if err != nil {
		return err
	}
	if err := c.Err(); err != nil {
		return failWith(exitUsage, err)
	}
	if err := s.sparePlaces(nil, append(su.inputs(), skillFiles(c)...)); err != nil {
		return err
	}
	m, err := a.chooseModel(s)
	if err != nil {
		return err
	}
	for _, remark := range m.remarks {
		a.say("note: %s", remark)
	}
	ag, err := s.newAgent(m, availableSkills(c))
	if err != nil {
		return err
	}
	events, err := a.openEvents(s.events, false)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), s.timeout)
	defer cancel()
	out, err := ag.Run(ctx, agent.Task{Input: args[0], Until: s.until, Observe: func(e agent.Event) {
		if e.Kind != "error" { // said at the end
			a.printEvent(&e)
		}
		if events != nil {
			events.observe(results.Key{}, e)
		}
	}})
	if from := a.replies.sentence(); from != "" {
		a.say("%s", from)
	}
	return errors.Join(a.replayed(a.concludeAsk(cmd.Context(), out, err)), events.close())
}

// printEvent shows one step on standard output.
func (a *app) printEvent(e *agent.Event) {
	var detail strings.Builder
	for _, k := range sortedKeys(e.Detail) {
		v, err := json.Marshal(e.Detail[k])
		if err != nil {
			v = fmt.Appendf(nil, "%v", e.Detail[k])
		}
		if text := string(v); text == "null" || text == "[]" || text == `""` || text == "false" {
			continue
		}
		fmt.Fprintf(&detail, " %s=%s", k, reports.Clip(string(v), 160))
	}
	line := fmt.Sprintf("%2d %-8s %-12s %-10s%s", e.Round, e.Kind, e.Skill, e.Outcome, detail.String())
	fmt.Fprintln(a.Out, strings.TrimRight(reports.Plain(a.redact(line)), " "))
}

// concludeAsk prints what it came to.
func (a *app) concludeAsk(ctx context.Context, out *agent.Outcome, err error) error {
	w := &lineWriter{w: a.Out, redact: a.redact}
	for _, c := range out.Calls {
		validity := "valid"
		if !c.Valid {
			validity = "INVALID: " + strings.Join(c.Faults, "; ")
		}
		w.line("call   %s %s  (%s)", c.Skill, c.Args, validity)
	}
	if out.Fault != nil {
		w.line("fault  %s: %s", out.Fault.Class, out.Fault.Message)
	}
	if out.Refusal != "" {
		w.line("refused %s", out.Refusal)
	}
	if out.Answer != "" {
		w.line("answer %s", out.Answer)
	}
	if out.Rounds == 0 {
		return askError(ctx, err, w)
	}
	usage := out.Usage()
	source := "server"
	if usage.Estimated {
		source = "estimated"
	}
	w.line("%d rounds, %d + %d tokens (%s), %d repairs, %d retries", out.Rounds, usage.Prompt, usage.Completion, source, out.Repairs, out.Retries)
	return askError(ctx, err, w)
}

// askError is the error of a request that was interrupted or failed, or whose outcome could not be written.
func askError(ctx context.Context, err error, w *lineWriter) error {
	switch {
	case ctx.Err() != nil:
		return failWith(exitInterrupted, errors.New("interrupted"))
	case err != nil:
		return failWith(exitServer, err)
	case w.err != nil:
		return failWith(exitServer, w.err)
	}
	return nil
}

// lineWriter prints safe lines and keeps the first error.
type lineWriter struct {
	w      io.Writer
	redact func(string) string
	err    error
}

func (l *lineWriter) line(format string, args ...any) {
	if _, err := fmt.Fprintln(l.w, reports.Plain(l.redact(fmt.Sprintf(format, args...)))); err != nil && l.err == nil {
		l.err = err
	}
}
