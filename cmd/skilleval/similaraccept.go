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

// acceptedPath is the file of reviewed pairs that the settings name: beside the suite; of a folder of skills that is a
// suite's, beside that suite; else in the working directory.
func (su *suite) acceptedPath() string {
	s := su.set
	switch {
	case s.accepted != "" && s.origin["accepted"] == fromFile:
		return su.path(s.accepted)
	case s.accepted != "":
		return s.accepted
	case su.base != "" && !su.builtin:
		return filepath.Join(su.base, acceptedFile)
	case len(s.skills) == 1 && isSuite(filepath.Dir(filepath.Clean(s.skills[0]))):
		return filepath.Join(filepath.Dir(filepath.Clean(s.skills[0])), acceptedFile)
	}
	return acceptedFile
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
func (a *app) acceptPair(o *similarOptions, args []string, flags *pflag.FlagSet) error {
	switch {
	case len(args) < 2:
		return failWith(exitUsage, errors.New(`--accept takes the names of two skills, and then PATH where they are not of the suite here: skilleval similar --accept A B my-suite --reason "…"`))
	case strings.TrimSpace(o.reason) == "":
		return failWith(exitUsage, errors.New("--accept needs a --reason: the next reader has to know why the pair may stay"))
	}
	names := args[:2]
	su, err := a.openSkills(args[2:], &o.settings, flags)
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
	return nil, fmt.Errorf("--accept: %w", unknownSkill(name, names))
}
