package transport

import (
	"bytes"
	"errors"
	"io"
	"strconv"
)

// meter finds the usage at the end of a reply as it is read.
type meter struct {
	io.ReadCloser
	spend func(int)
	tail  []byte
	done  bool
}

// meterTail is as much of a reply's end as is searched for its usage.
const meterTail = 4 << 10

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.tail = append(m.tail, p[max(0, n-meterTail):n]...)
	if extra := len(m.tail) - meterTail; extra > 0 {
		m.tail = append(m.tail[:0], m.tail[extra:]...)
	}
	if errors.Is(err, io.EOF) {
		m.finish()
	}
	return n, err
}

// Close implements io.Closer.
func (m *meter) Close() error {
	m.finish()
	return m.ReadCloser.Close()
}

// finish spends what the reply says it used, once.
func (m *meter) finish() {
	if m.done {
		return
	}
	m.done = true
	for _, name := range []string{`"completion_tokens"`, `"output_tokens"`} {
		if n := lastNumber(m.tail, name); n > 0 {
			m.spend(n)
			return
		}
	}
}

// lastNumber is the number that follows the last occurrence of a JSON key; 0 when there is none.
func lastNumber(text []byte, key string) int {
	i := bytes.LastIndex(text, []byte(key))
	if i < 0 {
		return 0
	}
	rest := bytes.TrimLeft(text[i+len(key):], " \t\r\n:")
	digits := 0
	for digits < len(rest) && digits < 9 && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(string(rest[:digits]))
	if err != nil {
		return 0
	}
	return n
}
