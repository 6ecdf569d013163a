package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/openai/openai-go/v3/option"

	"github.com/skilleval/skilleval/agent"
)

// attemptsHeader is how the retrying transport reports the attempts made (transport.AttemptsHeader).
const attemptsHeader = "X-Skilleval-Attempts"

// Chat implements [agent.Model]. Every error is an *[agent.ModelError].
func (m *model) Chat(ctx context.Context, req *agent.Request) (*agent.Reply, error) {
	x, err := m.exchange(ctx, m.encode(req))
	if err != nil {
		return nil, err
	}
	reply, decodeErr := decodeReply(x.body)
	if decodeErr != nil {
		return nil, m.unusable(x, decodeErr)
	}
	m.completeUsage(reply, req)
	m.markTruncated(reply)
	nameCalls(reply.ToolCalls, req.Messages)
	reply.Retries = x.retries
	return reply, nil
}

// exchange sends a request and returns a reply of status 2xx, whole. Every error is an *[agent.ModelError].
func (m *model) exchange(ctx context.Context, body any) (*exchange, error) {
	if m.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, m.timeout, &attemptTimeout{m.timeout.String()})
		defer cancel()
	}
	x := &exchange{limit: m.maxReply}
	err := m.client.Post(context.WithValue(ctx, exchangeKey{}, x), m.address.path, body, nil)
	if x.status == 0 {
		if x.err != nil {
			err = x.err // the SDK replaces it by the context's error
		}
		if err == nil {
			err = errors.New("the client gave neither a reply nor an error")
		}
		return nil, m.noReply(ctx, err)
	}
	if x.err != nil {
		return nil, m.brokenReply(ctx, x)
	}
	if x.status/100 != 2 {
		return nil, m.refused(x)
	}
	return x, nil
}

// attemptTimeout is the end of Config.AttemptTimeout.
type attemptTimeout struct{ after string }

func (e *attemptTimeout) Error() string { return "no complete reply within " + e.after }

// Is makes it a deadline to errors.Is.
func (e *attemptTimeout) Is(target error) bool { return target == context.DeadlineExceeded }

// exchange is what came back for one request: the SDK is given nothing to decode, so that every byte of a reply,
// of whatever status and type, is seen here.
type exchange struct {
	status      int
	contentType string
	location    string
	body        []byte
	retries     int
	err         error // of the transport, or of reading the body
	limit       int   // of the body, in bytes
}

// exchangeKey finds the exchange in a request's context.
type exchangeKey struct{}

// errTooLarge is a reply over the limit.
var errTooLarge = errors.New("the reply is too large")

// capture is the SDK middleware that keeps the reply.
func capture(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	resp, err := next(req)
	x, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return resp, err
	}
	if err != nil {
		x.err = err
		return resp, err
	}
	x.status, x.contentType = resp.StatusCode, resp.Header.Get("Content-Type")
	x.location = resp.Header.Get("Location")
	if n, err := strconv.Atoi(resp.Header.Get(attemptsHeader)); err == nil && n > 1 {
		x.retries = n - 1
	}
	x.body, x.err = readReply(resp, x.limit)
	if err := resp.Body.Close(); x.err == nil && err != nil {
		x.err = err
	}
	resp.Body = http.NoBody
	return resp, nil
}

// readReply reads a reply's body, up to limit bytes.
func readReply(resp *http.Response, limit int) ([]byte, error) {
	size := int64(4096)
	if resp.ContentLength > 0 {
		size = min(resp.ContentLength, 1<<20) + 1 // with room to see the end
	}
	body := make([]byte, 0, size)
	for {
		n, err := resp.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > limit:
			return nil, fmt.Errorf("%w: more than %d bytes", errTooLarge, limit)
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, err
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

// nameCalls gives an id to calls that have none, or one that was used before: the answer to a call names it by
// its id. The new ids depend on the conversation alone.
func nameCalls(calls []agent.ToolCall, before []agent.Message) {
	if len(calls) == 0 {
		return
	}
	used := map[string]bool{"": true}
	n := 0
	for i := range before {
		for j := range before[i].ToolCalls {
			used[before[i].ToolCalls[j].ID] = true
			n++
		}
	}
	for i := range calls {
		n++
		id := calls[i].ID
		for k := n; used[id]; k++ {
			id = "call_" + strconv.Itoa(k)
		}
		used[id] = true
		calls[i].ID = id
	}
}
