package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/skilleval/skilleval/metrics"
)

// annotationsShown is how many annotations of one level GitHub shows for a step; the rest is dropped without a word.
const annotationsShown = 10

// relatedShown is how many other places an annotation names.
const relatedShown = 3

// annotation is one workflow command.
type annotation struct {
	level   string // error, warning, notice
	file    string // relative to the repository's root; "": none
	line    int    // 0: unknown
	column  int
	title   string
	message string
}

// WriteGitHub writes the report as workflow commands, which GitHub shows as annotations: gates that failed, findings and
// pairs at their lines, and the verdict of a comparison. GitHub shows ten of each level, so that no more are written;
// one more notice counts those left out. Nothing to say gives nothing.
func WriteGitHub(w io.Writer, r *Report) error {
	all := gateAnnotations(r.Gates)
	if r.Comparison != nil {
		all = append(all, annotation{level: "notice", title: "verdict", message: r.Comparison.VerdictText})
	}
	for _, m := range remarks(r) {
		if m.accepted == "" {
			all = append(all, remarkAnnotation(m))
		}
	}
	var b bytes.Buffer
	for _, a := range pick(all) {
		b.WriteString(a.command() + "\n")
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write github report: %w", err)
	}
	return nil
}

func gateAnnotations(gates []metrics.GateResult) []annotation {
	var out []annotation
	for _, g := range gates {
		if g.Pass {
			continue
		}
		text := fmt.Sprintf("%s: the value is %s, 95 %% interval %s, n = %d", g.Expr, number(g.Value, 4), span(g.Lo, g.Hi), g.N)
		if g.Note != "" {
			text += "; " + g.Note
		}
		out = append(out, annotation{level: "error", title: "gate failed", message: text})
	}
	return out
}

// remarkAnnotation places a remark at its line. One that has no file in the repository stands at none, since a line of
// another file would mislead.
func remarkAnnotation(m remark) annotation {
	a := annotation{level: m.severity, file: m.at.path, line: m.at.line, column: m.at.column, title: m.rule, message: m.message}
	if m.severity == severityNote {
		a.level = "notice"
	}
	if m.at.fallback {
		a.file, a.line, a.column = "", 0, 0
	}
	if len(m.related) > 0 {
		a.message = sentence(a.message)
	}
	for i, rel := range m.related {
		if i == relatedShown {
			a.message += fmt.Sprintf(" See %d more places.", len(m.related)-i)
			break
		}
		a.message += fmt.Sprintf(" See %s: %s:%d.", rel.label, rel.at.path, rel.at.line)
	}
	return a
}

// pick keeps what GitHub shows, errors first, and counts the rest in a last notice.
func pick(all []annotation) []annotation {
	byLevel := map[string][]annotation{}
	for _, a := range all {
		byLevel[a.level] = append(byLevel[a.level], a)
	}
	levels := []string{"error", "warning", "notice"}
	over := false
	for _, level := range levels {
		over = over || len(byLevel[level]) > annotationsShown
	}
	var out []annotation
	var left []string
	for _, level := range levels {
		list, room := byLevel[level], annotationsShown
		if over && level == "notice" {
			room-- // for the count
		}
		if rest := len(list) - room; rest > 0 {
			left = append(left, Counted(rest, level))
			list = list[:room]
		}
		out = append(out, list...)
	}
	if over {
		out = append(out, annotation{level: "notice", title: "skilleval",
			message: "not shown here: " + strings.Join(left, ", ") + "; another format of the report lists all"})
	}
	return out
}

// command is the annotation as one line, escaped as the runner reads it back.
func (a annotation) command() string {
	var properties []string
	if a.file != "" {
		properties = append(properties, "file="+escapeProperty(safeLine(a.file, maxPath)))
		if a.line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", a.line))
		}
		if a.line > 0 && a.column > 0 {
			properties = append(properties, fmt.Sprintf("col=%d", a.column))
		}
	}
	properties = append(properties, "title="+escapeProperty(safeLine(a.title, 200)))
	return "::" + a.level + " " + strings.Join(properties, ",") + "::" + escapeData(safeLine(a.message, 3*messageLimit))
}

// escapeData escapes the message of a workflow command.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes the value of a workflow command's property.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
