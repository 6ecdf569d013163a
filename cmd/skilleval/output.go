package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/skilleval/skilleval/reports"
)

// output is one -o: a format, and a path or "" for standard output.
type output struct {
	format reports.Format
	path   string
}

// parseOutputs checks every -o before anything is spent: known formats, at most one on standard output, and
// directories that can be written.
func parseOutputs(values []string) ([]output, error) {
	var outs []output
	var faults []error
	taken := map[string]bool{}
	for _, v := range values {
		name, path, hasPath := strings.Cut(v, "=")
		format, err := reports.Lookup(name)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("-o %s: %w", v, err))
			continue
		case hasPath && path == "":
			faults = append(faults, fmt.Errorf("-o %s: no path after the equals sign", v))
			continue
		case taken[spelled(path)]:
			faults = append(faults, fmt.Errorf("-o %s: two reports go to %s: give each its own path", v, destination(path)))
			continue
		}
		taken[spelled(path)] = true
		if err := writable(path); err != nil {
			faults = append(faults, fmt.Errorf("-o %s: %w", v, err))
		}
		outs = append(outs, output{format, path})
	}
	if err := errors.Join(faults...); err != nil {
		return nil, failWith(exitUsage, err)
	}
	return outs, nil
}

// spelled is one spelling for all of a path's.
func spelled(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != "" && path != "-" {
		return abs
	}
	return ""
}

// spare refuses reports that would take the place of an input file or of a file of the run.
func spare(outs []output, files []string, runDir string) error {
	var faults []error
	for _, o := range outs {
		if o.path == "" || o.path == "-" {
			continue
		}
		if runDir != "" && filepath.Dir(spelled(o.path)) == spelled(runDir) {
			faults = append(faults, fmt.Errorf("-o %s=%s: %s holds the run: put reports elsewhere", o.format.Name, o.path, runDir))
		}
		for _, file := range files {
			if sameFile(o.path, file) {
				faults = append(faults, fmt.Errorf("-o %s=%s: this is an input file, which is not overwritten", o.format.Name, o.path))
			}
		}
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitUsage, err)
	}
	return nil
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

func destination(path string) string {
	if path == "" || path == "-" {
		return "standard output"
	}
	return path
}

// writable reports whether a report can be put at path, by making and removing a file beside it.
func writable(path string) error {
	if path == "" || path == "-" || isSpecial(path) {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory: name a file in it", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".skilleval-*")
	if err != nil {
		return fmt.Errorf("cannot write there: %w", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// isSpecial reports a path that exists and is no regular file, such as a pipe or a device: it is written in place.
func isSpecial(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// writeReports writes a report in every format that was asked for. One that fails does not keep the others from
// being written.
func (a *app) writeReports(outs []output, r *reports.Report) error {
	var faults []error
	for _, o := range outs {
		if err := a.writeReport(o, r); err != nil {
			faults = append(faults, fmt.Errorf("-o %s: %w", o.format.Name, err))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return failWith(exitServer, err)
	}
	return nil
}

func (a *app) writeReport(o output, r *reports.Report) error {
	if o.path == "" || o.path == "-" {
		return o.format.Write(a.Out, r)
	}
	if isSpecial(o.path) {
		f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(o.format.Write(f, r), f.Close())
	}
	return replaceFile(o.path, func(w io.Writer) error { return o.format.Write(w, r) })
}

// replaceFile writes a file beside its place and renames it, so that a reader never sees half a report.
func replaceFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".skilleval-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err = errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
