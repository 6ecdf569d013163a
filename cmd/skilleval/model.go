package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/internal/llm"
	"github.com/skilleval/skilleval/internal/offline"
	"github.com/skilleval/skilleval/internal/tokens"
	"github.com/skilleval/skilleval/internal/transport"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/skills"
)

// The offline models, which need no server.
const lexicalModel = "builtin:lexical"

// anyModel is sent where a server is named and no model: servers that hold a single model take any name.
const anyModel = "default"

// shortestKey is the length from which a key is a secret: local servers are given "test", "none" or "EMPTY", and to take
// such words out of every text would garble it.
const shortestKey = 6

// usualKeyVariable is the environment variable of the key unless --api-key-env names another one.
const usualKeyVariable = "OPENAI_API_KEY"

// chosenModel is the model under test, and how the run file describes it.
type chosenModel struct {
	agent.Model
	desc    results.Model
	remarks []string // what the user should know about the choice
}

// chooseModel builds the model of the settings. From here on whatever is printed or written has the key redacted.
func (a *app) chooseModel(s *settings) (*chosenModel, error) {
	key, _ := a.env(s.apiKeyEnv)
	a.hide(key)
	m := &chosenModel{desc: results.Model{Name: s.model}}
	switch {
	case strings.HasPrefix(s.model, "builtin:") && s.model != lexicalModel:
		return nil, failWith(exitUsage, fmt.Errorf("--model %s: there is no such offline model: write %s", s.model, lexicalModel))
	case s.model == lexicalModel && s.baseURL != "":
		return nil, failWith(exitUsage, fmt.Errorf("--model %s needs no server: leave --base-url out", s.model))
	case s.model == "" && s.baseURL != "":
		m.desc.Name = anyModel
		m.remarks = append(m.remarks, "no --model is named: \"default\" is sent, which servers with a single model take")
	case s.model == "" && key == "":
		m.desc.Name = lexicalModel
		m.remarks = append(m.remarks, fmt.Sprintf("no --model is named and %s is not set: %s answers, a baseline of word overlap that any language model should beat", s.apiKeyEnv, lexicalModel))
	case s.model == "":
		return nil, failWith(exitUsage, fmt.Errorf("%s is set but no model is named: give --model NAME, or --model %s to work offline", s.apiKeyEnv, lexicalModel))
	case s.model != lexicalModel && s.baseURL == "" && key == "" && s.replay == "":
		return nil, failWith(exitUsage, fmt.Errorf("--model %s: %s is not set and no --base-url is given: set the key, or name a server", s.model, s.apiKeyEnv))
	}
	s.sampling(&m.desc)
	return m, a.connect(m, s, key)
}

// hide has a key redacted, beside those before it, in whatever is printed or written from here on.
func (a *app) hide(key string) {
	if len(key) >= shortestKey {
		a.keys = append(a.keys, key)
	}
	a.redact, a.redactData = transport.Redact(a.keys...), transport.RedactExact(a.keys...)
}

// sampling notes the sampling parameters that were asked for; the others are left to the server.
func (s *settings) sampling(d *results.Model) {
	if s.given("temperature") {
		d.Temperature = &s.temperature
	}
	if s.given("top-p") {
		d.TopP = &s.topP
	}
	if s.maxTokens > 0 {
		d.MaxTokens = &s.maxTokens
	}
}

// connect builds the client: retries outside, then rate limits, then the server or the offline model.
func (a *app) connect(m *chosenModel, s *settings, key string) error {
	c := llm.Config{Model: m.desc.Name, Temperature: m.desc.Temperature, TopP: m.desc.TopP, MaxTokens: m.desc.MaxTokens,
		CountTokens: tokens.Count, Redact: a.redact}
	if s.file != nil {
		c.Extra = s.file.extra
	}
	var server http.RoundTripper
	if m.desc.Name == lexicalModel {
		c.BaseURL, server = "http://offline.invalid/v1", offline.Lexical()
	} else {
		shown, err := publicURL(s.baseURL)
		if err != nil {
			return failWith(exitUsage, err)
		}
		m.desc.BaseURL = shown
		c.BaseURL, c.APIKey = s.baseURL, key
		server = s.server()
	}
	kept, err := a.keepReplies(server, s)
	if err != nil {
		return failWith(exitUsage, err)
	}
	c.HTTPClient = &http.Client{Transport: kept}
	model, err := llm.New(c)
	if err != nil {
		return failWith(exitUsage, err)
	}
	m.Model = model
	return nil
}

// server is the way to the server: retries outside the rate limits.
func (s *settings) server() http.RoundTripper {
	limited := transport.NewLimit(transport.Base(s.concurrency), transport.LimitConfig{RPM: s.rpm, TPM: s.tpm, CountTokens: skills.EstimateTokens})
	return transport.NewRetry(limited, transport.RetryConfig{MaxAttempts: s.attempts, AttemptTimeout: s.requestTimeout})
}

// publicURL is the base URL without user, password and query, for run files and reports.
func publicURL(base string) (string, error) {
	if base == "" {
		return "", nil
	}
	u, err := url.Parse(base)
	if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		err = errors.New("no host")
	}
	if err != nil {
		return "", errors.New("--base-url: want http://HOST[:PORT][/v1] or https://…")
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String(), nil
}

// newAgent builds the agent of the settings over a catalogue.
func (s *settings) newAgent(m agent.Model, list []*skills.Skill) (*agent.Agent, error) {
	registry, err := skills.NewRegistry(list...)
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	repairs := s.maxRepairs
	if repairs == 0 {
		repairs = -1 // the agent's zero value is its default
	}
	ag, err := agent.New(m, registry, agent.Options{
		Catalog: s.catalog, Protocol: s.protocol, Rendering: s.rendering, Order: s.order, Placement: s.placement,
		System: s.system, MaxRounds: s.maxRounds, MaxRepairs: repairs, TokenLimit: s.tokenLimit,
		CountTokens: tokens.Count, Preload: s.preload, Strict: s.strict,
	})
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	return ag, nil
}
