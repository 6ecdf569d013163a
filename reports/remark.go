package reports

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/similarity"
)

// The severities, the worst first.
const (
	severityError   = "error"
	severityWarning = "warning"
	severityNote    = "note"
)

var severities = []string{severityError, severityWarning, severityNote}

// severity reads a finding's severity; one that is not known counts as a warning, so that it is not overlooked.
func severity(s string) string {
	switch strings.ToLower(s) {
	case severityError:
		return severityError
	case severityNote, "notice", "info":
		return severityNote
	}
	return severityWarning
}

func severityRank(s string) int { return slices.Index(severities, severity(s)) }

// messageLimit is the length in runes to which the message of a remark, with its hint, is cut: it names a fault, it is
// no place for a model's whole reply.
const messageLimit = 1000

// remark is a finding or a pair for a consumer that knows positions and messages only. Its texts are safe for one line.
type remark struct {
	rule, severity string
	message        string // with the hint
	at             spot
	skill          string
	related        []relation
	fingerprint    string
	accepted       string // the reason for which a reviewer let it stand; "" when nobody has
}

// relation is another place that a remark is about, and what it is.
type relation struct {
	label string
	at    spot
}

// remarks lists the findings and the pairs of a report: what nobody accepted first, the worst first, then by place.
func remarks(r *Report) []remark {
	out := make([]remark, 0, len(r.Findings)+len(r.Pairs))
	for i := range r.Findings {
		out = append(out, findingRemark(r, &r.Findings[i]))
	}
	for i := range r.Pairs {
		out = append(out, pairRemark(r, &r.Pairs[i]))
	}
	slices.SortStableFunc(out, func(a, b remark) int {
		return cmp.Or(
			cmp.Compare(min(len(a.accepted), 1), min(len(b.accepted), 1)),
			cmp.Compare(severityRank(a.severity), severityRank(b.severity)),
			strings.Compare(a.at.path, b.at.path), cmp.Compare(a.at.line, b.at.line), cmp.Compare(a.at.column, b.at.column),
			strings.Compare(a.rule, b.rule), strings.Compare(a.message, b.message))
	})
	number := map[string]int{}
	for i := range out { // the same remark twice in a file: told apart by their order
		id := out[i].fingerprint
		if number[id]++; number[id] > 1 {
			out[i].fingerprint = fmt.Sprintf("%s:%d", id, number[id])
		}
	}
	return out
}

func findingRemark(r *Report, f *Finding) remark {
	m := remark{rule: safeLine(f.Rule, 200), severity: severity(f.Severity), skill: safeLine(f.Skill, 200),
		at: r.spot(Place{Path: f.Path, Line: f.Line, Column: f.Column})}
	if m.rule == "" {
		m.rule = "finding"
	}
	text := f.Message
	if strings.TrimSpace(text) == "" {
		text = m.rule
	}
	m.message = withHint(text, f.Hint) + elsewhere(m.at)
	for _, p := range f.Related {
		if at := r.spot(p); !at.fallback {
			m.related = append(m.related, relation{label: safeLine(cmp.Or(p.Message, at.path), 80), at: at})
		}
	}
	m.fingerprint = safeLine(f.Fingerprint, 200)
	if m.fingerprint == "" {
		m.fingerprint = digest(f.Rule, m.at.path, f.Skill, f.Case, f.Message)
	}
	return m
}

// withHint appends a hint to a message, both cut to one line.
func withHint(message, hint string) string {
	text := safeLine(message, messageLimit)
	if strings.TrimSpace(hint) == "" {
		return text
	}
	return sentence(text) + " Hint: " + safeLine(hint, messageLimit/2)
}

// sentence ends a text with a full stop, unless it has an end.
func sentence(s string) string {
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "。") {
		return s
	}
	return s + "."
}

// elsewhere says which file was meant when a remark could not be placed at it.
func elsewhere(s spot) string {
	if s.outside == "" {
		return ""
	}
	return " (in a file outside the repository: " + safeLine(s.outside, 100) + ")"
}

func pairRemark(r *Report, p *similarity.Pair) remark {
	m := remark{rule: pairRule, severity: pairSeverity(p), skill: safeLine(p.A, 200), accepted: strings.TrimSpace(safeLine(p.Accepted, 500)),
		at: r.spot(r.textPlace(p.IDA))}
	m.message = Clip(pairSentence(p), messageLimit) + elsewhere(m.at)
	if b := r.spot(r.textPlace(p.IDB)); !b.fallback {
		m.related = []relation{{label: safeLine(cmp.Or(p.B, b.path), 80), at: b}}
	}
	a, b := r.pathKey(p.IDA), r.pathKey(p.IDB)
	m.fingerprint = digest(pairRule, min(a, b), max(a, b))
	return m
}

// pairSeverity is a warning for descriptions that mean the same, a note for others and for what a reviewer accepted.
func pairSeverity(p *similarity.Pair) string {
	if p.Accepted == "" && (p.Level == similarity.Duplicate || p.Level == similarity.Near) {
		return severityWarning
	}
	return severityNote
}

// pairSentence says in one line which descriptions sound alike, how much, why and what to do.
func pairSentence(p *similarity.Pair) string {
	s := fmt.Sprintf(`"%s" sounds like "%s" (%s, score %.2f)`, safeLine(p.A, 100), safeLine(p.B, 100), safeLine(string(p.Level), 20), p.Score)
	for _, part := range []struct {
		label   string
		phrases []string
	}{{"both say", p.Shared}, {"only the first", p.OnlyA}, {"only the second", p.OnlyB}} {
		if len(part.phrases) > 0 {
			s += fmt.Sprintf("; %s: %s", part.label, phrases(part.phrases, 5, 120))
		}
	}
	if c := confusion(p); c != "" {
		s += "; " + c
	}
	if p.Suggestion != "" {
		s = sentence(s) + " " + safeLine(p.Suggestion, 400)
	}
	return Plain(s)
}

// textPlace is where the text of a pair stands.
func (r *Report) textPlace(id string) Place {
	if p, ok := r.TextPlaces[id]; ok {
		if p.Path == "" {
			p.Path = id
		}
		return p
	}
	return Place{Path: id, Line: 1}
}

// pathKey names a text independently of the machine, where that is possible: by its own file, because several texts may
// stand in one.
func (r *Report) pathKey(id string) string {
	if rel, ok := r.sourcePath(id); ok {
		return rel
	}
	return id
}

// digest is a short stable name for a list of texts.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// tally counts texts by severity.
type tally struct{ errors, warnings, notes int }

func (t *tally) add(s string) {
	switch severity(s) {
	case severityError:
		t.errors++
	case severityWarning:
		t.warnings++
	default:
		t.notes++
	}
}

// String is "1 error, 2 warnings, 0 notes".
func (t tally) String() string {
	return Counted(t.errors, "error") + ", " + Counted(t.warnings, "warning") + ", " + Counted(t.notes, "note")
}
