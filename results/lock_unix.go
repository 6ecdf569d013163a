//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package results

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock takes the run for this writer. The lock belongs to the open file, so that the system gives it up when the
// process ends, however it ends. A file system that knows no locks is used without one.
func lock(f *os.File) (unlock func(), err error) {
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	switch {
	case err == nil, errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.EOPNOTSUPP):
		return func() {}, nil // closing the file unlocks it
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, ErrLocked
	}
	return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
}
