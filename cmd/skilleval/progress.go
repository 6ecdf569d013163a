package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"

	"github.com/skilleval/skilleval/runner"
)

// progressSink shows how far a run is, on standard error.
type progressSink interface {
	update(p runner.Progress)
	stop()
}

// newProgress picks a bar for a terminal, a line every tenth for anything else, and nothing when told so.
// Trials that an earlier session finished are not counted into the rate.
func (a *app) newProgress(s *settings, finished int) progressSink {
	switch {
	case s.quiet || s.noProgress:
		return silent{}
	case a.isTerminal():
		return newBar(a.Err)
	}
	return &stepLines{w: a.Err, start: time.Now(), last: time.Now(), finished: finished}
}

// isTerminal reports whether standard error can show a bar: a terminal that understands cursor movement, not a CI log.
func (a *app) isTerminal() bool {
	f, ok := a.Err.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	for _, name := range []string{"CI", "NO_COLOR"} {
		if v, _ := a.env(name); v != "" {
			return false
		}
	}
	kind, _ := a.env("TERM")
	return kind != "dumb" && kind != ""
}

type silent struct{}

func (silent) update(runner.Progress) {}
func (silent) stop()                  {}

// stepLines prints one plain line every tenth of the run, but at most one a second.
type stepLines struct {
	w           io.Writer
	start, last time.Time
	finished    int // by earlier sessions
	tenth       int
}

func (l *stepLines) update(p runner.Progress) {
	done := p.Done - l.finished
	if done <= 0 || p.Done*10/p.Planned <= l.tenth || p.Done < p.Planned && time.Since(l.last) < time.Second {
		return
	}
	l.tenth, l.last = p.Done*10/p.Planned, time.Now()
	elapsed := time.Since(l.start)
	left := time.Duration(float64(elapsed) / float64(done) * float64(p.Planned-p.Done))
	fmt.Fprintf(l.w, "%d of %d trials, %d errors, %.1f/s, %s left\n", p.Done, p.Planned, p.Errors,
		float64(done)/max(elapsed.Seconds(), 1e-9), left.Round(time.Second))
}

func (l *stepLines) stop() {}

// bar is a progress bar with rate and time left.
type bar struct {
	w       progress.Writer
	tracker *progress.Tracker
	done    chan struct{}
}

func newBar(w io.Writer) *bar {
	b := &bar{w: progress.NewWriter(), tracker: &progress.Tracker{Message: "trials"}, done: make(chan struct{})}
	b.w.SetOutputWriter(w)
	b.w.SetAutoStop(false)
	b.w.SetUpdateFrequency(200 * time.Millisecond)
	b.w.Style().Visibility = progress.StyleVisibility{ETA: true, Percentage: true, Speed: true, Tracker: true, Value: true}
	b.w.AppendTracker(b.tracker)
	go func() {
		defer close(b.done)
		b.w.Render()
	}()
	return b
}

func (b *bar) update(p runner.Progress) {
	b.tracker.UpdateTotal(int64(p.Planned))
	b.tracker.SetValue(int64(p.Done))
	if p.Errors > 0 {
		b.tracker.UpdateMessage(fmt.Sprintf("trials (%d errors)", p.Errors))
	}
}

func (b *bar) stop() {
	b.w.Stop()
	<-b.done
}
