package results

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faultyFile is a disk that fills up: it takes so many bytes and no more.
type faultyFile struct {
	*os.File
	room        int
	keepsRubble bool // Truncate fails too
	silent      bool // reports the short write without an error
}

func (f *faultyFile) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	if _, err := f.File.Write(b[:n]); err != nil {
		return 0, err
	}
	if n < len(b) && !f.silent {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (f *faultyFile) Truncate(size int64) error {
	if f.keepsRubble {
		return syscall.EIO
	}
	return f.File.Truncate(size)
}

func TestFullDisk(t *testing.T) {
	for _, c := range []struct {
		name                string
		keepsRubble, silent bool
		want                error
	}{
		{"line taken back", false, false, syscall.ENOSPC},
		{"line stays", true, false, syscall.ENOSPC},
		{"short write without error", false, true, io.ErrShortWrite},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			w, err := Create(dir, testHeader(), nil)
			require.NoError(t, err)
			require.NoError(t, w.Append(testTrial("c1")))
			whole := readFile(t, trialsPath(dir))
			disk := &faultyFile{w.f.(*os.File), 10, c.keepsRubble, c.silent}
			w.f = disk
			err = w.Append(testTrial("c2"))
			require.ErrorIs(t, err, c.want)
			assert.ErrorContains(t, err, trialsFile)
			disk.room = 1 << 20
			require.ErrorIs(t, w.Append(testTrial("c3")), c.want, "nothing is written behind a failed line")
			require.NoError(t, w.Close())

			rubble := readFile(t, trialsPath(dir))[len(whole):]
			assert.Equal(t, c.keepsRubble, len(rubble) > 0)
			assert.Equal(t, []string{"c1/main/0"}, keys(t, dir))
			w, run, err := Resume(dir)
			require.NoError(t, err)
			assert.Equal(t, c.keepsRubble, len(run.Notes()) > 0)
			require.NoError(t, w.Append(testTrial("c2")))
			require.NoError(t, w.Close())
			assert.Equal(t, []string{"c1/main/0", "c2/main/0"}, keys(t, dir))
		})
	}
}

func TestDiskThatIsReallyFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), nil)
	require.NoError(t, err)
	require.NoError(t, w.f.Close())
	w.f = full
	require.ErrorIs(t, w.Append(testTrial("c")), syscall.ENOSPC)
	_ = w.Close()
}
