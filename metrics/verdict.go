package metrics

import "fmt"

// verdict draws the conclusion, in words, and says what to do next.
func (c *comparer) verdict() {
	o := c.out
	o.MinDetectable, o.CasesNeeded = c.all.sensitivity(o.Detect)
	own := c.own()
	tested := o.Cases > 0 && o.PValue <= alpha && *o.Difference.Value != 0
	switch {
	case o.Cases == 0:
		o.Verdict, o.VerdictText = TooFewCases, nothingPaired
		o.Next = "look at the errors, and at which cases the sides have in common"
	case tested && c.opts.SequentialP != nil && float64(c.all.favoured())**o.Difference.Value <= 0:
		o.Verdict = TooFewCases
		o.VerdictText = fmt.Sprintf("no verdict: by groups of cases %s is ahead, by cases %s", c.ahead(float64(c.all.favoured())), c.ahead(*o.Difference.Value))
		o.Next = "a few large groups speak against many small ones: label more groups, or compare without --sequential"
	case tested && *o.Difference.Value > 0:
		o.Verdict, o.VerdictText = BBetter, fmt.Sprintf("%s is better: %+.1f points, %s%s", o.B, *o.Difference.Value*100, PText(o.PValue), own)
		o.Next = c.lookAt(o.Losses, o.B)
	case tested:
		o.Verdict, o.VerdictText = ABetter, fmt.Sprintf("%s is better: %+.1f points from %s to %s, %s%s", o.A, *o.Difference.Value*100, o.A, o.B, PText(o.PValue), own)
		o.Next = c.lookAt(o.Wins, o.A)
	case o.CasesNeeded == nil:
		o.Verdict, o.VerdictText = TooFewCases, fmt.Sprintf("too few cases: no number of such cases finds a difference of %s points%s", number(o.Detect*100), own)
		o.Next = "look for a larger difference with --detect"
	case *o.CasesNeeded > o.Cases:
		o.Verdict = TooFewCases
		o.VerdictText = fmt.Sprintf("too few cases: about %d find a difference of %s points four times in five; there are %d (%s won %d, lost %d)%s",
			*o.CasesNeeded, number(o.Detect*100), o.Cases, o.B, o.Wins, o.Losses, own)
		o.Next = "label more cases (repetitions of the same ones do not replace them), or look for a larger difference with --detect"
	case c.tooFewOwn():
	default:
		o.Verdict, o.VerdictText = NoDifference, fmt.Sprintf("no difference shown: one of %s points would have been found four times in five%s", number(o.Detect*100), own)
		o.Next = "the cases give no reason to change"
	}
}

// ahead names the side that a balance speaks for.
func (c *comparer) ahead(balance float64) string {
	switch {
	case balance > 0:
		return c.out.B
	case balance < 0:
		return c.out.A
	}
	return "neither"
}

// lookAt advises to read what the better side got wrong.
func (c *comparer) lookAt(lost int, better string) string {
	if lost == 0 {
		return ""
	}
	return fmt.Sprintf("read the %d cases that %s got wrong and the other side right", lost, better)
}

// own says how the cases that expect the skill under test came out.
func (c *comparer) own() string {
	p := c.skills[c.opts.Skill]
	if c.opts.Skill == "" || p == nil {
		return ""
	}
	return fmt.Sprintf("; of the %d cases that expect %s, %s won %d and lost %d", p.cases, c.opts.Skill, c.out.B, p.wins, p.losses)
}

// tooFewOwn finds that the cases of the skill under test are too few to say that its description makes no difference to
// them, whatever all cases together can show: a skill that few cases expect can be ruined and all but leave the average.
func (c *comparer) tooFewOwn() bool {
	o, skill := c.out, c.opts.Skill
	if skill == "" {
		return false
	}
	p := c.skills[skill]
	if p == nil {
		o.Verdict, o.VerdictText = TooFewCases, fmt.Sprintf("too few cases: none of the %d expects %s", o.Cases, skill)
		o.Next = "label requests that expect " + skill
		return true
	}
	_, o.SkillNeeded = p.sensitivity(o.Detect)
	if o.SkillNeeded != nil && *o.SkillNeeded <= p.cases {
		return false
	}
	o.Verdict = TooFewCases
	o.VerdictText = fmt.Sprintf("too few cases that expect %s: %d of %d (%s won %d, lost %d)", skill, p.cases, o.Cases, o.B, p.wins, p.losses)
	if o.SkillNeeded != nil {
		o.VerdictText += fmt.Sprintf("; about %d find a difference of %s points among them four times in five", *o.SkillNeeded, number(o.Detect*100))
	}
	o.Next = fmt.Sprintf("label more requests that expect %s, or look for a larger difference with --detect", skill)
	return true
}

// PText is a p-value for a reader, never as 0.
func PText(p float64) string {
	if p < 0.0001 {
		return "p < 0.0001"
	}
	return fmt.Sprintf("p = %.4f", p)
}

// number is a figure with as few decimals as it needs.
func number(x float64) string { return fmt.Sprintf("%.4g", x) }
