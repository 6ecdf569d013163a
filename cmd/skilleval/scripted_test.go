package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// scriptedCall is one skill call that the scripted server makes.
type scriptedCall struct {
	Skill string
	Args  string
}

// script is what the server does with one question: the calls in order, then an answer; or a failure.
type script struct {
	Calls  []scriptedCall
	Status int    // answer every request with this HTTP status
	Finish string // finish_reason of every reply
}

// scriptedServer answers Chat Completions requests in any catalogue mode and protocol, by question. It reports 100
// prompt and 10 completion tokens a reply.
type scriptedServer struct {
	*httptest.Server
	scripts map[string]script

	mu       sync.Mutex
	requests []chatRequest
	asked    map[string]int // requests by question
}

type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Tools    []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	Seed *int64 `json:"seed"`
}

type chatMessage struct {
	Role      string  `json:"role"`
	Content   *string `json:"content"`
	ToolCalls []struct {
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (m chatMessage) text() string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

func newScriptedServer(t testing.TB, scripts map[string]script) *scriptedServer {
	s := &scriptedServer{scripts: scripts, asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *scriptedServer) serve(w http.ResponseWriter, r *http.Request) {
	var req chatRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	question := questionOf(req)
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.asked[question]++
	s.mu.Unlock()
	sc, ok := s.scripts[question]
	if !ok {
		http.Error(w, fmt.Sprintf("no script for %q", question), http.StatusTeapot)
		return
	}
	if sc.Status != 0 {
		http.Error(w, `{"error":{"message":"scripted failure"}}`, sc.Status)
		return
	}
	message := sc.reply(req)
	finish := "stop"
	if sc.Finish != "" {
		finish = sc.Finish
	}
	writeReply(w, message, finish)
}

// questionOf is the last user question: the text before the catalogue.
func questionOf(req chatRequest) string {
	for _, m := range req.Messages {
		if m.Role == "user" {
			question, _, _ := strings.Cut(m.text(), "\n\n---\n")
			return question
		}
	}
	return ""
}

// reply decides the next step of the script from what the conversation holds already.
func (sc script) reply(req chatRequest) map[string]any {
	if len(req.Tools) > 0 {
		return sc.native(req)
	}
	return sc.text(req)
}

// native counts the skill calls that were made and accepted: those with a result that is no error.
func (sc script) native(req chatRequest) map[string]any {
	made := 0
	for i, m := range req.Messages {
		if m.Role != "assistant" || len(m.ToolCalls) == 0 || m.ToolCalls[0].Function.Name == "select_skill" {
			continue
		}
		if i+1 < len(req.Messages) && !strings.HasPrefix(req.Messages[i+1].text(), "Error:") {
			made++
		}
	}
	if made == len(sc.Calls) {
		return map[string]any{"role": "assistant", "content": "All done."}
	}
	next := sc.Calls[made]
	name, args := next.Skill, next.Args
	if req.Tools[0].Function.Name == "select_skill" {
		name, args = "select_skill", fmt.Sprintf(`{"name":%q}`, next.Skill)
	}
	return map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
		"id": fmt.Sprintf("call_%d", len(req.Messages)), "type": "function",
		"function": map[string]any{"name": name, "arguments": args},
	}}}
}

func (sc script) text(req chatRequest) map[string]any {
	made := 0
	for _, m := range req.Messages {
		if m.Role == "user" && strings.HasPrefix(m.text(), "Result of ") {
			made++
		}
	}
	content := "All done."
	if made < len(sc.Calls) {
		next := sc.Calls[made]
		content = fmt.Sprintf(`{"skill":%q}`, next.Skill)
		if wantsArguments(req) {
			content = fmt.Sprintf(`{"skill":%q,"args":%s}`, next.Skill, next.Args)
		}
	}
	return map[string]any{"role": "assistant", "content": content}
}

// wantsArguments tells the argument step of the text protocol: the catalogue is not in the prompt, or it is flat.
func wantsArguments(req chatRequest) bool {
	for _, m := range req.Messages {
		if strings.Contains(m.text(), `Reply with only {"skill": "NAME"} to choose`) {
			return false
		}
	}
	return true
}
