//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// lock takes the run for this writer by creating a file beside trials.jsonl. Nothing takes it away when the
// process is killed, so the error says which file to remove.
func lock(f *os.File) (unlock func(), err error) {
	path := f.Name() + ".lock"
	l, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w; if none is, remove %s", ErrLocked, path)
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	_ = l.Close()
	return func() { _ = os.Remove(path) }, nil
}
