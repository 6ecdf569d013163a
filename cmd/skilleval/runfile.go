package main

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/runner"
	"github.com/skilleval/skilleval/skills"
)

// runsDir is where runs go that are not given a directory.
const runsDir = ".skilleval/runs"

// store is the run file of one run under way.
type store struct {
	dir    string
	header results.Header
	writer *results.Writer
	done   map[results.Key]bool // finished by an earlier attempt
	notes  []string
}

// openStore creates the run file, or opens the one to resume.
func (a *app) openStore(j *job) (*store, error) {
	h, err := j.header()
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	a.redactAll(&h)
	if j.set.resume {
		return resumeStore(j.set.out, h, j.looks)
	}
	dir := j.set.out
	if dir == "" {
		dir = filepath.Join(runsDir, h.ID)
	}
	w, err := results.Create(dir, h, func(yield func(json.RawMessage) error) error {
		for i := range j.cases {
			raw, err := json.Marshal(&j.cases[i])
			if err != nil {
				return err
			}
			if err := yield(runner.RedactJSON(raw, a.redactData)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, storeError(err)
	}
	return &store{dir: dir, header: h, writer: w}, nil
}

// storeError tells a full disk, which is the machine's fault, from a directory that was named wrongly.
func storeError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EIO) {
		return failWith(exitServer, err)
	}
	return failWith(exitUsage, fmt.Errorf("--out: %w", err))
}

// resumeStore opens the run in dir, or the newest one where none is named, if it is the run that was asked for.
func resumeStore(dir string, want results.Header, looks *looks) (*store, error) {
	if dir == "" {
		var err error
		if dir, err = newestRun(); err != nil {
			return nil, failWith(exitUsage, err)
		}
	}
	w, run, err := results.Resume(dir)
	if err != nil {
		return nil, storeError(err)
	}
	have := run.Header()
	if diff := differences(have, want); len(diff) > 0 {
		return nil, failWith(exitUsage, errors.Join(fmt.Errorf("%s holds another run, which cannot be resumed with these settings: %s", dir, strings.Join(diff, "; ")), w.Close()))
	}
	want.ID, want.CreatedAt = have.ID, have.CreatedAt
	if looks != nil {
		if err := looks.resume(run); err != nil {
			return nil, failWith(exitServer, errors.Join(err, w.Close()))
		}
	}
	return &store{dir: dir, header: want, writer: w, done: run.Finished(), notes: run.Notes()}, nil
}

// newestRun finds the run that was created last: their names start with the time.
func newestRun() (string, error) {
	entries, err := os.ReadDir(runsDir)
	if err == nil {
		for i := len(entries) - 1; i >= 0; i-- {
			if exists(filepath.Join(runsDir, entries[i].Name(), "run.json")) {
				return filepath.Join(runsDir, entries[i].Name()), nil
			}
		}
	}
	return "", fmt.Errorf("there is no run in %s here: name one", runsDir)
}

// differences lists in words what keeps a stored run from being continued.
func differences(have, want results.Header) []string {
	var out []string
	if have.DatasetDigest != want.DatasetDigest {
		out = append(out, "the cases have changed")
	}
	if have.SkillsDigest != want.SkillsDigest {
		out = append(out, "the skills have changed")
	}
	when := [2]string{"there", "now"}
	out = append(out, fieldDifferences("arms", have.Arms, want.Arms, when)...)
	out = append(out, fieldDifferences("model", have.Model, want.Model, when)...)
	out = append(out, fieldDifferences("prompt", have.Prompt, want.Prompt, when)...)
	if have.Seed != want.Seed || have.SendSeed != want.SendSeed {
		out = append(out, fmt.Sprintf("seed: %s there, %s now", seedText(have), seedText(want)))
	}
	return append(out, fieldDifferences("trials", have.Repetitions, want.Repetitions, when)...)
}

func seedText(h results.Header) string {
	if h.SendSeed {
		return fmt.Sprintf("%d", h.Seed)
	}
	return fmt.Sprintf("%d (the default, not sent)", h.Seed)
}

// fieldDifferences compares two settings field by field, and says where each has its value: "prompt.protocol: native there,
// text now".
func fieldDifferences(what string, a, b any, where [2]string) []string {
	x, y := fields(what, a), fields(what, b)
	all := maps.Clone(x)
	maps.Copy(all, y)
	var out []string
	for _, name := range sortedKeys(all) {
		if x[name] != y[name] {
			out = append(out, fmt.Sprintf("%s: %s %s, %s %s", name, cmp.Or(x[name], "not set"), where[0], cmp.Or(y[name], "not set"), where[1]))
		}
	}
	return out
}

// fields flattens a value's top-level JSON fields to their text.
func fields(what string, v any) map[string]string {
	raw, _ := json.Marshal(v) // settings always marshal
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return map[string]string{what: string(raw)}
	}
	out := make(map[string]string, len(object))
	for name, value := range object {
		out[what+"."+name] = strings.Trim(string(value), `"`)
	}
	return out
}

// finish marks the run complete or not, and closes the run file.
func (st *store) finish(sum runner.Summary) error {
	h := st.header
	h.Complete = sum.Complete() && !sum.Aborted
	if sum.Reason != "" && h.Complete {
		h.Notes = append(h.Notes, sum.Reason)
	}
	h.FinishedAt = time.Now().UTC().Format(time.RFC3339)
	return st.writer.Finish(h)
}

// header describes the run that is about to be made.
func (j *job) header() (results.Header, error) {
	s := j.set
	now := time.Now().UTC()
	var suffix [3]byte
	if _, err := rand.Read(suffix[:]); err != nil {
		return results.Header{}, err
	}
	h := results.Header{
		Schema: results.Schema, ID: now.Format("20060102-150405-") + hex.EncodeToString(suffix[:]), ToolVersion: version(),
		CreatedAt: now.Format(time.RFC3339), Suite: j.suite.name, Descriptions: s.descriptions, AB: j.ab,
		Model: j.model.desc, Seed: s.seed, SendSeed: s.given("seed"),
		Prompt: results.Prompt{Catalog: s.catalog, Protocol: s.protocol, Rendering: s.rendering, Order: s.order,
			Placement: s.placement, System: s.system, Until: s.until, MaxRounds: s.maxRounds, MaxRepairs: s.maxRepairs,
			TokenLimit: s.tokenLimit, Preload: s.preload, Strict: s.strict},
		Repetitions: s.trials, Concurrency: s.concurrency, Cases: len(j.cases), Filter: s.filter, Limit: s.limit,
		DatasetDigest: datasets.Digest(j.cases), SkillsDigest: skills.Digest(j.offered),
	}
	for _, arm := range j.arms {
		h.Arms = append(h.Arms, arm.Arm)
	}
	if s.file != nil {
		h.Prices, h.Model.Request = s.file.prices, s.file.extra
	}
	for _, sk := range j.offered {
		raw, err := json.Marshal(sk)
		if err != nil {
			return h, fmt.Errorf("skill %s: %w", sk.Name, err)
		}
		h.Skills = append(h.Skills, raw)
	}
	return h, nil
}
