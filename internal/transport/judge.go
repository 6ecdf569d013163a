package transport

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// kind says what to do after an attempt.
type kind int

const (
	final       kind = iota // good, or a failure that another attempt would not mend
	transient               // repeat after a short back-off
	rateLimited             // repeat, after as long as the server says
)

// verdict is the judgement on one attempt.
type verdict struct {
	kind    kind
	reason  string
	told    time.Duration // the wait the server asked for
	hasTold bool
	forAll  bool // the wait holds for every request, not for this one alone
}

// judge decides whether another attempt may succeed.
func judge(req *http.Request, o outcome) verdict {
	if o.err != nil {
		return judgeError(o.err)
	}
	v := judgeReply(req, o)
	if v.kind != final {
		v.told, v.hasTold = retryAfter(o.resp.Header, time.Now())
		v.forAll = v.kind == rateLimited || o.resp.StatusCode == http.StatusServiceUnavailable
	}
	if v.kind == rateLimited && !v.hasTold {
		v.told, v.hasTold = resetWait(o.resp.Header)
	}
	return v
}

// judgeError tells the failures of the network that pass from those that stay: a certificate, a scheme or a
// host name that is wrong now is wrong in a second.
func judgeError(err error) verdict {
	var (
		timeout *timeoutError
		cert    *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
		record  tls.RecordHeaderError
		dns     *net.DNSError
		lasting interface{ lasting() }
	)
	switch {
	case errors.As(err, &lasting):
		return verdict{}
	case errors.As(err, &timeout):
		return verdict{kind: transient, reason: "timed out"}
	case errors.Is(err, errNoTurn), errors.Is(err, errNoReply),
		errors.As(err, &cert), errors.As(err, &unknown), errors.As(err, &record),
		errors.As(err, &dns) && dns.IsNotFound,
		strings.Contains(err.Error(), "unsupported protocol scheme"),
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return verdict{}
	}
	return verdict{kind: transient, reason: "network error"}
}

// judgeReply judges by status, then by what a 200 reply holds. The header x-should-retry wins over the status.
func judgeReply(req *http.Request, o outcome) verdict {
	status := o.resp.StatusCode
	limited := status == http.StatusTooManyRequests
	switch o.resp.Header.Get("X-Should-Retry") {
	case "false":
		return verdict{}
	case "true":
		if limited {
			return verdict{kind: rateLimited, reason: "rate limited"}
		}
		return verdict{kind: transient, reason: "the server asks to retry"}
	}
	switch {
	case limited:
		if p, _ := probe(o.body); p.Error.code.spent() {
			return verdict{} // a quota used up does not come back by waiting
		}
		return verdict{kind: rateLimited, reason: "rate limited"}
	case status == http.StatusNotImplemented, status == http.StatusHTTPVersionNotSupported:
		return verdict{}
	case status >= 500:
		return verdict{kind: transient, reason: "server error"}
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		return verdict{kind: transient, reason: http.StatusText(status)}
	case status/100 == 2 && strings.HasSuffix(req.URL.Path, "/chat/completions"):
		return judgeChat(o.body)
	}
	return verdict{}
}

// judgeChat looks into a 200 reply to a chat request: gateways put errors there.
func judgeChat(body []byte) verdict {
	p, ok := probe(body)
	switch {
	case !ok:
		return verdict{kind: transient, reason: "the reply is not JSON"}
	case p.Choices.some && !p.Choices.failure.set:
		return verdict{}
	}
	failure := p.Error
	if p.Choices.failure.set {
		failure = p.Choices.failure
	}
	switch {
	case failure.set && failure.code.permanent():
		return verdict{}
	case failure.set && failure.code.limited():
		return verdict{kind: rateLimited, reason: "rate limited in a 200 reply"}
	case failure.set:
		return verdict{kind: transient, reason: "error in a 200 reply"}
	}
	return verdict{kind: transient, reason: "no choices in the reply"}
}

// reply is as much of a reply's shape as the judgement needs; nothing of it is copied.
type reply struct {
	Error   failure `json:"error"`
	Choices choices `json:"choices"`
}

// probe reads the shape of a reply; ok is false when it is not a JSON object.
func probe(body []byte) (p reply, ok bool) {
	if b := bytes.TrimLeft(body, " \t\r\n"); len(b) == 0 || b[0] != '{' {
		return reply{}, false
	}
	err := json.Unmarshal(body, &p)
	return p, err == nil
}

// choices is whether the array holds any, and the error object that stands in the place of the first answer.
type choices struct {
	some    bool
	failure failure
}

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (c *choices) UnmarshalJSON(b []byte) error {
	b = bytes.Trim(b, " \t\r\n")
	if len(b) < 2 || b[0] != '[' || len(bytes.TrimSpace(b[1:len(b)-1])) == 0 {
		return nil
	}
	c.some = true
	if !bytes.Contains(b, []byte(`"error"`)) {
		return nil
	}
	var list []struct {
		Error failure `json:"error"`
	}
	if json.Unmarshal(b, &list) == nil && len(list) > 0 {
		c.failure = list[0].Error
	}
	return nil
}

// failure is an error object, or an error's text.
type failure struct {
	set  bool
	code code
}

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (f *failure) UnmarshalJSON(b []byte) error {
	switch text := string(bytes.TrimSpace(b)); text {
	case "null", `""`, "{}", "false", "[]":
		return nil
	}
	f.set = true
	var object struct{ Code, Type, Status any }
	if json.Unmarshal(b, &object) != nil {
		return nil
	}
	for _, v := range []any{object.Code, object.Type, object.Status} {
		switch v := v.(type) {
		case float64:
			f.code = append(f.code, strconv.Itoa(int(v)))
		case string:
			f.code = append(f.code, strings.ToLower(v))
		}
	}
	return nil
}

// code holds the codes, types and statuses that an error object names.
type code []string

// spent reports a quota or a budget that is used up.
func (c code) spent() bool {
	for _, s := range c {
		switch s {
		case "insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "exceeded_current_quota_error":
			return true
		}
	}
	return false
}

// permanent reports an error that another attempt meets again.
func (c code) permanent() bool {
	if c.spent() {
		return true
	}
	for _, s := range c {
		switch s {
		case "content_filter", "content_policy_violation", "context_length_exceeded", "model_not_found", "not_found_error",
			"invalid_request_error", "invalid_api_key", "authentication_error", "permission_error",
			"badrequesterror", "notfounderror", "invalid_argument", "permission_denied", "unauthenticated":
			return true
		}
		if n, err := strconv.Atoi(s); err == nil && n >= 400 && n < 500 && n != 408 && n != 409 && n != 425 && n != 429 {
			return true
		}
	}
	return false
}

// limited reports a rate limit.
func (c code) limited() bool {
	for _, s := range c {
		switch s {
		case "429", "rate_limit_exceeded", "rate_limit_error", "rate_limit", "too_many_requests", "resource_exhausted",
			"tokens", "requests":
			return true
		}
	}
	return false
}
