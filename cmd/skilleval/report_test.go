package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlainID(t *testing.T) {
	for raw, want := range map[string]string{`{"id":"a-1","input":"x"}`: "a-1", `{"id":"天气"}`: "天气", `{"id":""}`: ""} {
		id, ok := plainID([]byte(raw))
		assert.True(t, ok, raw)
		assert.Equal(t, want, string(id))
	}
	for _, raw := range []string{`{"id":"a\"b"}`, `{"id":"\u0061"}`, `{"id":1}`, `{"input":"x","id":"a"}`, `{"id":"a`, ``} {
		_, ok := plainID([]byte(raw))
		assert.False(t, ok, raw)
	}
}
