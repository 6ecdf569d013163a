package agent

import (
	"fmt"
	"strings"
)

// note is what the model is told of one of its calls.
type note struct {
	kind  noteKind
	skill string
	text  string
}

type noteKind int

const (
	noteNone noteKind = iota
	noteChosen
	noteCategory
	noteResult
	noteRefused
)

func refusal(why string) note { return note{kind: noteRefused, text: "Error: " + why} }

// said is the reply's own text, where it is not itself the call.
func (rd *reading) said(reply *Reply) string { return strings.TrimSpace(validUTF8(reply.Content)) }

// say writes the reply and what came of it into the conversation, as the protocol has it.
func (r *run) say(reply *Reply, rd *reading, t *turn) {
	if !r.agent.native() {
		r.tail = append(r.tail, Message{Role: "assistant", Content: reply.Content}, Message{Role: "user", Content: r.told(t)})
		return
	}
	message := Message{Role: "assistant", ToolCalls: r.replayed(rd.calls)}
	if rd.tier == TierNative {
		message.Content = reply.Content
	}
	r.tail = append(r.tail, message)
	for i, n := range t.notes {
		r.tail = append(r.tail, Message{Role: "tool", ToolCallID: message.ToolCalls[i].ID, Content: n.text})
	}
}

// told is the user message by which the text protocol answers a reply: results and errors in the order of the
// calls, then what comes next.
func (r *run) told(t *turn) string {
	var parts []string
	next := ""
	for _, n := range t.notes {
		switch n.kind {
		case noteResult:
			parts = append(parts, fmt.Sprintf("Result of %s:\n%s", n.skill, n.text))
			next = chooseAgain
		case noteCategory, noteRefused:
			parts = append(parts, n.text)
		}
	}
	switch e := r.step.offer.entry; {
	case len(r.open) > 0:
		next = ""
	case e != nil && !t.idle():
		next = fmt.Sprintf("You chose %s.\n%s", e.name(), e.how)
	}
	if next != "" {
		parts = append(parts, next)
	}
	return strings.Join(parts, "\n\n")
}

// replayed is the calls as they go back to the server. Servers refuse what models write: calls without an id of
// their own get one, names become function names, and arguments that are no JSON object become {}, which the
// error that follows speaks of.
func (r *run) replayed(calls []rawCall) []ToolCall {
	out := make([]ToolCall, len(calls))
	for i, c := range calls {
		id := c.id
		for n := i + 1; id == "" || r.ids[id]; n++ {
			id = fmt.Sprintf("call_%d_%d", r.round, n)
		}
		r.ids[id] = true
		arguments := "{}"
		if decoded := decodeArguments(c.args); decoded.fault == "" {
			arguments = string(decoded.object)
		}
		out[i] = ToolCall{ID: id, Name: r.replayedName(c.name), Arguments: arguments}
	}
	return out
}

func (r *run) replayedName(name string) string {
	switch e, _, ok := r.view.skills.find(name); {
	case r.isChooser(name, selectSkill):
		return selectSkill
	case r.isChooser(name, selectCategory):
		return selectCategory
	case ok:
		return e.function()
	}
	name = acceptable(name)
	return orElse(name[:min(len(name), 64)], "unknown")
}
