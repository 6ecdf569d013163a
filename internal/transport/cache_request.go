package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// RepetitionHeader is the request header that tells [NewCache], [NewRecord] and [NewReplay] which repetition of a
// trial a request belongs to, so that repeated trials stay independent. It is never sent to the server: each of the
// three takes it out, and where none of them stands, [NewStrip] does.
const RepetitionHeader = "X-Skilleval-Repetition"

// NewStrip returns a RoundTripper that takes [RepetitionHeader] out of every request.
func NewStrip(next http.RoundTripper) http.RoundTripper {
	return &stripper{layer{orDefault(next)}}
}

// stripper is the RoundTripper of NewStrip.
type stripper struct{ layer }

// RoundTrip implements http.RoundTripper.
func (s *stripper) RoundTrip(req *http.Request) (*http.Response, error) {
	out, _ := strip(req)
	return s.next.RoundTrip(out)
}

// layer is what the RoundTrippers that pass requests on have in common.
type layer struct{ next http.RoundTripper }

// AttemptTimeout tells the client whether a layer below limits each attempt.
func (l layer) AttemptTimeout() time.Duration {
	if next, ok := l.next.(interface{ AttemptTimeout() time.Duration }); ok {
		return next.AttemptTimeout()
	}
	return 0
}

// orDefault is next, or the default transport for nil.
func orDefault(next http.RoundTripper) http.RoundTripper {
	if next == nil {
		return http.DefaultTransport
	}
	return next
}

// repetitionKey finds the repetition in a request's context, for the layers below the one that took the header out.
type repetitionKey struct{}

// strip returns the request without its repetition header, and the repetition. The request itself is not changed:
// a RoundTripper must not.
func strip(req *http.Request) (*http.Request, string) {
	values, ok := req.Header[RepetitionHeader]
	if !ok {
		repetition, _ := req.Context().Value(repetitionKey{}).(string)
		return req, repetition
	}
	repetition := strings.TrimSpace(strings.Join(values, ","))
	out := req.WithContext(context.WithValue(req.Context(), repetitionKey{}, repetition))
	out.Header = req.Header.Clone()
	out.Header.Del(RepetitionHeader)
	return out, repetition
}

// call is a request with its body read and its repetition taken out.
type call struct {
	out        *http.Request // what is sent on
	body       []byte
	repetition string
}

// open reads the request whole. The request's body is closed, whatever happens.
func open(req *http.Request) (*call, error) {
	again, err := replay(req)
	if err != nil {
		return nil, err
	}
	c := &call{}
	c.out, c.repetition = strip(req)
	if again == nil {
		return c, req.Context().Err()
	}
	r, err := again()
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	c.body, err = readBounded(r, req.ContentLength, maxRequestBytes+1)
	if err := errors.Join(err, r.Close()); err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	if len(c.body) > maxRequestBytes {
		return nil, fmt.Errorf("request larger than %d bytes", maxRequestBytes)
	}
	if c.out == req {
		c.out = req.WithContext(req.Context())
	}
	c.out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c.body)), nil }
	c.out.Body = io.NopCloser(bytes.NewReader(c.body))
	c.out.ContentLength = int64(len(c.body))
	return c, req.Context().Err()
}

// readWhole reads a reply's body to its end, bounded by MaxReplyBytes, and puts what was read in its place.
func readWhole(resp *http.Response) ([]byte, error) {
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	told := resp.ContentLength
	body, err := readBounded(resp.Body, told, MaxReplyBytes)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("reading the reply: %w", err)
	}
	if told > int64(len(body)) && len(body) < MaxReplyBytes {
		return nil, fmt.Errorf("reading the reply: %w", io.ErrUnexpectedEOF)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	resp.TransferEncoding = nil
	return body, nil
}

// answer makes a reply without a server.
func answer(req *http.Request, status int, header http.Header, body []byte) *http.Response {
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", status, http.StatusText(status)),
		StatusCode: status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       req,
	}
}

// redactors are applied one after the other.
type redactors []func(string) string

// text takes the secrets out of a text.
func (r redactors) text(s string) string {
	for _, redact := range r {
		if redact != nil {
			s = redact(s)
		}
	}
	return s
}

// bytes takes the secrets out of a body.
func (r redactors) bytes(b []byte) []byte {
	if len(r) == 0 {
		return b
	}
	return []byte(r.text(string(b)))
}

// headRunes cuts a text to n characters; bytes that are not UTF-8 become U+FFFD and white space single spaces.
func headRunes(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}
