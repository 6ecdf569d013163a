package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/similarity"
)

// listedPairs is how many pairs a terminal table explains; the rest is counted.
const listedPairs = 50

// worstPairs returns the pairs that nobody accepted, then the accepted ones, each by level, score and name.
func worstPairs(pairs []similarity.Pair) (open, accepted []*similarity.Pair) {
	for i := range pairs {
		if p := &pairs[i]; p.Accepted == "" {
			open = append(open, p)
		} else {
			accepted = append(accepted, p)
		}
	}
	for _, list := range [][]*similarity.Pair{open, accepted} {
		slices.SortStableFunc(list, func(a, b *similarity.Pair) int {
			return cmp.Or(moreAlike(a.Level, b.Level), cmp.Compare(b.Score, a.Score), cmp.Compare(b.Parts.Field, a.Parts.Field),
				strings.Compare(a.IDA, b.IDA), strings.Compare(a.IDB, b.IDB))
		})
	}
	return open, accepted
}

// moreAlike orders levels, the most alike first.
func moreAlike(a, b similarity.Level) int {
	switch {
	case !a.AtLeast(b):
		return 1
	case !b.AtLeast(a):
		return -1
	}
	return 0
}

// similarLine is the totals of a search: what was compared, what was found, from which scores on.
func similarLine(s *SimilarInfo) string {
	line := fmt.Sprintf("%s compared, %d failed to load: %s (score from %.2f), %d near (score from %.2f), %d related (field from %.2f)",
		Counted(s.Texts, "description"), s.Failed, Counted(s.Levels.Duplicate, "duplicate"), s.Thresholds.Duplicate,
		s.Levels.Near, s.Thresholds.Near, s.Levels.Related, s.Thresholds.Related)
	return line + fmt.Sprintf("; %d accepted, %d re-opened, %d stale", s.Accepted, len(s.Reopened), len(s.Stale))
}

// measures lists what a score is made of; "–" for a measure that does not apply.
func measures(p *similarity.Pair) string {
	m := p.Parts
	s := fmt.Sprintf("same field %.2f; lexical %.2f of words %.2f (%.2f without weights), character n-grams %.2f, containment %.2f, names %.2f (Jaro–Winkler %.2f), use-when %s, parameters %s",
		m.Field, p.Lexical, m.Tokens, m.Raw, m.Grams, m.Containment, m.Name, m.JaroWinkler, number(m.UseWhen, 2), number(m.Parameters, 2))
	if p.Embedding != nil {
		s += fmt.Sprintf("; embedding %.2f", *p.Embedding)
	}
	return s
}

// confusion says how often a run took one for the other; "" when no run was given.
func confusion(p *similarity.Pair) string {
	c := p.Confusion
	if c == nil {
		return ""
	}
	return fmt.Sprintf("confused in %d of %s (the first taken for the second %d, the reverse %d)", c.AasB+c.BasA, Counted(c.N, "trial"), c.AasB, c.BasA)
}

// phrases quotes the first n phrases, cut to a length each, and counts the rest.
func phrases(list []string, n, length int) string {
	shown := make([]string, min(len(list), n))
	for i := range shown {
		shown[i] = "“" + safeLine(list[i], length) + "”"
	}
	s := strings.Join(shown, ", ")
	if rest := len(list) - n; rest > 0 {
		s += fmt.Sprintf(" and %d more", rest)
	}
	return s
}

// pairTable explains the pairs, the worst first, each at positions that a terminal can open.
func pairTable(b *bytes.Buffer, r *Report) {
	if r.Similar != nil {
		b.WriteString(similarLine(r.Similar) + "\n")
	}
	open, accepted := worstPairs(r.Pairs)
	shown := slices.Concat(open, accepted)
	for _, p := range shown[:min(len(shown), listedPairs)] {
		pairBlock(b, r, p)
	}
	if len(shown) > listedPairs {
		b.WriteByte('\n')
		more(b, len(shown)-listedPairs)
	}
	if r.Similar == nil {
		return
	}
	for _, list := range []struct {
		label  string
		places []Place
	}{{"re-opened", r.Similar.Reopened}, {"stale", r.Similar.Stale}, {"note", r.Similar.Notes}} {
		for _, p := range list.places {
			fmt.Fprintf(b, "%s: %s\n", list.label, safeLine(p.String(), messageLimit))
		}
	}
}

