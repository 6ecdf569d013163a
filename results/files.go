package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	json2 "github.com/go-json-experiment/json"
)

// The files of a run directory.
const (
	headerFile = "run.json"
	casesFile  = "cases.jsonl"
	trialsFile = "trials.jsonl"
)

// maxHeader bounds run.json, in bytes: it holds the catalogue.
const maxHeader = 256 << 20

// ErrExists is wrapped by the error of [Create] when the directory already holds a run.
var ErrExists = errors.New("the directory already holds a run")

// ErrLocked is wrapped by the errors of [Create] and [Resume] while another writer has the run open.
var ErrLocked = errors.New("another process is writing to this run")

// writeAtomically replaces dir/name by data: readers see the old bytes or the new ones, never a part, also
// after a crash. The caller holds the run's lock, so that one temporary name is enough.
func writeAtomically(dir, name string, fill func(f *os.File) error) error {
	path := filepath.Join(dir, name)
	f, err := os.Create(path + ".tmp")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what failed is reported; an old file is untouched
		return fmt.Errorf("write %s: %w", path, err)
	}
	syncDir(dir)
	return nil
}

// syncDir makes a rename durable where the system can; elsewhere the rename alone has to do.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// writeHeader writes run.json.
func writeHeader(dir string, h Header) error {
	data, err := encodeHeader(h)
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(dir, headerFile), err)
	}
	return writeAtomically(dir, headerFile, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

func encodeHeader(h Header) ([]byte, error) {
	list := make([]json.RawMessage, len(h.Skills))
	for i, raw := range h.Skills {
		list[i] = strictJSON(raw)
	}
	if len(list) > 0 {
		h.Skills = list
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(h); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// checkHeader fills in the schema and refuses a header that could not be read back.
func checkHeader(h *Header) error {
	if h.Schema == "" {
		h.Schema = Schema
	}
	if h.Schema != Schema {
		return fmt.Errorf("run header has schema %q; this version writes %s", h.Schema, Schema)
	}
	if len(h.Arms) == 0 {
		return errors.New("run header names no arm; it needs at least one")
	}
	_, err := armIndex(h.Arms)
	return err
}

// armIndex maps the names of arms to their place in the header.
func armIndex(arms []Arm) (map[string]int32, error) {
	index := make(map[string]int32, len(arms))
	for i, a := range arms {
		if a.Name == "" {
			return nil, fmt.Errorf("arm %d has no name", i+1)
		}
		if _, twice := index[a.Name]; twice {
			return nil, fmt.Errorf("arm %q is named twice", a.Name)
		}
		index[a.Name] = int32(i)
	}
	return index, nil
}

// readHeader reads run.json.
func readHeader(dir string) (Header, error) {
	path := filepath.Join(dir, headerFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Header{}, fmt.Errorf("%s holds no run: there is no %s: %w", dir, headerFile, err)
	}
	if err != nil {
		return Header{}, err
	}
	if info.Size() > maxHeader {
		return Header{}, fmt.Errorf("%s is larger than %d MiB", path, maxHeader>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Header{}, err
	}
	// The version comes first: the rest of another version may have any shape.
	var version struct {
		Schema string `json:"schema"`
	}
	if err := json2.Unmarshal(data, &version); err != nil {
		return Header{}, wholeFileError(path, data, err)
	}
	if version.Schema != Schema {
		return Header{}, fmt.Errorf("%s: schema %q is not understood; this version reads %s", path, version.Schema, Schema)
	}
	var h Header
	if err := json2.Unmarshal(data, &h); err != nil {
		return Header{}, wholeFileError(path, data, err)
	}
	if err := checkHeader(&h); err != nil {
		return Header{}, fmt.Errorf("%s: %w", path, err)
	}
	return h, nil
}

// wholeFileError places a JSON error of a file with many lines.
func wholeFileError(path string, data []byte, err error) error {
	e := jsonError(path, 1, data, err)
	at := min(errorOffset(err), len(data))
	e.Line += bytes.Count(data[:at], []byte("\n"))
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	e.Column = column(data[start:], at-start)
	return e
}
