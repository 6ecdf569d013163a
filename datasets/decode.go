package datasets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/skilleval/skilleval/datasets/match"
)

// The keys of a case, in the order in which messages name them.
func caseKeys() []string {
	return []string{"id", "input", "history", "tags", "context_tags", "expect", "accept", "results", "group", "notes"}
}

// decoder turns the JSON text of one case into a Case: the only reader of cases, whatever the file format. It
// reports every fault of the case, not only the first.
type decoder struct {
	faults *faultList
	file   string
	line   int // of the case
	// locate turns a path and a byte offset into the case's text into a position.
	locate func(path string, offset int) (line, column int)
	names  map[string]string // skills and tags, held once each
	found  int               // faults of the current case
}

// place is a field being decoded: prefix, or prefix[index] when index is not negative. It becomes text only for a
// message.
type place struct {
	prefix string
	index  int
}

func at(path string) place { return place{path, -1} }

func (p place) String() string {
	if p.index < 0 {
		return p.prefix
	}
	return p.prefix + "[" + strconv.Itoa(p.index) + "]"
}

// fail reports a fault of the current case.
func (d *decoder) fail(path string, offset int, rule, format string, args ...any) {
	line, column := d.line, 0
	if d.locate != nil {
		line, column = d.locate(path, offset)
	}
	d.found++
	d.faults.add(Fault{
		File: d.file, Line: line, Column: column, Path: path,
		Severity: SeverityError, Rule: rule, Message: fmt.Sprintf(format, args...),
	})
}

// decode reads one case; ok is false when it has a fault.
func (d *decoder) decode(raw []byte) (c Case, ok bool) {
	d.found = 0
	first := len(d.faults.list)
	c.File, c.Line = d.file, d.line
	switch {
	case !jsontext.Value(raw).IsValid():
		message, offset := syntaxFault(raw)
		d.fail("", offset, "syntax", "%s", message)
		return c, false
	case typeOf(raw[gap(raw, 0):]) != "object":
		d.fail("", gap(raw, 0), "case", "a case is an object such as {\"input\": …, \"expect\": …}, not %s", typeOf(raw[gap(raw, 0):]))
		return c, false
	}
	var expected, input bool
	members(raw, 0, func(key, val []byte, off int) {
		switch string(key) {
		case `"expect"`:
			expected = true
		case `"input"`:
			input = true
		}
		d.field(&c, key, val, off)
	})
	if !input {
		d.fail("input", 0, "input", "\"input\" is missing: the request, as the user would write it")
	}
	if !expected {
		d.fail("expect", 0, "expect", "\"expect\" is missing: write %s", expectForms)
	}
	for i := first; i < len(d.faults.list); i++ {
		d.faults.list[i].Case = c.ID
	}
	return c, d.found == 0
}

func (d *decoder) field(c *Case, key, val []byte, off int) {
	switch string(key) {
	case `"id"`:
		c.ID = d.id(val, off)
	case `"input"`:
		if c.Input = d.text("input", val, off); c.Input != "" && strings.TrimSpace(c.Input) == "" {
			d.fail("input", off, "input", "the input is blank")
		}
	case `"history"`:
		c.History = d.history(val, off)
	case `"tags"`:
		c.Tags = d.tags("tags", val, off)
	case `"context_tags"`:
		c.ContextTags = d.tags("context_tags", val, off)
	case `"expect"`:
		c.Expect = d.expectation(at("expect"), val, off)
	case `"accept"`:
		c.Accept = d.accept(val, off)
	case `"results"`:
		c.Results = d.results(val, off)
	case `"group"`:
		c.Group = d.text("group", val, off)
	case `"notes"`:
		if typeOf(val) != "string" {
			d.fail("notes", off, "notes", "a string is needed, not %s", typeOf(val))
			return
		}
		c.Notes = unquote(val)
	default:
		d.unknown("", unquote(key), off, caseKeys())
	}
}

// unknown reports a key that is not one of known.
func (d *decoder) unknown(prefix, key string, off int, known []string) {
	path := short(key)
	if prefix != "" {
		path = prefix + "." + path
	}
	d.fail(path, off, "unknown-key", "unknown key %q%s; known: %s", short(key), didYouMean(key, known), strings.Join(known, ", "))
}

// intern returns one copy of a name that many cases repeat.
func (d *decoder) intern(s string) string {
	if t, ok := d.names[s]; ok {
		return t
	}
	if d.names != nil && len(d.names) < 100_000 {
		d.names[s] = s
	}
	return s
}

// id reads an id: a string, or a number that stands for its text. null asks for a generated one.
func (d *decoder) id(val []byte, off int) string {
	switch typeOf(val) {
	case "string":
		id := strings.TrimSpace(unquote(val))
		if id == "" {
			d.fail("id", off, "id", "the id is blank; leave it out to have one generated from the content")
		}
		return id
	case "number":
		return string(val)
	case "null":
		return ""
	}
	d.fail("id", off, "id", "a string is needed, not %s", typeOf(val))
	return ""
}

