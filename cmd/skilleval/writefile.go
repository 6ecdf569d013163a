package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// linksFollowed bounds how many links a path may lead through.
const linksFollowed = 40

// targetOf is the file that a path leads to, through links whether or not there is a file at their end.
func targetOf(path string) (string, error) {
	for range linksFollowed {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			return path, nil // what is wrong with it shows when it is written
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(path)) // a link's ".." is that of its real folder
			if err != nil {
				return "", err
			}
			next = filepath.Join(folder, next)
		}
		path = next
	}
	return "", fmt.Errorf("%s: more than %d links lead one to the other", path, linksFollowed)
}

// isSpecial reports a path that exists and is no regular file, such as a pipe or a device: it is written in place.
func isSpecial(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// isStream reports the names under which systems give a program its own open files. Behind them may be a regular file
// that the shell opened, which is added to and not replaced.
func isStream(path string) bool {
	path = filepath.ToSlash(path)
	return path == "/dev/stdout" || path == "/dev/stderr" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/")
}

// writable reports whether a file can be put at path, before anything is spent: by making and removing a file beside it.
// A directory and a file of a run are refused.
func writable(path string) error {
	if isSpecial(path) || isStream(path) {
		return nil
	}
	target, err := targetOf(path)
	if err != nil {
		return fmt.Errorf("cannot write there: %w", err)
	}
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory: name a file in it", path)
	}
	folder := filepath.Dir(target)
	if holdsRun(folder) {
		return fmt.Errorf("%s holds a run, whose files are not overwritten: name a file elsewhere", folder)
	}
	f, err := os.CreateTemp(folder, ".skilleval-*")
	if err != nil {
		return fmt.Errorf("cannot write there: %w", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// holdsRun reports whether a directory is that of a run.
func holdsRun(dir string) bool {
	return exists(filepath.Join(dir, "run.json")) && exists(filepath.Join(dir, "trials.jsonl"))
}

// replaceFile is how every file is written that is not added to line by line: beside its place and then renamed, so that
// a reader never sees half of it. Links are followed, and the file at their end is replaced, which keeps its permissions.
// Pipes and devices are written in place.
func replaceFile(path string, write func(io.Writer) error) (err error) {
	if isSpecial(path) || isStream(path) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	target, err := targetOf(path)
	if err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(target); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(target), ".skilleval-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err = errors.Join(write(f), f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), target)
}
