package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// readLines reads JSON Lines: one case a line, blank lines skipped.
func (l *loader) readLines(t *textReader) {
	scan := bufio.NewScanner(t)
	scan.Buffer(make([]byte, 0, min(l.limit, 64<<10)), l.limit)
	line := 0
	var raw []byte
	l.decoder.locate = func(_ string, offset int) (int, int) { return line, columnAt(raw, offset) }
	for scan.Scan() {
		t.allow()
		line++
		raw = scan.Bytes()
		if line == 1 && looksIndented(raw) {
			l.faultAt(1, 0, "format", "this is one JSON document over several lines; write one case a line, or name the file .json")
			return
		}
		if len(bytes.TrimSpace(raw)) > 0 {
			l.add(raw, line)
		}
	}
	switch err := scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong), errors.Is(err, errTooLong):
		l.faultAt(line+1, 0, "too-long", "the line is longer than %d bytes; the rest of the file was not read", l.limit)
	case err != nil:
		l.readError(line+1, err)
	}
}

// looksIndented recognises a document that is not JSON Lines by its first line.
func looksIndented(raw []byte) bool {
	s := string(bytes.TrimSpace(raw))
	return s == "[" || s == "{"
}

// columnAt is the 1-based column, in characters, of a byte offset in a line.
func columnAt(raw []byte, offset int) int {
	offset = max(0, min(offset, len(raw)))
	return utf8.RuneCount(raw[:offset]) + 1
}

// readArray reads a JSON array of cases, or {"cases": [...]}, value by value.
func (l *loader) readArray(t *textReader) {
	t.track = true
	dec := jsontext.NewDecoder(t)
	kind := dec.PeekKind()
	switch kind {
	case '[':
		l.arrayItems(t, dec)
	case '{':
		l.casesObject(t, dec)
	case jsontext.KindInvalid:
		if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
			l.arrayFault(t, dec, err)
		}
		return
	default:
		l.faultAt(1, 1, "format", "a JSON array of cases is needed, or {\"cases\": […]}")
		return
	}
	if _, err := dec.ReadToken(); err == nil {
		line, _ := t.lineOf(dec.InputOffset() - 1)
		l.faultAt(line, 0, "format", "more JSON after the first value; name a file with one case a line .jsonl")
	} else if !errors.Is(err, io.EOF) {
		l.arrayFault(t, dec, err)
	}
}

// arrayItems reads "[", every case and "]".
func (l *loader) arrayItems(t *textReader, dec *jsontext.Decoder) {
	if _, err := dec.ReadToken(); err != nil {
		l.arrayFault(t, dec, err)
		return
	}
	var raw jsontext.Value
	var start int64
	l.decoder.locate = func(_ string, offset int) (int, int) {
		line, first := t.lineOf(start + int64(offset))
		if first < start { // the line began before the case did: count its bytes as characters
			return line, int(start-first) + columnAt(raw, offset)
		}
		return line, columnAt(raw[first-start:], offset-int(first-start))
	}
	for {
		switch dec.PeekKind() {
		case ']':
			_, _ = dec.ReadToken()
			return
		case jsontext.KindInvalid:
			_, err := dec.ReadToken()
			l.arrayFault(t, dec, err)
			return
		}
		var err error
		if raw, err = dec.ReadValue(); err != nil {
			l.arrayFault(t, dec, err)
			return
		}
		start = dec.InputOffset() - int64(len(raw))
		line, _ := t.lineOf(start)
		l.add(raw, line)
		t.allow()
	}
}

// casesObject reads {"cases": [...]}.
func (l *loader) casesObject(t *textReader, dec *jsontext.Decoder) {
	_, err := dec.ReadToken()
	for err == nil {
		if dec.PeekKind() == '}' {
			_, err = dec.ReadToken()
			break
		}
		var key jsontext.Token
		if key, err = dec.ReadToken(); err != nil {
			break
		}
		if name := key.String(); name != "cases" || dec.PeekKind() != '[' {
			line, _ := t.lineOf(dec.InputOffset() - 1)
			l.faultAt(line, 0, "format", "a JSON array of cases is needed, or {\"cases\": […]}; the key %q is not understood", short(name))
			err = dec.SkipValue()
			continue
		}
		l.arrayItems(t, dec)
		if dec.StackDepth() != 1 {
			return // the fault is reported; what follows cannot be read
		}
	}
	if err != nil {
		l.arrayFault(t, dec, err)
	}
}

// arrayFault reports a syntax or read error, after which the rest of a document cannot be read.
func (l *loader) arrayFault(t *textReader, dec *jsontext.Decoder, err error) {
	var syn *jsontext.SyntacticError
	switch {
	case errors.Is(err, errTooLong), errors.Is(err, errUTF16):
		line, _ := t.lineOf(dec.InputOffset())
		l.readError(line, err)
	case errors.As(err, &syn):
		line, first := t.lineOf(syn.ByteOffset)
		l.faultAt(line, int(syn.ByteOffset-first)+1, "syntax", "%s; the rest of the file was not read", wordSyntax(syn))
	case err != nil:
		line, _ := t.lineOf(dec.InputOffset())
		l.faultAt(line, 0, "syntax", "%v", err)
	}
}

// readError reports why a file could not be read to its end.
func (l *loader) readError(line int, err error) {
	switch {
	case errors.Is(err, errTooLong):
		l.faultAt(line, 0, "too-long", "a case is longer than %d bytes; the rest of the file was not read", l.limit)
	case errors.Is(err, errUTF16):
		l.faultAt(line, 0, "unreadable", "%v", errUTF16)
	default:
		l.faultAt(line, 0, "unreadable", "%v", withoutPath(err))
	}
}
