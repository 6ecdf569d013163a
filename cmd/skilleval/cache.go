package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/skilleval/skilleval/internal/transport"
)

// defaultCacheDir is where responses are cached.
const defaultCacheDir = ".skilleval/cache"

func newCacheCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "cache",
		Short:   "Look at and prune the response cache",
		Long:    "The response cache is used with --cache on. Its key is the whole request, the address and the repetition; errors and cut replies are never in it.",
		Example: "  skilleval cache stats\n  skilleval cache prune --max-bytes 200MB",
	}
	var dir string
	cmd.PersistentFlags().StringVar(&dir, "cache-dir", defaultCacheDir, "`DIR` of the response cache")
	cmd.AddCommand(&cobra.Command{
		Use: "stats", Short: "Count what the cache holds", Args: cobra.NoArgs, Example: "  skilleval cache stats",
		RunE: func(*cobra.Command, []string) error { return a.cacheStats(dir) },
	})
	var limit byteSize
	var all bool
	prune := &cobra.Command{
		Use: "prune", Short: "Remove the replies that were used longest ago", Args: cobra.NoArgs,
		Long:    "prune removes the replies that were used longest ago until the others take --max-bytes or less, or, with --all, every one.",
		Example: "  skilleval cache prune --max-bytes 200MB\n  skilleval cache prune --max-bytes 1GiB\n  skilleval cache prune --all",
		RunE:    func(*cobra.Command, []string) error { return a.cachePrune(dir, int64(limit), all) },
	}
	prune.Flags().Var(&limit, "max-bytes", "`BYTES` to keep, such as 200MB or 1GiB")
	prune.Flags().BoolVar(&all, "all", false, "remove every reply")
	cmd.AddCommand(prune)
	return cmd
}

// openCache opens a cache that is there: a command that looks at it makes none. It is nil where no run has made the cache
// of this directory yet.
func openCache(dir string) (*transport.Cache, error) {
	info, err := os.Stat(dir)
	switch {
	case isNotExist(err) && dir == defaultCacheDir:
		return nil, nil
	case isNotExist(err):
		return nil, failWith(exitUsage, fmt.Errorf("--cache-dir %s: there is no such directory", dir))
	case err != nil:
		return nil, failWith(exitUsage, fmt.Errorf("--cache-dir: %w", err))
	case !info.IsDir():
		return nil, failWith(exitUsage, fmt.Errorf("--cache-dir %s: it is no directory", dir))
	}
	c, err := transport.OpenCache(dir, 0)
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	return c, nil
}

func (a *app) cacheStats(dir string) error {
	c, err := openCache(dir)
	if err != nil {
		return err
	}
	var st transport.CacheStats
	if c != nil {
		st, err = c.Stats()
	}
	if err != nil {
		return failWith(exitServer, err)
	}
	line := fmt.Sprintf("%s: %d replies, %d bytes", dir, st.Entries, st.Bytes)
	if st.Entries > 0 {
		line += fmt.Sprintf(", used between %s and %s", st.Oldest.Format(time.DateTime), st.Newest.Format(time.DateTime))
	}
	return a.print(line + "\n")
}

func (a *app) cachePrune(dir string, limit int64, all bool) error {
	switch {
	case all && limit > 0:
		return failWith(exitUsage, errors.New("both --max-bytes and --all are given: write one of them"))
	case !all && limit == 0:
		return failWith(exitUsage, errors.New("say how much to keep, with --max-bytes 200MB for instance, or --all to remove every reply"))
	}
	c, err := openCache(dir)
	if err != nil {
		return err
	}
	var p transport.Pruned
	if c != nil {
		p, err = c.Prune(limit)
	}
	if err != nil {
		return failWith(exitServer, err)
	}
	return a.print(fmt.Sprintf("%s: removed %d replies, %d bytes\n", dir, p.Entries, p.Bytes))
}
