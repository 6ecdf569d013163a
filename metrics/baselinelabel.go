package metrics

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"runtime"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"

	"github.com/skilleval/skilleval/results"
)

// labeller makes the labels of rows beside the reading of trials, on as many goroutines as there are processors.
type labeller struct {
	group *errgroup.Group
	open  *labelBatch // begun
	done  []*labelBatch
}

// labelBatch is some expectations, and then their labels.
type labelBatch struct {
	expect [][2]json.RawMessage // expected and accepted
	labels []string
}

// labelsAtOnce is how many labels a goroutine makes.
const labelsAtOnce = 256

// add takes the expectation of the next row.
func (l *labeller) add(t *results.Trial) {
	if l.open == nil {
		l.open = &labelBatch{expect: make([][2]json.RawMessage, 0, labelsAtOnce)}
	}
	if l.open.expect = append(l.open.expect, [2]json.RawMessage{t.Expect, t.Accept}); len(l.open.expect) == labelsAtOnce {
		l.start()
	}
}

// start makes the labels of the open batch. It waits while all processors have a batch.
func (l *labeller) start() {
	if l.group == nil {
		l.group = new(errgroup.Group)
		l.group.SetLimit(runtime.GOMAXPROCS(0))
	}
	b := l.open
	l.open, l.done = nil, append(l.done, b)
	l.group.Go(func() error {
		b.labels = make([]string, len(b.expect))
		for i, e := range b.expect {
			b.labels[i] = labelDigest(e[0], e[1])
		}
		b.expect = nil
		return nil
	})
}

// finish waits for the labels and gives them to the rows, in the order in which they were added.
func (l *labeller) finish(rows []BaselineCase) {
	if l.open != nil {
		l.start()
	}
	if l.group == nil {
		return
	}
	_ = l.group.Wait() // a label is always made
	i := 0
	for _, b := range l.done {
		for _, label := range b.labels {
			rows[i].Label = label
			i++
		}
	}
}

// labelDigest is the same for two expectations that differ in the order of keys and in white space only.
func labelDigest(expect, accept json.RawMessage) string {
	h := sha256.New()
	for _, raw := range []json.RawMessage{expect, accept} {
		v := jsontext.Value(bytes.Clone(raw))
		err := v.Format(jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
		if err != nil { // not JSON: the bytes stand for themselves
			v = jsontext.Value(raw)
		}
		h.Write(append(v, 0))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
