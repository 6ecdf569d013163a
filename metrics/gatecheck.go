package metrics

import (
	"fmt"
)

// GateResult is the outcome of a [Gate] (the JSON report's "gates" entry; field names are a contract).
type GateResult struct {
	Expr   string   `json:"expr"`
	Metric string   `json:"metric"`
	Value  *float64 `json:"value"`
	Lo     *float64 `json:"lo"` // 95 % interval, where the figure has one
	Hi     *float64 `json:"hi"`
	N      int      `json:"n"`
	Pass   bool     `json:"pass"`
	Note   string   `json:"note,omitempty"`
}

// Check holds the gate against a summary. A figure over nothing fails, whatever the comparison. The comparison is made
// on decimals, exactly: 4 of 5 passes ">= 0.8". The point decides; the note says when the interval holds the
// threshold, so that this many observations do not. A gate that needs a baseline fails here.
func (g Gate) Check(a *Arm) GateResult {
	r := GateResult{Expr: g.Expr, Metric: g.of()}
	if g.Delta {
		r.Note = "there is no baseline to compare with"
		return r
	}
	f := g.figure(a)
	r.N = f.n
	if f.n == 0 || f.value == nil {
		r.Note = "nothing was measured"
		if f.reason != "" {
			r.Note += ": " + f.reason
		}
		return r
	}
	r.Value, r.Lo, r.Hi = f.value, f.lo, f.hi
	threshold := g.threshold()
	r.Pass = holds(f.number().Cmp(threshold), g.Op)
	if t, _ := threshold.Float64(); f.lo != nil && f.hi != nil && *f.lo < t && t < *f.hi {
		r.Note = fmt.Sprintf("n = %d does not decide it: the 95 %% interval, %.3f to %.3f, holds the threshold", f.n, *f.lo, *f.hi)
	}
	return r
}

// holds says what a three-way comparison of value and threshold means for op.
func holds(order int, op string) bool {
	switch op {
	case ">=":
		return order >= 0
	case ">":
		return order > 0
	case "<=":
		return order <= 0
	case "<":
		return order < 0
	case "==":
		return order == 0
	case "!=":
		return order != 0
	}
	return false
}

// figure finds the gate's figure in a summary.
func (g *Gate) figure(a *Arm) figure {
	m := findMetric(g.Metric)
	switch {
	case m == nil:
		return figure{reason: fmt.Sprintf("there is no metric %q", g.Metric)}
	case g.Skill != "" && m.ofSkill != nil:
		for i := range a.Selection.PerSkill {
			if a.Selection.PerSkill[i].Skill == g.Skill {
				return m.ofSkill(&a.Selection.PerSkill[i])
			}
		}
		return figure{reason: fmt.Sprintf("no scored trial expects or calls %q", g.Skill)}
	case g.Tag != "" && m.ofTag != nil:
		for i := range a.Tags {
			if a.Tags[i].Tag == g.Tag {
				return m.ofTag(&a.Tags[i])
			}
		}
		return figure{reason: fmt.Sprintf("no case has the tag %q", g.Tag)}
	case m.of == nil || g.Skill != "" || g.Tag != "":
		return figure{reason: fmt.Sprintf("%s is not known so", g.of())}
	}
	return m.of(a)
}
