package llm

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/skilleval/skilleval/agent"
)

// failure is an error as a server put it.
type failure struct {
	message string
	codes   []string // code, type and status, as far as given, in lower case
}

// readFailure reads the body of an error reply: {"error":{…}} of the protocol, {"error":"text"}, an error object
// at the top level, {"detail":…}, an array of any of them. What is none of these has no message.
func readFailure(body []byte) failure {
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' {
		var items []json.RawMessage
		if json.Unmarshal(body, &items) != nil || len(items) == 0 {
			return failure{}
		}
		body = bytes.TrimSpace(items[0])
	}
	if len(body) == 0 || body[0] != '{' {
		return failure{}
	}
	var top struct {
		Error json.RawMessage `json:"error"`
	}
	if unmarshal(body, &top) == nil && isSet(top.Error) {
		return readError(top.Error)
	}
	return readError(body)
}

// readError reads an error object, or the text of an error.
func readError(raw json.RawMessage) failure {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		var t looseText
		if t.UnmarshalJSON(raw) != nil {
			return failure{}
		}
		return failure{message: string(t)}
	}
	var w struct {
		Message looseText `json:"message"`
		Detail  looseText `json:"detail"`
		Msg     looseText `json:"msg"`
		Code    looseText `json:"code"`
		Type    looseText `json:"type"`
		Status  looseText `json:"status"`
		Inner   struct {
			Code looseText `json:"code"`
		} `json:"innererror"`
	}
	if unmarshal(raw, &w) != nil {
		return failure{}
	}
	f := failure{message: firstOf(string(w.Message), string(w.Detail), string(w.Msg))}
	for _, c := range []looseText{w.Code, w.Type, w.Status, w.Inner.Code} {
		if s := strings.ToLower(string(c)); s != "" && !slices.Contains(f.codes, s) {
			f.codes = append(f.codes, s)
		}
	}
	return f
}

// status is the HTTP status that an error inside a 200 reply stands for; 502 when it names none: the server failed.
func (f failure) status() int {
	for _, c := range f.codes {
		if n, err := strconv.Atoi(c); err == nil && n >= 400 && n < 600 {
			return n
		}
	}
	for _, c := range f.codes {
		switch c {
		case "rate_limit_exceeded", "rate_limit_error", "rate_limit", "too_many_requests", "resource_exhausted", "insufficient_quota":
			return http.StatusTooManyRequests
		case "invalid_api_key", "authentication_error", "permission_error", "unauthenticated", "permission_denied":
			return http.StatusUnauthorized
		case "invalid_request_error", "badrequesterror", "invalid_argument", "context_length_exceeded", "model_not_found",
			"not_found_error", "notfounderror":
			return http.StatusBadRequest
		}
	}
	return http.StatusBadGateway
}

// class sorts an error reply by its status; a content filter is told by its code.
func (f failure) class(status int) agent.ErrorClass {
	for _, c := range f.codes {
		switch c {
		case "content_filter", "content_policy_violation", "responsibleaipolicyviolation", "data_inspection_failed":
			return agent.ErrFiltered
		}
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return agent.ErrAuth
	case status == http.StatusTooManyRequests:
		return agent.ErrRateLimit
	case status == http.StatusRequestTimeout:
		return agent.ErrTimeout
	case status >= 500:
		return agent.ErrServer
	case status >= 400:
		return agent.ErrRequest
	}
	return agent.ErrReply
}
