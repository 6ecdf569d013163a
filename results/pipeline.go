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

// pool lends batches again that were used up. It ends with the walk it serves, and what it holds with it.
type pool[T any] chan *T

// newPool makes a pool for as many batches as a pipeline has under way.
func newPool[T any]() pool[T] { return make(pool[T], runtime.GOMAXPROCS(0)+2) }

func (p pool[T]) get() *T {
	select {
	case b := <-p:
		return b
	default:
		return new(T)
	}
}

func (p pool[T]) put(b *T) {
	select {
	case p <- b:
	default:
	}
}

// appendPart appends a text to the others of a batch and returns both. A text that was returned before stays what it is
// when the batch moves to grow.
func appendPart(all, text []byte) (grown, part []byte) {
	grown = append(all, text...)
	return grown, grown[len(all):len(grown):len(grown)]
}
