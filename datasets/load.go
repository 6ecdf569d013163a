package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Load reads case files, by extension: .jsonl or .ndjson (one case a line), .yaml or .yml (a list), .csv (flat)
// and .json (an array). Ids are unique over all of them. The error is a [Faults] with every fault of every file; the
// cases without one are returned beside it, so that they can be checked too.
func Load(paths ...string) ([]Case, error) {
	l := newLoader()
	if len(paths) == 0 {
		l.fault("", "no-cases", "no case file is named")
	}
	for _, p := range paths {
		l.open(p)
	}
	return l.result()
}

// Read reads the cases of one file; name tells the format by its extension and stands in messages. The error is a
// [Faults] with every fault; the cases without one are returned beside it.
func Read(name string, r io.Reader) ([]Case, error) {
	l := newLoader()
	l.read(name, r)
	return l.result()
}

// Parse reads one case from its JSON text, as it stands in a JSONL file or in a run.
func Parse(raw json.RawMessage) (Case, error) {
	l := newLoader()
	l.decoder.locate = func(_ string, offset int) (int, int) { return 0, columnAt(raw, offset) }
	c, ok := l.decoder.decode(raw)
	if !ok {
		return Case{}, l.faults.err()
	}
	if c.ID == "" {
		c.ID = contentID(&c)
	}
	return c, nil
}

// loader collects the cases and faults of several files.
type loader struct {
	faults  faultList
	decoder decoder
	seen    map[string]origin // by id
	chunks  [][]Case
	count   int
	limit   int // bytes of a line, record or value
}

// origin is where an id was used first.
type origin struct {
	file      string
	line      int
	generated bool
}

func newLoader() *loader {
	l := &loader{seen: make(map[string]origin), limit: maxLine}
	l.decoder = decoder{faults: &l.faults, names: make(map[string]string)}
	return l
}

func (l *loader) open(path string) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		l.fault(path, "unreadable", "%v", withoutPath(err))
		return
	case info.IsDir():
		l.fault(path, "unreadable", "a directory; name the case file itself")
		return
	}
	f, err := os.Open(path)
	if err != nil {
		l.fault(path, "unreadable", "%v", withoutPath(err))
		return
	}
	l.read(path, f)
	if err := f.Close(); err != nil {
		l.fault(path, "unreadable", "%v", withoutPath(err))
	}
}

// withoutPath drops the path that the message starts with anyway.
func withoutPath(err error) error {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

func (l *loader) read(name string, r io.Reader) {
	before, faults := l.count, len(l.faults.list)+l.faults.more
	l.decoder.file, l.decoder.line, l.decoder.locate = name, 0, nil
	t := newTextReader(r, l.limit)
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".jsonl", ".ndjson":
		l.readLines(t)
	case ".yaml", ".yml":
		l.readYAML(t)
	case ".csv":
		l.readCSV(t)
	case ".json":
		l.readArray(t)
	default:
		l.fault(name, "format", "unknown case file format %q; known: .jsonl, .ndjson, .yaml, .yml, .csv, .json", ext)
		return
	}
	if l.count == before && len(l.faults.list)+l.faults.more == faults {
		l.fault(name, "no-cases", "the file holds no case")
	}
}

// fault reports something about a file as a whole.
func (l *loader) fault(file, rule, format string, args ...any) {
	l.faults.add(Fault{File: file, Severity: SeverityError, Rule: rule, Message: fmt.Sprintf(format, args...)})
}

// faultAt reports something at a place in the current file.
func (l *loader) faultAt(line, column int, rule, format string, args ...any) {
	l.faults.add(Fault{
		File: l.decoder.file, Line: line, Column: column,
		Severity: SeverityError, Rule: rule, Message: fmt.Sprintf(format, args...),
	})
}

// add decodes one case and keeps it unless its id is taken.
func (l *loader) add(raw []byte, line int) {
	l.decoder.line = line
	c, ok := l.decoder.decode(raw)
	l.count++
	generated := ok && c.ID == ""
	if generated {
		c.ID = contentID(&c)
	}
	if c.ID != "" && !l.claim(&c, generated) || !ok {
		return
	}
	const chunk = 4096
	if n := len(l.chunks); n == 0 || len(l.chunks[n-1]) == chunk {
		l.chunks = append(l.chunks, make([]Case, 0, chunk))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, c)
}

// claim takes an id; ids that are equal after trimming and NFC are one id.
func (l *loader) claim(c *Case, generated bool) bool {
	key := norm.NFC.String(c.ID)
	first, taken := l.seen[key]
	if !taken {
		l.seen[key] = origin{c.File, c.Line, generated}
		return true
	}
	message := fmt.Sprintf("the id is already used at %s:%d; give each case its own", first.file, first.line)
	if generated && first.generated {
		message = fmt.Sprintf("the same case as at %s:%d, and neither has an id; remove one, or give both an id", first.file, first.line)
	}
	l.faults.add(Fault{File: c.File, Line: c.Line, Case: c.ID, Path: "id", Severity: SeverityError, Rule: "duplicate-id", Message: message})
	return false
}

// result returns the cases in one piece, or the faults.
func (l *loader) result() ([]Case, error) {
	return slices.Concat(l.chunks...), l.faults.err()
}
