package metrics

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Gate is a threshold on one figure of a summary, as read by [ParseGate].
type Gate struct {
	Expr      string // as written, without outer spaces
	Metric    string // a path of the JSON report, such as "selection.accuracy"
	Skill     string // of [skill=NAME]; "": all
	Tag       string // of [tag=NAME]; "": all
	Delta     bool   // compare the change against a baseline, not the figure itself
	Op        string // >=, >, <=, <, == or !=
	Threshold string // a decimal number, as written
}

// operators, the longer ones first.
var operators = []string{">=", "<=", "==", "!=", ">", "<"}

// gateForm is what a gate looks like, for messages.
const gateForm = `write METRIC OP NUMBER, such as "selection.accuracy >= 0.9" or "args.exact[skill=NAME] >= 0.8"`

// ParseGate reads "METRIC OP NUMBER", METRIC[skill=NAME] and METRIC[tag=NAME] for a part of the figure, and
// delta(METRIC) for the change against a baseline. OP is >=, >, <=, <, == or !=, in its plain sense: a figure that
// equals the threshold passes >=, <= and ==. The error for an unknown metric names the nearest one and lists all.
func ParseGate(expr string) (Gate, error) {
	expr = strings.TrimSpace(expr)
	fail := func(format string, args ...any) (Gate, error) {
		return Gate{}, fmt.Errorf("gate %s: %s", strconv.Quote(clipRunes(expr, 200)), fmt.Sprintf(format, args...))
	}
	if expr == "" {
		return fail("is empty: %s", gateForm)
	}
	from := strings.LastIndexByte(expr, ']') + 1
	if from == 0 && strings.Contains(expr, "[") {
		return fail("the filter is not closed: %s", gateForm)
	}
	at := strings.IndexAny(expr[from:], "<>=!")
	if at < 0 {
		return fail("has no comparison (one of %s): %s", strings.Join(operators, " "), gateForm)
	}
	head, rest := strings.TrimSpace(expr[:from+at]), expr[from+at:]
	g := Gate{Expr: expr}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			g.Op, g.Threshold = op, strings.TrimSpace(rest[len(op):])
			break
		}
	}
	if g.Op == "" {
		return fail("unknown comparison; write one of %s", strings.Join(operators, " "))
	}
	if inner, ok := strings.CutPrefix(head, "delta("); ok {
		if head, ok = strings.CutSuffix(inner, ")"); !ok {
			return fail("delta( is not closed: write delta(METRIC)")
		}
		g.Delta, head = true, strings.TrimSpace(head)
	}
	if err := g.parseMetric(head); err != nil {
		return fail("%v", err)
	}
	if err := g.checkThreshold(); err != nil {
		return fail("%v", err)
	}
	return g, nil
}

// parseMetric reads METRIC, METRIC[skill=NAME] or METRIC[tag=NAME].
func (g *Gate) parseMetric(head string) error {
	name, filter, filtered := strings.Cut(head, "[")
	g.Metric = strings.TrimSpace(name)
	m := findMetric(g.Metric)
	if m == nil {
		return unknownMetric(g.Metric)
	}
	if !filtered {
		if m.of == nil {
			return fmt.Errorf("%s is known for one skill only: write %s[skill=NAME], or selection.macro.%s for all",
				g.Metric, g.Metric, strings.TrimPrefix(g.Metric, "selection."))
		}
		return nil
	}
	filter, closed := strings.CutSuffix(filter, "]")
	key, value, ok := strings.Cut(filter, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case !closed || !ok || value == "":
		return fmt.Errorf("a filter is [skill=NAME] or [tag=NAME], not [%s", clipRunes(filter, 60))
	case key == "skill" && m.ofSkill != nil:
		g.Skill = value
	case key == "tag" && m.ofTag != nil:
		g.Tag = value
	case key == "skill" || key == "tag":
		return fmt.Errorf("%s is not known by %s; [%s=NAME] goes with %s", g.Metric, key, key, strings.Join(filterable(key), ", "))
	default:
		return fmt.Errorf("unknown filter %q: write [skill=NAME] or [tag=NAME]", clipRunes(key, 60))
	}
	return nil
}

// decimal is a number that JSON knows, or with a sign or bare point. NaN, infinities, hexadecimal, fractions and
// percentages are none.
var decimal = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?$`)

// checkThreshold refuses what is no number, and a number that the figure cannot reach.
func (g *Gate) checkThreshold() error {
	t := g.Threshold
	switch {
	case t == "":
		return fmt.Errorf("has no number after %s: %s", g.Op, gateForm)
	case len(t) > 40 || !decimal.MatchString(t):
		return fmt.Errorf("%q is not a decimal number: write one such as 0.9 (a rate is a fraction, not a percentage)", clipRunes(t, 60))
	}
	least := big.NewRat(0, 1)
	if g.Delta {
		least.SetInt64(-1)
	}
	n := g.threshold()
	if findMetric(g.Metric).rate && (n.Cmp(least) < 0 || n.Cmp(big.NewRat(1, 1)) > 0) {
		return fmt.Errorf("%s is a rate: %s is not between %s and 1 (write 0.9 for 90 %%)", g.Metric, t, least.RatString())
	}
	return nil
}

// threshold is the number, exactly as written.
func (g *Gate) threshold() *big.Rat {
	n, ok := new(big.Rat).SetString(g.Threshold)
	if !ok {
		return new(big.Rat)
	}
	return n
}

// NeedsBaseline reports whether the gate compares with a baseline, so that it cannot be checked on a run alone.
func (g Gate) NeedsBaseline() bool { return g.Delta }

// of is the metric with its filter, as in the expression.
func (g *Gate) of() string {
	s := g.Metric
	switch {
	case g.Skill != "":
		s += "[skill=" + g.Skill + "]"
	case g.Tag != "":
		s += "[tag=" + g.Tag + "]"
	}
	if g.Delta {
		s = "delta(" + s + ")"
	}
	return s
}

// unknownMetric names the nearest metric and lists all.
func unknownMetric(name string) error {
	if name == "" {
		return fmt.Errorf("has no metric: %s; known metrics: %s", gateForm, strings.Join(MetricNames(), ", "))
	}
	nearest := slices.MinFunc(metricTable, func(a, b metric) int { return a.distance(name) - b.distance(name) })
	return fmt.Errorf("unknown metric %q; the nearest is %q; known metrics: %s",
		clipRunes(name, 60), nearest.name, strings.Join(MetricNames(), ", "))
}

// distance says how far a name is from the metric's: from the whole path, or a little further from its end, since
// "accuracy" is likely to mean selection.accuracy.
func (m *metric) distance(name string) int {
	name = strings.ToLower(name)
	d := 2 * editDistance(name, m.name)
	for end := m.name; ; {
		_, rest, found := strings.Cut(end, ".")
		if !found {
			return d
		}
		end = rest
		d = min(d, 2*editDistance(name, end)+1)
	}
}

// clipRunes cuts s to at most n runes.
func clipRunes(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}

// editDistance is Levenshtein's distance in runes, of at most the first 60 of each.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), 60)], y[:min(len(y), 60)]
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range y {
			d := diagonal + oneIf(r != s)
			diagonal = row[j+1]
			row[j+1] = min(d, row[j]+1, diagonal+1)
		}
	}
	return row[len(y)]
}
