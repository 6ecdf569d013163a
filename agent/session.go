package agent

import (
	"context"
	"slices"
)

// Session is one conversation: each task sees the requests and answers before it. Tasks of a session run one
// after another; sessions of one agent share nothing.
type Session struct {
	agent *Agent
	limit int

	turn    chan struct{} // holds one token while a task runs or history is read
	history []Message
}

// NewSession starts a conversation whose history is cut from its oldest turn to so many tokens (0: never).
func NewSession(a *Agent, historyTokens int) *Session {
	return &Session{agent: a, limit: historyTokens, turn: make(chan struct{}, 1)}
}

// Ask performs a task in the conversation. The task's own History, if any, stands before what the session
// has carried so far. A request that was answered is carried on with its answer; one that ended in an error,
// a fault or without an answer leaves the conversation as it was.
func (s *Session) Ask(ctx context.Context, t Task) (*Outcome, error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return &Outcome{TraceID: t.TraceID}, asModelError(ctx, ctx.Err())
	}
	t.History = s.cut(slices.Concat(t.History, s.history))
	out, err := s.agent.Run(ctx, t)
	if err != nil || out.Fault != nil {
		return out, err
	}
	answer := out.Answer
	if answer == "" {
		answer = out.Refusal
	}
	if answer != "" {
		s.history = append(s.history, Message{Role: "user", Content: t.Input}, Message{Role: "assistant", Content: answer})
		s.history = slices.Clone(s.cut(s.history)) // what was cut is let go
	}
	return out, nil
}

func (s *Session) cut(history []Message) []Message {
	return cutHistory(history, s.limit, s.agent.opts.CountTokens)
}

// History returns the turns that the conversation carries.
func (s *Session) History() []Message {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	return slices.Clone(s.history)
}
