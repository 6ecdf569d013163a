package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	acceptWait = 20 * time.Second      // for another command to finish
	lockStale  = 10 * time.Second      // age of a lock whose command was ended; a live one lasts milliseconds
	lockPause  = 10 * time.Millisecond // between two looks
)

// lockFile keeps other commands from changing a file until unlock is called, by a file beside it. It waits for them, and
// takes a lock away that was left behind.
func lockFile(path string, wait time.Duration) (unlock func(), err error) {
	target, err := targetOf(path)
	if err != nil {
		return nil, err
	}
	lock := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".lock")
	mine := fmt.Sprintf("%d %s\n", os.Getpid(), rand.Text())
	for end := time.Now().Add(wait); ; time.Sleep(lockPause) {
		f, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_, err := f.WriteString(mine)
			return func() {
				if now, err := readSmall(lock, 1<<10); err == nil && string(now) == mine {
					os.Remove(lock)
				}
			}, errors.Join(err, f.Close())
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("cannot write there: %w", err)
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s is being changed by another command: wait for it, or remove %s if there is none", path, lock)
		}
		breakStale(lock)
	}
}

// breakStale takes a lock away whose command cannot be running any more. Of several commands that see it, one takes it;
// a new lock that one of them takes by mistake is put back.
func breakStale(lock string) {
	old, err := os.Lstat(lock)
	if err != nil || time.Since(old.ModTime()) < lockStale {
		return
	}
	aside := lock + "." + rand.Text()
	if os.Rename(lock, aside) != nil {
		return
	}
	if taken, err := os.Lstat(aside); err == nil && !taken.ModTime().Equal(old.ModTime()) {
		_ = os.Link(aside, lock) // fails when there is another one already
	}
	os.Remove(aside)
}
