package datasets

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// csvColumns are the columns of a flat case file. tags and context_tags are separated by spaces or semicolons;
// args, expect, accept, history and results hold JSON. One call is skill and args, none is "true", anything else
// is written in expect.
func csvColumns() []string {
	return []string{
		"id", "input", "tags", "skill", "args", "none", "order", "group", "notes",
		"expect", "accept", "history", "context_tags", "results",
	}
}

// csvReader reads one CSV file.
type csvReader struct {
	loader  *loader
	csv     *csv.Reader
	columns []string
	record  []string
	failed  bool
}

// readCSV reads a CSV file with a header line.
func (l *loader) readCSV(t *textReader) {
	r := &csvReader{loader: l, csv: csv.NewReader(t)}
	r.csv.FieldsPerRecord = -1
	r.csv.ReuseRecord = true
	header, err := r.csv.Read()
	if err != nil {
		if !errors.Is(err, io.EOF) {
			r.readFault(err)
		}
		return
	}
	r.columns = slices.Clone(header)
	if !r.header() {
		return
	}
	l.decoder.locate = r.locate
	for {
		t.allow()
		r.record, err = r.csv.Read()
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			var syntax *csv.ParseError
			if r.readFault(err); !errors.As(err, &syntax) {
				return
			}
			continue
		}
		r.row()
	}
}

// header checks the names of the columns.
func (r *csvReader) header() bool {
	ok := true
	fail := func(i int, format string, args ...any) {
		line, column := r.csv.FieldPos(i)
		r.loader.faultAt(line, column, "header", format, args...)
		ok = false
	}
	for i, name := range r.columns {
		r.columns[i] = strings.TrimSpace(name)
		switch name = r.columns[i]; {
		case !slices.Contains(csvColumns(), name):
			fail(i, "unknown column %q%s; known: %s", short(name), didYouMean(name, csvColumns()), strings.Join(csvColumns(), ", "))
		case slices.Contains(r.columns[:i], name):
			fail(i, "the column %q is there twice", name)
		}
	}
	if ok && !slices.Contains(r.columns, "input") {
		fail(0, "the column \"input\" is missing; the first line names the columns: %s", strings.Join(csvColumns(), ", "))
	}
	return ok
}

func (r *csvReader) readFault(err error) {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		r.loader.faultAt(syntax.Line, syntax.Column, "syntax", "not valid CSV: %v", syntax.Err)
		return
	}
	r.loader.readError(0, err)
}

// cell returns the text of a column, "" when it is absent or blank.
func (r *csvReader) cell(name string) string {
	for i, c := range r.columns {
		if c == name && i < len(r.record) && strings.TrimSpace(r.record[i]) != "" {
			return r.record[i]
		}
	}
	return ""
}

// position of a column's cell in the current record, or of its first cell.
func (r *csvReader) position(name string) (line, column int) {
	for i, c := range r.columns {
		if c == name && i < len(r.record) {
			return r.csv.FieldPos(i)
		}
	}
	return r.csv.FieldPos(0)
}

func (r *csvReader) fail(column, format string, args ...any) {
	r.failed = true
	line, col := r.position(column)
	r.loader.faultAt(line, col, "csv", column+": "+format, args...)
}

// locate turns the path of a decoded case into the cell it came from.
func (r *csvReader) locate(path string, _ int) (line, column int) {
	field, _, _ := strings.Cut(path, ".")
	field, _, _ = strings.Cut(field, "[")
	if field == "expect" && r.cell("expect") == "" {
		field = "skill"
		if strings.Contains(path, ".args") {
			field = "args"
		}
	}
	return r.position(field)
}

func (r *csvReader) row() {
	r.failed = false
	line, _ := r.csv.FieldPos(0)
	if len(r.record) != len(r.columns) {
		r.loader.faultAt(line, 0, "csv", "%d cells where the header has %d; quote a cell that holds a comma", len(r.record), len(r.columns))
		r.loader.count++
		return
	}
	b := []byte("{")
	key := func(name string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), name...), `":`...)
	}
	for _, name := range []string{"id", "input", "group", "notes"} {
		if s := r.cell(name); s != "" || name == "input" {
			key(name)
			b = r.quote(b, name, s)
		}
	}
	for _, name := range []string{"tags", "context_tags"} {
		if s := r.cell(name); s != "" {
			key(name)
			b = r.list(b, name, s)
		}
	}
	for _, name := range []string{"history", "accept", "results"} {
		if s := r.cell(name); s != "" {
			key(name)
			b = r.json(b, name, s)
		}
	}
	if e := r.expect(); e != nil {
		key("expect")
		b = append(b, e...)
	}
	if r.failed {
		r.loader.count++
		return
	}
	r.loader.add(append(b, '}'), line)
}

// expect builds the expectation; nil when no column speaks of it.
func (r *csvReader) expect() []byte {
	whole, skill, args, none, order := r.cell("expect"), r.cell("skill"), r.cell("args"), r.cell("none"), r.cell("order")
	isNone := false
	switch strings.ToLower(strings.TrimSpace(none)) {
	case "", "false":
	case "true":
		isNone = true
	default:
		r.fail("none", "true, false or nothing is needed, not %q", short(none))
	}
	switch {
	case whole != "":
		if skill != "" || args != "" || isNone || order != "" {
			r.fail("expect", "holds the whole expectation: leave skill, args, none and order empty")
		}
		return r.json(nil, "expect", whole)
	case isNone:
		if skill != "" || args != "" || order != "" {
			r.fail("none", "true means that no skill is used: leave skill, args and order empty")
		}
		return []byte(`{"none":true}`)
	case skill == "":
		if args != "" || order != "" {
			r.fail("skill", "the name of the skill is missing beside args or order")
		}
		return nil
	}
	b := r.quote([]byte(`{"calls":[{"skill":`), "skill", skill)
	if args != "" {
		b = r.json(append(b, `,"args":`...), "args", args)
	}
	b = append(b, "}]"...)
	if order != "" {
		b = r.quote(append(b, `,"order":`...), "order", strings.TrimSpace(order))
	}
	return append(b, '}')
}

func (r *csvReader) quote(b []byte, column, s string) []byte {
	out, err := jsontext.AppendQuote(b, s)
	if err != nil {
		r.fail(column, "not valid UTF-8")
		return b
	}
	return out
}

func (r *csvReader) json(b []byte, column, s string) []byte {
	if !jsontext.Value(s).IsValid() {
		message, _ := syntaxFault([]byte(s))
		r.fail(column, "JSON is needed: %s", message)
		return b
	}
	return append(b, strings.TrimSpace(s)...)
}

func (r *csvReader) list(b []byte, column, s string) []byte {
	b = append(b, '[')
	for i, word := range strings.FieldsFunc(s, func(c rune) bool { return c == ';' || c == ' ' || c == '\t' || c == '\n' }) {
		if i > 0 {
			b = append(b, ',')
		}
		b = r.quote(b, column, word)
	}
	return append(b, ']')
}