func pairBlock(b *bytes.Buffer, r *Report, p *similarity.Pair) {
	head := fmt.Sprintf("%s %.2f  %s ↔ %s", safeLine(string(p.Level), 20), p.Score, safeLine(p.A, 100), safeLine(p.B, 100))
	if p.Identical {
		head += "  (word for word)"
	}
	fmt.Fprintf(b, "\n%s\n", Plain(head))
	for _, id := range []string{p.IDA, p.IDB} {
		at := r.textPlace(id)
		at.Message = ""
		fmt.Fprintf(b, "  %s\n", safeLine(strings.TrimSuffix(at.String(), ": "), messageLimit))
	}
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(b, "  %s: %s\n", label, text)
		}
	}
	line("measures", measures(p))
	line("against", safeLine(strings.Join(p.Against, "; "), messageLimit))
	line("run", confusion(p))
	line("both say", phrases(p.Shared, 8, 120))
	line("only "+safeLine(p.A, nameWidth), phrases(p.OnlyA, 8, 120))
	line("only "+safeLine(p.B, nameWidth), phrases(p.OnlyB, 8, 120))
	line("suggestion", safeLine(p.Suggestion, messageLimit))
	line("cases to label", phrases(p.Cases, 5, 200))
	line("accepted", safeLine(p.Accepted, 500))
}

// similar writes the totals of a search.
func (m *markdown) similar(s *SimilarInfo) {
	if s != nil {
		fmt.Fprintf(&m.b, "\n**Similar descriptions:** %s\n", similarLine(s))
	}
}

// pairs writes the pairs, the worst first.
func (m *markdown) pairs(r *Report) {
	open, accepted := worstPairs(r.Pairs)
	m.rows("Pairs: "+fmt.Sprint(len(open)), "| level | score | first | second | both say | only the first | only the second | suggestion |\n|---|--:|---|---|---|---|---|---|",
		len(open), func(i int) string {
			p := open[i]
			return fmt.Sprintf("| %s | %.2f | %s | %s | %s | %s | %s | %s |\n", Code(Clip(string(p.Level), 20)), p.Score, m.text(r, p.A, p.IDA), m.text(r, p.B, p.IDB),
				Code(phrases(p.Shared, 4, 80)), Code(phrases(p.OnlyA, 4, 80)), Code(phrases(p.OnlyB, 4, 80)), Code(Clip(p.Suggestion, 300)))
		})
	m.rows("Accepted pairs: "+fmt.Sprint(len(accepted)), "| level | score | first | second | reason |\n|---|--:|---|---|---|", len(accepted), func(i int) string {
		p := accepted[i]
		return fmt.Sprintf("| %s | %.2f | %s | %s | %s |\n", Code(Clip(string(p.Level), 20)), p.Score, m.text(r, p.A, p.IDA), m.text(r, p.B, p.IDB), Code(Clip(p.Accepted, 300)))
	})
	if r.Similar == nil {
		return
	}
	m.places("Accepted pairs re-opened", r.Similar.Reopened)
	m.places("Accepted pairs gone stale", r.Similar.Stale)
	m.places("Notes on the descriptions", r.Similar.Notes)
}

// text is a cell with a skill's name and where its description stands.
func (m *markdown) text(r *Report, name, id string) string {
	return Code(Clip(name, 80)) + "<br>" + m.place(r, r.textPlace(id), 160)
}

func (m *markdown) places(title string, list []Place) {
	m.rows(fmt.Sprintf("%s: %d", title, len(list)), "| place |\n|---|", len(list), func(i int) string {
		return fmt.Sprintf("| %s |\n", Code(Clip(list[i].String(), 300)))
	})
}
