package llm

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skilleval/skilleval/agent"
)

// excerptRunes is as much of a reply as a message shows.
const excerptRunes = 200

// asked says what was asked of whom.
func (m *model) asked() string {
	return fmt.Sprintf("POST %s (model %s)", m.address.shown, m.config.Model)
}

// fail makes the error. The message is redacted and control characters in it are escaped.
func (m *model) fail(class agent.ErrorClass, status, retries int, message string, cause error) *agent.ModelError {
	return &agent.ModelError{Class: class, Status: status, Message: m.redact(m.asked()) + ": " + message, Retries: retries, Err: cause}
}

// noReply is the failure of a request that got no reply at all.
func (m *model) noReply(ctx context.Context, err error) *agent.ModelError {
	retries := 0
	var counted interface{ Retries() int }
	if errors.As(err, &counted) {
		retries = counted.Retries()
	}
	class := m.networkClass(ctx, err)
	cause := m.cause(err)
	message := cause.Error()
	switch {
	case class == agent.ErrCancelled:
		message = "cancelled"
	case class == agent.ErrTimeout && ctx.Err() != nil:
		message = cutTo(m.redact(context.Cause(ctx).Error()))
	}
	return m.fail(class, 0, retries, message, cause)
}

// networkClass sorts an error without a reply: the caller's own end of time or cancellation comes first.
func (m *model) networkClass(ctx context.Context, err error) agent.ErrorClass {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded), ctx.Err() != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return agent.ErrTimeout
	case ctx.Err() != nil:
		return agent.ErrCancelled
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return agent.ErrTimeout
	}
	return agent.ErrNetwork
}

// cause takes the URL, which may hold secrets, out of a network error, and adds what the user can do.
func (m *model) cause(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var (
		dns    *net.DNSError
		record tls.RecordHeaderError
		hint   string
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		hint = "; is the host in the base URL right?"
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		hint = "; does the server speak http instead of https?"
	}
	return &networkError{text: cutTo(m.redact(err.Error())) + hint, err: err}
}

// networkError shows a redacted text for an error.
type networkError struct {
	text string
	err  error
}

func (e *networkError) Error() string { return e.text }

// Unwrap gives the error itself to errors.Is and errors.As.
func (e *networkError) Unwrap() error { return e.err }

// brokenReply is a reply whose body could not be read to its end.
func (m *model) brokenReply(ctx context.Context, x *exchange) *agent.ModelError {
	if errors.Is(x.err, errTooLarge) {
		return m.fail(agent.ErrReply, x.status, x.retries, x.err.Error(), x.err)
	}
	e := m.noReply(ctx, x.err)
	e.Status, e.Retries = x.status, x.retries
	e.Message += ", while the reply's body was read"
	return e
}

// refused is a reply whose status is not 2xx.
func (m *model) refused(x *exchange) *agent.ModelError {
	f := readFailure(x.body)
	return m.fail(f.class(x.status), x.status, x.retries, m.came(x, f)+m.hint(x, f), nil)
}

// unusable is a 2xx reply that holds no answer.
func (m *model) unusable(x *exchange, err error) *agent.ModelError {
	var inBand *errorReply
	if errors.As(err, &inBand) {
		f := readError(inBand.raw)
		return m.fail(f.class(f.status()), x.status, x.retries, err.Error()+": "+m.came(x, f), nil)
	}
	return m.fail(agent.ErrReply, x.status, x.retries, err.Error()+"; "+m.came(x, failure{})+m.hint(x, failure{}), nil)
}

// came says what came: the status, the type, the error's text or the beginning of the body.
func (m *model) came(x *exchange, f failure) string {
	kind := x.contentType
	if kind == "" {
		kind = "no content type"
	}
	text := f.message
	if text == "" {
		text = string(bytes.ToValidUTF8(x.body, []byte("\uFFFD")))
	}
	if strings.TrimSpace(text) == "" {
		text = "(no body)"
	}
	label := ""
	if len(f.codes) > 0 {
		label = "[" + cutTo(m.redact(strings.Join(f.codes, ", "))) + "] "
	}
	return fmt.Sprintf("got HTTP %d, %s: %s%s", x.status, cutTo(m.redact(kind)), label, cutTo(m.redact(text)))
}

// hint says what to try where the status alone suggests it.
func (m *model) hint(x *exchange, f failure) string {
	html := strings.Contains(x.contentType, "html")
	aboutModel := strings.Contains(strings.ToLower(f.message), "model") || slices.Contains(f.codes, "model_not_found")
	switch {
	case x.status/100 == 3:
		return "; the server redirects to " + cutTo(m.redact(x.location)) + ": set the base URL to where it leads"
	case (x.status == http.StatusNotFound || x.status == http.StatusMethodNotAllowed) && aboutModel && !html:
		return "; does the server offer this model?"
	case x.status == http.StatusBadRequest && strings.Contains(strings.ToLower(f.message), "tool"):
		return "; a model without tool calls needs the text protocol"
	case x.status == http.StatusNotFound, x.status == http.StatusMethodNotAllowed, html:
		added, _, _ := strings.Cut(m.address.path, "?")
		return "; is the base URL right? It usually ends with /v1, and /" + added + " is added to it"
	}
	return ""
}

// cutTo escapes what is not printable and cuts to excerptRunes.
func cutTo(s string) string {
	var b strings.Builder
	n := 0
	for i, r := range s {
		if n == excerptRunes {
			b.WriteString("…")
			break
		}
		n++
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}
