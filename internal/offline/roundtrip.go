package offline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// maxBody is the largest request body that is read.
const maxBody = 32 << 20

// Lexical returns the lexical baseline model as a round tripper: it answers POST …/chat/completions in the
// process, without a network, and everything else with the HTTP errors of a real server. It is safe for
// concurrent use and the reply depends on the request body alone. It reports no usage.
func Lexical() http.RoundTripper { return &lexical{cache: newIndexCache(cacheEntries, cacheBytes)} }

// lexical implements http.RoundTripper. Its cache saves time and changes nothing else.
type lexical struct{ cache *indexCache }

// apiError is an error a server would answer with: status, and the fields of the error object.
type apiError struct {
	status               int
	message, param, code string
}

// Error implements error.
func (e *apiError) Error() string { return e.message }

// badRequest makes the apiError of a request that a server would refuse.
func badRequest(param, format string, args ...any) *apiError {
	return &apiError{status: http.StatusBadRequest, message: fmt.Sprintf(format, args...), param: param}
}

// RoundTrip implements http.RoundTripper.
func (l *lexical) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if req.Body != nil {
		defer req.Body.Close()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, refused := readBody(req)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if refused == nil {
		var reply []byte
		if reply, refused = l.complete(body); refused == nil {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return respond(req, http.StatusOK, reply), nil
		}
	}
	return respond(req, refused.status, refused.body()), nil
}

// readBody checks method and path and reads the request body.
func readBody(req *http.Request) ([]byte, *apiError) {
	if req.URL == nil || !strings.HasSuffix(strings.TrimSuffix(req.URL.Path, "/"), "/chat/completions") {
		path := ""
		if req.URL != nil {
			path = req.URL.Path
		}
		return nil, &apiError{status: http.StatusNotFound, message: fmt.Sprintf("unknown path %q: only …/chat/completions is served", path), code: "unknown_url"}
	}
	if req.Method != http.MethodPost {
		return nil, &apiError{status: http.StatusMethodNotAllowed, message: fmt.Sprintf("method %q is not allowed: use POST", req.Method), code: "method_not_allowed"}
	}
	if req.Body == nil {
		return nil, badRequest("", "the body is empty: a JSON object with model and messages is expected")
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, maxBody+1))
	if err != nil {
		return nil, badRequest("", "the body could not be read: %v", err)
	}
	if len(body) > maxBody {
		return nil, &apiError{status: http.StatusRequestEntityTooLarge, message: fmt.Sprintf("the body is larger than %d bytes", maxBody)}
	}
	return body, nil
}

// complete answers one request body with a response body.
func (l *lexical) complete(body []byte) ([]byte, *apiError) {
	chat, err := decodeRequest(body)
	if err != nil {
		var refused *apiError
		if errors.As(err, &refused) {
			return nil, refused
		}
		return nil, badRequest("", "%v", err)
	}
	return encodeReply(chat, body, l.answer(readPrompt(chat))), nil
}

// respond makes an HTTP response with a JSON body.
func respond(req *http.Request, status int, body []byte) *http.Response {
	header := make(http.Header, 2)
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if status == http.StatusMethodNotAllowed {
		header.Set("Allow", http.MethodPost)
	}
	return &http.Response{
		Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}

// body is the error object as servers write it.
func (e *apiError) body() []byte {
	type object struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	o := object{Message: e.message, Type: "invalid_request_error"}
	if e.param != "" {
		o.Param = &e.param
	}
	if e.code != "" {
		o.Code = &e.code
	}
	data, err := json.Marshal(map[string]object{"error": o})
	if err != nil { // strings and pointers to strings always marshal
		return []byte(`{"error":{"message":"unknown error","type":"invalid_request_error"}}`)
	}
	return data
}
