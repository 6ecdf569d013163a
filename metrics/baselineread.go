package metrics

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxCount bounds the counts of a baseline, so that no sum of them overflows.
const maxCount = 1 << 30

// ReadBaseline reads a baseline file. It is strict: another schema version, an unknown or repeated field, a repeated
// or unsorted case, counts that cannot be and anything that is no JSON are errors with line and column.
func ReadBaseline(data []byte) (*Baseline, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := checkSchema(data); err != nil {
		return nil, err
	}
	// What is wrong, and where, is found without the scanner.
	if b, err := readBaseline(data, &rowScanner{}); err == nil {
		return b, nil
	}
	return readBaseline(data, nil)
}

// readBaseline reads the file, rows with the scanner where there is one.
func readBaseline(data []byte, rows *rowScanner) (*Baseline, error) {
	r := &baselineReader{data: data, dec: jsontext.NewDecoder(bytes.NewBuffer(data)), rows: rows, out: &Baseline{}}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.out, nil
}

// baselineReader reads one file.
type baselineReader struct {
	data []byte
	dec  *jsontext.Decoder
	rows *rowScanner // nil: rows are read by the decoder alone
	out  *Baseline
}

// at is an error with the line and column, in bytes and from 1, of an offset.
func at(data []byte, offset int64, format string, args ...any) error {
	before := data[:min(max(int(offset), 0), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - (bytes.LastIndexByte(before, '\n') + 1) + 1
	return fmt.Errorf("line %d, column %d: %w", line, column, fmt.Errorf(format, args...))
}

// jsonFault places an error of the decoder; start is where the value began.
func jsonFault(data []byte, start int64, err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json2.SemanticError
	switch {
	case errors.As(err, &syntax):
		return at(data, syntax.ByteOffset, "not a baseline file: %s", strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
	case errors.As(err, &semantic) && errors.Is(err, json2.ErrUnknownName):
		return at(data, start, "unknown field %s", semantic.JSONPointer)
	case errors.As(err, &semantic):
		what := string(semantic.JSONPointer)
		if semantic.GoType != nil {
			what += fmt.Sprintf(": want %s", jsonKind(semantic.GoType.String()))
		}
		return at(data, max(semantic.ByteOffset, start), "%s", what)
	}
	return at(data, start, "not a baseline file: %w", err)
}

// jsonKind says in words what a Go type is written as.
func jsonKind(goType string) string {
	switch {
	case strings.HasPrefix(goType, "int"):
		return "a whole number"
	case strings.HasPrefix(goType, "float"):
		return "a number"
	case goType == "string":
		return "a text"
	case goType == "bool":
		return "true or false"
	case strings.HasSuffix(goType, "SkillShare"):
		return "a list of 5 counts"
	case strings.HasSuffix(goType, "Share"):
		return "a list of 2 counts"
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	}
	return "an object"
}

// checkSchema finds the version before anything else, since another version may have other fields.
func checkSchema(data []byte) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(data))
	token, err := d.ReadToken()
	if err != nil {
		return jsonFault(data, 0, err)
	}
	if token.Kind() != '{' {
		return at(data, 0, "not a baseline file: want a JSON object")
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return jsonFault(data, d.InputOffset(), err)
		}
		schema := name.String() == "schema"
		value, err := d.ReadValue()
		switch {
		case err != nil:
			return jsonFault(data, d.InputOffset(), err)
		case schema && string(value) != `"`+BaselineSchema+`"`:
			return at(data, d.InputOffset()-int64(len(value)), "the schema is %s: this version reads %q; write the file again with \"skilleval baseline set\"",
				clipRunes(string(value), 60), BaselineSchema)
		case schema:
			return nil
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return jsonFault(data, d.InputOffset(), err)
	}
	return at(data, 0, `not a baseline file: there is no "schema"; want %q`, BaselineSchema)
}

// read reads the object and what follows it: nothing.
func (r *baselineReader) read() error {
	b := r.out
	fields := map[string]any{
		"schema": &b.Schema, "run": &b.Run, "arm": &b.Arm, "dataset_digest": &b.DatasetDigest, "skills_digest": &b.SkillsDigest,
		"descriptions": &b.Descriptions, "model": &b.Model, "prompt": &b.Prompt, "repetitions": &b.Repetitions,
		"tokens_source": &b.TokensSource, "figures": &b.Figures, "cases": &b.Cases,
	}
	seen := map[string]bool{"descriptions": true, "tokens_source": true} // these may be left out
	if _, err := r.dec.ReadToken(); err != nil {
		return jsonFault(r.data, 0, err)
	}
	for r.dec.PeekKind() == '"' {
		token, err := r.dec.ReadToken()
		if err != nil {
			return jsonFault(r.data, r.dec.InputOffset(), err)
		}
		name, end := token.String(), r.dec.InputOffset()
		seen[name] = true
		switch into, known := fields[name]; {
		case !known:
			return at(r.data, end, "unknown field %q: known are %s", clipRunes(name, 60), strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		case name == "cases":
			err = r.readCases()
		default:
			if err = json2.UnmarshalDecode(r.dec, into, json2.RejectUnknownMembers(true)); err != nil {
				err = jsonFault(r.data, end, err)
			}
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return jsonFault(r.data, r.dec.InputOffset(), err)
	}
	if rest := bytes.TrimLeft(r.data[r.dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return at(r.data, int64(len(r.data)-len(rest)), "not a baseline file: something follows its end")
	}
	for name := range maps.Keys(fields) {
		if !seen[name] {
			return r.missing(fields, seen)
		}
	}
	return nil
}

func (r *baselineReader) missing(fields map[string]any, seen map[string]bool) error {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !seen[name] {
			names = append(names, name)
		}
	}
	return at(r.data, 0, "not a whole baseline file: there is no %s", strings.Join(names, ", "))
}

// readCases reads the rows.
func (r *baselineReader) readCases() error {
	start := r.dec.InputOffset()
	token, err := r.dec.ReadToken()
	if err != nil {
		return jsonFault(r.data, start, err)
	}
	if token.Kind() != '[' {
		return at(r.data, start, "cases: want a list")
	}
	r.out.Cases = make([]BaselineCase, 0, min(bytes.Count(r.data[start:], []byte("\n")), 1<<20))
	for r.dec.PeekKind() != ']' {
		r.out.Cases = append(r.out.Cases, BaselineCase{})
		n := len(r.out.Cases)
		row := &r.out.Cases[n-1]
		if err := r.readRow(row); err != nil {
			return jsonFault(r.data, r.dec.InputOffset(), err)
		}
		fault := row.fault()
		if n > 1 && fault == "" {
			switch before := r.out.Cases[n-2].Case; {
			case before == row.Case:
				fault = "there are two rows of this case"
			case before > row.Case:
				fault = fmt.Sprintf("it comes after case %q: the rows are sorted by id", clipRunes(before, 60))
			}
		}
		if fault != "" {
			begin := r.dec.InputOffset() - int64(len(r.lastRow()))
			return at(r.data, begin, "case %q: %s; write the file again with \"skilleval baseline set\"", clipRunes(row.Case, 60), fault)
		}
	}
	_, err = r.dec.ReadToken()
	if err != nil {
		return jsonFault(r.data, r.dec.InputOffset(), err)
	}
	return nil
}

// readRow reads one row.
func (r *baselineReader) readRow(row *BaselineCase) error {
	if r.rows == nil {
		return json2.UnmarshalDecode(r.dec, row, json2.RejectUnknownMembers(true))
	}
	text, err := r.dec.ReadValue()
	if err != nil || r.rows.row(text, row) {
		return err
	}
	*row = BaselineCase{}
	return json2.Unmarshal(text, row, json2.RejectUnknownMembers(true))
}

// lastRow is the text from the start of the line to the end of the row just read, without its indent.
func (r *baselineReader) lastRow() []byte {
	text := r.data[:r.dec.InputOffset()]
	return bytes.TrimLeft(text[bytes.LastIndexByte(text, '\n')+1:], " \t")
}

// fault says what is wrong with the counts of a row; "" nothing.
func (c *BaselineCase) fault() string {
	scored := c.Selection[1]
	switch {
	case c.Case == "":
		return "it has no id"
	case c.Trials < 1 || c.Trials > maxCount:
		return fmt.Sprintf("%d trials cannot be", c.Trials)
	case c.Prompt < 0 || c.Prompt > math.MaxInt32*1024:
		return fmt.Sprintf("%d prompt tokens cannot be", c.Prompt)
	case scored > c.Trials || c.Calls[1] != scored || c.Over[1]+c.Under[1] != scored || c.Args[1] > scored || c.Level1[1] > scored:
		return "its counts do not fit together"
	}
	for _, s := range []Share{c.Selection, c.Level1, c.Over, c.Under, c.Args, c.Calls} {
		if s[0] < 0 || s[0] > s[1] {
			return fmt.Sprintf("%d of %d cannot be", s[0], s[1])
		}
	}
	for _, s := range c.Skills {
		if slices.Min(s[:]) < 0 || slices.Max(s[:]) > maxCount || s[2] > min(s[0], s[1]) || s[4] > s[3] {
			return "the counts of its skills do not fit together"
		}
	}
	return ""
}
