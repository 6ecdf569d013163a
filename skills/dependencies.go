package skills

import (
	"fmt"
	"slices"
	"strings"
)

// CheckDependencies finds depends-on entries that name no skill of the list, and those that lead back to where they
// began: the message names the whole way, a → b → a. Notes come in the order of the list; each cycle is told once.
func CheckDependencies(list []*Skill) []Note {
	g := &graph{byName: make(map[string]*Skill, len(list)), state: make(map[*Skill]int, len(list))}
	for _, s := range list {
		if _, ok := g.byName[s.Name]; !ok {
			g.byName[s.Name] = s
			g.names = append(g.names, s.Name)
		}
	}
	for _, s := range list {
		for _, d := range s.DependsOn {
			if _, ok := g.byName[d]; !ok {
				g.unknown(s, d)
			}
		}
	}
	for _, s := range list {
		g.visit(s)
	}
	return g.notes
}

type graph struct {
	byName map[string]*Skill
	names  []string
	state  map[*Skill]int // 0 not visited, 1 on the way, 2 done
	way    []*Skill
	notes  []Note
}

func (g *graph) note(code string, s *Skill, message string) {
	g.notes = append(g.notes, Note{Code: code, Path: s.Path, Line: s.Lines["depends-on"], Message: message})
}

func (g *graph) unknown(s *Skill, name string) {
	message := fmt.Sprintf("%s depends on %q, which is not in the catalogue", s.Name, name)
	if near, ok := nearest(name, g.names); ok {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	g.note(CodeUnknownDepends, s, message)
}

func (g *graph) visit(s *Skill) {
	if g.state[s] != 0 {
		return
	}
	g.state[s] = 1
	g.way = append(g.way, s)
	for i, d := range s.DependsOn {
		next, ok := g.byName[d]
		if !ok || slices.Contains(s.DependsOn[:i], d) {
			continue
		}
		if g.state[next] == 1 {
			g.cycle(next)
			continue
		}
		g.visit(next)
	}
	g.way = g.way[:len(g.way)-1]
	g.state[s] = 2
}

func (g *graph) cycle(back *Skill) {
	from := slices.Index(g.way, back)
	var names []string
	for _, s := range g.way[from:] {
		names = append(names, s.Name)
	}
	g.note(CodeDependsCycle, g.way[len(g.way)-1], "depends-on goes in a circle: "+strings.Join(append(names, back.Name), " → "))
}
