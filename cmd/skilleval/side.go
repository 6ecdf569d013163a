package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

// description is one side of an A/B comparison of two texts.
type description struct {
	text  string
	skill string // named by the side itself; "" when it does not
	label string // how the side was given
}

// readDescription understands a side: a skill directory or SKILL.md, a text file, REV:PATH of a git revision, or the text
// itself.
func readDescription(arg string) (*description, error) {
	if strings.TrimSpace(arg) == "" {
		return nil, errors.New("the description is empty")
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return fromSkillDir(arg)
	case err == nil:
		data, err := os.ReadFile(arg)
		if err != nil {
			return nil, err
		}
		return descriptionIn(arg, data)
	}
	if rev, file, ok := revision(arg); ok {
		data, err := gitShow(rev, file)
		if err != nil {
			return nil, err
		}
		d, err := descriptionIn(file, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", arg, err)
		}
		d.label = arg
		return d, nil
	}
	if !strings.ContainsAny(strings.TrimSpace(arg), " \n") && len([]rune(arg)) < 200 && isASCII(arg) {
		return nil, fmt.Errorf("%s: there is no such file or directory; a literal description has more than one word", arg)
	}
	return &description{text: arg, label: "literal text"}, nil
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0
}

func fromSkillDir(dir string) (*description, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if strings.EqualFold(e.Name(), "SKILL.md") {
			p := filepath.Join(dir, e.Name())
			data, err := os.ReadFile(p)
			if err != nil {
				return nil, err
			}
			return descriptionIn(p, data)
		}
	}
	return nil, fmt.Errorf("%s: no SKILL.md in it", dir)
}

// descriptionIn takes the description of a SKILL.md, or the whole of any other file.
func descriptionIn(name string, data []byte) (*description, error) {
	text := strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff"))
	if text == "" {
		return nil, fmt.Errorf("%s: the file is empty: write the description into it", name)
	}
	if !strings.HasPrefix(text, "---") && !strings.EqualFold(path.Base(filepath.ToSlash(name)), "SKILL.md") {
		return &description{text: text, label: name}, nil
	}
	s, err := skills.Parse(name, data)
	if err != nil {
		return nil, err
	}
	return &description{text: s.Description, skill: s.Name, label: name}, nil
}

// revision splits REV:PATH. Neither part may hold a space, and the revision may not look like an option.
func revision(arg string) (rev, file string, ok bool) {
	rev, file, ok = strings.Cut(arg, ":")
	if !ok || rev == "" || file == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(arg, " \t\n") || strings.HasPrefix(file, "//") {
		return "", "", false
	}
	return rev, file, true
}

// gitShow reads a file, or the SKILL.md of a directory, as it was at a revision.
func gitShow(rev, file string) ([]byte, error) {
	if _, err := git("rev-parse", "--verify", "--quiet", rev+"^{commit}"); err != nil {
		hint := ""
		if out, err := git("rev-parse", "--is-shallow-repository"); err == nil && strings.TrimSpace(string(out)) == "true" {
			hint = "; this clone is shallow: fetch its history first (git fetch --unshallow)"
		}
		return nil, fmt.Errorf("%s:%s: git knows no revision %q here%s", rev, file, rev, hint)
	}
	for _, p := range []string{file, strings.TrimSuffix(file, "/") + "/SKILL.md"} {
		if kind, err := git("cat-file", "-t", rev+":"+relative(p)); err == nil && strings.TrimSpace(string(kind)) == "blob" {
			return git("show", rev+":"+relative(p))
		}
	}
	return nil, fmt.Errorf("%s:%s: there is no such file at that revision", rev, file)
}

// relative makes a path relative to the working directory rather than to the top of the repository, as a user means it.
func relative(p string) string {
	if filepath.IsAbs(p) || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
		return p
	}
	return "./" + p
}

// git runs the git program with an argument vector; its first error line becomes the error.
func git(args ...string) ([]byte, error) {
	out, err := exec.Command("git", args...).Output()
	if err == nil {
		return out, nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		return nil, fmt.Errorf("git %s: %s", args[0], first)
	}
	return nil, fmt.Errorf("git: %w", err)
}
