package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/internal/transport"
	"github.com/skilleval/skilleval/runner"
)

// defaultCacheDir is where responses are cached.
const defaultCacheDir = ".skilleval/cache"

// cacheLimit is the size, in bytes, that the response cache keeps to.
const cacheLimit = 2 << 30

// keepReplies puts the response cache, a recording or a replay over the way to the server, as the settings say.
func (a *app) keepReplies(server http.RoundTripper, s *settings) (http.RoundTripper, error) {
	if err := transport.CheckCacheMode(s.cache); err != nil {
		return nil, fmt.Errorf("%s: %w", s.where("cache"), err)
	}
	switch {
	case s.replay != "" && (s.record != "" || s.cache != transport.CacheOff):
		return nil, errors.New("--replay answers from a recording alone: leave --record and --cache out")
	case s.replay != "":
		replay, err := transport.NewReplay(s.replay, a.redactData)
		return numbered{replay}, err
	}
	if s.cache != transport.CacheOff {
		cache, err := transport.OpenCache(s.cacheDir, cacheLimit, a.redactData)
		if err != nil {
			return nil, err
		}
		server = transport.NewCache(server, cache, s.cache)
		a.atExit(cache.Close)
	}
	if s.record != "" {
		record, err := transport.NewRecord(server, s.record, a.redactData)
		if err != nil {
			return nil, err
		}
		if c, ok := record.(io.Closer); ok {
			a.atExit(c.Close)
		}
		server = record
	}
	if s.cache == transport.CacheOff && s.record == "" {
		return server, nil
	}
	return numbered{server}, nil
}

// numbered tells the layers below which repetition a request belongs to.
type numbered struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (n numbered) RoundTrip(req *http.Request) (*http.Response, error) {
	if rep, ok := runner.Repetition(req.Context()); ok {
		req = req.Clone(req.Context())
		req.Header.Set(transport.RepetitionHeader, strconv.Itoa(rep))
	}
	return n.next.RoundTrip(req)
}

func newCacheCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "cache",
		Short:   "Look at and prune the response cache",
		Long:    "The response cache is used with --cache on. Its key is the whole request, the address and the repetition; errors and cut replies are never in it.",
		Example: "  skilleval cache stats\n  skilleval cache prune --max-bytes 100000000",
	}
	var dir string
	cmd.PersistentFlags().StringVar(&dir, "cache-dir", defaultCacheDir, "`DIR` of the response cache")
	cmd.AddCommand(&cobra.Command{
		Use: "stats", Short: "Count what the cache holds", Args: cobra.NoArgs, Example: "  skilleval cache stats",
		RunE: func(*cobra.Command, []string) error { return a.cacheStats(dir) },
	})
	var limit int64
	prune := &cobra.Command{
		Use: "prune", Short: "Remove the replies that were used longest ago", Args: cobra.NoArgs,
		Example: "  skilleval cache prune\n  skilleval cache prune --max-bytes 100000000",
		RunE:    func(*cobra.Command, []string) error { return a.cachePrune(dir, limit) },
	}
	prune.Flags().Int64Var(&limit, "max-bytes", 0, "`BYTES` to keep (0: none)")
	cmd.AddCommand(prune)
	return cmd
}

func (a *app) cacheStats(dir string) error {
	c, err := transport.OpenCache(dir, 0)
	if err != nil {
		return failWith(exitUsage, err)
	}
	st, err := c.Stats()
	if err != nil {
		return failWith(exitServer, err)
	}
	line := fmt.Sprintf("%s: %d replies, %d bytes", dir, st.Entries, st.Bytes)
	if st.Entries > 0 {
		line += fmt.Sprintf(", used between %s and %s", st.Oldest.Format(time.DateTime), st.Newest.Format(time.DateTime))
	}
	if _, err := fmt.Fprintln(a.Out, line); err != nil {
		return failWith(exitServer, err)
	}
	return nil
}

func (a *app) cachePrune(dir string, limit int64) error {
	if limit < 0 {
		return failWith(exitUsage, fmt.Errorf("--max-bytes %d: write 0 to empty the cache, or more", limit))
	}
	c, err := transport.OpenCache(dir, 0)
	if err != nil {
		return failWith(exitUsage, err)
	}
	p, err := c.Prune(limit)
	if err != nil {
		return failWith(exitServer, err)
	}
	if _, err := fmt.Fprintf(a.Out, "%s: removed %d replies, %d bytes\n", dir, p.Entries, p.Bytes); err != nil {
		return failWith(exitServer, err)
	}
	return nil
}
