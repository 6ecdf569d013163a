package results

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A run killed at any byte of its last line loses that line and nothing else.
func TestCutAtEveryByte(t *testing.T) {
	cut := testTrial("杭州")
	cut.Answer = "naïve \u2028 \"quoted\""
	dir := newRun(t, testHeader(), testTrial("a"), cut)
	data := readFile(t, trialsPath(dir))
	first := bytes.IndexByte(data, '\n') + 1
	for end := first; end <= len(data); end++ {
		require.NoError(t, os.WriteFile(trialsPath(dir), data[:end], 0o666))
		whole := end >= len(data)-1 // only the newline is missing
		want := []string{"a/main/0"}
		if whole {
			want = append(want, "杭州/main/0")
		}
		require.Equal(t, want, keys(t, dir), "cut at %d", end)
		require.Equal(t, data[:end], readFile(t, trialsPath(dir)), "opening changes nothing")
		if end%8 != 0 && end > first+2 && end < len(data)-8 {
			continue // resuming waits for the disk: every eighth byte and both ends are enough
		}

		w, run, err := Resume(dir)
		require.NoError(t, err)
		if whole || end == first {
			require.Empty(t, run.Notes())
		} else {
			require.Len(t, run.Notes(), 2)
			require.Contains(t, run.Notes()[0], fmt.Sprintf("line 2 was cut off after %d bytes", end-first))
		}
		require.Equal(t, whole, run.Finished()[Key{"杭州", "main", 0}])
		require.NoError(t, w.Append(testTrial("z")))
		require.NoError(t, w.Close())
		require.Equal(t, append(want, "z/main/0"), sortedLike(keys(t, dir)), "cut at %d", end)
		run, err = Open(dir)
		require.NoError(t, err)
		require.Empty(t, run.Notes(), "repaired once and for all")
	}
}

// sortedLike moves "z" behind "杭州", which sorts after it.
func sortedLike(list []string) []string {
	if len(list) == 3 {
		list[1], list[2] = list[2], list[1]
	}
	return list
}

func TestCutWithZeroBytes(t *testing.T) {
	for _, tail := range []string{"\x00\x00\x00", `{"case":"b"` + "\x00\x00"} {
		dir := newRun(t, testHeader(), testTrial("a"))
		appendBytes(t, trialsPath(dir), tail)
		w, run, err := Resume(dir)
		require.NoError(t, err)
		require.NotEmpty(t, run.Notes())
		require.NoError(t, w.Append(testTrial("b")))
		require.NoError(t, w.Close())
		assert.Equal(t, []string{"a/main/0", "b/main/0"}, keys(t, dir))
	}
}

func TestResumeOfACompleteRunHasNothingToDo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	h := testHeader("x", "y")
	w, err := Create(dir, h, nil)
	require.NoError(t, err)
	planned := map[Key]bool{}
	for i := range 20 {
		for _, arm := range h.Arms {
			trial := testTrial(fmt.Sprintf("c/%d \"é\"", i))
			trial.Arm, trial.Repetition = arm.Name, i%3
			planned[Key{trial.Case, trial.Arm, trial.Repetition}] = true
			require.NoError(t, w.Append(trial))
		}
	}
	h.Complete = true
	require.NoError(t, w.Finish(h))
	before := readFile(t, trialsPath(dir))
	w, run, err := Resume(dir)
	require.NoError(t, err)
	assert.Equal(t, planned, run.Finished())
	require.NoError(t, w.Finish(run.Header()))
	assert.Equal(t, before, readFile(t, trialsPath(dir)))
	run, err = Open(dir)
	require.NoError(t, err)
	assert.True(t, run.Header().Complete)
	assert.Empty(t, run.Notes())
}

// Any sequence of appends, closes, cuts and resumes reads back as the last write of each key, in order.
func TestWriterAndReaderAgree(t *testing.T) {
	base := t.TempDir()
	number := 0
	rapid.Check(t, func(t *rapid.T) {
		number++
		dir := filepath.Join(base, fmt.Sprint(number))
		w, err := Create(dir, testHeader("p", "q"), nil)
		require.NoError(t, err)
		model := map[Key]*Trial{}
		for range rapid.IntRange(0, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0: // killed in the middle of a line
				require.NoError(t, w.Close())
				f, err := os.OpenFile(trialsPath(dir), os.O_APPEND|os.O_WRONLY, 0)
				require.NoError(t, err)
				_, _ = f.WriteString(`{"case":"cut","arm":"p","answer":"` + rapid.StringMatching(`[a-z{}\[\]]*`).Draw(t, "cut"))
				require.NoError(t, f.Close())
				w, _, err = Resume(dir)
				require.NoError(t, err)
			case 1:
				require.NoError(t, w.Close())
				w, _, err = Resume(dir)
				require.NoError(t, err)
			default:
				trial := drawTrial(t)
				require.NoError(t, w.Append(trial))
				model[Key{trial.Case, trial.Arm, trial.Repetition}] = trial
			}
		}
		require.NoError(t, w.Close())
		checkAgainst(t, dir, model)
	})
}

func drawTrial(t *rapid.T) *Trial {
	trial := testTrial(rapid.SampledFrom([]string{"a", "A", "ab", "杭", "z\n"}).Draw(t, "case"))
	trial.Arm = rapid.SampledFrom([]string{"p", "q"}).Draw(t, "arm")
	trial.Repetition = rapid.IntRange(0, 2).Draw(t, "repetition")
	trial.Answer = rapid.String().Draw(t, "answer")
	if rapid.Bool().Draw(t, "failed") {
		trial.Error, trial.Scores = &Problem{Class: "network", Message: rapid.String().Draw(t, "message")}, nil
	}
	return trial
}

func checkAgainst(t *rapid.T, dir string, model map[Key]*Trial) {
	run, err := Open(dir)
	require.NoError(t, err)
	require.Equal(t, len(model), run.Len())
	finished := run.Finished()
	last := Key{}
	require.NoError(t, run.Trials(func(got *Trial) error {
		k := Key{got.Case, got.Arm, got.Repetition}
		require.Equal(t, model[k], got)
		require.Equal(t, got.Error == nil, finished[k])
		require.Negative(t, strings.Compare(fmt.Sprintf("%s\x00%s%d", last.Case, last.Arm, last.Repetition),
			fmt.Sprintf("%s\x00%s%d", k.Case, k.Arm, k.Repetition)))
		last = k
		return nil
	}))
}

const helperDir = "SKILLEVAL_TEST_KILLED_WRITER"

// TestKilledWriter kills a process in mid-run: what it had appended is there and the run is not locked.
func TestKilledWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^TestHelperWriter$")
	cmd.Env = append(os.Environ(), helperDir+"="+dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	_, _, err = Resume(dir)
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()

	w, run, err := Resume(dir)
	require.NoError(t, err)
	assert.Equal(t, 50, run.Len())
	assert.Empty(t, run.Notes())
	require.NoError(t, w.Close())
}

// TestHelperWriter is the process that TestKilledWriter kills.
func TestHelperWriter(t *testing.T) {
	dir := os.Getenv(helperDir)
	if dir == "" {
		t.Skip("runs only as a process of its own")
	}
	w, err := Create(dir, testHeader(), nil)
	require.NoError(t, err)
	for i := range 50 {
		require.NoError(t, w.Append(testTrial(fmt.Sprint(i))))
	}
	fmt.Println("ready")
	select {}
}
