package results

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counting counts reads.
type counting struct {
	*bytes.Reader
	reads int
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.reads++
	return c.Reader.ReadAt(p, off)
}

func TestWindowReadsAnyOrderAndAheadWhereItPays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 3<<20)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	type piece struct {
		at int64
		n  int
	}
	var pieces []piece
	for at := 0; at+4000 < len(data); {
		n := 1 + rng.IntN(3000)
		pieces = append(pieces, piece{int64(at), n})
		at += n
	}
	for i := range pieces { // nearly in order, as concurrent trials finish
		j := min(len(pieces)-1, i+rng.IntN(20))
		pieces[i], pieces[j] = pieces[j], pieces[i]
	}
	check := func() int {
		file := &counting{Reader: bytes.NewReader(data)}
		w := window{file: file}
		for _, p := range pieces {
			got, err := w.read(p.at, p.n)
			require.NoError(t, err)
			require.True(t, bytes.Equal(data[p.at:p.at+int64(p.n)], got))
		}
		return file.reads
	}
	assert.Less(t, check(), len(pieces)/10)
	rng.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	assert.Greater(t, check(), len(pieces)/2, "far jumps read what is asked")
	w := window{file: bytes.NewReader(data[:100])}
	_, err := w.read(90, 20)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
