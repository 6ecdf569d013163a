package main

import (
	"errors"
	"fmt"
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

// acceptedPairs reads the reviewed pairs, for these texts; without a file, unless one is named, there are none.
func (su *suite) acceptedPairs(texts []similarity.Text) (*similarity.Accepted, error) {
	path := su.acceptedPath()
	data, err := readSmall(path, maxSettings)
	if isNotExist(err) && su.set.accepted == "" {
		return &similarity.Accepted{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("--accepted: %w", err)
	}
	a, err := similarity.ParseAccepted(path, data)
	if err != nil {
		return nil, err
	}
	return newAcceptedNames(path, texts).resolve(a), nil
}

// acceptPair writes a reviewed pair into the file.
func (a *app) acceptPair(o *similarOptions, args []string, flags *pflag.FlagSet) error {
	switch {
	case len(args) < 2:
		return failWith(exitUsage, errors.New(`--accept takes the names of two skills, and then PATH where they are not of the suite here: skilleval similar --accept A B my-suite --reason "…"`))
	case strings.TrimSpace(o.reason) == "":
		return failWith(exitUsage, errors.New("--accept needs a --reason: the next reader has to know why the pair may stay"))
	}
	su, err := a.openSkills(args[2:], &o.settings, flags)
	if err != nil {
		return err
	}
	c, err := su.catalogue()
	if err != nil {
		return err
	}
	texts := skillTexts(c)
	path := su.acceptedPath()
	names := newAcceptedNames(path, texts)
	x, err := names.find(args[0])
	if err != nil {
		return failWith(exitUsage, err)
	}
	y, err := names.find(args[1])
	if err != nil {
		return failWith(exitUsage, err)
	}
	if x == y {
		return failWith(exitUsage, fmt.Errorf("--accept: %s is named twice: a pair has two skills", args[0]))
	}
	if err := names.accept(x, y, args[0], args[1], o.reason); err != nil {
		return err
	}
	a.say("accepted %s and %s in %s", args[0], args[1], path)
	return nil
}
