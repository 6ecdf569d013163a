package lint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skilleval/skilleval/skills"
)

func catalogTokens() Rule {
	return Rule{ID: "catalog-tokens", Title: "catalogue takes many tokens", Severity: Note, Limit: 4000, Unit: "tokens", catalog: checkCatalogTokens,
		hint: "shorten the longest descriptions, or split the catalogue",
		Doc: doc{what: "Names, descriptions and argument names of all skills take more than 4,000 tokens, by an estimate of four characters of Latin text or one Chinese character a token.",
			why:   "All of them are in every request, used or not; hosts with a budget cut or drop what is beyond it, without a word.",
			wrong: "60 skills with descriptions of a page each", right: "60 skills with descriptions of two sentences", fix: "shorten descriptions; use a catalogue of two levels, or groups.",
			source: "hosts that publish a budget give descriptions 1 to 2 % of the context window, or 15,000 to 16,000 characters: 4,000 tokens are 2 % of a window of 200,000, or 16,000 characters"}.text()}
}

func checkCatalogTokens(p *catalogPass) {
	list := p.catalog.Skills
	if len(list) == 0 {
		return
	}
	total, most := skills.Render(list, skills.RenderOptions{}).Tokens, p.limit("")
	if total <= most {
		return
	}
	type cost struct{ at, tokens int }
	costs := make([]cost, len(list))
	for i := range list {
		costs[i] = cost{i, skills.Render(list[i:i+1], skills.RenderOptions{}).Tokens}
	}
	slices.SortStableFunc(costs, func(a, b cost) int { return cmp.Compare(b.tokens, a.tokens) })
	top := list[costs[0].at]
	f := Finding{Message: fmt.Sprintf("%d skills take about %d tokens in every request; %d are advised at most", len(list), total, most), Path: top.Path, Skill: top.Name, Key: "catalog"}
	f.Line, f.Column = place(top, "description")
	for _, c := range costs[:min(len(costs), 5)] {
		f.Related = append(f.Related, p.noteAt(list[c.at].Path, "description", fmt.Sprintf("takes %d of them", c.tokens)))
	}
	for _, s := range list {
		f.touches = append(f.touches, s.Path)
	}
	p.add(f)
}
