package results

import (
	"io"
	"slices"
)

// window reads pieces of a file. Trials lie nearly in canonical order, so when one piece follows closely on another it
// reads ahead; where they do not, it reads what is asked and no more.
type window struct {
	file  io.ReaderAt
	buf   []byte
	start int64 // of buf in the file
	near  int   // pieces in a row that followed closely on the one before
	last  int64 // end of the piece before
}

const (
	readAhead = 256 << 10
	closeBy   = 64 << 10 // gap up to which a piece follows closely
	mostKept  = 1 << 20  // a buffer that grew beyond it is let go
)

// read returns n bytes at an offset; they are valid until the next call.
func (w *window) read(offset int64, n int) ([]byte, error) {
	if gap := offset - w.last; gap >= -closeBy && gap <= closeBy {
		w.near++
	} else {
		w.near = 0
	}
	w.last = offset + int64(n)
	if from := offset - w.start; from >= 0 && from+int64(n) <= int64(len(w.buf)) {
		return w.buf[from : from+int64(n)], nil
	}
	start, size := offset, n
	if w.near >= 4 {
		start = max(0, offset-closeBy) // pieces that were written out of order lie a little before
		size = max(n+int(offset-start), readAhead)
	}
	if cap(w.buf) > mostKept {
		w.buf = nil
	}
	w.buf = slices.Grow(w.buf[:0], size)[:size]
	got, err := w.file.ReadAt(w.buf, start)
	w.buf, w.start = w.buf[:got], start
	if from := int(offset - start); from+n <= got {
		return w.buf[from : from+n], nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}
