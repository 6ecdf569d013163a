package results

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds one line of a run file, in bytes. Writers keep to it, so a longer line is damage.
const maxLine = 64 << 20

// line is one line of a file, without its newline. Text is valid until the next line is read.
type line struct {
	number int   // from 1
	offset int64 // of its first byte
	text   []byte
	ended  bool // a newline followed
}

// eachLine calls yield for every line of r, of any length up to limit bytes.
func eachLine(file string, r io.Reader, limit int, yield func(line) error) error {
	br := bufio.NewReaderSize(r, 64<<10)
	var long []byte // collects a line that does not fit the reader's buffer
	at := int64(0)
	for number := 1; ; number++ {
		text, err := br.ReadSlice('\n')
		for long = long[:0]; errors.Is(err, bufio.ErrBufferFull); text, err = br.ReadSlice('\n') {
			if long = append(long, text...); len(long) > limit {
				return &Error{File: file, Line: number, Column: 1, Message: fmt.Sprintf("line is longer than %d bytes", limit)}
			}
		}
		if len(long) > 0 {
			long = append(long, text...)
			text = long
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read %s: %w", file, err)
		}
		if len(text) == 0 {
			return nil
		}
		l := line{number: number, offset: at, text: text}
		at += int64(len(text))
		if text[len(text)-1] == '\n' {
			l.text, l.ended = text[:len(text)-1], true
		}
		if err := yield(l); err != nil {
			return err
		}
	}
}
