package skills

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Source gives the bytes of the skill's SKILL.md as they stand in the file, for those that need places inside a value.
// It is an error for a skill that was not loaded from files.
func (s *Skill) Source() ([]byte, error) { return s.Resource(path.Base(s.Path)) }

// Readable tells whether the frontmatter was read. It always was, except in a skill of [Catalog.Broken]: of that, only
// Path and Source may be there. What else keeps such a skill from being loaded, such as a second file at fault, is in
// Tolerated.
func (s *Skill) Readable() bool { return !s.broken }

// Folder reads the folder of the skill: the files beside SKILL.md. It keeps the folder open until Close, so that many
// files can be asked for at the cost of one.
type Folder struct {
	root  *os.Root // nil: files
	files fs.FS
}

var errNoFolder = errors.New("the skill has no directory")

// OpenFolder opens the folder of the skill. It is an error for a skill that was not loaded from files.
func (s *Skill) OpenFolder() (*Folder, error) {
	switch {
	case s.Dir != "":
		root, err := os.OpenRoot(s.Dir)
		if err != nil {
			return nil, err
		}
		return &Folder{root: root}, nil
	case s.files != nil:
		return &Folder{files: s.files}, nil
	}
	return nil, errNoFolder
}

// Close gives the folder back.
func (f *Folder) Close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}

// Has tells whether a file or folder is there, without reading it. rel cannot leave the folder, by dots or by links:
// what lies outside is not there.
func (f *Folder) Has(rel string) bool {
	if f.root != nil {
		_, err := f.root.Stat(filepath.FromSlash(rel))
		return err == nil
	}
	rel = path.Clean(rel)
	if !fs.ValidPath(rel) {
		return false
	}
	_, err := fs.Stat(f.files, rel)
	return err == nil
}

// Spelling gives the name of a file directly in the folder as it is written there, whatever the case of the name that
// is asked for; the name itself when there is none.
func (f *Folder) Spelling(name string) string {
	if f.Has(name) && f.root == nil {
		return name
	}
	files := f.files
	if f.root != nil {
		files = f.root.FS()
	}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return name
	}
	isName := func(e fs.DirEntry) bool { return e.Name() == name }
	if slices.ContainsFunc(entries, isName) {
		return name
	}
	for _, e := range entries {
		if strings.EqualFold(e.Name(), name) {
			return e.Name()
		}
	}
	return name
}

// StandardKey gives the spelling in which the documentation writes a frontmatter key: allowedTools, Allowed-Tools and
// allowed_tools are allowed-tools.
func StandardKey(key string) string { return normalKey(key) }

// Position turns a byte offset into a 1-based line and column; columns count characters. CRLF, CR and LF all end a line.
func Position(data []byte, offset int) (line, column int) { return position(data, offset) }

// SameText tells whether two names are the same in Unicode normal form C, as names are compared with directories.
func SameText(a, b string) bool { return a == b || bytes.Equal(nfc(a), nfc(b)) }

func nfc(s string) []byte { return norm.NFC.Bytes([]byte(s)) }
