package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/skills"
)

// description is one side of an A/B comparison of two texts.
type description struct {
	text  string
	skill string // named by the side itself; "" when it does not
	label string // how the side was given
	file  string // it was read from; "" when it was not
}

// literalPrefix begins a side that is the text itself, whatever it looks like.
const literalPrefix = "text:"

// readDescription understands a side: the text itself after "text:", a skill directory or SKILL.md, a text file, REV:PATH
// of a git revision, or a text that looks like none of these.
func readDescription(ctx context.Context, arg string) (*description, error) {
	if text, ok := strings.CutPrefix(arg, literalPrefix); ok {
		return literal(text)
	}
	if strings.TrimSpace(arg) == "" {
		return nil, errors.New("the description is empty")
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return fromSkillDir(arg)
	case err == nil:
		return fromTextFile(arg, info)
	}
	if rev, file, ok := revision(arg); ok && meansRevision(ctx, arg, rev) {
		return fromRevision(ctx, arg, rev, file)
	}
	if looksLikePath(arg) {
		return nil, fmt.Errorf("%s: there is no such file or directory; if it is the text itself, write %q", arg, literalPrefix+arg)
	}
	return literal(arg)
}

// literal is a side that is the text itself.
func literal(text string) (*description, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, errors.New("the description is empty")
	case !utf8.ValidString(text):
		return nil, errors.New("the text holds bytes that are not UTF-8: write it in UTF-8, or name a file")
	}
	return &description{text: text, label: "literal text"}, nil
}

// meansRevision tells REV:PATH from a text with a colon in it. Where the part before the colon is a revision of the
// repository here, that is what is meant; where it is none, a single word of ASCII is more likely a mistyped one than a
// description.
func meansRevision(ctx context.Context, arg, rev string) bool {
	if isWord(arg) {
		return true
	}
	_, err := gitOutput(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	return err == nil
}

// isWord reports a text without a space that is short and of ASCII, as names are.
func isWord(arg string) bool {
	return !strings.ContainsAny(strings.TrimSpace(arg), " \t\n") && len(arg) < 200 && isASCII(arg)
}

// looksLikePath reports a text that is more likely a mistyped path than a description: one word of ASCII; the ending of a
// text file; or a slash in a few words that are no sentence.
func looksLikePath(arg string) bool {
	arg = strings.TrimSpace(arg)
	switch {
	case isWord(arg):
		return true
	case strings.Contains(arg, "\n"):
		return false
	case slices.Contains([]string{".md", ".markdown", ".txt", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(arg))):
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(arg)
	return strings.ContainsAny(arg, `/\`) && len(strings.Fields(arg)) <= pathWords && !strings.ContainsRune(".!?。！？", last)
}

// pathWords is how many words, between spaces, a path has at most.
const pathWords = 8

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 127 }) < 0
}

// fromTextFile reads a side that is a file.
func fromTextFile(name string, info os.FileInfo) (*description, error) {
	if info.Mode().IsRegular() && info.Size() > maxDescription {
		return nil, fmt.Errorf("%s: %d bytes are more than a file with a description has (%d)", name, info.Size(), maxDescription)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxDescription+1)) // a pipe tells no size
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if len(data) > maxDescription {
		return nil, fmt.Errorf("%s: more bytes than a file with a description has (%d)", name, maxDescription)
	}
	d, err := descriptionIn(name, data)
	if err != nil {
		return nil, err
	}
	d.file = name
	return d, nil
}

// fromRevision reads a side that is REV:PATH.
func fromRevision(ctx context.Context, arg, rev, file string) (*description, error) {
	hint := func(err error) error {
		return fmt.Errorf("%s: %w; if it is the text itself, write %q", arg, err, literalPrefix+arg)
	}
	data, err := atRevision(ctx, rev, file)
	if err != nil {
		return nil, hint(err)
	}
	d, err := descriptionIn(file, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", arg, err)
	}
	d.label = arg
	return d, nil
}

func fromSkillDir(dir string) (*description, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if strings.EqualFold(e.Name(), "SKILL.md") {
			p := filepath.Join(dir, e.Name())
			info, err := os.Stat(p)
			if err != nil {
				return nil, err
			}
			return fromTextFile(p, info)
		}
	}
	return nil, fmt.Errorf("%s: no SKILL.md in it", dir)
}

// descriptionIn takes the description of a SKILL.md, or the whole of any other file.
func descriptionIn(name string, data []byte) (*description, error) {
	if err := plainText(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
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

// plainText refuses what is no text in UTF-8: a model would be shown other characters than the file's.
func plainText(data []byte) error {
	const advice = "save it as UTF-8"
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return errors.New("the file is UTF-16: " + advice)
	case bytes.IndexByte(data, 0) >= 0:
		return errors.New("the file holds null bytes, as UTF-16 and files that are no text do: " + advice)
	case utf8.Valid(data):
		return nil
	}
	at := 0
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return fmt.Errorf("line %d holds bytes that are not UTF-8, such as 0x%02x: %s", 1+bytes.Count(data[:at], []byte("\n")), data[at], advice)
}

// revision splits REV:PATH. The revision may hold no space and may not look like an option.
func revision(arg string) (rev, file string, ok bool) {
	rev, file, ok = strings.Cut(arg, ":")
	if !ok || rev == "" || strings.TrimSpace(file) == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, " \t\n") || strings.Contains(file, "\n") || strings.HasPrefix(file, "//") {
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
