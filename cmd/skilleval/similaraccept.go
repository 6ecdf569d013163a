package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/similarity"
)

// acceptedFile is where reviewed pairs are kept, beside the suite.
const acceptedFile = "skilleval-accepted.yaml"

// acceptedPath is the file of reviewed pairs that the settings name.
func (su *suite) acceptedPath() string {
	switch s := su.set; {
	case s.accepted == "" && su.builtin:
		return acceptedFile
	case s.accepted == "":
		return filepath.Join(su.base, acceptedFile)
	case s.origin["accepted"] == fromFile:
		return su.path(s.accepted)
	default:
		return s.accepted
	}
}

// acceptedPairs reads the reviewed pairs; without a file, unless one is named, there are none.
func (su *suite) acceptedPairs() (*similarity.Accepted, error) {
	path := su.acceptedPath()
	data, err := os.ReadFile(path)
	if isNotExist(err) && su.set.accepted == "" {
		return &similarity.Accepted{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("--accepted: %w", err)
	}
	return similarity.ParseAccepted(path, data)
}

// acceptPair writes a reviewed pair into the file.
func (a *app) acceptPair(o *similarOptions, names []string, flags *pflag.FlagSet) error {
	switch {
	case len(names) != 2:
		return failWith(exitUsage, errors.New(`--accept takes the names of two skills: skilleval similar --accept A B --reason "…" (and --skills DIR where they are not the suite's)`))
	case strings.TrimSpace(o.reason) == "":
		return failWith(exitUsage, errors.New("--accept needs a --reason: the next reader has to know why the pair may stay"))
	}
	su, err := a.openSuite(nil, &o.settings, flags)
	if err != nil {
		return err
	}
	c, err := su.catalogue()
	if err != nil {
		return err
	}
	texts := skillTexts(c)
	x, err := textNamed(texts, names[0])
	if err != nil {
		return failWith(exitUsage, err)
	}
	y, err := textNamed(texts, names[1])
	if err != nil {
		return failWith(exitUsage, err)
	}
	if x == y {
		return failWith(exitUsage, fmt.Errorf("--accept: %s is named twice: a pair has two skills", names[0]))
	}
	known, err := su.acceptedPairs()
	if err != nil && !isNotExist(err) {
		return failWith(exitUsage, err)
	}
	if known == nil {
		known = &similarity.Accepted{}
	}
	known.Accept(x, y, names[0], names[1], o.reason)
	data, err := known.Encode()
	if err != nil {
		return failWith(exitServer, err)
	}
	path := su.acceptedPath()
	if err := replaceFile(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return failWith(exitServer, err)
	}
	a.say("accepted %s and %s in %s", names[0], names[1], path)
	return nil
}

// textNamed finds a skill by name, or by path where several have the name.
func textNamed(texts []similarity.Text, name string) (*similarity.Text, error) {
	var found []*similarity.Text
	var names, paths []string
	for i := range texts {
		t := &texts[i]
		names = append(names, t.Name)
		if t.Name == name || t.ID == name {
			found, paths = append(found, t), append(paths, t.ID)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("--accept: %d skills are named %q: write the path of one of them: %s", len(found), name, strings.Join(paths, ", "))
	}
	if best := nearest(name, names); best != "" {
		return nil, fmt.Errorf("--accept: no skill is named %q: did you mean %q?", name, best)
	}
	return nil, fmt.Errorf("--accept: no skill is named %q: \"skilleval skills list\" lists the %d there are", name, len(names))
}
