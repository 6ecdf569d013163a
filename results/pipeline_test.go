package results

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPipelineKeepsTheOrder(t *testing.T) {
	var got []int
	err := pipeline(func(yield func(*int) error) error {
		for i := range 500 {
			if err := yield(&i); err != nil {
				return err
			}
		}
		return nil
	}, func(i *int) {
		if *i%7 == 0 {
			time.Sleep(time.Millisecond)
		}
		*i *= 2
	}, func(i *int) error {
		got = append(got, *i)
		return nil
	})
	require.NoError(t, err)
	require.Len(t, got, 500)
	for i, v := range got {
		assert.Equal(t, 2*i, v)
	}
}

func TestPipelineErrors(t *testing.T) {
	enough, broken := errors.New("enough"), errors.New("broken")
	numbers := func(n int, end error) func(func(int) error) error {
		return func(yield func(int) error) error {
			for i := range n {
				if err := yield(i); err != nil {
					return err
				}
			}
			return end
		}
	}
	for _, most := range []int{0, 1, 50} {
		seen := 0
		err := pipeline(numbers(1000, nil), func(int) {}, func(int) error {
			if seen == most {
				return enough
			}
			seen++
			return nil
		})
		assert.ErrorIs(t, err, enough)
		assert.Equal(t, most, seen, "nothing is consumed after an error")
	}
	seen := 0
	err := pipeline(numbers(30, broken), func(int) {}, func(int) error { seen++; return nil })
	assert.ErrorIs(t, err, broken)
	assert.Equal(t, 30, seen, "what was produced before an error is consumed")
}
