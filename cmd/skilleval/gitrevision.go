package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// gitPrefix marks a path inside a git revision: git:REV[:PATH].
const gitPrefix = "git:"

// readRevision reads a file as it is in a revision of the git repository of the working directory; path is relative to
// the working directory. It runs the git program, without a shell, and changes nothing. limit bounds the file, in bytes.
func readRevision(ctx context.Context, rev, path string, limit int64) ([]byte, error) {
	switch {
	case rev == "":
		return nil, errors.New("no revision is given: write git:REV or git:REV:FILE, such as git:main")
	case strings.HasPrefix(rev, "-"):
		return nil, fmt.Errorf("revision %q: it must not start with a dash", rev)
	case strings.ContainsAny(rev, "\x00\n"):
		return nil, errors.New("the revision holds a line break or a null byte")
	case path == "" || filepath.IsAbs(path) || strings.ContainsAny(path, "\x00\n"):
		return nil, fmt.Errorf("path %q: want one relative to the working directory", path)
	}
	commit, err := commitOf(ctx, rev)
	if err != nil {
		return nil, err
	}
	object, size, err := blobAt(ctx, commit, path)
	if err != nil {
		return nil, fmt.Errorf("revision %q has no file %s (relative to the working directory): %w", rev, path, err)
	}
	if size > limit {
		return nil, fmt.Errorf("%s in revision %q has %d bytes, more than the %d such a file has", path, rev, size, limit)
	}
	data, err := gitOutput(ctx, "cat-file", "blob", object)
	if err != nil {
		return nil, fmt.Errorf("%s in revision %q is no file: %w", path, rev, err)
	}
	return data, nil
}

// blobAt finds a file in a commit and gives its object and size. Links are followed where they lead to a file of the same
// commit; what they lead to outside of it was never in the repository.
func blobAt(ctx context.Context, commit, path string) (object string, size int64, err error) {
	name := commit + ":./" + filepath.ToSlash(filepath.Clean(path))
	out, err := gitAsk(ctx, strings.NewReader(name+"\n"), "cat-file", "--batch-check", "--follow-symlinks")
	if err != nil {
		return "", 0, err
	}
	answer, rest, _ := strings.Cut(string(out), "\n")
	words := strings.Fields(answer)
	if len(words) == 3 && words[1] == "blob" {
		if size, err = strconv.ParseInt(words[2], 10, 64); err == nil {
			return words[0], size, nil
		}
	}
	switch {
	case len(words) == 3 && words[1] == "tree":
		return "", 0, errors.New("it is no file but a directory")
	case strings.HasPrefix(answer, "symlink "):
		return "", 0, fmt.Errorf("it is a link that leads out of the repository, to %q: name a file in it", strings.TrimSuffix(rest, "\n"))
	case strings.HasPrefix(answer, "dangling "):
		return "", 0, errors.New("it is a link to a file that is not there")
	case strings.HasPrefix(answer, "loop "):
		return "", 0, errors.New("it is a link that leads back to itself")
	}
	return "", 0, errors.New("there is no such file")
}
