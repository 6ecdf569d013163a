package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/internal/stats"
	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/results"
	"github.com/skilleval/skilleval/runner"
)

// lookEvery is how many cases lie between two looks. It is fixed, so that where a run stops depends on nothing but its
// seed and its outcomes.
const lookEvery = 20

// level is the chance of a false alarm that sequential stopping keeps to.
const level = 0.05

// looks makes a run of arms A and B in batches of cases, in a seeded order of whole clusters, and stops it when the
// evidence is clear. The evidence is a martingale over the clusters that the arms do not get right equally often, so that
// looking after every batch does not raise the rate of false alarms.
type looks struct {
	metric   string
	batches  [][]datasets.Case
	evidence *stats.Martingale
	favoured int     // clusters that B gets right more often, less those of A
	gained   float64 // cases that B gets right more often than A, in all

	mu       sync.Mutex
	outcomes map[armCase]tally
}

// armCase is one case under one arm.
type armCase struct{ id, arm string }

// tally counts the scored trials of an armCase, and the right ones among them.
type tally struct{ right, scored int }

// newLooks orders the cases by cluster and cuts them into batches.
func newLooks(cases []datasets.Case, metric string, seed int64) *looks {
	var order []string
	members := map[string][]datasets.Case{}
	for i := range cases {
		c := cases[i].Cluster()
		if members[c] == nil {
			order = append(order, c)
		}
		members[c] = append(members[c], cases[i])
	}
	rng := rand.New(rand.NewPCG(uint64(seed), 0x94d049bb133111eb))
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	l := &looks{metric: metric, evidence: stats.NewMartingale(), outcomes: map[armCase]tally{}}
	var batch []datasets.Case
	for _, c := range order {
		if batch = append(batch, members[c]...); len(batch) >= lookEvery {
			l.batches, batch = append(l.batches, batch), nil
		}
	}
	if len(batch) > 0 {
		l.batches = append(l.batches, batch)
	}
	return l
}

// resume takes the outcomes of an earlier session.
func (l *looks) resume(run *results.Run) error {
	return run.Trials(func(t *results.Trial) error {
		l.note(t)
		return nil
	})
}

func (l *looks) note(t *results.Trial) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if right, ok := metrics.Right(t, l.metric); ok {
		n := l.outcomes[armCase{t.Case, t.Arm}]
		n.scored++
		if right {
			n.right++
		}
		l.outcomes[armCase{t.Case, t.Arm}] = n
	}
}

// noting passes trials on to the run file and notes their outcomes.
type noting struct {
	runner.Appender
	looks *looks
}

// Append implements runner.Appender.
func (n noting) Append(t *results.Trial) error {
	if err := n.Appender.Append(t); err != nil {
		return err
	}
	n.looks.note(t)
	return nil
}

// run makes the run batch by batch and looks after each. The summary speaks of the cases that were asked.
func (l *looks) run(ctx context.Context, p runner.Plan, o runner.Options) (runner.Summary, error) {
	all := len(p.Cases) * len(p.Arms) * p.Repetitions
	var total runner.Summary
	o.Writer = noting{o.Writer, l}
	show := o.Progress
	cases, started, limit := 0, time.Now(), p.RunTimeout
	for _, batch := range l.batches {
		p.Cases = batch
		if limit > 0 {
			p.RunTimeout = max(limit-time.Since(started), time.Nanosecond)
		}
		before := total
		if show != nil {
			o.Progress = func(now runner.Progress) {
				show(runner.Progress{Done: before.Skipped + before.Done + now.Done, Planned: all, Errors: before.Errors + now.Errors})
			}
		}
		sum, err := runner.Run(ctx, p, o)
		total.Planned, total.Done, total.Skipped, total.Errors = total.Planned+sum.Planned, total.Done+sum.Done, total.Skipped+sum.Skipped, total.Errors+sum.Errors
		total.Interrupted, total.Aborted, total.TimedOut, total.Reason = sum.Interrupted, sum.Aborted, sum.TimedOut, sum.Reason
		if err != nil || !sum.Complete() {
			total.Planned = all
			total.Reason = ofTheWhole(sum, total, limit)
			return total, err
		}
		cases += len(batch)
		l.look(batch)
		if l.clear() && total.Planned < all {
			total.Reason = fmt.Sprintf("stopped early after %d of %d cases: the answer is clear", cases, all/len(p.Arms)/p.Repetitions)
			break
		}
	}
	return total, nil
}

// ofTheWhole is the reason for which a batch stopped, in terms of the whole run: its time limit as it was given, and its
// unfinished trials.
func ofTheWhole(batch, run runner.Summary, limit time.Duration) string {
	if batch.TimedOut {
		return fmt.Sprintf("the run's time limit of %v was reached with %d trials unfinished", limit, run.Unfinished())
	}
	return strings.Replace(batch.Reason, fmt.Sprintf("%d trials", batch.Unfinished()), fmt.Sprintf("%d trials", run.Unfinished()), 1)
}

// look adds a batch's clusters to the evidence, in their order.
func (l *looks) look(batch []datasets.Case) {
	for i := 0; i < len(batch); {
		diff, cluster := 0.0, batch[i].Cluster()
		for ; i < len(batch) && batch[i].Cluster() == cluster; i++ {
			a, okA := l.share(batch[i].ID, "A")
			b, okB := l.share(batch[i].ID, "B")
			if okA && okB {
				diff += b - a
			}
		}
		l.evidence.ObserveCluster(diff)
		l.favoured += cmp.Compare(diff, 0)
		l.gained += diff
	}
}

// clear reports that the evidence is enough and speaks for the side that is ahead: the evidence counts clusters, the
// verdict weighs cases, and a few large groups may be against many small ones.
func (l *looks) clear() bool {
	return l.evidence.PValue() <= level && float64(l.favoured)*l.gained > 0
}

// share is how often an arm got a case right, over its scored trials.
func (l *looks) share(id, arm string) (float64, bool) {
	n := l.outcomes[armCase{id, arm}]
	return float64(n.right) / float64(max(n.scored, 1)), n.scored > 0
}

// pValue is the always-valid p-value at the end.
func (l *looks) pValue() *float64 {
	p := l.evidence.PValue()
	return &p
}
