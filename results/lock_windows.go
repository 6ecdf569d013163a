package results

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// sharingViolation is ERROR_SHARING_VIOLATION: somebody else has the file open.
const sharingViolation = syscall.Errno(32)

// lock takes the run for this writer: a file beside trials.jsonl is held open without sharing, which the system
// gives up when the process ends, however it ends. Locking trials.jsonl itself would keep readers out.
func lock(f *os.File) (unlock func(), err error) {
	path := f.Name() + ".lock"
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = syscall.CloseHandle(h) }, nil
}
