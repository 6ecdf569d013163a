package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Run reads a run. It holds an index of the trials that were there when it was opened, not the trials
// themselves, and no open file. It is safe for concurrent use.
type Run struct {
	dir    string
	header Header
	notes  []string
	index  *index
}

// Key names one trial.
type Key struct {
	Case       string
	Arm        string
	Repetition int // from 0
}

// Open reads the header and indexes the trials of a run, finished or not. A cut last line is left out with a
// note; anything else that is wrong is an error, an [*Error] with line and column where there is a place.
func Open(dir string) (*Run, error) {
	h, err := readHeader(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, trialsFile)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open run: %w", err)
	}
	defer f.Close()
	ix, err := buildIndex(path, f, h.Arms)
	if err != nil {
		return nil, err
	}
	r := &Run{dir: dir, header: h, index: ix}
	if ix.cut > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: line %d was cut off after %d bytes and is left out: its trial is not finished", trialsFile, ix.cut, ix.tail.dropped))
	}
	if ix.repeated > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s: %d trials were asked again; the last line of each counts", trialsFile, ix.repeated))
	}
	return r, nil
}

// Header returns run.json.
func (r *Run) Header() Header { return r.header }

// Notes returns what a user should know about the state of the file.
func (r *Run) Notes() []string { return slices.Clone(r.notes) }

// Len returns the number of trials, errors included.
func (r *Run) Len() int { return len(r.index.entries) }

// Trials calls yield for every trial in canonical order: case id by bytes, arm in header order, repetition. Each
// trial is freshly made; yield may keep it. An error of yield ends the walk and is returned as it is.
func (r *Run) Trials(yield func(*Trial) error) error {
	path := filepath.Join(r.dir, trialsFile)
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read run: %w", err)
	}
	defer f.Close()
	free := newPool[trialBatch]()
	return pipeline(
		func(yield func(*trialBatch) error) error { return r.readBatches(f, path, free, yield) },
		(*trialBatch).decode,
		func(b *trialBatch) error {
			for _, t := range b.trials {
				if err := yield(t); err != nil {
					return err
				}
			}
			if b.err != nil {
				return jsonError(path, int(b.entries[len(b.trials)].line), b.lines[len(b.trials)], b.err)
			}
			if cap(b.text) <= mostKept {
				b.reset()
				free.put(b)
			}
			return nil
		})
}

// trialBatch is some lines of trials.jsonl and what they say.
type trialBatch struct {
	entries []entry
	text    []byte // behind the lines
	lines   [][]byte
	trials  []*Trial // fewer than lines where err stopped it
	err     error
	scanner scanner
}

// readBatches reads the lines of the trials in canonical order, in batches, which free gives.
func (r *Run) readBatches(f io.ReaderAt, path string, free pool[trialBatch], yield func(*trialBatch) error) error {
	w := window{file: f}
	b := free.get()
	for i, e := range r.index.entries {
		text, err := w.read(e.offset, int(e.length))
		if err != nil {
			return fmt.Errorf("read %s, which was %d bytes long when it was opened: %w", path, r.index.tail.size, err)
		}
		b.text, text = appendPart(b.text, text)
		b.entries, b.lines = append(b.entries, e), append(b.lines, text)
		if len(b.lines) == batchLines || len(b.text) >= batchBytes || i == len(r.index.entries)-1 {
			if err := yield(b); err != nil {
				return err
			}
			b = free.get()
		}
	}
	return nil
}

// decode reads the trials of the batch.
func (b *trialBatch) decode() {
	for _, text := range b.lines {
		t := new(Trial)
		if !b.scanner.trial(text, t) {
			*t = Trial{}
			if b.err = json2.Unmarshal(text, t, checked); b.err != nil {
				return
			}
		}
		b.trials = append(b.trials, t)
	}
}

// reset empties the batch; the trials belong to whom they were given.
func (b *trialBatch) reset() {
	clear(b.trials)
	b.entries, b.text, b.lines, b.trials = b.entries[:0], b.text[:0], b.lines[:0], b.trials[:0]
}

// checked are the options for a line whose names and encoding were checked when the run was opened.
var checked = json2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// Cases calls yield for every case of cases.jsonl, in order. Each value is freshly made; yield may keep it. An
// error of yield ends the walk and is returned as it is.
func (r *Run) Cases(yield func(json.RawMessage) error) error {
	path := filepath.Join(r.dir, casesFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the run was written without its cases: %w", err)
	}
	if err != nil {
		return fmt.Errorf("read run: %w", err)
	}
	defer f.Close()
	count := 0
	err = eachLine(path, f, maxLine, func(l line) error {
		count++
		var v jsontext.Value
		if err := json2.Unmarshal(l.text, &v); err != nil {
			return jsonError(path, l.number, l.text, err)
		}
		return yield(json.RawMessage(bytes.Clone(l.text)))
	})
	if err == nil && count != r.header.Cases {
		return fmt.Errorf("%s holds %d cases, %s says %d: %w", path, count, headerFile, r.header.Cases, io.ErrUnexpectedEOF)
	}
	return err
}

// Finished returns the trials that need not be asked again: those that are there and are not errors.
func (r *Run) Finished() map[Key]bool {
	done := make(map[Key]bool, len(r.index.entries))
	for _, e := range r.index.entries {
		if !e.failed {
			done[Key{Case: r.index.cases[e.caseID], Arm: r.header.Arms[e.arm].Name, Repetition: int(e.repetition)}] = true
		}
	}
	return done
}
