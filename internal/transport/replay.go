package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
)

// NewReplay returns a RoundTripper that answers from a recording of [NewRecord] alone and never asks a server. Replies
// come back byte by byte with their status, content type and number of attempts; recorded errors come back with their
// text, and are timeouts if they were. A request that was not recorded is a [*NotRecordedError]. The request must be
// the same one: address, path, query, body and repetition. The redact functions must be those of the recording. No
// layer is needed above it, and [NewRetry] repeats nothing of it. The error of NewReplay is a directory that cannot be
// read or holds no recording.
func NewReplay(dir string, redact ...func(string) string) (http.RoundTripper, error) {
	if dir == "" {
		return nil, errors.New("replay: name the directory of a recording")
	}
	if _, err := os.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	s := recording(dir)
	found := errors.New("found")
	err := s.each(func(_ string, _ fs.FileInfo, finished bool) error {
		if finished {
			return found
		}
		return nil
	})
	switch {
	case err == nil:
		return nil, fmt.Errorf("replay: %s holds no recording: make one with the same run and --record", dir)
	case !errors.Is(err, found):
		return nil, fmt.Errorf("replay: %w", err)
	}
	return &replayer{s, redact}, nil
}

// NotRecordedError is a request that a recording does not hold.
type NotRecordedError struct {
	Dir          string // of the recording
	Method, Path string
	Key          string // digest of the request, in hexadecimal
	Prompt       string // the first 120 characters of the last user message
}

// Error implements error.
func (e *NotRecordedError) Error() string {
	return fmt.Sprintf("%s %s is not in the recording %s (key %s, last user message %q): record the run again, or replay it with "+
		"the same suite, model, address and options", e.Method, e.Path, e.Dir, e.Key, e.Prompt)
}

func (e *NotRecordedError) lasting() {}

// replayedError is an error that was recorded in the place of a reply.
type replayedError struct {
	text    string
	timeout bool
	retries int
}

// Error implements error.
func (e *replayedError) Error() string { return e.text }

// Timeout reports whether the recorded request ran out of time.
func (e *replayedError) Timeout() bool { return e.timeout }

// Is makes a timeout a deadline to errors.Is.
func (e *replayedError) Is(target error) bool {
	return e.timeout && target == context.DeadlineExceeded
}

// Retries is the number of attempts beyond the first that were made.
func (e *replayedError) Retries() int { return e.retries }

func (e *replayedError) lasting() {}

// replayer is the RoundTripper of NewReplay.
type replayer struct {
	store  store
	redact redactors
}

// RoundTrip implements http.RoundTripper.
func (r *replayer) RoundTrip(req *http.Request) (*http.Response, error) {
	asks, err := open(req)
	if err != nil {
		return nil, err
	}
	body := r.redact.bytes(asks.body)
	key := keyOf(req, body, asks.repetition)
	resp, err := reproduce(r.store, key, req)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &NotRecordedError{Dir: r.store.dir, Method: req.Method, Path: req.URL.Path, Key: key.String(), Prompt: lastUserMessage(body)}
	}
	if err != nil {
		return nil, err
	}
	resp.Header.Set("X-Should-Retry", "false") // a recorded refusal does not pass by asking again
	return resp, nil
}

// reproduce gives what was recorded for a request.
func reproduce(s store, key digest, req *http.Request) (*http.Response, error) {
	e, err := s.read(key)
	if err != nil {
		return nil, &lastingError{fmt.Errorf("recording %s: %w", s.path(key), err)}
	}
	if e.Status == 0 {
		return nil, &replayedError{text: e.Error, timeout: e.Timeout, retries: e.Retries}
	}
	header := http.Header{}
	for name, value := range e.Header {
		header.Set(name, value)
	}
	return answer(req, e.Status, header, e.reply), nil
}

// promptRunes is as much of a user message as names a request.
const promptRunes = 120

// lastUserMessage is the beginning of the last user message of a chat request, or of the text of an embeddings
// request; empty when the body is neither.
func lastUserMessage(body []byte) string {
	var r struct {
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
		Input any `json:"input"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return ""
	}
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return headRunes(plainText(r.Messages[i].Content), promptRunes)
		}
	}
	return headRunes(plainText(r.Input), promptRunes)
}

// plainText is the text of a message's content: a string, or an array of strings and of parts with a text.
func plainText(content any) string {
	switch content := content.(type) {
	case string:
		return content
	case []any:
		var texts []string
		for _, c := range content {
			if part, ok := c.(map[string]any); ok {
				c = part["text"]
			}
			if text, ok := c.(string); ok {
				texts = append(texts, text)
			}
		}
		return strings.Join(texts, " ")
	}
	return ""
}
