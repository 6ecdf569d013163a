package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/results"
)

// maxText bounds one text of a trial, in bytes. More is cut, and says so.
const maxText = 1 << 20

// redactTrial takes secrets out of every text of a trial but its key, its group and its tags, and bounds each that does
// not come from the dataset. The trial owns its slices. The order matters: cutting first could leave a part of a secret
// behind.
func redactTrial(t *results.Trial, redact func(string) string) {
	clean := cutText
	if redact != nil {
		clean = func(s string) string { return cutText(redact(s)) }
	}
	for _, s := range []*string{&t.Answer, &t.Refusal} {
		*s = clean(*s)
	}
	cleanAll(t.Selected, clean)
	for _, p := range []*results.Problem{t.Fault, t.Error} {
		if p != nil {
			p.Message = clean(p.Message)
		}
	}
	for i := range t.Calls {
		c := &t.Calls[i]
		// Skill is a name of the catalogue, not a text of the model: it stays as it is, and comparable.
		c.Level1, c.Failed = clean(c.Level1), clean(c.Failed)
		for _, list := range [][]string{c.Faults, c.Dropped, c.Aliased, c.Flags} {
			cleanAll(list, clean)
		}
		if redact != nil {
			c.Args = RedactJSON(c.Args, redact)
		}
	}
	if redact != nil {
		t.Expect, t.Accept = RedactJSON(t.Expect, redact), RedactJSON(t.Accept, redact)
	}
	if t.Scores != nil {
		s := *t.Scores // the scorer's own value stays as it is
		s.Diffs = slices.Clone(s.Diffs)
		cleanAll(s.Diffs, clean)
		t.Scores = &s
	}
}

func cleanAll(list []string, clean func(string) string) {
	for i := range list {
		list[i] = clean(list[i])
	}
}

// cutText bounds a text without cutting a character.
func cutText(s string) string {
	if len(s) <= maxText {
		return s
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s… [cut: %d bytes in all]", s[:end], len(s))
}

// RedactJSON takes secrets out of the keys, strings and numbers of a JSON value, whatever escapes they are
// written with. A value without secrets keeps its bytes.
func RedactJSON(raw json.RawMessage, redact func(string) string) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	if text := string(raw); !bytes.ContainsRune(raw, '\\') && redact(text) == text {
		return raw
	}
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	dec := jsontext.NewDecoder(bytes.NewReader(raw), lenient...)
	var out bytes.Buffer
	enc := jsontext.NewEncoder(&out, lenient...)
	changed := false
	for {
		token, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			if k := token.Kind(); k == '"' || k == '0' {
				was := token.String()
				if now := redact(was); now != was {
					token, changed = jsontext.String(now), true
				}
			}
			err = enc.WriteToken(token)
		}
		if err != nil { // no JSON: a text like any other
			return json.RawMessage(redact(string(raw)))
		}
	}
	if !changed {
		return raw
	}
	return bytes.TrimSpace(out.Bytes())
}

// redactEvent takes secrets out of an event. The event given is left as it is.
func redactEvent(e agent.Event, redact func(string) string) agent.Event {
	if redact == nil {
		return e
	}
	e.Skill, e.Outcome = redact(e.Skill), redact(e.Outcome)
	if e.Detail != nil {
		detail := make(map[string]any, len(e.Detail))
		for k, v := range e.Detail {
			detail[redact(k)] = redactValue(v, redact)
		}
		e.Detail = detail
	}
	return e
}

// redactValue redacts one value of an event's detail. Values that are neither text nor number nor bool become
// their JSON.
func redactValue(v any, redact func(string) string) any {
	switch v := v.(type) {
	case nil, bool, int, int64, float64:
		return v
	case string:
		return redact(v)
	case error:
		return redact(v.Error())
	case json.RawMessage:
		return RedactJSON(v, redact)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return redact(fmt.Sprint(v))
	}
	return RedactJSON(raw, redact)
}
