package datasets

import (
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest line, record or value of a case file, in bytes.
const maxLine = 64 << 20

// errUTF16 says what to do with a file that is not UTF-8.
var errUTF16 = errors.New("the file is UTF-16; save it as UTF-8")

// textReader is the one way into every case file: it drops one byte order mark at the start and turns CRLF and
// lone CR into LF. It allows limit bytes until allow is called again.
type textReader struct {
	r       io.Reader
	started bool
	carry   bool // the last byte was CR: a following LF belongs to it
	limit   int
	left    int // bytes still allowed
	buf     [64 << 10]byte
	pending []byte // read, not yet delivered
	err     error
	// newlines holds the offset after each line feed delivered, when track is set.
	track    bool
	offset   int64
	newlines []int64
}

// errTooLong says that the allowance was used up.
var errTooLong = errors.New("too long")

func newTextReader(r io.Reader, limit int) *textReader {
	return &textReader{r: r, limit: limit, left: limit}
}

// allow grants another limit bytes: a line, record or value has ended.
func (t *textReader) allow() { t.left = t.limit + len(t.buf) }

// Read implements io.Reader.
func (t *textReader) Read(p []byte) (int, error) {
	for len(t.pending) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.fill()
	}
	if t.left <= 0 {
		return 0, errTooLong
	}
	n := copy(p, t.pending)
	t.pending = t.pending[n:]
	t.left -= n
	if t.track {
		for i, c := range p[:n] {
			if c == '\n' {
				t.newlines = append(t.newlines, t.offset+int64(i)+1)
			}
		}
	}
	t.offset += int64(n)
	return n, nil
}

// fill reads a block and normalises it in place.
func (t *textReader) fill() {
	n, err := 0, error(nil)
	if t.started {
		n, err = t.r.Read(t.buf[:])
	} else {
		n, err = io.ReadFull(t.r, t.buf[:3])
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
	}
	t.err = err
	block := t.buf[:n]
	if !t.started {
		t.started = true
		switch {
		case bytes.HasPrefix(block, []byte("\xff\xfe")), bytes.HasPrefix(block, []byte("\xfe\xff")):
			t.err = errUTF16
			return
		case bytes.HasPrefix(block, []byte("\xef\xbb\xbf")):
			block = block[3:]
		}
	}
	t.pending = t.normalise(block)
}

func (t *textReader) normalise(block []byte) []byte {
	if !t.carry && bytes.IndexByte(block, '\r') < 0 {
		return block
	}
	out := block[:0]
	for _, c := range block {
		after := t.carry
		t.carry = c == '\r'
		switch {
		case c == '\r':
			out = append(out, '\n')
		case c != '\n' || !after:
			out = append(out, c)
		}
	}
	return out
}

// lineOf returns the 1-based line of a byte offset, and the offset at which it starts. Only with track.
func (t *textReader) lineOf(offset int64) (line int, start int64) {
	low, high := 0, len(t.newlines)
	for low < high {
		if mid := (low + high) / 2; t.newlines[mid] <= offset {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return 1, 0
	}
	return low + 1, t.newlines[low-1]
}
