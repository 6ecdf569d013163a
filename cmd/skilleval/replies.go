package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/skilleval/skilleval/internal/transport"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/runner"
)

// replies counts where the replies of one command came from: a recording, the cache, or the model.
type replies struct {
	from    string // the recording or the cache, in words
	replay  string // directory of the recording; "" for a cache
	asked   atomic.Int64
	stored  atomic.Int64 // answered from the recording or the cache
	missing atomic.Int64 // not in the recording

	once  sync.Once
	first error // about the first request that is not in the recording

	halt   func(error)                           // ends the run; nil where there is none. Set before the first request
	broken atomic.Pointer[transport.RecordError] // the recording that is made cannot be written
}

// unwritten is the error of a recording that could not be written; nil where it could, and where none was made.
func (r *replies) unwritten() error {
	if r == nil {
		return nil
	}
	if err := r.broken.Load(); err != nil {
		return err
	}
	return nil
}

// note counts one reply, or what came in its place.
func (r *replies) note(resp *http.Response, err error) {
	var missing *transport.NotRecordedError
	var broken *transport.RecordError
	r.asked.Add(1)
	switch {
	case errors.As(err, &broken):
		if r.broken.CompareAndSwap(nil, broken) && r.halt != nil {
			r.halt(broken) // what else was asked would be missing in the recording
		}
	case errors.As(err, &missing):
		r.missing.Add(1)
		r.once.Do(func() { r.first = missing })
	case r.replay != "" || resp != nil && resp.Header.Get(transport.CacheHeader) == transport.CacheHit:
		r.stored.Add(1)
	}
}

// sentence says how many replies were not asked of the model; "" where that is not a question.
func (r *replies) sentence() string {
	if r == nil || r.from == "" || r.asked.Load() == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d replies from %s", r.stored.Load(), r.asked.Load(), r.from)
}

// withReplies notes in a report where replies came from. A stable report is the same wherever that was.
func (a *app) withReplies(rep *reports.Report) *reports.Report {
	if from := a.replies.sentence(); from != "" && !rep.Stable {
		rep.Notes = append(rep.Notes, from)
	}
	return rep
}

// numbered tells the layers below which repetition a request belongs to, and counts where its reply came from.
type numbered struct {
	next  http.RoundTripper
	count *replies
}

// RoundTrip implements http.RoundTripper.
func (n numbered) RoundTrip(req *http.Request) (*http.Response, error) {
	if rep, ok := runner.Repetition(req.Context()); ok {
		req = req.Clone(req.Context())
		req.Header.Set(transport.RepetitionHeader, strconv.Itoa(rep))
	}
	resp, err := n.next.RoundTrip(req)
	n.count.note(resp, err)
	return resp, err
}

// replayed explains the failure of a command whose recording does not hold what was asked: to resume it would not help.
func (a *app) replayed(err error) error {
	var exit *exitError
	r := a.replies
	if broken := r.unwritten(); broken != nil && err != nil {
		return failWith(exitServer, broken)
	}
	if r == nil || r.missing.Load() == 0 || !errors.As(err, &exit) || exit.code != exitServer {
		return err
	}
	return failWith(exitServer, fmt.Errorf("%d of %d requests are not in the recording %s: it was made with other skills, descriptions, cases, prompt or model settings, "+
		"address or --trials; replay with those, or make a new recording with --record; the first: %w", r.missing.Load(), r.asked.Load(), r.replay, r.first))
}

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
		if !exists(s.replay) {
			return nil, fmt.Errorf("%s %s: there is no such recording; the same command with --record %s in the place of --replay makes one", s.where("replay"), s.replay, s.replay)
		}
		replay, err := transport.NewReplay(s.replay, a.redactData)
		a.replies = &replies{from: "the recording " + s.replay, replay: s.replay}
		return numbered{replay, a.replies}, err
	}
	a.replies = &replies{}
	if s.cache != transport.CacheOff {
		cache, err := transport.OpenCache(s.cacheDir, cacheLimit, a.redactData)
		if err != nil {
			return nil, err
		}
		server = transport.NewCache(server, cache, s.cache)
		if s.cache == transport.CacheOn || s.cache == transport.CacheRead {
			a.replies.from = "the cache " + s.cacheDir
		}
		a.atExit(func() error {
			if n, why := cache.Lost(); n > 0 { // a fault is said even with --quiet
				a.say("the cache %s could not keep %d replies, which will be asked for again: %v", s.cacheDir, n, why)
			}
			return cache.Close()
		})
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
	return numbered{server, a.replies}, nil
}
