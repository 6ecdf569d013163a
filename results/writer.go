package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Writer appends trials to a run. It is safe for concurrent use. It holds the run's lock until Finish or Close.
type Writer struct {
	dir     string
	cases   int // of the header; stands in for a 0 in the one given to Finish
	buffers buffers

	mu     sync.Mutex // guards what follows
	f      appendFile
	size   int64 // bytes of whole lines in trials.jsonl
	err    error // the first failed write, or fs.ErrClosed: nothing is written after it
	unlock func()
}

// appendFile is what a Writer needs of trials.jsonl.
type appendFile interface {
	io.WriteCloser
	Truncate(size int64) error
	Sync() error
}

// Create makes a run directory, with its parents, and opens it for writing. The header is on disk when it
// returns; cases, one JSON value each, are streamed into cases.jsonl. A nil cases leaves that file out.
// A directory that holds a run already is refused with [ErrExists].
func Create(dir string, h Header, cases func(yield func(json.RawMessage) error) error) (*Writer, error) {
	if err := checkHeader(&h); err != nil {
		return nil, err
	}
	if err := refuseExisting(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("create run directory: %w", err)
	}
	w, err := openWriter(dir, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	// Looked at again, because only now nobody else can be creating it. run.json comes last: a directory
	// without it holds nothing yet and may be tried again.
	err = refuseExisting(dir)
	if err == nil && cases != nil {
		err = writeCases(dir, &h, cases)
	}
	if err == nil {
		err = writeHeader(dir, h)
	}
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	w.cases = h.Cases
	return w, nil
}

// refuseExisting fails when dir holds a header or trials.
func refuseExisting(dir string) error {
	_, err := os.Lstat(filepath.Join(dir, headerFile))
	switch {
	case err == nil:
		return fmt.Errorf("%s: %w; go on with it by --resume, or name another directory", dir, ErrExists)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("create run directory: %w", err)
	}
	if info, err := os.Stat(filepath.Join(dir, trialsFile)); err == nil && info.Size() > 0 {
		return fmt.Errorf("%s: %w, without its %s, so --resume cannot go on with it; name another directory", dir, ErrExists, headerFile)
	}
	return nil
}

// writeCases streams cases.jsonl and checks their number against the header.
func writeCases(dir string, h *Header, cases func(yield func(json.RawMessage) error) error) error {
	count := 0
	err := writeAtomically(dir, casesFile, func(f *os.File) error {
		bw := bufio.NewWriterSize(f, 64<<10)
		var b bytes.Buffer
		err := cases(func(raw json.RawMessage) error {
			count++
			b.Reset()
			if err := json.Compact(&b, strictJSON(raw)); err != nil {
				return fmt.Errorf("case %d: %w", count, err)
			}
			b.WriteByte('\n')
			if b.Len() > maxLine {
				return fmt.Errorf("case %d takes %d bytes; at most %d fit", count, b.Len(), maxLine)
			}
			_, err := bw.Write(b.Bytes())
			return err
		})
		if err != nil {
			return err
		}
		return bw.Flush()
	})
	if err != nil {
		return err
	}
	if h.Cases == 0 {
		h.Cases = count
	}
	if h.Cases != count {
		return fmt.Errorf("run header says %d cases, %d were given", h.Cases, count)
	}
	return nil
}

// openWriter opens trials.jsonl for appending and takes the lock.
func openWriter(dir string, flag int) (*Writer, error) {
	path := filepath.Join(dir, trialsFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|flag, 0o666)
	if err != nil {
		return nil, fmt.Errorf("open run: %w", err)
	}
	unlock, err := lock(f)
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return &Writer{dir: dir, f: f, unlock: unlock}, nil
}

// Resume opens a run to go on with it: it takes the lock, repairs a last line that was cut, and returns the
// writer together with what is there. What was repaired is among the run's notes.
func Resume(dir string) (*Writer, *Run, error) {
	if _, err := readHeader(dir); err != nil {
		return nil, nil, err
	}
	w, err := openWriter(dir, 0)
	if err != nil {
		return nil, nil, err
	}
	run, err := Open(dir)
	if err == nil {
		err = w.repair(run)
	}
	if err != nil {
		_ = w.Close()
		return nil, nil, err
	}
	w.cases = run.header.Cases
	return w, run, nil
}

// repair makes trials.jsonl end with a whole line.
func (w *Writer) repair(run *Run) error {
	w.size = run.index.tail.size
	if run.index.tail.dropped > 0 {
		if err := w.f.Truncate(w.size); err != nil {
			return fmt.Errorf("remove the cut last line: %w", err)
		}
		run.notes = append(run.notes, "the cut line was removed from the file")
	}
	if run.index.tail.unended {
		n, err := w.f.Write([]byte("\n"))
		if err != nil {
			return fmt.Errorf("end the last line: %w", err)
		}
		w.size += int64(n)
	}
	return nil
}

// Append writes one finished trial, as one line by one write: when it returns nil, the trial outlives the
// process. After a failed write (a full disk) nothing more is accepted; what had been written of the line is
// taken back where the disk allows it, and dropped by the next reader where not. It does not keep t.
func (w *Writer) Append(t *Trial) error {
	buf := w.buffers.get()
	defer w.buffers.put(buf)
	if err := encodeTrial(buf, t, maxLine); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	n, err := w.f.Write(buf.Bytes())
	if err == nil && n < buf.Len() {
		err = io.ErrShortWrite
	}
	if err != nil {
		w.err = fmt.Errorf("write %s: %w", filepath.Join(w.dir, trialsFile), err)
		_ = w.f.Truncate(w.size) // best effort: readers drop a cut line anyway
		return w.err
	}
	w.size += int64(n)
	return nil
}

// Finish writes trials.jsonl through to the disk, replaces run.json by h and closes the run. A header whose
// Complete is false leaves a run that can be resumed. Where h.Cases is 0, the number that Create counted stays.
func (w *Writer) Finish(h Header) error {
	if err := checkHeader(&h); err != nil {
		return err
	}
	if h.Cases == 0 {
		h.Cases = w.cases
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.err, fs.ErrClosed) {
		return w.err
	}
	err := w.sync()
	if err == nil {
		err = writeHeader(w.dir, h)
	}
	return errors.Join(err, w.close())
}

// Close writes trials.jsonl through to the disk and closes the run, leaving run.json as it is. It may be called
// after Finish, and again.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.err, fs.ErrClosed) {
		return nil
	}
	return errors.Join(w.sync(), w.close())
}

// sync writes trials.jsonl through to the disk.
func (w *Writer) sync() error {
	if err := w.f.Sync(); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(w.dir, trialsFile), err)
	}
	return nil
}

// close gives up file and lock.
func (w *Writer) close() error {
	w.err = fmt.Errorf("run %s: %w", w.dir, fs.ErrClosed)
	err := w.f.Close()
	w.unlock()
	return err
}
