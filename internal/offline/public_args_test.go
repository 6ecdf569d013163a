package offline

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eachLine reads a JSON Lines file.
func eachLine(t testing.TB, path string, yield func(line []byte)) {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		yield(lines.Bytes())
	}
	require.NoError(t, lines.Err())
}

// jsonSchema turns the types of BFCL into those of JSON Schema.
func jsonSchema(raw json.RawMessage) json.RawMessage {
	s := string(raw)
	for _, r := range [...][2]string{{`"dict"`, `"object"`}, {`"float"`, `"number"`}, {`"tuple"`, `"array"`}} {
		s = strings.ReplaceAll(s, `"type": `+r[0], `"type": `+r[1])
	}
	return json.RawMessage(s)
}

// TestBFCLArguments offers the one function of each case of BFCL simple_python flat, and counts the arguments that
// are among the accepted ones (strings without case, spaces and punctuation, as BFCL compares them).
func TestBFCLArguments(t *testing.T) {
	dir := publicData(t, "bfcl_dev")
	accepted := map[string]map[string][]json.RawMessage{}
	eachLine(t, filepath.Join(dir, "possible_answer", "BFCL_v4_simple_python.json"), func(line []byte) {
		var a struct {
			ID    string
			Truth []map[string]map[string][]json.RawMessage `json:"ground_truth"`
		}
		require.NoError(t, json.Unmarshal(line, &a))
		for _, args := range a.Truth[0] {
			accepted[a.ID] = args
		}
	})
	model := Lexical()
	var selected, exact, single [2]share
	i := 0
	eachLine(t, filepath.Join(dir, "BFCL_v4_simple_python.json"), func(line []byte) {
		var c struct {
			ID       string
			Question [][]struct{ Content string }
			Function []function
		}
		require.NoError(t, json.Unmarshal(line, &c))
		half := i % 2
		i++
		if i%everyNth != 0 {
			return
		}
		f := c.Function[0]
		q := c.Question[0][0].Content
		m := ask(t, model, object{"model": "m", "tools": []object{tool(f.Name, f.Description, jsonSchema(f.Parameters))},
			"messages": []object{msg("system", systemText), msg("user", q+divider+nativeFlat)}})
		selected[half].add(len(m.Calls) == 1)
		if len(m.Calls) == 0 {
			return
		}
		right, given := true, map[string]json.RawMessage{}
		require.NoError(t, json.Unmarshal([]byte(m.Calls[0].Function.Arguments), &given))
		for name, values := range accepted[c.ID] {
			value, present := given[name]
			ok := present && acceptedValue(values, value) || !present && acceptedValue(values, json.RawMessage(`""`))
			right = right && ok
			if present || !ok {
				single[half].add(ok)
			}
			if !ok && half == 0 && os.Getenv("SHOW") == "bfcl" {
				t.Logf("%s | %s want %s got %s", q, name, values, value)
			}
		}
		exact[half].add(right)
	})
	t.Logf("BFCL simple_python, half not tuned on: called %.3f (n=%d), whole call right %.3f (n=%d), arguments right %.3f (n=%d)",
		selected[1].value(), selected[1].n, exact[1].value(), exact[1].n, single[1].value(), single[1].n)
	t.Logf("BFCL simple_python, tuned half: called %.3f (n=%d), whole call right %.3f (n=%d), arguments right %.3f (n=%d)",
		selected[0].value(), selected[0].n, exact[0].value(), exact[0].n, single[0].value(), single[0].n)
	assert.Greater(t, single[1].value(), 0.4)
}

// acceptedValue compares a value with the accepted ones.
func acceptedValue(values []json.RawMessage, got json.RawMessage) bool {
	normal := func(raw json.RawMessage) string {
		return strings.ToLower(strings.NewReplacer(" ", "", ",", "", ".", "", "/", "", "-", "", "_", "", "*", "", "^", "", "'", `"`).Replace(string(raw)))
	}
	for _, v := range values {
		if normal(v) == normal(got) {
			return true
		}
	}
	return false
}

