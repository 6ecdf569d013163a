package agent

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// The kinds of events, in the order in which a round produces them.
const (
	kindPrompt   = "prompt"
	kindReply    = "reply"
	kindParse    = "parse"
	kindBind     = "bind"
	kindValidate = "validate"
	kindExecute  = "execute"
	kindResult   = "result"
	kindAnswer   = "answer"
	kindError    = "error"
)

// EventWriter writes events as JSON Lines. It is safe for concurrent use; each event is one Write.
type EventWriter struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewEventWriter returns a writer whose Observe fits [Task].Observe.
func NewEventWriter(w io.Writer) *EventWriter { return &EventWriter{w: w} }

// Observe writes one event. After a failure nothing more is written.
func (e *EventWriter) Observe(event Event) {
	line, err := json.Marshal(event)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return
	}
	if err != nil {
		e.err = fmt.Errorf("event %d of trace %s: %w", event.Seq, event.TraceID, err)
		return
	}
	if _, err := e.w.Write(append(line, '\n')); err != nil {
		e.err = fmt.Errorf("write event: %w", err)
	}
}

// Err returns the first failure.
func (e *EventWriter) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// newTraceID makes the id of a trace: 16 random bytes in hexadecimal, as in W3C trace contexts.
func newTraceID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// emit sends one event to the task's observer, if there is one.
func (r *run) emit(e Event) {
	if r.task.Observe == nil {
		return
	}
	r.events++
	e.TraceID, e.Seq, e.Round = r.out.TraceID, r.events, r.round
	e.Level = r.step.stage.level
	if e.Outcome == "" {
		e.Outcome = "ok"
	}
	r.task.Observe(e)
}

// observed spares the making of details that nobody looks at.
func (r *run) observed() bool { return r.task.Observe != nil }

func (r *run) emitPrompt(req *Request) {
	if !r.observed() {
		return
	}
	messages := make([]map[string]any, len(req.Messages))
	for i, m := range req.Messages {
		messages[i] = map[string]any{"role": m.Role, "content": m.Content}
		if len(m.ToolCalls) > 0 {
			messages[i]["tool_calls"] = callDetails(m.ToolCalls)
		}
		if m.ToolCallID != "" {
			messages[i]["tool_call_id"] = m.ToolCallID
		}
	}
	tools := make([]string, len(req.Tools))
	for i, t := range req.Tools {
		tools[i] = t.Name
	}
	r.emit(Event{Kind: kindPrompt, Detail: map[string]any{"messages": messages, "tools": tools}})
}

func callDetails(calls []ToolCall) []map[string]string {
	out := make([]map[string]string, len(calls))
	for i, c := range calls {
		out[i] = map[string]string{"id": c.ID, "name": c.Name, "arguments": c.Arguments}
	}
	return out
}

func (r *run) emitReply(reply *Reply, took time.Duration) {
	if !r.observed() {
		return
	}
	detail := map[string]any{"content": reply.Content, "finish_reason": reply.FinishReason}
	if len(reply.ToolCalls) > 0 {
		detail["tool_calls"] = callDetails(reply.ToolCalls)
	}
	for key, text := range map[string]string{"refusal": reply.Refusal, "reasoning": reply.Reasoning} {
		if text != "" {
			detail[key] = text
		}
	}
	usage := reply.Usage
	r.emit(Event{Kind: kindReply, Duration: took, Usage: &usage, Detail: detail})
}

func (r *run) emitParse(rd *reading) {
	if !r.observed() {
		return
	}
	detail := map[string]any{"tier": rd.tier, "calls": len(rd.calls)}
	outcome := "ok"
	if rd.broken != "" {
		outcome, detail["reason"] = string(FaultUnparsable), rd.broken
	}
	r.emit(Event{Kind: kindParse, Outcome: outcome, Detail: detail})
}

func (r *run) emitBinding(e *entry, b *binding) {
	if !r.observed() {
		return
	}
	r.emit(Event{Kind: kindBind, Skill: e.name(), Detail: map[string]any{
		"args": b.args, "dropped": b.dropped, "aliased": b.aliased, "flags": b.flags}})
	outcome := "ok"
	if len(b.faults) > 0 {
		outcome = string(FaultInvalidArgs)
	}
	r.emit(Event{Kind: kindValidate, Skill: e.name(), Outcome: outcome, Detail: map[string]any{"faults": b.faults}})
}

func (r *run) emitExecution(at *attempt) {
	if !r.observed() {
		return
	}
	outcome := "ok"
	if at.call.Failed != "" {
		outcome = "failed"
	}
	name := at.entry.name()
	r.emit(Event{Kind: kindExecute, Skill: name, Outcome: outcome, Duration: at.call.Elapsed})
	r.emit(Event{Kind: kindResult, Skill: name, Outcome: outcome, Detail: map[string]any{"result": at.call.Result}})
}
