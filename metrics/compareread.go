package metrics

import (
	"encoding/json"
	"errors"
	"fmt"

	json2 "github.com/go-json-experiment/json"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// sideCase is what a comparison keeps of one case on one side.
type sideCase struct {
	id, cluster string
	tags        []string
	expect      json.RawMessage
	calls       []results.Call // of the first trial
	right       int
	scored      int // trials to which the metric applies
	errors      int
	trials      int // trials that are no errors
	tokens      results.Tokens
	spent       results.Tokens // errors included
	latency     float64
}

// reader streams one side's cases, in the order of their ids, from a goroutine of its own.
type reader struct {
	cases chan []sideCase
	stop  chan struct{}
	err   error // read after cases is closed
}

// batch is how many cases go through a channel at once.
const batch = 256

// read starts reading the arm of a source.
func read(s Side, metric string) *reader {
	r := &reader{cases: make(chan []sideCase, 4), stop: make(chan struct{})}
	go func() {
		defer close(r.cases)
		r.err = r.stream(s, metric)
	}()
	return r
}

// errStopped ends a stream whose reader has gone.
var errStopped = errors.New("comparison stopped")

func (r *reader) stream(s Side, metric string) error {
	var out []sideCase
	send := func() error {
		select {
		case r.cases <- out:
			out = make([]sideCase, 0, batch)
			return nil
		case <-r.stop:
			return errStopped
		}
	}
	err := s.Source.Trials(func(t *results.Trial) error {
		if t.Arm != s.Arm {
			return nil
		}
		if len(out) == 0 || out[len(out)-1].id != t.Case {
			if len(out) == batch {
				if err := send(); err != nil {
					return err
				}
			}
			cluster := t.Group
			if cluster == "" {
				cluster = t.Case
			}
			out = append(out, sideCase{id: t.Case, cluster: cluster, tags: t.Tags, expect: t.Expect})
		}
		out[len(out)-1].add(t, metric)
		return nil
	})
	if err == nil && len(out) > 0 {
		err = send()
	}
	return err
}

// add counts one trial of the case.
func (c *sideCase) add(t *results.Trial, metric string) {
	c.spent.Prompt += t.Usage.Prompt
	c.spent.Completion += t.Usage.Completion
	if t.Error != nil {
		c.errors++
		return
	}
	if c.trials == 0 {
		c.calls = t.Calls
	}
	c.trials++
	c.tokens.Prompt += t.Usage.Prompt
	c.tokens.Completion += t.Usage.Completion
	c.latency += t.LatencyMS
	if right, ok := Right(t, metric); ok {
		c.scored++
		c.right += oneIf(right)
	}
}

// Right is whether a trial is right by one of the Metric… constants; ok is false where the metric does not apply, and for
// errors.
func Right(t *results.Trial, metric string) (right, ok bool) {
	s := t.Scores
	switch {
	case s == nil:
		return false, false
	case metric == MetricArgs:
		return s.Args != nil && *s.Args, s.Args != nil
	case metric == MetricCalls:
		return s.Selection && (s.Args == nil || *s.Args), true
	}
	return s.Selection, true
}

// share is how often the case is right.
func (c *sideCase) share() float64 { return float64(c.right) / float64(c.scored) }

// verdict is that in words.
func (c *sideCase) verdict() string {
	switch {
	case c.scored > 1 && c.right > 0 && c.right < c.scored:
		return fmt.Sprintf("%d of %d right", c.right, c.scored)
	case c.right > 0:
		return "right"
	}
	return "wrong"
}

// wanted lists the skills that the case's expectation names.
func (c *sideCase) wanted() ([]string, error) {
	var e datasets.Expectation
	if err := readExpectation(c.expect, &e); err != nil {
		return nil, fmt.Errorf("case %s: stored expectation: %w", c.id, err)
	}
	return e.Skills(), nil
}

// readExpectation reads an expectation as encoding/json does. The strict reader takes less than half the time; where it
// accepts all names, both read the same.
func readExpectation(raw json.RawMessage, e *datasets.Expectation) error {
	if json2.Unmarshal(raw, e, json2.RejectUnknownMembers(true)) == nil {
		return nil
	}
	*e = datasets.Expectation{}
	return json.Unmarshal(raw, e)
}

// callTexts shows calls with their arguments.
func callTexts(calls []results.Call) []string {
	out := make([]string, len(calls))
	for i, c := range calls {
		out[i] = c.Skill
		if len(c.Args) > 0 {
			out[i] += " " + string(c.Args)
		}
	}
	return out
}

// cursor gives a side's cases one by one.
type cursor struct {
	r    *reader
	page []sideCase
}

// peek returns the next case, or nil at the end.
func (c *cursor) peek() *sideCase {
	for len(c.page) == 0 {
		page, ok := <-c.r.cases
		if !ok {
			return nil
		}
		c.page = page
	}
	return &c.page[0]
}

func (c *cursor) take() *sideCase {
	s := c.peek()
	if s != nil {
		c.page = c.page[1:]
	}
	return s
}