// TestACEBenchArguments does the same for the Chinese single-turn cases of ACEBench, with the functions of the case
// as the catalogue; values at the top level are compared as JSON.
func TestACEBenchArguments(t *testing.T) {
	dir := publicData(t, "acebench_zh_dev")
	type answer struct {
		name string
		args map[string]json.RawMessage
	}
	truth := map[string]answer{}
	eachLine(t, filepath.Join(dir, "possible_answer", "data_normal_single_turn_single_function.json"), func(line []byte) {
		var a struct {
			ID    string
			Truth map[string]map[string]json.RawMessage `json:"ground_truth"`
		}
		if json.Unmarshal(line, &a) == nil {
			for name, args := range a.Truth {
				truth[a.ID] = answer{name, args}
			}
		}
	})
	model := Lexical()
	var selected, values [2]share
	i := 0
	eachLine(t, filepath.Join(dir, "data_normal_single_turn_single_function.json"), func(line []byte) {
		var c struct {
			ID, Question, Time string
			Function           []function
		}
		require.NoError(t, json.Unmarshal(line, &c))
		half := i % 2
		i++
		want, known := truth[c.ID]
		if !known {
			return
		}
		var tools []object
		for _, f := range c.Function {
			tools = append(tools, tool(f.Name, f.Description, f.Parameters))
		}
		q := strings.TrimSpace(strings.TrimPrefix(c.Question, "user: "))
		m := ask(t, model, object{"model": "m", "tools": tools, "messages": []object{msg("system", systemText+"\n\n"+c.Time), msg("user", q+divider+nativeFlat)}})
		right := len(m.Calls) == 1 && m.Calls[0].Function.Name == want.name
		selected[half].add(right)
		if !right {
			return
		}
		given := map[string]json.RawMessage{}
		require.NoError(t, json.Unmarshal([]byte(m.Calls[0].Function.Arguments), &given))
		for name, value := range want.args {
			var a, b any
			_ = json.Unmarshal(value, &a)
			_ = json.Unmarshal(given[name], &b)
			ok := given[name] != nil && assert.ObjectsAreEqual(a, b)
			values[half].add(ok)
			if !ok && half == 0 && os.Getenv("SHOW") == "ace" {
				t.Logf("%s | %s want %s got %s", q, name, value, given[name])
			}
		}
	})
	t.Logf("ACEBench zh single turn, half not tuned on: selection %.3f (n=%d), top-level arguments right %.3f (n=%d)",
		selected[1].value(), selected[1].n, values[1].value(), values[1].n)
	t.Logf("ACEBench zh single turn, tuned half: selection %.3f (n=%d), top-level arguments right %.3f (n=%d)",
		selected[0].value(), selected[0].n, values[0].value(), values[0].n)
	assert.Greater(t, selected[1].value(), 0.7)
}

// TestIrrelevance offers the functions of cases that none of them fits, flat, and counts direct answers. The functions
// are near the question on purpose, and one or a few: a hard set for word overlap.
func TestIrrelevance(t *testing.T) {
	model := Lexical()
	var zh, en share
	eachLine(t, filepath.Join(publicData(t, "acebench_zh_dev"), "data_special_irrelevant.json"), func(line []byte) {
		var c struct {
			Question string
			Function []function
		}
		require.NoError(t, json.Unmarshal(line, &c))
		zh.add(len(flat(t, model, strings.TrimSpace(strings.TrimPrefix(c.Question, "user: ")), c.Function).Calls) == 0)
	})
	eachLine(t, filepath.Join(publicData(t, "bfcl_dev"), "BFCL_v4_irrelevance.json"), func(line []byte) {
		var c struct {
			Question [][]struct{ Content string }
			Function []function
		}
		require.NoError(t, json.Unmarshal(line, &c))
		for i := range c.Function {
			c.Function[i].Parameters = jsonSchema(c.Function[i].Parameters)
		}
		en.add(len(flat(t, model, c.Question[0][0].Content, c.Function).Calls) == 0)
	})
	t.Logf("no function fits: answered directly: ACEBench zh %.3f (n=%d), BFCL irrelevance %.3f (n=%d)", zh.value(), zh.n, en.value(), en.n)
	assert.Greater(t, zh.value(), 0.5)
}

// flat asks a question with functions offered at once.
func flat(t testing.TB, model http.RoundTripper, question string, functions []function) answered {
	var tools []object
	for _, f := range functions {
		tools = append(tools, tool(f.Name, f.Description, f.Parameters))
	}
	return ask(t, model, object{"model": "m", "tools": tools, "messages": []object{msg("system", systemText), msg("user", question+divider+nativeFlat)}})
}
