package skills

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFaultsOfHandWrittenJSONSayWhatToWrite(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,}`:         "a comma before }: take it out",
		"{\"a\":[1,\n] }":  "a comma before ]: take it out",
		"{\n,}":            "a comma before }: take it out",
		`{"a":1,,"b":2}`:   "two commas in a row: take one out",
		`[,1]`:             "a comma without a value in front of it: take it out",
		`{"a":1 "b":2}`:    "a comma is missing in front of this",
		`[10 2]`:           "a comma is missing in front of this",
		`{'a':1}`:          `text stands in straight double quotes: write "…"`,
		`{"a":“x”}`:        `text stands in straight double quotes: write "…"`,
		"{// c\n\"a\":1}":  "JSON has no comments: take it out",
		`{"a":1 /* x */}`:  "JSON has no comments: take it out",
		`# x`:              "JSON has no comments: take it out",
		`{"a":1;"b":2}`:    "write a comma in place of the semicolon",
		`{"a" 1}`:          "a colon is missing between the name and its value",
		`{"a":NaN}`:        "JSON has no NaN: write a number or null",
		`{"a":-Infinity}`:  "JSON has no Infinity: write a number or null",
		`{"a":True}`:       "write true",
		`{"a":None}`:       "write null",
		`{a:1}`:            `names stand in double quotes: write "a"`,
		`{"a":string}`:     `text stands in double quotes: write "string…"`,
		`{"a":01}`:         "invalid character '1' after object value (expecting ',' or '}')",
		`{"a":`:            "unexpected end of text",
		`{"a":1}}`:         "more text behind the JSON value",
		"{\"a\":\"x\\d\"}": "invalid escape sequence `\\d` in string",
	} {
		_, err := decodeTree([]byte(text))
		var f *jsonFault
		require.ErrorAs(t, err, &f, text)
		assert.Equal(t, want, jsonAdvice([]byte(text), f), text)
	}
}
