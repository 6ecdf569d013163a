package results

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// entry is where the last line of one trial lies. 32 bytes a trial, so that a run of 100,000 takes a few MiB.
type entry struct {
	offset     int64
	length     int32
	line       int32 // from 1
	caseID     int32 // into index.cases; after sorting, in the order of ids
	arm        int32 // into the header's arms
	repetition int32
	failed     bool // the trial is an error
}

// tail is how trials.jsonl ends.
type tail struct {
	size    int64 // bytes of whole trials
	dropped int   // bytes of a cut last line after them
	unended bool  // the last trial is whole, but its newline is missing
}

// index finds trials in trials.jsonl.
type index struct {
	cases    []string // case ids, sorted by bytes
	entries  []entry  // canonical order, one a key
	repeated int      // lines that a later one replaced
	tail     tail
	cut      int // number of the line that was cut; 0: none
}

// trialHead is as much of a trial as the index needs.
type trialHead struct {
	Case       string `json:"case"`
	Arm        string `json:"arm"`
	Repetition int    `json:"repetition"`
	Error      *struct {
		Class string `json:"class"`
	} `json:"error"`
}

// buildIndex reads trials.jsonl once. Every line is checked to be one strict JSON object with a known key; the
// rest of its fields are looked at when the trial is read.
func buildIndex(file string, r io.Reader, arms []Arm) (*index, error) {
	byName, err := armIndex(arms)
	if err != nil {
		return nil, err
	}
	ix := &index{}
	ids := make(map[string]int32)
	free := newPool[headBatch]()
	err = pipeline(
		func(yield func(*headBatch) error) error { return readHeads(file, r, free, yield) },
		(*headBatch).decode,
		func(b *headBatch) error {
			for i := range b.lines {
				if err := ix.add(file, b.lines[i], &b.heads[i], b.errs[i], ids, byName, arms); err != nil {
					return err
				}
			}
			if cap(b.text) <= mostKept {
				b.text, b.lines = b.text[:0], b.lines[:0]
				free.put(b)
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	ix.sort()
	return ix, nil
}

// headBatch is some lines of trials.jsonl and what the index needs of them.
type headBatch struct {
	text    []byte // behind the lines
	lines   []line
	heads   []trialHead
	errs    []error
	scanner scanner
}

// readHeads reads the lines in batches, which free gives.
func readHeads(file string, r io.Reader, free pool[headBatch], yield func(*headBatch) error) error {
	b := free.get()
	err := eachLine(file, r, maxLine, func(l line) error {
		b.text, l.text = appendPart(b.text, l.text)
		b.lines = append(b.lines, l)
		if len(b.lines) < batchLines && len(b.text) < batchBytes {
			return nil
		}
		full := b
		b = free.get()
		return yield(full)
	})
	if err == nil && len(b.lines) > 0 {
		err = yield(b)
	}
	return err
}

// decode reads the heads of the batch.
func (b *headBatch) decode() {
	b.heads, b.errs = make([]trialHead, len(b.lines)), make([]error, len(b.lines))
	for i, l := range b.lines {
		if !b.scanner.head(l.text, &b.heads[i]) {
			b.heads[i] = trialHead{}
			b.errs[i] = json2.Unmarshal(l.text, &b.heads[i])
		}
	}
}

// add takes one line.
func (ix *index) add(file string, l line, head *trialHead, err error, ids, byName map[string]int32, arms []Arm) error {
	if !l.ended && ix.cutOff(l) {
		return nil
	}
	if err != nil {
		return jsonError(file, l.number, l.text, err)
	}
	e := entry{offset: l.offset, length: int32(len(l.text)), line: int32(l.number), failed: head.Error != nil}
	if err := e.place(*head, byName, arms); err != nil {
		return &Error{File: file, Line: l.number, Column: 1, Message: err.Error(), Err: err}
	}
	id, known := ids[head.Case]
	if !known {
		id = int32(len(ix.cases))
		ids[head.Case] = id
		ix.cases = append(ix.cases, head.Case)
	}
	e.caseID = id
	ix.entries = append(ix.entries, e)
	ix.tail.size = l.offset + int64(len(l.text))
	if ix.tail.unended = !l.ended; l.ended {
		ix.tail.size++
	}
	return nil
}

// cutOff notes a last line that is the beginning of a JSON value and no more. Zero bytes at its end are what
// some file systems leave after a power cut.
func (ix *index) cutOff(l line) bool {
	text := bytes.TrimRight(l.text, "\x00")
	var v jsontext.Value
	if err := json2.Unmarshal(text, &v); !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	ix.tail.dropped = len(l.text)
	ix.cut = l.number
	return true
}

// place checks the key of a trial and fills it in.
func (e *entry) place(head trialHead, byName map[string]int32, arms []Arm) error {
	if head.Case == "" {
		return errors.New(`trial without "case"`)
	}
	arm, ok := byName[head.Arm]
	if !ok {
		names := make([]string, len(arms))
		for i, a := range arms {
			names[i] = a.Name
		}
		return fmt.Errorf("arm %q is not in %s, which has: %s", head.Arm, headerFile, strings.Join(names, ", "))
	}
	if head.Repetition < 0 || head.Repetition > math.MaxInt32 {
		return fmt.Errorf("repetition %d is out of range", head.Repetition)
	}
	e.arm, e.repetition = arm, int32(head.Repetition)
	return nil
}

// sort brings the entries into canonical order and keeps the last of each key.
func (ix *index) sort() {
	order := make([]int32, len(ix.cases))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(ix.cases[a], ix.cases[b]) })
	rank, sorted := make([]int32, len(order)), make([]string, len(order))
	for place, id := range order {
		rank[id], sorted[place] = int32(place), ix.cases[id]
	}
	ix.cases = sorted
	for i := range ix.entries {
		ix.entries[i].caseID = rank[ix.entries[i].caseID]
	}
	slices.SortFunc(ix.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.caseID, b.caseID), cmp.Compare(a.arm, b.arm),
			cmp.Compare(a.repetition, b.repetition), cmp.Compare(b.offset, a.offset))
	})
	lines := len(ix.entries)
	ix.entries = slices.Clip(slices.CompactFunc(ix.entries, func(a, b entry) bool {
		return a.caseID == b.caseID && a.arm == b.arm && a.repetition == b.repetition
	}))
	ix.repeated = lines - len(ix.entries)
}
