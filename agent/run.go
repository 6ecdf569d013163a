package agent

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// untilCall is the value of Task.Until that ends a task with its first complete call.
const untilCall = "call"

// maxCalls is how many calls one reply may hold.
const maxCalls = 64

// run is one task under way. It belongs to one goroutine.
//
// The task is always at one step: choosing a category (level 0), choosing a skill (level 1), or giving a
// skill's arguments (level 2; in flat mode everything happens there). Each turn of [run.loop] sends what the
// step offers, reads the reply, does what it says, writes down for the model what came of it, and moves to the
// next step.
type run struct {
	agent *Agent
	task  *Task
	view  *view
	out   *Outcome

	started time.Time
	round   int
	events  int

	step    step
	queue   []selection // chosen skills that wait for their turn at level 2
	open    []*attempt  // calls whose arguments were refused and may be given again
	history []Message   // before the question
	tail    []Message   // after the question: what this task has said so far
	ids     map[string]bool
	done    bool
}

// begin sets up a task.
func (a *Agent) begin(t Task) *run {
	r := &run{
		agent: a, task: &t, view: a.view(t.ContextTags), started: time.Now(),
		out:     &Outcome{TraceID: t.TraceID, Tiers: map[Tier]int{}},
		history: cutHistory(t.History, a.opts.HistoryTokens, a.opts.CountTokens),
		ids:     map[string]bool{},
	}
	if r.out.TraceID == "" {
		r.out.TraceID = newTraceID()
	}
	r.step = step{stage: r.view.first}
	return r
}

// loop runs the task to its end.
func (r *run) loop(ctx context.Context) *ModelError {
	for !r.done {
		if r.out.Rounds >= r.agent.opts.MaxRounds {
			r.fail(FaultMaxRounds, fmt.Sprintf("no answer within %d requests", r.agent.opts.MaxRounds))
			break
		}
		reply, err := r.ask(ctx)
		if err != nil {
			return err
		}
		p := r.parser()
		rd := p.read(reply)
		r.out.Tiers[rd.tier]++
		r.emitParse(&rd)
		if err := r.react(ctx, reply, &rd); err != nil {
			return err
		}
	}
	return nil
}

// end closes the books: calls that were never put right are part of what happened.
func (r *run) end(err *ModelError) {
	r.abandon(nil)
	r.out.Elapsed = time.Since(r.started)
	if err != nil {
		r.emit(Event{Kind: kindError, Outcome: string(err.Class), Detail: map[string]any{"message": err.Message}})
	}
}

// ask sends the step's request and returns the reply, unless it is one that must not be scored.
func (r *run) ask(ctx context.Context) (*Reply, *ModelError) {
	if err := ctx.Err(); err != nil {
		return nil, asModelError(ctx, err)
	}
	r.round++
	req := r.request()
	r.emitPrompt(req)
	started := time.Now()
	reply, err := r.agent.model.Chat(ctx, req)
	if err != nil {
		me := asModelError(ctx, err)
		r.out.Retries += me.Retries
		return nil, me
	}
	if reply == nil {
		return nil, &ModelError{Class: ErrReply, Message: "the model returned neither a reply nor an error"}
	}
	r.out.Rounds++
	r.out.Retries += reply.Retries
	if r.step.stage.level < 2 {
		r.out.Level1 = r.out.Level1.Add(reply.Usage)
	} else {
		r.out.Level2 = r.out.Level2.Add(reply.Usage)
	}
	r.emitReply(reply, time.Since(started))
	return reply, unscorable(reply)
}

// unscorable refuses the two replies whose finish reason says that they are not what the model would have
// said. No other finish reason is looked at: servers get them wrong.
func unscorable(reply *Reply) *ModelError {
	switch reply.FinishReason {
	case "length":
		return &ModelError{Class: ErrTruncated, Message: "the reply was cut at the maximum of tokens; raise it"}
	case "content_filter":
		return &ModelError{Class: ErrFiltered, Message: "the reply was withheld by a content filter"}
	}
	return nil
}

