package metrics

import (
	"cmp"
	"slices"

	"github.com/skilleval/skilleval/results"
)

// tally counts the calls of one skill: expected, made, and both at once; and of the expected calls those whose
// arguments are labelled, and those of them that are exact.
type tally struct{ support, predicted, both, labelled, exact int32 }

func (t *tally) plus(u tally) {
	t.support += u.support
	t.predicted += u.predicted
	t.both += u.both
	t.labelled += u.labelled
	t.exact += u.exact
}

// classCell is the tally of one skill in one cluster.
type classCell struct {
	unit, skill int32
	tally
}

// classes collects tallies by skill and cluster, and the confusion matrix.
type classes struct {
	ids       map[string]int32
	names     []string
	cells     []classCell // finished cases
	open      []classCell // of the case that is being read: the same few skills again in each repetition
	confusion map[cell]int
}

// cell is a place in the confusion matrix.
type cell struct{ want, got string }

func newClasses() *classes {
	return &classes{ids: map[string]int32{}, confusion: map[cell]int{}}
}

// id returns the number of a skill.
func (c *classes) id(skill string) int32 {
	id, ok := c.ids[skill]
	if !ok {
		id = int32(len(c.names))
		c.ids[skill] = id
		c.names = append(c.names, skill)
	}
	return id
}

// add counts t for a skill in a cluster.
func (c *classes) add(unit int32, skill string, t tally) {
	id := c.id(skill)
	for i := range c.open {
		if c.open[i].skill == id && c.open[i].unit == unit {
			c.open[i].plus(t)
			return
		}
	}
	c.open = append(c.open, classCell{unit, id, t})
}

// addPairs counts the pairs of one trial.
func (c *classes) addPairs(unit int32, pairs []results.SkillPair) {
	for _, p := range pairs {
		c.confusion[cell{p.Want, p.Got}]++
		if p.Want != "" {
			c.add(unit, p.Want, tally{support: 1, both: int32(oneIf(p.Want == p.Got))})
		}
		if p.Got != "" {
			c.add(unit, p.Got, tally{predicted: 1})
		}
	}
}

// closeCase ends a case.
func (c *classes) closeCase() {
	c.cells = append(c.cells, c.open...)
	c.open = c.open[:0]
}

// rows returns the skills that are expected or called, by name, with their figures over calls.
func (c *classes) rows() []SkillRow {
	slices.SortFunc(c.cells, func(a, b classCell) int {
		return cmp.Or(cmp.Compare(a.skill, b.skill), cmp.Compare(a.unit, b.unit))
	})
	rows := []SkillRow{}
	for from := 0; from < len(c.cells); {
		to := from
		for to < len(c.cells) && c.cells[to].skill == c.cells[from].skill {
			to++
		}
		rows = append(rows, c.row(c.cells[from:to]))
		from = to
	}
	slices.SortFunc(rows, func(a, b SkillRow) int { return cmp.Compare(a.Skill, b.Skill) })
	return rows
}

// row makes one skill's figures from its cells.
func (c *classes) row(cells []classCell) SkillRow {
	var precision, recall, args ratio
	var sum tally
	for _, cell := range cells {
		sum.plus(cell.tally)
		precision.add(cell.unit, int(cell.both), int(cell.predicted))
		recall.add(cell.unit, int(cell.both), int(cell.support))
		args.add(cell.unit, int(cell.exact), int(cell.labelled))
	}
	return SkillRow{
		Skill:     c.names[cells[0].skill],
		Support:   int(sum.support),
		Predicted: int(sum.predicted),
		Precision: precision.estimate("no scored trial called it"),
		Recall:    recall.estimate("no scored trial expects it"),
		F1:        f1(float64(sum.both), float64(sum.support), float64(sum.predicted)),
		ArgsExact: args.estimate("no scored trial labels its arguments"),
	}
}

// matrix returns the cells of the confusion matrix, by wanted and called skill.
func (c *classes) matrix() []Confusion {
	cells := make([]Confusion, 0, len(c.confusion))
	for p, n := range c.confusion {
		cells = append(cells, Confusion{Want: p.want, Got: p.got, N: n})
	}
	slices.SortFunc(cells, func(a, b Confusion) int {
		return cmp.Or(cmp.Compare(a.Want, b.Want), cmp.Compare(a.Got, b.Got))
	})
	return cells
}

// unmeasured returns the names of the catalogue that are neither expected nor called, sorted.
func (c *classes) unmeasured(catalog []string) []string {
	var out []string
	for _, name := range catalog {
		if _, ok := c.ids[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
