package main

import (
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/skilleval/skilleval/internal/transport"
)

// given reports that a setting was chosen, by whatever means.
func (s *settings) given(flag string) bool { return s.origin[flag] != fromDefault }

// where names a setting as the user gave it: the flag, the variable, or the key and its file.
func (s *settings) where(flag string) string {
	switch s.origin[flag] {
	case fromEnvironment:
		return "SKILLEVAL_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
	case fromFile:
		return s.file.path + ": " + strings.ReplaceAll(flag, "-", "_")
	}
	return "--" + flag
}

// settings holds every common flag of one command after resolution: flag > environment > skilleval.yaml > default.
type settings struct {
	// inputs
	config       string
	skills       []string
	dataset      []string
	descriptions string
	filter       string
	limit        int

	// model
	model          string
	baseURL        string
	apiKeyEnv      string
	temperature    float64
	topP           float64
	maxTokens      int
	attempts       int
	requestTimeout time.Duration
	rpm, tpm       int

	cache    string
	cacheDir string
	record   string
	replay   string

	// prompt
	catalog    string
	protocol   string
	rendering  string
	order      string
	placement  string
	system     string
	maxRounds  int
	maxRepairs int
	tokenLimit int
	preload    []string
	strict     bool
	until      string

	// run
	trials      int
	seed        int64
	concurrency int
	timeout     time.Duration
	runTimeout  time.Duration
	out         string
	resume      bool
	allowErrors int
	events      string

	// lint
	lintConfig string
	failOn     string

	// similar
	level          string
	failLevel      string
	accepted       string
	embeddingModel string
	embeddingNear  float64

	// output
	output     []string
	stable     bool
	gate       []string
	quiet      bool
	noProgress bool
	noColor    bool

	// commentMarker is the hidden first line of a Markdown report.
	commentMarker string

	// decides is set by a command whose exit code always judges what it looks at: it never falls back to the sample suite.
	decides bool

	// origin tells where each setting comes from; filled by resolve.
	origin map[string]origin
	// file is the suite's configuration; nil without one.
	file *configFile
}

// catalogueFlags choose skills; inputFlags choose cases as well.
func (s *settings) catalogueFlags(f *pflag.FlagSet) {
	f.StringVar(&s.config, "config", "", "suite `FILE` to use in place of a SUITE argument")
	f.StringArrayVar(&s.skills, "skills", nil, "`DIR` with skills (repeatable; an earlier one wins over a later one)")
	f.StringVar(&s.descriptions, "descriptions", "", "description set to use: a `NAME` from the suite, or a YAML file")
}

func (s *settings) inputFlags(f *pflag.FlagSet) {
	s.catalogueFlags(f)
	f.StringArrayVar(&s.dataset, "dataset", nil, "`FILE` with cases: .jsonl, .json, .yaml or .csv (repeatable)")
	f.StringVar(&s.filter, "filter", "", "only the cases that match: id glob, tag:NAME, skill:NAME, none; - negates (`EXPR`)")
	f.IntVar(&s.limit, "limit", 0, "only the first `N` matching cases (0: all)")
}

func (s *settings) modelFlags(f *pflag.FlagSet) {
	f.StringVar(&s.model, "model", "", "model `NAME`, or builtin:lexical (the default where no key is set)")
	f.Float64Var(&s.temperature, "temperature", 0, "sampling temperature (not sent unless given)")
	f.Float64Var(&s.topP, "top-p", 0, "nucleus sampling (not sent unless given)")
	f.IntVar(&s.maxTokens, "max-tokens", 0, "most tokens a reply may have (not sent unless given)")
	s.serverFlags(f)
}

// serverFlags say which server is asked, how fast, and what is kept of its replies.
func (s *settings) serverFlags(f *pflag.FlagSet) {
	f.StringVar(&s.baseURL, "base-url", "", "`URL` of an OpenAI-compatible server (default: the OpenAI API)")
	f.StringVar(&s.apiKeyEnv, "api-key-env", usualKeyVariable, "environment `VARIABLE` that holds the key")
	f.IntVar(&s.attempts, "attempts", 4, "most attempts a request may take, the first included")
	f.DurationVar(&s.requestTimeout, "request-timeout", 60*time.Second, "most time one attempt may take, its body included")
	f.IntVar(&s.rpm, "rpm", 0, "most requests a minute (0: no limit)")
	f.IntVar(&s.tpm, "tpm", 0, "most tokens a minute (0: no limit)")
	f.StringVar(&s.cache, "cache", transport.CacheOff, "response cache `MODE`: off, read, write, on or refresh")
	f.StringVar(&s.cacheDir, "cache-dir", defaultCacheDir, "`DIR` of the response cache; many processes may share it")
	f.StringVar(&s.record, "record", "", "keep every request and reply in `DIR`, for --replay")
	f.StringVar(&s.replay, "replay", "", "answer from the recording in `DIR` alone, without a network")
}

