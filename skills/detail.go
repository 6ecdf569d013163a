package skills

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Detail writes the second disclosure level: the description as authored, conditions of use that it does not hold,
// examples, and the body. The schema of the arguments goes to the model by itself.
func Detail(s *Skill) string {
	parts := []string{strings.TrimSpace(s.Description)}
	var lines []string
	if use := missing(s.UseWhen, s.Description); len(use) > 0 {
		lines = append(lines, "Use when: "+joinConditions(use)+".")
	}
	if not := missing(s.DoNotUseWhen, s.Description); len(not) > 0 {
		lines = append(lines, "Do not use when: "+joinConditions(not)+".")
	}
	if len(s.Examples) > 0 {
		lines = append(lines, "Examples:")
		for _, e := range s.Examples {
			lines = append(lines, "- "+oneLine(e))
		}
	}
	parts = append(parts, strings.Join(lines, "\n"))
	if strings.TrimSpace(s.Body) != parts[0] {
		parts = append(parts, strings.TrimSpace(s.Body))
	}
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n")
}

// Resource reads a file of the skill: the third disclosure level. rel is relative to the directory of its SKILL.md,
// which it cannot leave, by dots or by links. Files of more than 4 MiB are refused.
func (s *Skill) Resource(rel string) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("resource %q of skill %q: %w", rel, s.Name, err)
	}
	if s.Dir == "" && s.files == nil {
		return fail(fmt.Errorf("the skill has no directory to read it from"))
	}
	if s.Dir == "" {
		data, err := embeddedResource(s.files, rel)
		if err != nil {
			return fail(err)
		}
		return data, nil
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	local := filepath.FromSlash(rel)
	info, err := root.Stat(local)
	if err != nil {
		return fail(err)
	}
	if !info.Mode().IsRegular() { // a named pipe would wait for ever
		return fail(fmt.Errorf("is not a regular file"))
	}
	f, err := root.Open(local)
	if err != nil {
		return fail(err)
	}
	data, err := readLimited(f)
	if err != nil {
		return fail(err)
	}
	return data, nil
}

func embeddedResource(files fs.FS, rel string) ([]byte, error) {
	rel = path.Clean(rel)
	if !fs.ValidPath(rel) {
		return nil, fmt.Errorf("leaves the directory of the skill")
	}
	for dir := rel; dir != "."; dir = path.Dir(dir) {
		info, err := fs.Lstat(files, dir)
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, errNoLinks
		}
	}
	f, err := files.Open(rel)
	if err != nil {
		return nil, err
	}
	var r io.ReadCloser = f
	return readLimited(r)
}
