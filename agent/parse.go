package agent

import (
	"slices"
	"strings"
)

// rawCall is one call as the model wrote it, before anything is looked up.
type rawCall struct {
	id    string // of a native call
	name  string
	args  string // "" when none were given
	given bool   // arguments were given, if only as null
	// category is set where the name was given under "category".
	category bool
	none     bool // says that no skill fits
	textual  bool // the values are text from markup, to be typed by the schema
	flags    []string
}

// reading is what one reply says.
type reading struct {
	tier   Tier
	calls  []rawCall
	answer string // when there are no calls
	broken string // why a reply that tries to call cannot be read
}

// empty tells that the reply holds neither text nor call.
func (r *reading) empty() bool { return len(r.calls) == 0 && r.answer == "" && r.broken == "" }

// parser reads replies. It knows names, so that JSON in an answer is not taken for a call.
type parser struct {
	native bool // text is only a fallback: names must resolve, and JSON may be an answer
	strict bool
	// known tells whether a name stands for something that can be called or chosen.
	known func(name string) bool
	// own tells whether a bare object holds arguments of the one skill on offer; nil: there is none.
	own func(object []byte) bool
}

// read reads one reply: native calls, else the text, else, when both say nothing, the reasoning.
func (p *parser) read(reply *Reply) reading {
	if len(reply.ToolCalls) > 0 {
		rd := reading{tier: TierNative}
		for _, c := range reply.ToolCalls {
			rd.calls = append(rd.calls, rawCall{id: c.ID, name: validUTF8(c.Name), args: validUTF8(c.Arguments), given: true})
		}
		return rd
	}
	text := strings.TrimSpace(strings.TrimPrefix(validUTF8(reply.Content), "\ufeff"))
	if rd, ok := p.whole(text); ok {
		return rd
	}
	visible, hidden := splitThinking(text)
	rd := p.text(visible)
	if rd.empty() && reply.Refusal == "" && !p.strict {
		return p.secondChance(validUTF8(reply.Reasoning), hidden)
	}
	return rd
}

// text reads what the model said outside its thinking, tier by tier.
func (p *parser) text(text string) reading {
	if rd, ok := p.whole(text); ok {
		return rd
	}
	if calls, lenient := p.fragments(text); len(calls) > 0 {
		if lenient {
			return reading{tier: TierPattern, calls: calls}
		}
		return reading{tier: TierFragment, calls: calls}
	}
	if calls := p.accept(patterns(text, p.known)); len(calls) > 0 {
		return reading{tier: TierPattern, calls: calls}
	}
	if rd, ok := p.bareArguments(text); ok {
		return rd
	}
	if why := p.attempt(text); why != "" {
		return reading{tier: TierNone, broken: why}
	}
	return reading{tier: TierNone, answer: text}
}

// secondChance looks for a call in the reasoning of a reply that says nothing else. Names must resolve:
// reasoning is full of drafts.
func (p *parser) secondChance(sources ...string) reading {
	careful := parser{native: true, known: p.known}
	for _, text := range sources {
		visible, hidden := splitThinking(strings.TrimSpace(text))
		for _, part := range []string{visible, hidden} {
			rd := careful.text(part)
			if len(rd.calls) == 0 {
				continue
			}
			for i := range rd.calls {
				rd.calls[i].flags = append(rd.calls[i].flags, flagReasoning)
			}
			return rd
		}
	}
	return reading{tier: TierNone}
}

// accept drops the calls whose names do not resolve where the text is only a fallback.
func (p *parser) accept(calls []rawCall) []rawCall {
	if !p.native {
		return calls
	}
	return slices.DeleteFunc(calls, func(c rawCall) bool { return !p.known(c.name) })
}

// attempt says why a text in which no call was found is still no answer: it evidently tries to call.
func (p *parser) attempt(text string) string {
	if dialect := vendorMarkup(text); dialect != "" {
		return "unparsed vendor markup (" + dialect + ")"
	}
	if p.native {
		return ""
	}
	if startsLikeCall(unfenced(text)) {
		return "the reply starts like JSON but is no call"
	}
	return ""
}

// startsLikeCall tells whether a text begins as JSON or a list of calls does, rather than as prose with a
// bracket in front: "[1] says", "[title](url)" and "{placeholder}" are prose.
func startsLikeCall(text string) bool {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	if rest == "" || strings.IndexByte(`{"'`, rest[0]) >= 0 {
		return true
	}
	name := identifier(rest)
	after := strings.TrimLeft(rest[len(name):], " \t")
	if text[0] == '[' {
		return name != "" && strings.HasPrefix(after, "(")
	}
	return rest[0] == '}' || name != "" && strings.HasPrefix(after, ":")
}

// splitThinking parts a text into what was said and what was thought. A closing tag without an opening one
// ends thinking that began in the prompt; an opening tag that is never closed lasts to the end.
func splitThinking(text string) (visible, hidden string) {
	var said, thought strings.Builder
	inside, start := "", 0
	for i := 0; i < len(text); i++ {
		next := strings.IndexByte(text[i:], '<')
		if next < 0 {
			break
		}
		i += next
		tag, closing := thinkTag(text[i:])
		switch {
		case tag == "":
			continue
		case closing && inside == "" && said.Len() == 0 && thought.Len() == 0, closing && inside == tag:
			thought.WriteString(text[start:i])
			inside = ""
		case !closing && inside == "":
			said.WriteString(text[start:i])
			inside = tag
		default:
			continue
		}
		i += strings.IndexByte(text[i:], '>')
		start = i + 1
	}
	if inside == "" {
		said.WriteString(text[start:])
	} else {
		thought.WriteString(text[start:])
	}
	return strings.TrimSpace(said.String()), strings.TrimSpace(thought.String())
}

// thinkTag returns the thinking tag that text starts with.
func thinkTag(text string) (tag string, closing bool) {
	for _, name := range []string{"think", "thinking"} {
		if strings.HasPrefix(text, "<"+name+">") {
			return name, false
		}
		if strings.HasPrefix(text, "</"+name+">") {
			return name, true
		}
	}
	return "", false
}

func validUTF8(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