func (s *settings) promptFlags(f *pflag.FlagSet) {
	f.StringVar(&s.catalog, "catalog", "two-level", "`MODE` of the catalogue: two-level, flat or grouped")
	f.StringVar(&s.protocol, "protocol", "native", "native tool calls, or text (`PROTOCOL`)")
	f.StringVar(&s.rendering, "rendering", "list", "catalogue as list or xml (`FORMAT`)")
	f.StringVar(&s.order, "order", "question-first", "question-first or catalog-first (`ORDER`)")
	f.StringVar(&s.placement, "placement", "user", "catalogue in the user or the system message (`WHERE`)")
	f.StringVar(&s.system, "system", "", "`TEXT` appended to the system message, such as today's date")
	f.IntVar(&s.maxRounds, "max-rounds", 10, "most replies one case may take")
	f.IntVar(&s.maxRepairs, "max-repairs", 2, "how often an error is given back to the model, a call")
	f.IntVar(&s.tokenLimit, "token-limit", 0, "most tokens the catalogue may take (0: no limit)")
	f.StringArrayVar(&s.preload, "preload", nil, "`SKILL` offered with its schema at level 1 already (repeatable)")
	f.BoolVar(&s.strict, "strict", false, "do not normalise skill names nor look for calls in reasoning text")
}

func (s *settings) runFlags(f *pflag.FlagSet) {
	f.StringVar(&s.until, "until", "answer", "stop a case at its answer, or, where one call is expected, at its first complete call (call) (`WHEN`)")
	f.IntVar(&s.trials, "trials", 1, "repetitions of every case")
	f.Int64Var(&s.seed, "seed", 1, "seed of everything random; sent to the server only when given")
	f.IntVar(&s.concurrency, "concurrency", 8, "trials under way at once")
	f.DurationVar(&s.timeout, "timeout", 5*time.Minute, "most time one trial may take")
	f.DurationVar(&s.runTimeout, "run-timeout", 0, "most time the whole run may take (0: no limit)")
	f.StringVar(&s.out, "out", "", "`DIR` for the run file (default: .skilleval/runs/ID)")
	f.BoolVar(&s.resume, "resume", false, "continue the run in --out; trials that are finished are not asked again")
	f.IntVar(&s.allowErrors, "allow-errors", 0, "most trials that may be errors before the run exits 3")
	f.StringVar(&s.events, "events", "", "write every step of every trial to `FILE` as JSON Lines")
	f.BoolVar(&s.quiet, "quiet", false, "print no plan, progress or remarks")
	f.BoolVar(&s.noProgress, "no-progress", false, "print no progress")
}

func (s *settings) outputFlags(f *pflag.FlagSet) {
	f.StringArrayVarP(&s.output, "output", "o", []string{"table"}, "report as `FORMAT[=PATH]`: table, json, jsonl, markdown, sarif or github (repeatable)")
	f.BoolVar(&s.stable, "stable", false, "leave ids, clock times, latencies and retries out, so that reports compare byte for byte")
	f.BoolVar(&s.noColor, "no-color", false, "no colour (reports have none; kept for scripts)")
	f.StringVar(&s.commentMarker, "comment-marker", "", "first line of a markdown report is a hidden comment with `TEXT`, by which a later report can find it")
}

func (s *settings) lintFlags(f *pflag.FlagSet) {
	f.StringVar(&s.lintConfig, "lint-config", "", "configuration of the rules: a YAML `FILE` (default: the nearest "+lintConfigFile+")")
	f.StringVar(&s.failOn, "fail-on", "error", "exit 1 from this `SEVERITY` on: error, warning, note or never")
}

func (s *settings) gateFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&s.gate, "gate", nil, "fail with exit code 1 unless `EXPR` holds, such as \"selection.accuracy >= 0.9\" (repeatable)")
}
