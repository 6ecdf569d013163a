package main

import (
	"context"
	"errors"
	"fmt"
	"os"
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
func readDescription(ctx context.Context, arg string) (*description, error) {
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
		data, err := atRevision(ctx, rev, file)
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

// atRevision reads a file, or the SKILL.md of a directory, as it was at a revision. The path is relative to the working
// directory.
func atRevision(ctx context.Context, rev, file string) ([]byte, error) {
	data, err := readRevision(ctx, rev, file, maxDescription)
	if err == nil {
		return data, nil
	}
	if inside, errDir := readRevision(ctx, rev, strings.TrimSuffix(file, "/")+"/SKILL.md", maxDescription); errDir == nil {
		return inside, nil
	}
	return nil, err
}

// maxDescription bounds, in bytes, a file that holds a description.
const maxDescription = 4 << 20