// request builds the step's request. Tools and the texts around the question are shared by all requests.
func (r *run) request() *Request {
	s := r.step.stage
	messages := make([]Message, 0, len(r.history)+len(r.tail)+2)
	messages = append(messages, Message{Role: "system", Content: s.system})
	messages = append(messages, r.history...)
	messages = append(messages, Message{Role: "user", Content: s.user(r.task.Input)})
	messages = append(messages, r.tail...)
	return &Request{Messages: messages, Tools: s.tools, ToolChoice: s.choice, Seed: r.task.Seed}
}

// react does what a reply says.
func (r *run) react(ctx context.Context, reply *Reply, rd *reading) *ModelError {
	switch {
	case rd.broken != "":
		r.giveBack(reply, rd, rd.broken)
	case len(rd.calls) > maxCalls:
		r.giveBack(reply, rd, fmt.Sprintf("the reply holds %d calls; at most %d are accepted", len(rd.calls), maxCalls))
	case len(rd.calls) > 0:
		return r.act(ctx, reply, rd)
	case reply.Refusal != "":
		r.out.Refusal = reply.Refusal
		r.answer(rd.answer)
	case rd.answer == "":
		r.fail(FaultEmpty, "the reply holds neither text nor a call")
	default:
		r.answer(rd.answer)
	}
	return nil
}

// giveBack tells the model that its reply could not be read, or ends the task when that was said often enough.
func (r *run) giveBack(reply *Reply, rd *reading, why string) {
	if !r.strike(FaultUnparsable, why) {
		return
	}
	r.out.Repairs++
	told := refusal(why + "; " + r.expected())
	if r.agent.native() && len(rd.calls) > 0 { // every call needs its tool message
		r.say(reply, rd, &turn{notes: slices.Repeat([]note{told}, len(rd.calls))})
		return
	}
	r.tail = append(r.tail, Message{Role: "assistant", Content: reply.Content}, Message{Role: "user", Content: told.text})
}

// strike counts a reply that made no progress. It ends the task when the step has no repairs left.
func (r *run) strike(class FaultClass, why string) bool {
	if r.step.repairs >= r.agent.opts.MaxRepairs {
		r.fail(class, why)
		return false
	}
	r.step.repairs++
	return true
}

// act performs the calls and choices of one reply, in their order.
func (r *run) act(ctx context.Context, reply *Reply, rd *reading) *ModelError {
	t := turn{tier: rd.tier, notes: make([]note, len(rd.calls)), attempts: make([]*attempt, len(rd.calls))}
	for i := range rd.calls {
		t.notes[i] = r.interpret(&t, i, &rd.calls[i])
	}
	if t.idle() {
		if t.none {
			r.answer(orElse(t.answer, rd.said(reply)))
		} else if r.strike(FaultUnknownSkill, t.refused) {
			r.out.Repairs += t.refusals()
			r.say(reply, rd, &t)
		}
		return nil
	}
	r.abandon(t.attempts)
	err := r.executeAll(ctx, t.valid())
	r.record(&t)
	if err != nil {
		return asModelError(ctx, err)
	}
	r.advance(&t)
	if !r.done {
		r.out.Repairs += t.refusals()
		r.say(reply, rd, &t)
	}
	return nil
}

// answer ends the task with the model's answer.
func (r *run) answer(text string) {
	r.out.Answer = text
	r.done = true
	outcome := "ok"
	if r.out.Refusal != "" {
		outcome = "refusal"
	}
	r.emit(Event{Kind: kindAnswer, Outcome: outcome, Detail: map[string]any{"answer": text}})
}

// fail ends the task with a fault of the model. The first fault stands.
func (r *run) fail(class FaultClass, message string) {
	r.done = true
	if r.out.Fault != nil {
		return
	}
	r.out.Fault = &Fault{Class: class, Message: message}
	r.emit(Event{Kind: kindError, Outcome: string(class), Detail: map[string]any{"message": message}})
}

func orElse(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}
