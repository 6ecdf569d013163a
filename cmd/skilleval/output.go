package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/skilleval/skilleval/reports"
)

// output is one -o: a format, and a path or "" for standard output; and the marker of a Markdown report.
type output struct {
	format reports.Format
	path   string
	marker string
}

// outputs are the reports that were asked for, checked.
func (s *settings) outputs() ([]output, error) {
	outs, err := parseOutputs(s.output)
	for i := range outs {
		outs[i].marker = s.commentMarker
	}
	return outs, err
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
		case taken[spelled(path)] && !isSpecial(path):
			faults = append(faults, fmt.Errorf("-o %s: two reports go to %s: give each its own path", v, destination(path)))
			continue
		}
		taken[spelled(path)] = true
		if path != "" && path != "-" {
			if err := writable(path); err != nil {
				faults = append(faults, fmt.Errorf("-o %s: %w", v, err))
			}
		}
		outs = append(outs, output{format: format, path: path})
	}
	if err := errors.Join(faults...); err != nil {
		return nil, failWith(exitUsage, err)
	}
	return outs, nil
}

func destination(path string) string {
	if path == "" || path == "-" {
		return "standard output"
	}
	return path
}

// writeReports writes a report in every format that was asked for. One that fails does not keep the others from
// being written.
func (a *app) writeReports(outs []output, r *reports.Report) error {
	a.redactAll(&r)
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
	if o.marker != "" {
		marked := *r
		marked.Marker = o.marker
		r = &marked
	}
	if o.path == "" || o.path == "-" {
		return o.format.Write(a.Out, r)
	}
	return replaceFile(o.path, func(w io.Writer) error { return o.format.Write(w, r) })
}

// placeReport tells a report where its paths start from, and where the repository they belong to has its root.
func placeReport(ctx context.Context, r *reports.Report) {
	wd, err := os.Getwd()
	if err != nil {
		return
	}
	if real, err := filepath.EvalSymlinks(wd); err == nil {
		wd = real
	}
	r.ToolVersion, r.WorkDir, r.SourceRoot = version(), filepath.ToSlash(wd), filepath.ToSlash(wd)
	if _, err := exec.LookPath("git"); err != nil {
		return
	}
	if top, err := repositoryRoot(ctx); err == nil && filepath.IsAbs(top) {
		r.SourceRoot = filepath.ToSlash(top)
	}
}

// fromRoot is a path as it is reached from the root of the repository, wherever the command was run.
func fromRoot(r *reports.Report, p string) string {
	abs := filepath.FromSlash(p)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(filepath.FromSlash(r.WorkDir), abs)
	}
	rel, err := filepath.Rel(filepath.FromSlash(r.SourceRoot), abs)
	if err != nil {
		return p
	}
	return filepath.ToSlash(rel)
}
