package transport

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxEntryBytes is more than any file that is written.
const maxEntryBytes = maxRequestBytes + MaxReplyBytes + 1<<20

// temporary begins the names of files that are being written.
const temporary = ".tmp-"

// errDamaged is a file that is cut, changed or not ours.
var errDamaged = errors.New("damaged")

// store is a directory with one file per request, in a folder named by the first two digits of the digest. A file is
// written under another name and renamed, so that it is there whole or not at all; its first line holds a checksum of
// the rest, so that what a crash or another program left behind is seen.
type store struct {
	dir    string
	schema string // first word of every file
	ext    string // of the files' names
}

// entry is a file: what describes the exchange, and the bodies as they were.
type entry struct {
	meta
	request, reply []byte
}

// meta is the line that describes an exchange. It holds no clock time: equal exchanges give equal files.
type meta struct {
	Key          string            `json:"key"`
	Method       string            `json:"method,omitempty"`
	URL          string            `json:"url,omitempty"`
	Repetition   string            `json:"repetition,omitempty"`
	Prompt       string            `json:"prompt,omitempty"` // beginning of the last user message
	Status       int               `json:"status,omitempty"`
	Header       map[string]string `json:"header,omitempty"`
	Error        string            `json:"error,omitempty"` // in the place of a reply
	Timeout      bool              `json:"timeout,omitempty"`
	Retries      int               `json:"retries,omitempty"`
	RequestBytes int               `json:"request_bytes"`
	ReplyBytes   int               `json:"reply_bytes"`
}

// path is where the entry of a request is.
func (s store) path(key digest) string {
	name := key.String()
	return filepath.Join(s.dir, name[:2], name+s.ext)
}

// read returns the entry of a request. Its error is fs.ErrNotExist, errDamaged or what the file system says.
func (s store) read(key digest) (*entry, error) {
	f, err := os.Open(s.path(key))
	if err != nil {
		return nil, err
	}
	data, err := readFile(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	e, err := s.decode(data)
	if err == nil && e.Key != key.String() {
		err = fmt.Errorf("%w: it belongs to another request", errDamaged)
	}
	return e, err
}

// readFile reads a regular file whole, within bounds.
func readFile(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxEntryBytes {
		return nil, fmt.Errorf("%w: not a file of this program", errDamaged)
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // it became shorter; the checksum tells
	}
	return data[:n], err
}

// encode writes a file: schema and checksum, the description, the request's body, the reply's body, a line each.
func (s store) encode(e *entry) ([]byte, error) {
	e.RequestBytes, e.ReplyBytes = len(e.request), len(e.reply)
	var b bytes.Buffer
	b.Grow(len(e.request) + len(e.reply) + 1024)
	b.WriteString(s.schema + " sha256:" + strings.Repeat("0", 2*sha256.Size) + "\n")
	start := b.Len()
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(&e.meta); err != nil {
		return nil, err
	}
	b.Write(e.request)
	b.WriteByte('\n')
	b.Write(e.reply)
	b.WriteByte('\n')
	data := b.Bytes()
	sum := sha256.Sum256(data[start:])
	hex.Encode(data[start-1-2*sha256.Size:start-1], sum[:])
	return data, nil
}

// decode is the inverse of encode.
func (s store) decode(data []byte) (*entry, error) {
	first, rest, ok := bytes.Cut(data, []byte("\n"))
	sum := sha256.Sum256(rest)
	if !ok || string(first) != s.schema+" sha256:"+hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("%w: its checksum is wrong", errDamaged)
	}
	line, bodies, _ := bytes.Cut(rest, []byte("\n"))
	e := &entry{}
	if err := json.Unmarshal(line, &e.meta); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	n, m := e.RequestBytes, e.ReplyBytes
	if n < 0 || m < 0 || n > len(bodies) || m > len(bodies) || n+m+2 != len(bodies) {
		return nil, fmt.Errorf("%w: the lengths of its bodies are wrong", errDamaged)
	}
	e.request, e.reply = bodies[:n:n], bodies[n+1:n+1+m:n+1+m]
	return e, nil
}

// write stores an entry in the place of an older one, and returns the file's size.
func (s store) write(key digest, e *entry) (int64, error) {
	e.Key = key.String()
	data, err := s.encode(e)
	if err != nil {
		return 0, err
	}
	return int64(len(data)), writeAtomic(s.path(key), data)
}

// writeAtomic writes a file under another name in the same folder and renames it.
func writeAtomic(path string, data []byte) error {
	folder := filepath.Dir(path)
	temp := filepath.Join(folder, temporary+strconv.FormatUint(rand.Uint64(), 36))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(folder, 0o777); err == nil {
			f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// holds reports whether there is a file for the request, whatever is in it.
func (s store) holds(key digest) bool {
	_, err := os.Lstat(s.path(key))
	return err == nil
}

// each visits the files of the store in the order of their digests, and the temporary ones. Other files are passed
// over, so that a directory that holds something else too is safe. Files that vanish meanwhile are no error.
func (s store) each(visit func(path string, info fs.FileInfo, finished bool) error) error {
	for shard := range 256 {
		folder := filepath.Join(s.dir, fmt.Sprintf("%02x", shard))
		files, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, f := range files {
			finished := s.isEntry(f.Name(), filepath.Base(folder))
			if !finished && !strings.HasPrefix(f.Name(), temporary) {
				continue
			}
			info, err := f.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if !info.Mode().IsRegular() {
				continue
			}
			if err := visit(filepath.Join(folder, f.Name()), info, finished); err != nil {
				return err
			}
		}
	}
	return nil
}

// isEntry reports whether a file of this name in this folder is one of the store.
func (s store) isEntry(name, folder string) bool {
	digits, ok := strings.CutSuffix(name, s.ext)
	if !ok || len(digits) != 2*sha256.Size || digits[:2] != folder {
		return false
	}
	_, err := hex.DecodeString(digits)
	return err == nil
}
