package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxSettings bounds a file of settings, reviewed pairs or descriptions, in bytes.
const maxSettings = 4 << 20

// readSmall reads a regular file of at most limit bytes; links to it are followed. What has no end or may keep its reader
// waiting, such as a device or a pipe, is not opened.
func readSmall(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.Unwrap(err)}
	}
	if err := isSmall(path, info, limit); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := isSmall(path, info, limit); err != nil { // another file may have taken its place
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit { // some systems give files that they make up the size 0
		err = tooLarge(path, limit)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// isSmall refuses what is no regular file, and one that is too large.
func isSmall(path string, info fs.FileInfo, limit int64) error {
	switch {
	case info.IsDir():
		return &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory: name a file")}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: path, Err: errors.New("is no regular file but a pipe, a socket or a device: name a file")}
	case info.Size() > limit:
		return tooLarge(path, limit)
	}
	return nil
}

func tooLarge(path string, limit int64) error {
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has more than %d bytes: is it the right file?", limit)}
}
