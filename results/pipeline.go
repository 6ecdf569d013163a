package results

import (
	"errors"
	"runtime"
)

// errStopped ends a producer whose consumer has failed.
var errStopped = errors.New("stopped")

// pipeline performs work on what produce yields, on as many goroutines as there are processors, and hands it to consume
// in the order in which it was produced. It returns the first error of consume, else that of produce, and only when
// produce is over.
func pipeline[T any](produce func(yield func(T) error) error, work func(T), consume func(T) error) error {
	type slot struct {
		item T
		done chan struct{}
	}
	slots, stop := make(chan slot, runtime.GOMAXPROCS(0)), make(chan struct{})
	var produced error // read after slots is closed
	go func() {
		defer close(slots)
		produced = produce(func(item T) error {
			s := slot{item, make(chan struct{})}
			select {
			case slots <- s:
			case <-stop:
				return errStopped
			}
			go func() {
				defer close(s.done)
				work(item)
			}()
			return nil
		})
	}()
	var failed error
	for s := range slots {
		if failed != nil {
			continue // until the producer has noticed
		}
		<-s.done
		if failed = consume(s.item); failed != nil {
			close(stop)
		}
	}
	if failed != nil {
		return failed
	}
	return produced
}

// A batch is worked on as one: so many lines, or so many bytes.
const (
	batchLines = 128
	batchBytes = 256 << 10
)
