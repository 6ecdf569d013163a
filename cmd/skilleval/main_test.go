package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/internal/offline"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"skilleval": main})
}

// shortScripts are the scripts in which several goroutines work on one thing: what the race detector is there for.
var shortScripts = []string{"testdata/script/run_sample.txtar", "testdata/script/resume.txtar", "testdata/script/cache_replay.txtar",
	"testdata/script/ab_compare.txtar", "testdata/script/similar.txtar"}

// TestScripts runs every testdata/script/*.txtar with the real binary. $OFFLINE is a loopback server that answers as
// the lexical baseline does, $BROKEN one that answers with a web page, $SLOW one that takes 20 ms a request.
func TestScripts(t *testing.T) {
	small, err := filepath.Abs("testdata/suites/small")
	require.NoError(t, err)
	servers := map[string]*httptest.Server{
		"OFFLINE": httptest.NewServer(lexicalServer(0)),
		"SLOW":    httptest.NewServer(lexicalServer(20 * time.Millisecond)),
		"BROKEN": httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<html>Sign in</html>"))
		})),
		"LEAKY": httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": "bad key in " + r.Header.Get("Authorization")}})
		})),
	}
	for _, s := range servers {
		t.Cleanup(s.Close)
	}
	params := testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for name, s := range servers {
				env.Setenv(name, s.URL)
			}
			env.Setenv("SMALL", small)
			env.Setenv("TERM", "dumb")
			return os.CopyFS(filepath.Join(env.WorkDir, "small"), os.DirFS(small))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"cutlast":   cutLast,
			"sameas":    sameAs,
			"nofile":    noFileHolds,
			"linecount": lineCount,
		},
	}
	if testing.Short() {
		params.Dir, params.Files = "", shortScripts
	}
	testscript.Run(t, params)
}

// lexicalServer serves the offline model over HTTP.
func lexicalServer(delay time.Duration) http.Handler {
	model := offline.Lexical()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(delay)
		r.URL.Scheme, r.URL.Host, r.RequestURI = "http", "offline.invalid", ""
		res, err := model.RoundTrip(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer res.Body.Close()
		w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
		w.WriteHeader(res.StatusCode)
		io.Copy(w, res.Body)
	})
}

// exits CODE CMD… runs a command and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE CMD ARGS…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		_, after, found := strings.Cut(err.Error(), "exit status ")
		if !found {
			ts.Fatalf("%v", err)
		}
		code = after
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// cutLast FILE keeps the first half of a file, as a killed process would leave it.
func cutLast(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	keep := len(data) / 2
	ts.Check(os.WriteFile(path, data[:keep], 0o644))
}

// sameAs A B checks that two files hold the same bytes.
func sameAs(ts *testscript.TestScript, neg bool, args []string) {
	if ts.ReadFile(args[0]) != ts.ReadFile(args[1]) {
		ts.Fatalf("%s and %s differ", args[0], args[1])
	}
}

// noFileHolds TEXT checks that no file below the working directory holds a text.
func noFileHolds(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err == nil && strings.Contains(string(data), args[0]) {
			ts.Fatalf("%s holds %q", p, args[0])
		}
		return err
	}))
}

// lineCount FILE N checks how many lines a file has.
func lineCount(ts *testscript.TestScript, neg bool, args []string) {
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); args[1] != strconv.Itoa(got) {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

func TestSameSeedGivesTheSameBytesAtAnyConcurrency(t *testing.T) {
	var reports []string
	for _, concurrency := range []string{"1", "64"} {
		for _, format := range []string{"json", "jsonl", "markdown", "table"} {
			code, out, stderr := invoke(t, nil, "run", "--stable", "--seed", "7", "--trials", "2", "--concurrency", concurrency, "--out", filepath.Join(t.TempDir(), "r"), "-o", format)
			require.Equal(t, 0, code, stderr)
			reports = append(reports, out)
		}
	}
	for i := range 4 {
		assert.Equal(t, reports[i], reports[i+4])
	}
}

func TestInterruptLeavesAResumableRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var requests atomic.Int64
	model := lexicalServer(0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 10 {
			cancel()
		}
		model.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"run", "testdata/suites/small", "--base-url", server.URL, "--model", "m", "--concurrency", "1", "--out", dir, "-o", "json", "--stable"}
	var out, errs strings.Builder
	code := Main(ctx, args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, func(string) (string, bool) { return "", false })
	require.Equal(t, exitInterrupted, code, errs.String())
	assert.Contains(t, out.String(), `"complete": false`)

	code, _, stderr := invoke(t, nil, "report", dir, "--gate", "selection.accuracy >= 0")
	assert.Equal(t, exitServer, code, "a gate over an incomplete run cannot pass: %s", stderr)

	code, resumed, stderr := invoke(t, nil, append(args, "--resume")...)
	require.Equal(t, 0, code, stderr)
	args[9] = filepath.Join(t.TempDir(), "whole")
	code, whole, stderr := invoke(t, nil, args...)
	require.Equal(t, 0, code, stderr)
	assert.Equal(t, whole, resumed)
}
