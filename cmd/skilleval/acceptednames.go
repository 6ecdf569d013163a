package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skilleval/skilleval/similarity"
)

// acceptedNames knows which text an entry of the file of reviewed pairs means: by name, or by path, which is relative to
// the folder of that file, however the command reached it.
type acceptedNames struct {
	file    string
	texts   []similarity.Text
	named   map[string]int // texts by name and ID
	spelled map[string]int // texts by the one spelling of their path, and of their folder's; nil until it is needed
}

func newAcceptedNames(file string, texts []similarity.Text) *acceptedNames {
	n := &acceptedNames{file: file, texts: texts, named: make(map[string]int, 2*len(texts))}
	for i := range texts {
		n.named[texts[i].ID] = i
	}
	for i := range texts {
		n.named[texts[i].Name] = i
	}
	return n
}

// at finds a text by a path, in whatever spelling.
func (n *acceptedNames) at(path string) (int, bool) {
	if n.spelled == nil {
		n.spelled = make(map[string]int, 2*len(n.texts))
		for i := range n.texts {
			id := filepath.FromSlash(n.texts[i].ID)
			n.spelled[spelled(id)], n.spelled[spelled(filepath.Dir(id))] = i, i
		}
	}
	i, ok := n.spelled[spelled(filepath.FromSlash(path))]
	return i, ok
}

// written finds the text that a path in the file means: relative to the folder of the file; in files of old, to the
// working directory.
func (n *acceptedNames) written(path string) (int, bool) {
	if path == "" || strings.Contains(path, "\x00") {
		return 0, false
	}
	if !filepath.IsAbs(filepath.FromSlash(path)) {
		if i, ok := n.at(filepath.Join(filepath.Dir(spelled(n.file)), filepath.FromSlash(path))); ok {
			return i, true
		}
	}
	return n.at(path)
}

// resolve gives the pairs with the paths in them spelled as those of the texts.
func (n *acceptedNames) resolve(a *similarity.Accepted) *similarity.Accepted {
	out := &similarity.Accepted{Schema: a.Schema, Pairs: slices.Clone(a.Pairs)}
	for k := range out.Pairs {
		for _, name := range []*string{&out.Pairs[k].A, &out.Pairs[k].B} {
			if i, ok := n.means(*name); ok && *name != n.texts[i].Name {
				*name = n.texts[i].ID
			}
		}
	}
	return out
}

// means finds the text of a name or path in the file.
func (n *acceptedNames) means(name string) (int, bool) {
	if i, ok := n.named[name]; ok && n.texts[i].Name == name {
		return i, true
	}
	if i, ok := n.written(name); ok {
		return i, true
	}
	i, ok := n.named[name]
	return i, ok
}

// find finds the text that an argument names: by name, or by path where several have the name.
func (n *acceptedNames) find(arg string) (*similarity.Text, error) {
	var found []*similarity.Text
	var names, paths []string
	for i := range n.texts {
		t := &n.texts[i]
		names = append(names, t.Name)
		if t.Name == arg || t.ID == arg {
			found, paths = append(found, t), append(paths, t.ID)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("--accept: %d skills are named %q: write the path of one of them: %s", len(found), arg, strings.Join(paths, ", "))
	}
	if i, ok := n.at(arg); ok && arg != "" {
		return &n.texts[i], nil
	}
	return nil, fmt.Errorf("--accept: %w", unknownSkill(arg, names))
}

// nameFor is what the file calls a text that an argument names: the name, or the path from the folder of the file.
func (n *acceptedNames) nameFor(t *similarity.Text, arg string) string {
	if arg == t.Name || !exists(filepath.FromSlash(t.ID)) { // the built-in suite has no files
		return arg
	}
	to := spelled(filepath.FromSlash(t.ID))
	if rel, err := filepath.Rel(filepath.Dir(spelled(n.file)), to); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(to)
}

// accept adds a pair to the file, or renews it. Of commands that do so at the same time none loses what another wrote.
func (n *acceptedNames) accept(x, y *similarity.Text, argX, argY, reason string) error {
	unlock, err := lockFile(n.file, acceptWait)
	if err != nil {
		return failWith(exitServer, err)
	}
	defer unlock()
	old, err := readSmall(n.file, maxSettings)
	known := &similarity.Accepted{}
	if err == nil {
		known, err = similarity.ParseAccepted(n.file, old)
	}
	if err != nil && !isNotExist(err) {
		return failWith(exitUsage, err)
	}
	nameX, nameY := n.nameFor(x, argX), n.nameFor(y, argY)
	known.Pairs = slices.DeleteFunc(known.Pairs, func(p similarity.Acceptance) bool { return n.isPair(p, x, y) })
	known.Accept(x, y, nameX, nameY, reason)
	data, err := known.Encode()
	if err != nil {
		return failWith(exitServer, err)
	}
	err = replaceFile(n.file, func(w io.Writer) error {
		if _, err := w.Write(data); err != nil {
			return err
		}
		if now, err := readSmall(n.file, maxSettings); err == nil && !bytes.Equal(now, old) {
			return errAcceptedChanged
		}
		return nil
	})
	if err != nil {
		return failWith(exitServer, fmt.Errorf("--accept: %s: %w", n.file, err))
	}
	return nil
}

var errAcceptedChanged = errors.New("the file changed while the pair was added and is left alone: accept the pair again")

// isPair reports whether an entry is of these two texts, in whatever spelling. A name that several skills have is no
// spelling of one of them.
func (n *acceptedNames) isPair(p similarity.Acceptance, x, y *similarity.Text) bool {
	a, b := n.only(p.A), n.only(p.B)
	return a != nil && b != nil && (a == x && b == y || a == y && b == x)
}

// only is the one text that a name or path in the file means; nil when it is none or several.
func (n *acceptedNames) only(name string) *similarity.Text {
	i, ok := n.means(name)
	if !ok {
		return nil
	}
	t := &n.texts[i]
	if t.Name == name && slices.ContainsFunc(n.texts, func(u similarity.Text) bool { return u.Name == name && u.ID != t.ID }) {
		return nil
	}
	return t
}
