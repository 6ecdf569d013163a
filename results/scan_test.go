package results

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	json2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fill sets every field of a value to something that is not zero.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("wort-%d-é\n\"", *n))
	case reflect.Int:
		v.SetInt(int64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes(fmt.Appendf(nil, `{"n":%d,"list":[{},[-1.5e3,true,false,null]],"text":"\u00e9\t杭州"}`, *n))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]int{"native": *n, "none": 1}))
	default:
		panic("unknown kind " + v.Kind().String())
	}
}

// fullLine is a line with every field a trial can have.
func fullLine(t testing.TB) (*Trial, string) {
	t.Helper()
	trial, n := new(Trial), 0
	fill(reflect.ValueOf(trial).Elem(), &n)
	line, err := json.Marshal(trial)
	require.NoError(t, err)
	return trial, string(line)
}

// agree holds the scanner to its promise on one line, and reports which readings it accepts.
func agree(t testing.TB, s *scanner, line []byte) (head, trial bool) {
	t.Helper()
	var h, strictHead trialHead
	if head = s.head(line, &h); head {
		require.NoError(t, json2.Unmarshal(line, &strictHead), "%q", line)
		require.Equal(t, strictHead, h, "%q", line)
	}
	var x, strict, lenient Trial
	if trial = s.trial(line, &x); trial {
		require.NoError(t, json2.Unmarshal(line, &strict), "%q", line)
		require.NoError(t, json2.Unmarshal(line, &lenient, checked), "%q", line)
		require.True(t, reflect.DeepEqual(strict, x), "%q\nwant %+v\n got %+v", line, strict, x)
		require.True(t, reflect.DeepEqual(lenient, x), "%q", line)
	}
	return head, trial
}

// A field that the scanner does not know makes it give up, and every run is read slowly.
func TestScannerKnowsEveryField(t *testing.T) {
	want, line := fullLine(t)
	var s scanner
	var got Trial
	require.True(t, s.trial([]byte(line), &got))
	var strict Trial
	require.NoError(t, json2.Unmarshal([]byte(line), &strict))
	assert.Equal(t, strict, got)
	want.Expect, want.Accept = got.Expect, got.Accept // written compactly
	for i := range want.Calls {
		want.Calls[i].Args = got.Calls[i].Args
	}
	assert.Equal(t, *want, got)
	_, trial := agree(t, &s, []byte(line))
	assert.True(t, trial)
}

