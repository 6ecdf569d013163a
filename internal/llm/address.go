package llm

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"sort"
	"strings"
)

// endpoint is what a request adds to the base address.
const endpoint = "chat/completions"

// address is where requests go.
type address struct {
	base    *url.URL // ends with "/", without a query
	path    string   // of a request, relative to base, with the query
	shown   string   // the full URL for messages, without user information and secret values
	secrets []string // what must not be shown
}

// parseAddress finds the address in what a user may write: with or without /v1, with or without a final slash,
// or the full path of the endpoint.
func parseAddress(text string) (address, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		text = DefaultBaseURL
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return address{}, fmt.Errorf("base URL: not a URL; write it like %s", DefaultBaseURL) // the cause would repeat it, with its secrets
	case u.Scheme != "http" && u.Scheme != "https":
		return address{}, fmt.Errorf("base URL: must begin with http:// or https://, like http://localhost:8000/v1")
	case u.Hostname() == "":
		return address{}, fmt.Errorf("base URL: names no host; write it like http://localhost:8000/v1")
	}
	a := address{path: endpoint}
	if u.RawQuery != "" {
		a.path += "?" + u.RawQuery
	}
	if u.User != nil {
		password, ok := u.User.Password()
		plain := u.User.Username() + ":" + password
		a.secrets = append(a.secrets, u.User.String(), plain, base64.StdEncoding.EncodeToString([]byte(plain)), password)
		if !ok { // a token in the place of the name
			a.secrets = append(a.secrets, u.User.Username())
		}
	}
	query := u.Query()
	for name, values := range query {
		if isSecretName(name) {
			a.secrets = append(a.secrets, values...)
			query[name] = []string{"[redacted]"}
		}
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if full := strings.TrimSuffix(path, "/"+endpoint); full != path {
		path = strings.TrimRight(full, "/")
	} else if path == "" {
		path = "/v1"
	}
	plain, err := url.PathUnescape(path)
	if err != nil {
		return address{}, fmt.Errorf("base URL: its path has a broken %%-escape")
	}
	a.base = &url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host, Path: plain + "/", RawPath: path + "/"}
	shown := *a.base
	shown.User, shown.Path, shown.RawPath = nil, shown.Path+endpoint, shown.RawPath+endpoint
	shown.RawQuery = strings.ReplaceAll(query.Encode(), "%5Bredacted%5D", "[redacted]")
	a.shown = shown.String()
	return a, nil
}

// isSecretName reports whether a URL parameter of this name holds a secret.
func isSecretName(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"key", "token", "sig", "secret", "pass", "pwd", "auth", "cred"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// redactor takes the secrets of the configuration out of a text, whatever the caller's own function does.
func redactor(c Config, a address) func(string) string {
	var forms []string
	for _, s := range append([]string{c.APIKey}, a.secrets...) {
		if len(s) >= 4 { // a shorter one hides nothing and would garble the text
			forms = append(forms, s, url.QueryEscape(s))
		}
	}
	sort.Slice(forms, func(i, j int) bool { return len(forms[i]) > len(forms[j]) }) // the whole before its parts
	pairs := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		pairs = append(pairs, f, "[redacted]")
	}
	own := strings.NewReplacer(pairs...)
	return func(text string) string {
		if c.Redact != nil {
			text = c.Redact(text)
		}
		return own.Replace(text)
	}
}
