package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrTooLarge is wrapped by the error of [Writer.Append] for a trial whose line would be longer than a reader takes.
var ErrTooLarge = errors.New("trial is too large for the run file")

// buffers are reused between lines; each holds one encoded trial at a time.
type buffers struct{ pool sync.Pool }

func (b *buffers) get() *bytes.Buffer {
	if buf, ok := b.pool.Get().(*bytes.Buffer); ok {
		buf.Reset()
		return buf
	}
	return new(bytes.Buffer)
}

func (b *buffers) put(buf *bytes.Buffer) {
	if buf.Cap() <= 1<<20 {
		b.pool.Put(buf)
	}
}

// encodeTrial writes one line, newline included, that a reader will take. Raw JSON in a trial comes from models
// and may repeat keys, hold broken UTF-8 or no JSON at all. It is kept as it is where a strict reader accepts it;
// otherwise it is read the lenient way (the last of repeated keys wins, broken characters become U+FFFD), and
// what cannot be read even so becomes a JSON string of its text.
func encodeTrial(buf *bytes.Buffer, t *Trial, limit int) error {
	err := encodeLine(buf, t)
	for _, clean := range []func(json.RawMessage) json.RawMessage{strictJSON, textJSON} {
		if err == nil {
			break
		}
		buf.Reset()
		err = encodeLine(buf, withRaw(t, clean))
	}
	if err != nil {
		return fmt.Errorf("encode trial %s/%s/%d: %w", t.Case, t.Arm, t.Repetition, err)
	}
	if buf.Len() > limit {
		return fmt.Errorf("%w: %s/%s/%d takes %d bytes, at most %d fit", ErrTooLarge, t.Case, t.Arm, t.Repetition, buf.Len(), limit)
	}
	return nil
}

func encodeLine(buf *bytes.Buffer, t *Trial) error {
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t); err != nil {
		return err
	}
	if !jsontext.Value(buf.Bytes()).IsValid() {
		return errors.New("repeated keys, broken UTF-8 or too many levels")
	}
	return nil
}

// withRaw copies a trial with every piece of raw JSON replaced.
func withRaw(t *Trial, clean func(json.RawMessage) json.RawMessage) *Trial {
	c := *t
	c.Expect, c.Accept = clean(t.Expect), clean(t.Accept)
	c.Calls = make([]Call, len(t.Calls))
	for i, call := range t.Calls {
		call.Args = clean(call.Args)
		c.Calls[i] = call
	}
	return &c
}

// strictJSON returns raw when a strict reader accepts it, and otherwise its lenient reading.
func strictJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil // written as null
	}
	if jsontext.Value(raw).IsValid() {
		return raw
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil || dec.More() {
		return textJSON(raw)
	}
	out, err := json.Marshal(v)
	if err != nil || !jsontext.Value(out).IsValid() {
		return textJSON(raw)
	}
	return out
}

// textJSON returns a JSON string of raw's text, or nothing for nothing.
func textJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	out, err := json.Marshal(strings.ToValidUTF8(string(raw), "\ufffd"))
	if err != nil { // a string always has a JSON form
		return json.RawMessage(`""`)
	}
	return out
}
