package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plainUsage makes a command and all below it answer mistakes on the command line in plain words: what was not
// understood, what was most likely meant, and what the command takes.
func plainUsage(c *cobra.Command) {
	c.SetFlagErrorFunc(flagMistake)
	if c.HasSubCommands() {
		c.Args, c.RunE = cobra.ArbitraryArgs, missingSubcommand
		c.FParseErrWhitelist.UnknownFlags = c.HasParent() // a flag of the subcommand that was mistyped
	} else if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if check(c, args) != nil {
				return argumentMistake(c, args)
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		plainUsage(sub)
	}
}

// usageOfGroups is cobra's usage text without the line that offers a command that only holds others to be called alone.
func usageOfGroups(c *cobra.Command) string {
	return strings.Replace(c.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable (not .HasAvailableSubCommands)}}", 1)
}

// addBuiltins adds the commands for help and completion at once, so that plainUsage and the documentation see them.
func addBuiltins(root *cobra.Command, out io.Writer) {
	root.SetOut(out) // the completion scripts go where it was when their commands were made
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Example, c.Run, c.RunE = "  skilleval help run", nil, showHelp
		case "completion":
			c.Example = "  skilleval completion bash > skilleval.bash"
			for _, shell := range c.Commands() {
				shell.Example = "  skilleval completion " + shell.Name()
			}
		}
	}
}

// showHelp is the command help.
func showHelp(c *cobra.Command, args []string) error {
	found, rest, err := c.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 && found.HasSubCommands() {
		return unknownCommand(found, rest[0])
	}
	found.InitDefaultHelpFlag()
	found.InitDefaultVersionFlag()
	return found.Help()
}

// missingSubcommand answers a command that only holds others: its help goes to standard error, since nothing was done.
func missingSubcommand(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(c, args[0])
	}
	c.SetOut(c.ErrOrStderr())
	if err := c.Help(); err != nil {
		return err
	}
	return fmt.Errorf("name a command: %s", strings.Join(subcommands(c), ", "))
}

func subcommands(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// unknownCommand says which command was most likely meant: one that is spelled alike, one of the same name elsewhere, or,
// for a path, the command run.
func unknownCommand(c *cobra.Command, name string) error {
	known := subcommands(c)
	meant := nearest(name, slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !strings.HasPrefix(name, k[:1]) }))
	if i := slices.IndexFunc(known, func(k string) bool { return len(name) > 1 && strings.HasPrefix(k, name) }); meant == "" && i >= 0 {
		meant = known[i]
	}
	switch elsewhere := commandNamed(c.Root(), name); {
	case !c.HasParent() && exists(name):
		meant = c.CommandPath() + " run " + name
	case meant != "":
		meant = c.CommandPath() + " " + meant
	case elsewhere != nil:
		meant = elsewhere.CommandPath()
	default:
		return fmt.Errorf("unknown command %q for %q: write one of %s", name, c.CommandPath(), strings.Join(known, ", "))
	}
	return fmt.Errorf("unknown command %q for %q: did you mean %q?", name, c.CommandPath(), meant)
}

// commandNamed finds a command of this name below c, at any depth.
func commandNamed(c *cobra.Command, name string) *cobra.Command {
	for _, sub := range c.Commands() {
		if sub.Name() == name && sub.IsAvailableCommand() {
			return sub
		}
		if found := commandNamed(sub, name); found != nil {
			return found
		}
	}
	return nil
}

// argumentMistake says what a command takes and shows an example.
func argumentMistake(c *cobra.Command, args []string) error {
	_, takes, _ := strings.Cut(c.Use, " ")
	if takes == "" {
		takes = "no arguments"
	}
	given := "none is given"
	if n := len(args); n > 0 {
		quoted := make([]string, n)
		for i, arg := range args {
			quoted[i] = strconv.Quote(arg)
		}
		given = fmt.Sprintf("%d given: %s", n, strings.Join(quoted, " "))
	}
	hint := ""
	if c.Name() == "ask" && len(args) > 0 {
		hint = "; put the whole request in quotes"
	}
	return fmt.Errorf("%q takes %s, %s%s; for example: %s", c.CommandPath(), takes, given, hint, firstExample(c))
}

// firstExample is the first line of a command's examples, without its comment.
func firstExample(c *cobra.Command) string {
	for line := range lines(c.Example) {
		line, _, _ = strings.Cut(line, " #")
		return strings.TrimSpace(line)
	}
	return c.UseLine()
}

// flagMistake puts a flag that was not understood in plain words.
func flagMistake(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var valueless *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(c, unknown)
	case errors.As(err, &valueless):
		name, _ := pflag.UnquoteUsage(valueless.GetFlag())
		return fmt.Errorf("--%s needs a value: write --%s %s", valueless.GetFlag().Name, valueless.GetFlag().Name, name)
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, notA(invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap()))
	}
	return err
}

// unknownFlag names the nearest flag. A word after one dash is most likely a flag with one dash too few.
func unknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	name, spelled := err.GetSpecifiedName(), "--"+err.GetSpecifiedName()
	if short := err.GetSpecifiedShortnames(); short != "" {
		word, _, _ := strings.Cut(short, "=")
		name, spelled = word, "-"+word
	}
	if best := nearest(name, known); best != "" && len(name) > 1 {
		return fmt.Errorf("unknown flag %s: did you mean --%s?", spelled, best)
	}
	return fmt.Errorf(`unknown flag %s: "%s --help" lists the flags`, spelled, c.CommandPath())
}

// notA says what a flag takes in the place of a value.
func notA(f *pflag.Flag, value string, cause error) error {
	switch kind := kindOf(f); {
	case errors.Is(cause, strconv.ErrRange):
		return fmt.Errorf("%q is too large a number", value)
	case kind != otherKind:
		return fmt.Errorf("%q is not %s", value, kind)
	}
	return cause
}
