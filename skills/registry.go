package skills

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Registry holds the skills of one agent. There is no global one. It is safe for concurrent use.
type Registry struct {
	mu     sync.RWMutex
	order  []*Skill
	byName map[string]*Skill
	keys   map[string]string // name key → name
}

// NewRegistry registers skills in this order. A name that is taken is an error.
func NewRegistry(list ...*Skill) (*Registry, error) {
	r := &Registry{byName: make(map[string]*Skill, len(list)), keys: make(map[string]string, len(list))}
	for _, s := range list {
		if err := r.Register(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Register adds a skill. Names that differ only in case or Unicode form count as the same: a model, or a label,
// could mean either.
func (r *Registry) Register(s *Skill) error {
	if s == nil || s.Name == "" {
		return errors.New("a skill needs a name to be registered")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key := nameKey(s.Name)
	if taken, ok := r.keys[key]; ok {
		return fmt.Errorf("skill %q%s is already registered as %q%s; unregister that first", s.Name, at(s), taken, at(r.byName[taken]))
	}
	if r.byName == nil {
		r.byName, r.keys = map[string]*Skill{}, map[string]string{}
	}
	r.order = append(r.order, s)
	r.byName[s.Name] = s
	r.keys[key] = s.Name
	return nil
}

func at(s *Skill) string {
	if s.Path == "" {
		return ""
	}
	return " (" + s.Path + ")"
}

// Unregister takes a skill out and tells whether it was there.
func (r *Registry) Unregister(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.byName[name]
	if !ok {
		return false
	}
	delete(r.byName, name)
	delete(r.keys, nameKey(name))
	r.order = slices.DeleteFunc(slices.Clone(r.order), func(t *Skill) bool { return t == s })
	return true
}

// Get gives the skill of this exact name.
func (r *Registry) Get(name string) (*Skill, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s, ok := r.byName[name]
	return s, ok
}

// List gives the skills in the order in which they were registered.
func (r *Registry) List() []*Skill {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.order)
}

// Len gives the number of skills.
func (r *Registry) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.order)
}