func TestScannerReadsWhatIsUsual(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		name, line  string
		head, trial bool
	}{
		{"least", `{"case":"a","arm":"main"}`, true, true},
		{"spaces", "\t{ \"case\" : \"a\" ,\r\"arm\":\"main\",\"tags\" : [ \"x\" , \"y\" ], \"tags2\" : [ ] , \"u\" : { } } ", true, false},
		{"spaces in a trial", ` { "case" : "a" , "tags" : [ "x" , "y" ] , "calls" : [ ] , "parse_tiers" : { } , "latency_ms" : 1e2 , "rounds" : 3 } `, true, true},
		{"raw values keep their spaces", `{"case":"a","expect": { "none" : true } ,"accept":null,"calls":[{"args": [1, 2] }]}`, true, true},
		{"other alphabets", `{"case":"杭州","arm":"é","answer":"🙂 and ` + long + `é"}`, true, true},
		{"escapes", `{"case":"a\n\"\\\/\b\f\r\t\u00e9\uFFFF","answer":"` + long + `\u0041"}`, true, true},
		{"surrogates", `{"case":"a","answer":"\ud83d\ude42"}`, false, false},
		{"lone surrogate", `{"case":"a","answer":"\ud83d"}`, false, false},
		{"lone surrogate in a raw value", `{"case":"a","expect":"\uDC00"}`, false, false},
		{"broken UTF-8", "{\"case\":\"a\",\"answer\":\"\xff\"}", false, false},
		{"broken UTF-8 in a name", "{\"case\":\"a\",\"expect\":{\"\xff\":1}}", false, false},
		{"control character", "{\"case\":\"a\",\"answer\":\"\x01\"}", false, false},
		{"control character far in", "{\"case\":\"a\",\"answer\":\"" + long + "\x1f\"}", false, false},
		{"escaped name", `{"c\u0061se":"a"}`, false, false},
		{"unknown member", `{"case":"a","new":[1,{"x":-0.5E+7}]}`, true, false},
		{"repeated name", `{"case":"a","case":"a"}`, false, false},
		{"repeated name inside", `{"case":"a","expect":{"x":1,"y":2,"x":3}}`, false, false},
		{"same name in two objects", `{"case":"a","calls":[{"args":{"x":1}},{"args":{"x":{"x":1}}}]}`, true, true},
		{"a name that stood deeper before", `{"case":"a","expect":{"x":{"y":1},"y":2}}`, true, true},
		{"many objects side by side", `{"case":"a","expect":[{}` + strings.Repeat(`,{"x":[]}`, 300) + `]}`, true, true},
		{"names of one kind", `{"case":"a","expect":{"aba":1,"aca":2,"ada":3}}`, true, true},
		{"empty names", `{"case":"a","expect":{"":1,"":2}}`, false, false},
		{"error", `{"case":"a","error":{"class":"server","message":"503","status":503}}`, false, true},
		{"null error", `{"case":"a","error":null}`, false, false},
		{"null list", `{"case":"a","tags":null}`, true, false},
		{"fraction", `{"case":"a","repetition":1.0}`, false, false},
		{"exponent", `{"case":"a","repetition":1e0}`, false, false},
		{"leading zero", `{"case":"a","repetition":01}`, false, false},
		{"negative", `{"case":"a","repetition":-1}`, false, false},
		{"nine digits", `{"case":"a","repetition":999999999}`, true, true},
		{"ten digits", `{"case":"a","repetition":1000000000}`, false, false},
		{"not a number", `{"case":"a","latency_ms":.5}`, false, false},
		{"number without fraction digits", `{"case":"a","latency_ms":1.}`, false, false},
		{"number without exponent digits", `{"case":"a","latency_ms":1e+}`, false, false},
		{"number with leading zero", `{"case":"a","latency_ms":-01}`, false, false},
		{"float out of range", `{"case":"a","latency_ms":1e999}`, true, false},
		{"wrong type", `{"case":7}`, false, false},
		{"wrong type elsewhere", `{"case":"a","rounds":"two"}`, true, false},
		{"wrong flag", `{"case":"a","scores":{"selection":tru}}`, false, false},
		{"no comma", `{"case":"a" "arm":"b"}`, false, false},
		{"comma too many", `{"case":"a",}`, false, false},
		{"comma too many in a list", `{"case":"a","tags":["x",]}`, false, false},
		{"no colon", `{"case" "a"}`, false, false},
		{"cut", `{"case":"a`, false, false},
		{"cut after an escape", `{"case":"a\`, false, false},
		{"cut in an escape", `{"case":"a\u00`, false, false},
		{"no hexadecimal", `{"case":"a\u00g0"}`, false, false},
		{"unknown escape", `{"case":"a\x41"}`, false, false},
		{"two values", `{"case":"a"}{}`, false, false},
		{"zero byte behind", "{\"case\":\"a\"}\x00", false, false},
		{"array", `[]`, false, false},
		{"nothing", ``, false, false},
		{"deep", `{"case":"a","expect":` + strings.Repeat("[", 90) + strings.Repeat("]", 90) + `}`, true, true},
		{"too deep", `{"case":"a","expect":` + strings.Repeat("[", 120) + strings.Repeat("]", 120) + `}`, false, false},
		{"objects too deep", `{"case":"a","expect":` + strings.Repeat(`{"a":`, 120) + "1" + strings.Repeat("}", 120) + `}`, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s scanner
			head, trial := agree(t, &s, []byte(c.line))
			assert.Equal(t, [2]bool{c.head, c.trial}, [2]bool{head, trial})
			_, trial = agree(t, &s, []byte(`{"case":"a","expect":{"x":[1]}}`))
			assert.True(t, trial, "a scanner that gave up goes on with the next line")
		})
	}
	var s scanner
	var members []string
	for i := range 120 {
		members = append(members, fmt.Sprintf(`"m%d":%d`, i, i))
	}
	_, trial := agree(t, &s, []byte(`{"case":"a","expect":{`+strings.Join(members[:100], ",")+`}}`))
	assert.True(t, trial)
	_, trial = agree(t, &s, []byte(`{"case":"a","expect":{`+strings.Join(members, ",")+`}}`))
	assert.False(t, trial, "many members are compared by the strict reader")
}

// Whatever is done to a good line, the scanner accepts nothing that the strict reader does not.
func TestScannerAgreesOnDamage(t *testing.T) {
	_, full := fullLine(t)
	var s scanner
	accepted := 0
	damage := []string{"", `"`, `\`, ",", ":", "}", "]", "{", "0", "-", " ", "\x00", "\xff", "e"}
	for i := range full {
		for k := range 3 { // each of them in every kind of place: the line has many alike
			_, trial := agree(t, &s, []byte(full[:i]+damage[(i+5*k)%len(damage)]+full[i+1:]))
			accepted += oneIf(trial)
		}
		agree(t, &s, []byte(full[:i]))
	}
	assert.Greater(t, accepted, len(full)/3, "changes inside strings do no harm")
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Strings of every length end where they end, whatever follows.
func TestScannerStringsOfEveryLength(t *testing.T) {
	var s scanner
	for n := range 40 {
		for _, end := range []string{"", "é", `\n`, "\x7f", " "} {
			for _, behind := range []string{"", `,"answer":"é"`, `,"refusal":"\u0001"`} {
				head, trial := agree(t, &s, []byte(`{"case":"`+strings.Repeat("x", n)+end+`"`+behind+`}`))
				assert.True(t, head && trial, "%d %q %q", n, end, behind)
			}
		}
	}
}

// Words that share a place do not take each other's name.
func TestScannerKeepsWordsApart(t *testing.T) {
	var s scanner
	for i := range 3 * len(s.words) {
		for _, word := range []string{fmt.Sprint(i), fmt.Sprintf("x%dx", i%7*100+i), strings.Repeat("y", i%80)} {
			require.Equal(t, word, s.kept([]byte(word)))
			require.Equal(t, word, s.kept([]byte(word)))
		}
	}
}

func FuzzScanner(f *testing.F) {
	_, full := fullLine(f)
	for _, seed := range []string{full, `{"case":"a","arm":"main","repetition":0,"expect":{},"calls":[]}`, `{"case":"a","error":{}}`,
		`{"tags":[],"calls":[{}],"scores":{"pairs":[{}],"arg_faults":{}},"parse_tiers":{},"accept":null}`, "{\"case\":\"\xff\"}", `{"c\u0061se":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var s scanner
		agree(t, &s, line)
		agree(t, &s, line)
	})
}