// text reads a string that must not be empty.
func (d *decoder) text(path string, val []byte, off int) string {
	if typeOf(val) != "string" {
		d.fail(path, off, path, "a string is needed, not %s%s", typeOf(val), quoteHint(val))
		return ""
	}
	s := unquote(val)
	if s == "" {
		d.fail(path, off, path, "the string is empty")
	}
	return s
}

// quoteHint suggests the string that a bare scalar was probably meant as.
func quoteHint(val []byte) string {
	switch typeOf(val) {
	case "number", "boolean":
		return fmt.Sprintf("; write %q", short(string(val)))
	}
	return ""
}

func (d *decoder) tags(path string, val []byte, off int) []string {
	if typeOf(val) != "array" {
		d.fail(path, off, path, "a list of strings is needed, not %s", typeOf(val))
		return nil
	}
	var out []string
	items(val, off, func(i int, item []byte, off int) {
		if typeOf(item) != "string" {
			d.fail(place{path, i}.String(), off, path, "a string is needed, not %s%s", typeOf(item), quoteHint(item))
			return
		}
		tag := strings.TrimSpace(unquote(item))
		if tag == "" {
			d.fail(place{path, i}.String(), off, path, "the tag is blank")
			return
		}
		if !slices.Contains(out, tag) {
			out = append(out, d.intern(tag))
		}
	})
	return slices.Clip(out)
}

func (d *decoder) history(val []byte, off int) []Turn {
	if typeOf(val) != "array" {
		d.fail("history", off, "history", "a list of turns is needed, not %s: [{\"role\": \"user\", \"content\": …}, …]", typeOf(val))
		return nil
	}
	var out []Turn
	items(val, off, func(i int, item []byte, off int) {
		path := place{"history", i}
		if typeOf(item) != "object" {
			d.fail(path.String(), off, "history", "a turn is {\"role\": …, \"content\": …}, not %s", typeOf(item))
			return
		}
		out = append(out, d.turn(path, item, off))
	})
	return slices.Clip(out)
}

func (d *decoder) turn(path place, item []byte, off int) Turn {
	var t Turn
	members(item, off, func(key, val []byte, off int) {
		switch string(key) {
		case `"role"`:
			if t.Role = d.text(path.String()+".role", val, off); t.Role != "" && t.Role != "user" && t.Role != "assistant" {
				d.fail(path.String()+".role", off, "history", "unknown role %q; known: user, assistant", short(t.Role))
			}
			t.Role = d.intern(t.Role)
		case `"content"`:
			t.Content = d.text(path.String()+".content", val, off)
		default:
			d.unknown(path.String(), unquote(key), off, []string{"role", "content"})
		}
	})
	for _, key := range []string{"role", "content"} {
		if !hasKey(item, key) {
			d.fail(path.String()+"."+key, off, "history", "%q is missing: a turn is {\"role\": \"user\" or \"assistant\", \"content\": …}", key)
		}
	}
	return t
}

// hasKey reports whether an object has a key; keys with escapes in them are not looked for.
func hasKey(raw []byte, key string) bool {
	found := false
	members(raw, 0, func(k, _ []byte, _ int) {
		found = found || len(k) == len(key)+2 && string(k[1:len(k)-1]) == key
	})
	return found
}

func (d *decoder) results(val []byte, off int) map[string]json.RawMessage {
	if typeOf(val) != "object" {
		d.fail("results", off, "results", "an object is needed, not %s: {\"SKILL\": its stub result}", typeOf(val))
		return nil
	}
	var out map[string]json.RawMessage
	members(val, off, func(key, val []byte, _ int) {
		if out == nil {
			out = make(map[string]json.RawMessage)
		}
		out[d.intern(unquote(key))] = slices.Clone(val)
	})
	return out
}

// args checks the matchers in expected arguments and keeps their text.
func (d *decoder) args(path place, suffix string, val []byte, off int) json.RawMessage {
	if typeOf(val) != "object" {
		d.fail(path.String()+suffix, off, "args", "an object is needed, not %s; leave \"args\" out when they are not labelled, write {} when there should be none", typeOf(val))
		return nil
	}
	if _, err := match.Compile(val); err != nil {
		d.matcherFaults(path.String()+suffix, off, err)
		return nil
	}
	return slices.Clone(val)
}

func (d *decoder) matcherFaults(path string, off int, err error) {
	errs, ok := err.(match.Errors)
	if !ok {
		d.fail(path, off, "matcher", "%v", err)
		return
	}
	for _, e := range errs {
		d.fail(join(path, e.Path), off, "matcher", "%s", e.Message)
	}
}

// join appends a path inside a value to the path of the value.
func join(path, inner string) string {
	if inner == "" || path == "" || inner[0] == '[' {
		return path + inner
	}
	return path + "." + inner
}
