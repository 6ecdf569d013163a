package skills

import (
	"os"
	"os/exec"
	"strings"
	"sync"
)

// requirements checks what skills require and remembers each answer.
type requirements struct {
	lookPath  func(string) error
	lookupEnv func(string) (string, bool)

	mu   sync.Mutex
	bins map[string]bool
}

func newRequirements(o LoadOptions) *requirements {
	r := &requirements{lookPath: o.LookPath, lookupEnv: o.LookupEnv, bins: map[string]bool{}}
	if r.lookPath == nil {
		r.lookPath = func(program string) error {
			_, err := exec.LookPath(program)
			return err
		}
	}
	if r.lookupEnv == nil {
		r.lookupEnv = os.LookupEnv
	}
	return r
}

func (r *requirements) has(program string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	ok, known := r.bins[program]
	if !known {
		ok = r.lookPath(program) == nil
		r.bins[program] = ok
	}
	return ok
}

// missing says what is not there, or "".
func (r *requirements) missing(q Requires) string {
	var parts []string
	for _, b := range q.Bins {
		if !r.has(b) {
			parts = append(parts, "program "+b+" is not on PATH")
		}
	}
	any := len(q.AnyBins) == 0
	for _, b := range q.AnyBins {
		any = any || r.has(b)
	}
	if !any {
		parts = append(parts, "none of the programs "+strings.Join(q.AnyBins, ", ")+" is on PATH")
	}
	for _, e := range q.Env {
		if v, ok := r.lookupEnv(e); !ok || v == "" {
			parts = append(parts, "environment variable "+e+" is not set")
		}
	}
	return strings.Join(parts, "; ")
}
