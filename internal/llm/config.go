package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/skilleval/skilleval/agent"
)

// Config says which server and model to ask, and how. Nothing is taken from the environment.
type Config struct {
	// BaseURL is the server's address, as far as its version: http://localhost:8000/v1. An address without a
	// path gets /v1, a full …/chat/completions is used as it is, a query is kept. User information in it is sent
	// as Basic authorization when there is no APIKey, and not at all when there is. Empty: [DefaultBaseURL].
	BaseURL string
	APIKey  string // sent as a Bearer token; "" sends none
	Model   string // required

	Temperature *float64 // nil leaves it out; so for the following
	TopP        *float64
	MaxTokens   *int
	Extra       map[string]any // further fields of the request, sent in the order of their names

	// HTTPClient carries the requests; nil: http.DefaultTransport without retries.
	HTTPClient *http.Client
	// AttemptTimeout limits a whole exchange, the body included. It is left to HTTPClient's transport when that
	// limits each attempt itself (transport.RetryConfig.AttemptTimeout). 0: only the call's context does.
	AttemptTimeout time.Duration
	// CountTokens counts what a server did not; nil: about four bytes of Latin text a token.
	CountTokens func(string) int
	// NullContent sends "content": null with an assistant's tool calls when it said nothing else; most servers
	// take null and "", some only one of them.
	NullContent bool
	// Redact takes secrets out of messages, before they are cut; the key and the secrets of BaseURL are taken out
	// in any case.
	Redact func(string) string
}

// DefaultBaseURL is the address used when none is given.
const DefaultBaseURL = "https://api.openai.com/v1"

// maxReply limits a reply's body, in bytes; transport.MaxReplyBytes is one more.
const maxReply = 32 << 20

// New checks the configuration and returns the model. It sends nothing.
func New(c Config) (agent.Model, error) {
	if strings.TrimSpace(c.Model) == "" {
		return nil, errors.New("model: name the model to ask")
	}
	a, err := parseAddress(c.BaseURL)
	if err != nil {
		return nil, err
	}
	c.APIKey = strings.TrimSpace(c.APIKey)
	if strings.ContainsFunc(c.APIKey, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, errors.New("API key: holds a character that cannot be sent in a header")
	}
	if c.APIKey != "" {
		a.base.User = nil
	}
	tail, err := encodeParameters(&c)
	if err != nil {
		return nil, err
	}
	m := &model{config: c, address: a, tail: tail, redact: redactor(c, a), count: c.CountTokens, limit: tokenLimit(&c), maxReply: maxReply}
	m.head = append(appendString(append(m.head, `{"model":`...), c.Model), `,"messages":[`...)
	if m.count == nil {
		m.count = estimateTokens
	}
	httpClient := ownClient(c.HTTPClient)
	if limits, ok := httpClient.Transport.(interface{ AttemptTimeout() time.Duration }); !ok || limits.AttemptTimeout() <= 0 {
		m.timeout = c.AttemptTimeout
	}
	m.client = newClient(httpClient, a.base, c.APIKey)
	return m, nil
}

// model is the agent.Model of New. It is not changed after New.
type model struct {
	config   Config
	address  address
	client   openai.Client
	head     []byte // of every request, up to its messages
	tail     []byte // of every request, after its tools
	limit    int    // of completion tokens; 0: none
	maxReply int    // of a reply's body, in bytes
	timeout  time.Duration
	redact   func(string) string
	count    func(string) int
}

// newClient makes the SDK's client from explicit options only. openai.NewClient would add what it finds in the
// environment: another address, and organization, project and custom headers, sent to whatever server is asked.
func newClient(h *http.Client, base *url.URL, key string) openai.Client {
	opts := []option.RequestOption{
		option.WithBaseURL(base.String()),
		option.WithHTTPClient(h),
		option.WithMaxRetries(0),
		option.WithAPIKey(key),
		option.WithMiddleware(capture),
		option.WithHeader("User-Agent", "skilleval"),
	}
	for _, name := range []string{"Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"} {
		opts = append(opts, option.WithHeaderDel("X-Stainless-"+name))
	}
	return openai.Client{Options: opts}
}

// ownClient copies the caller's client. A redirect is followed only where it keeps the request as it is: Go turns
// a redirected POST into a GET without a body, and another host is not to see the question.
func ownClient(h *http.Client) *http.Client {
	own := http.Client{}
	if h != nil {
		own = *h
	}
	if own.Transport == nil {
		own.Transport = http.DefaultTransport
	}
	if own.CheckRedirect == nil {
		own.CheckRedirect = func(req *http.Request, via []*http.Request) error {
			if req.Method != via[0].Method || req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme || len(via) > 3 {
				return http.ErrUseLastResponse
			}
			return nil
		}
	}
	return &own
}

// ownFields are the fields of a request that have a setting of their own, or none.
var ownFields = []string{"model", "messages", "tools", "tool_choice", "temperature", "top_p", "max_tokens", "seed", "stream"}

// encodeParameters writes the fields that are the same in every request of the model.
func encodeParameters(c *Config) ([]byte, error) {
	var b []byte
	for _, f := range []struct {
		name  string
		value *float64
	}{{"temperature", c.Temperature}, {"top_p", c.TopP}} {
		if f.value == nil {
			continue
		}
		if math.IsNaN(*f.value) || math.IsInf(*f.value, 0) || *f.value < 0 {
			return nil, fmt.Errorf("%s: %v is not a number of 0 or more", f.name, *f.value)
		}
		b = strconv.AppendFloat(append(b, `,"`+f.name+`":`...), *f.value, 'f', -1, 64)
	}
	if c.MaxTokens != nil {
		if *c.MaxTokens < 1 {
			return nil, fmt.Errorf("max_tokens: %d is not a number of 1 or more", *c.MaxTokens)
		}
		b = strconv.AppendInt(append(b, `,"max_tokens":`...), int64(*c.MaxTokens), 10)
	}
	names := make([]string, 0, len(c.Extra))
	for name := range c.Extra {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if slices.Contains(ownFields, name) {
			return nil, fmt.Errorf("extra field %q: not taken here; extra holds fields other than %s", name, strings.Join(ownFields, ", "))
		}
		value, err := marshal(c.Extra[name])
		if err != nil {
			return nil, fmt.Errorf("extra field %q: %w", name, err)
		}
		b = append(append(appendString(append(b, ','), name), ':'), value...)
	}
	return b, nil
}

// marshal is json.Marshal without HTML escapes.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

// tokenLimit is the limit of completion tokens that the request sets, by either of its names; 0: none.
func tokenLimit(c *Config) int {
	if c.MaxTokens != nil {
		return *c.MaxTokens
	}
	if v, ok := c.Extra["max_completion_tokens"]; ok {
		if b, err := marshal(v); err == nil {
			if n, err := strconv.Atoi(string(b)); err == nil {
				return n
			}
		}
	}
	return 0
}
