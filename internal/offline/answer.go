package offline

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/internal/prose"
)

// answer decides on the reply to a request.
func (l *lexical) answer(p *prompt) reply {
	switch p.step {
	case stepCategory, stepSelect, stepCall:
		return l.choose(p)
	case stepFill:
		return p.fillChosen()
	}
	return p.inWords()
}

// choose selects from the catalogue and, where a skill can be called at once, fills its arguments.
func (l *lexical) choose(p *prompt) reply {
	x := l.catalogue(p)
	if p.step == stepCall && p.failed != nil {
		if doc, known := x.byName[prose.Fold(p.failed.name)]; known {
			return p.call(&x.entries[doc], p.question)
		}
	}
	floor := enough
	if p.step == stepCategory {
		floor = enoughCategory
	}
	if p.must {
		floor = 0
	}
	parts := x.plan(p, floor)
	turn := len(p.served)
	switch {
	case turn < len(parts):
	case p.must && len(x.entries) > 0 && len(parts) == 0:
		parts, turn = []part{{text: p.question}}, 0
	case p.must && len(parts) > 0:
		turn = len(parts) - 1
	default:
		return p.inWords()
	}
	e := &x.entries[parts[turn].doc]
	if p.step == stepCall || slices.ContainsFunc(p.direct, func(f function) bool { return f.Name == e.name }) {
		return p.call(e, parts[turn].text)
	}
	return p.selection(e.name)
}

// catalogue is the index of what can be chosen.
func (l *lexical) catalogue(p *prompt) *index {
	if p.block == "" && len(p.offered) == 0 {
		return l.cache.get(p.rawTools, func() []entry { return entriesOf(p.direct) })
	}
	if len(p.direct) == 0 {
		x := l.cache.get(p.block, func() []entry { return parseBlock(p.block) })
		if len(p.offered) == 0 || x.holdsJust(p.offered) {
			return x
		}
	}
	return l.cache.get(p.block+"\x00"+p.rawTools, func() []entry { return offeredEntries(p) })
}

// holdsJust reports whether the names are those of the index.
func (x *index) holdsJust(names []string) bool {
	if len(names) != len(x.entries) {
		return false
	}
	for i, name := range names {
		if x.entries[i].name != name {
			if doc, known := x.byName[prose.Fold(name)]; !known || x.entries[doc].name != name {
				return false
			}
		}
	}
	return true
}

// offeredEntries joins the block with what the tools say: names that may not be chosen leave, names and functions
// that the block does not show are added.
func offeredEntries(p *prompt) []entry {
	list := parseBlock(p.block)
	if len(p.offered) > 0 {
		offered := make(map[string]bool, len(p.offered))
		for _, name := range p.offered {
			offered[name] = true
		}
		list = slices.DeleteFunc(list, func(e entry) bool { return !offered[e.name] })
	}
	shown := make(map[string]int, len(list))
	for i, e := range list {
		shown[e.name] = i
	}
	for _, e := range entriesOf(p.direct) {
		if i, known := shown[e.name]; known {
			list[i].schema = e.schema
			continue
		}
		shown[e.name] = len(list)
		list = append(list, e)
	}
	for _, name := range p.offered {
		if _, known := shown[name]; !known {
			shown[name] = len(list)
			list = append(list, entry{name: name})
		}
	}
	return list
}

// selection names a skill or a category.
func (p *prompt) selection(name string) reply {
	tool, key := selectSkill, "skill"
	if p.step == stepCategory {
		tool, key = selectCategory, "category"
	}
	if p.text {
		return reply{text: `{` + quote(key) + `: ` + quote(name) + `}`}
	}
	return reply{name: tool, args: `{` + quote(p.argument) + `:` + quote(name) + `}`}
}

// call calls a skill with the arguments that a text gives for it.
func (p *prompt) call(e *entry, text string) reply {
	return p.send(e.name, e.schema, e.description+"\n"+e.useWhen, text)
}

// fillChosen fills the arguments of the skill that was chosen before.
func (p *prompt) fillChosen() reply {
	text := ownPart(p.question, p.chosen+"\n"+p.detail, len(p.served))
	return p.send(p.chosen, p.schema, p.detail, text)
}

// send writes a call. When the same arguments were refused before, it says so in words instead: the request does
// not hold what is missing.
func (p *prompt) send(name string, schema json.RawMessage, about, text string) reply {
	args := fillArguments(fillInput{schema: schema, name: name, about: about, text: text, question: p.question,
		earlier: p.earlier, system: p.system, repair: p.failed != nil})
	if p.failed != nil && sameJSON(p.failed.args, args) && !p.must {
		if hasHan(p.question) {
			return reply{text: "请求中缺少必要的信息，请补充后再试。"}
		}
		return reply{text: "The request does not say everything that is needed; please give the missing details."}
	}
	if p.text {
		return reply{text: `{"skill": ` + quote(name) + `, "args": ` + args + `}`}
	}
	return reply{name: name, args: args}
}

// sameJSON reports whether two JSON texts are equal but for white space.
func sameJSON(a, b string) bool {
	return strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
}

// inWords answers in words: that the work is done, or that no skill is needed.
func (p *prompt) inWords() reply {
	han := hasHan(p.question)
	if len(p.served) > 0 {
		if han {
			return reply{text: "已完成，使用的技能：" + strings.Join(p.served, "、") + "。"}
		}
		return reply{text: "Done, with " + strings.Join(p.served, ", ") + "."}
	}
	if han {
		return reply{text: "这个请求不需要调用技能，直接回答即可。"}
	}
	return reply{text: "No skill fits this request, so this is a direct answer."}
}

// ownPart is the part of a question that belongs to a skill, judged by the words it shares with the skill's own
// text; among equals the one whose turn it is.
func ownPart(question, about string, turn int) string {
	question = clip(question, maxQuestion)
	x := newIndex([]entry{{description: about}})
	var pieces []string
	start := 0
	for _, c := range cuts(question) {
		if c.strong {
			pieces = append(pieces, question[start:c.from])
			start = c.to
		}
	}
	pieces = append(pieces, question[start:])
	best, bestScore := "", 0.0
	for i, piece := range pieces {
		h, _ := x.rank(newQuery(piece)).best()
		score := h.score
		if i == turn {
			score += 0.01
		}
		if score > bestScore {
			best, bestScore = piece, score
		}
	}
	if bestScore <= 0.01 {
		return question
	}
	return best
}

// quote writes a JSON string.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil { // strings always encode
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
