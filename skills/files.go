package skills

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// fileSystem is what discovery needs of a file system. Paths that are shown use slashes; real paths are its own.
type fileSystem interface {
	ReadDir(name string) ([]fs.DirEntry, error)
	ReadFile(name string) ([]byte, error) // at most maxFileSize+1 bytes
	Real(name string) (string, error)     // links resolved
	Join(real, name string) string
	Inside(root, real string) bool // root itself counts
	IsDir(real string) bool
	IsRegular(real string) bool
	Base(name string) string // "" when the folder has no name of its own
}

// diskFiles is the operating system's file system.
type diskFiles struct{}

func (diskFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	return os.ReadDir(filepath.FromSlash(name))
}

func (diskFiles) ReadFile(name string) ([]byte, error) {
	f, err := os.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	return readLimited(f)
}

func (diskFiles) Real(name string) (string, error) {
	abs, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

func (diskFiles) Join(real, name string) string { return filepath.Join(real, name) }

func (diskFiles) Inside(root, real string) bool {
	rel, err := filepath.Rel(root, real)
	return err == nil && filepath.IsLocal(rel)
}

func (diskFiles) IsDir(real string) bool {
	info, err := os.Stat(real)
	return err == nil && info.IsDir()
}

func (diskFiles) IsRegular(real string) bool {
	info, err := os.Stat(real)
	return err == nil && info.Mode().IsRegular()
}

func (diskFiles) Base(name string) string {
	abs, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil || abs == filepath.Dir(abs) {
		return ""
	}
	return filepath.Base(abs)
}

// embeddedFiles is any fs.FS, such as an embedded suite. Links in it are never followed.
type embeddedFiles struct{ fsys fs.FS }

var errNoLinks = errors.New("links are not followed here")

func (e embeddedFiles) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(e.fsys, name) }

func (e embeddedFiles) ReadFile(name string) ([]byte, error) {
	f, err := e.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	return readLimited(f)
}

func (e embeddedFiles) Real(string) (string, error)   { return "", errNoLinks }
func (e embeddedFiles) Join(real, name string) string { return path.Join(real, name) }

// What follows is asked only of real paths, and Real gives none.
func (e embeddedFiles) Inside(string, string) bool { return false }
func (e embeddedFiles) IsDir(string) bool          { return false }
func (e embeddedFiles) IsRegular(string) bool      { return false }

func (e embeddedFiles) Base(name string) string {
	if name == "." {
		return ""
	}
	return path.Base(name)
}

func readLimited(f io.ReadCloser) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil && len(data) > maxFileSize {
		err = fmt.Errorf("file has more than %d bytes", maxFileSize)
	}
	return data, err
}

// reason is the cause of a file error, without the path that the message names anyway.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// isLoop tells the error for links that lead to themselves.
func isLoop(err error) bool { return strings.Contains(err.Error(), "too many") }
