package datasets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The severities of a [Fault].
const (
	SeverityError   = "error"   // the cases cannot be used
	SeverityWarning = "warning" // they can, and a reader should know
)

// Fault is something wrong with a case file or with a case.
type Fault struct {
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`   // 1-based; 0: unknown
	Column   int    `json:"column,omitempty"` // 1-based, in characters (CSV: in bytes); 0: unknown
	Case     string `json:"case,omitempty"`   // id
	Path     string `json:"path,omitempty"`   // of the field, such as "expect.calls[0].args.city"
	Severity string `json:"severity"`         // "error" or "warning"
	Rule     string `json:"rule"`             // short stable id, such as "duplicate-id"
	Message  string `json:"message"`
}

// String writes the fault on one line: `cases.jsonl:3:14: error: case "c1": expect.order: …`.
func (f Fault) String() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.File)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Line)
			if f.Column > 0 {
				fmt.Fprintf(&b, ":%d", f.Column)
			}
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Severity + ": ")
	if f.Case != "" {
		fmt.Fprintf(&b, "case %q: ", f.Case)
	}
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.Message)
	return b.String()
}

// Faults is a list of faults. As an error it is one line a fault.
type Faults []Fault

// Error implements error.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i := range f {
		lines[i] = f[i].String()
	}
	return strings.Join(lines, "\n")
}

// Errors returns those that are errors; nil when there are none.
func (f Faults) Errors() Faults { return f.with(SeverityError) }

// Warnings returns those that are warnings; nil when there are none.
func (f Faults) Warnings() Faults { return f.with(SeverityWarning) }

func (f Faults) with(severity string) Faults {
	var out Faults
	for _, fault := range f {
		if fault.Severity == severity {
			out = append(out, fault)
		}
	}
	return out
}

// sorted orders faults by file and line; those about no file come last.
func (f Faults) sorted() Faults {
	slices.SortStableFunc(f, func(a, b Fault) int {
		return cmp.Or(
			cmp.Compare(boolInt(a.File == ""), boolInt(b.File == "")),
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Case, b.Case),
		)
	})
	return f
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// maxFaults bounds how many faults one call lists; the rest are counted.
const maxFaults = 1000

// faultList collects faults up to maxFaults.
type faultList struct {
	list   Faults
	more   int
	severe bool // an error is among those not listed
}

func (l *faultList) add(f Fault) {
	if len(l.list) >= maxFaults {
		l.more++
		l.severe = l.severe || f.Severity == SeverityError
		return
	}
	l.list = append(l.list, f)
}

// err returns the faults as an error, nil when there are none.
func (l *faultList) err() error {
	if all := l.all(); len(all) > 0 {
		return all
	}
	return nil
}

// all returns the faults in the order found, with a last one that counts those not listed.
func (l *faultList) all() Faults {
	if l.more == 0 {
		return l.list
	}
	rest := Fault{Severity: SeverityWarning, Rule: "more", Message: fmt.Sprintf("%d more faults are not listed", l.more)}
	if l.severe {
		rest.Severity = SeverityError
	}
	return append(slices.Clip(l.list), rest)
}
