package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the fast reading of a stored case takes, the slow one takes too; what it does not understand it leaves.
func TestPlainCase(t *testing.T) {
	for raw, want := range map[string][2]string{
		`{"id":"a-1","input":"x","tags":["en"]}`: {"a-1", "x"}, `{"id":"天气","input":"下雨吗?"}`: {"天气", "下雨吗?"}, `{"id":"","input":""}`: {"", ""},
	} {
		id, input, ok := plainCase([]byte(raw))
		assert.True(t, ok, raw)
		assert.Equal(t, want, [2]string{string(id), string(input)})
		var c struct{ ID, Input string }
		require.NoError(t, json.Unmarshal([]byte(raw), &c))
		assert.Equal(t, want, [2]string{c.ID, c.Input})
	}
	for _, raw := range []string{`{"id":"a\"b","input":"x"}`, `{"id":"\u0061","input":"x"}`, `{"id":1,"input":"x"}`, `{"input":"x","id":"a"}`, `{"id":"a","input":"x\n"}`,
		`{"id":"a","tags":[],"input":"x"}`, `{"id":"a","input":"x`, `{"id":"a`, ``} {
		_, _, ok := plainCase([]byte(raw))
		assert.False(t, ok, raw)
	}
}
