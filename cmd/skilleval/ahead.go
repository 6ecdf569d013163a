package main

import (
	"errors"

	"github.com/skilleval/skilleval/results"
)

// readAhead is a run whose next trials are decoded while the last ones are being counted.
type readAhead struct{ *results.Run }

// aheadBatch is how many trials go from the one to the other at once.
const aheadBatch = 128

var errNotWanted = errors.New("the rest is not wanted")

// Trials yields what the run yields, in the same order and with the same errors.
func (r readAhead) Trials(yield func(*results.Trial) error) error {
	batches, stopped := make(chan []*results.Trial, 4), make(chan struct{})
	var fault error
	go func() {
		defer close(batches)
		var batch []*results.Trial
		send := func() error {
			select {
			case batches <- batch:
				batch = make([]*results.Trial, 0, aheadBatch)
				return nil
			case <-stopped:
				return errNotWanted
			}
		}
		fault = r.Run.Trials(func(t *results.Trial) error {
			if batch = append(batch, t); len(batch) < aheadBatch {
				return nil
			}
			return send()
		})
		if len(batch) > 0 && !errors.Is(fault, errNotWanted) {
			_ = send() // not wanted: the reader has its own error already
		}
	}()
	for batch := range batches {
		for _, t := range batch {
			if err := yield(t); err != nil {
				close(stopped)
				for range batches { // until the other side has ended
				}
				return err
			}
		}
	}
	return fault
}
