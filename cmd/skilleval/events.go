package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/results"
)

// eventLog writes agent events as JSON Lines; a nil log writes nothing.
type eventLog struct {
	redact func(string) string
	mu     sync.Mutex
	f      *os.File
	w      *bufio.Writer
	err    error
}

// openEvents opens the log, or returns nil where no path is given. A run that is resumed goes on with its log.
func (a *app) openEvents(path string, resume bool) (*eventLog, error) {
	if path == "" {
		return nil, nil
	}
	mode := os.O_TRUNC
	if resume {
		mode = os.O_APPEND
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|mode, 0o644)
	if err != nil {
		return nil, failWith(exitUsage, fmt.Errorf("--events: %w", err))
	}
	return &eventLog{redact: a.redact, f: f, w: bufio.NewWriter(f)}, nil
}

// observe writes one event with the trial it belongs to.
func (l *eventLog) observe(key results.Key, e agent.Event) {
	line, err := json.Marshal(struct {
		Case       string `json:"case,omitempty"`
		Arm        string `json:"arm,omitempty"`
		Repetition int    `json:"repetition"`
		agent.Event
	}{key.Case, key.Arm, key.Repetition, e})
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		_, err = l.w.WriteString(l.redact(string(line)) + "\n")
	}
	if l.err == nil {
		l.err = err
	}
}

func (l *eventLog) close() error {
	if l == nil {
		return nil
	}
	for _, err := range []error{l.w.Flush(), l.f.Close()} {
		if l.err == nil {
			l.err = err
		}
	}
	if l.err != nil {
		return fmt.Errorf("--events: %w", l.err)
	}
	return nil
}
