package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skilleval/skilleval/skills"
)

// entry is one skill with what the agent made of it in advance.
type entry struct {
	skill  *skills.Skill
	schema *skills.Schema
	args   argumentNames
	detail string // level 2 text
	how    string // the same in the text protocol, with the schema and the form of a call
	tools  []Tool // the skill's function alone; shared, never changed
	stage  *stage // the request that asks for its arguments
	slots  chan struct{}
}

func (e *entry) name() string     { return e.skill.Name }
func (e *entry) function() string { return e.tools[0].Name }

// noArguments is the schema of a skill that declares none.
var noArguments = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)

// newEntry compiles a skill's schema and prepares its function.
func newEntry(s *skills.Skill, function string) (*entry, error) {
	schema, err := s.Schema()
	if err != nil {
		return nil, fmt.Errorf("skill %q: parameters: %w", s.Name, err)
	}
	e := &entry{skill: s, schema: schema, args: declaredArguments(s, schema), detail: skills.Detail(s)}
	parameters := s.Parameters
	if len(parameters) == 0 || string(parameters) == "null" {
		parameters = noArguments
	}
	e.tools = []Tool{{Name: function, Description: s.Description, Parameters: parameters}}
	e.how = howToCall(e)
	if s.MaxConcurrent > 0 {
		e.slots = make(chan struct{}, s.MaxConcurrent)
	}
	return e, nil
}

// stage is one kind of request: what stands around the question, and which functions are offered. Stages
// are made once and shared by every task.
type stage struct {
	level         int // 0 category, 1 selection, 2 arguments
	system        string
	before, after string // of the question, in the user message
	tools         []Tool
	choice        string   // tool_choice
	names         []string // the names that may be written here, for messages
}

// view is the catalogue as tasks with the same context tags see it.
type view struct {
	skills     *index[*entry] // by skill name and by function name
	categories *index[*stage] // grouped only: the selection within a category
	loaded     []*entry       // skills that are called without being selected
	first      *stage         // where a task, and every choice after a result, starts
	flat       bool
}

// maxViews bounds how many sets of context tags are remembered.
const maxViews = 64

// viewCache remembers views by context tags.
type viewCache struct {
	mu    sync.Mutex
	views map[string]*view
}

// view returns the catalogue narrowed to the skills that have one of the tags, or no tags at all.
func (a *Agent) view(tags []string) *view {
	key := viewKey(tags)
	a.cache.mu.Lock()
	defer a.cache.mu.Unlock()
	if v, ok := a.cache.views[key]; ok {
		return v
	}
	if len(a.cache.views) >= maxViews {
		clear(a.cache.views)
	}
	v := a.newView(tags)
	a.cache.views[key] = v
	return v
}

func viewKey(tags []string) string {
	if len(tags) == 0 {
		return ""
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(tags)))
	b, _ := json.Marshal(sorted) // strings always encode
	return string(b)
}

func (a *Agent) newView(tags []string) *view {
	v := &view{skills: newIndex[*entry](a.opts.Strict), flat: a.opts.Catalog == "flat"}
	if a.opts.Catalog == "grouped" {
		a.groupedView(v, tags)
		return v
	}
	rendering := skills.Render(a.list(), a.rendering(tags))
	offered := a.offer(v, rendering.Names)
	v.loaded = a.loaded(rendering.Names)
	if v.flat {
		v.first = a.flatStage(rendering.Text, offered, v.loaded)
	} else {
		v.first = a.selectionStage(rendering.Text, offered, v.loaded)
	}
	return v
}

// groupedView makes one stage for the categories and one for each category's skills.
func (a *Agent) groupedView(v *view, tags []string) {
	narrow := a.rendering(tags)
	narrow.TokenLimit = 0
	v.categories = newIndex[*stage](a.opts.Strict)
	members := map[string][]*skills.Skill{}
	var order []string
	all := skills.Render(a.list(), narrow).Names
	v.loaded = a.loaded(all)
	for _, name := range all {
		s := a.byName[name].skill
		category := categoryOf(s)
		if members[category] == nil {
			order = append(order, category)
		}
		members[category] = append(members[category], s)
	}
	var block strings.Builder
	for _, category := range order {
		rendering := skills.Render(members[category], a.rendering(nil))
		v.categories.add(a.selectionStage(rendering.Text, a.offer(v, rendering.Names), v.loaded), category)
		fmt.Fprintf(&block, "- %s: %s\n", category, strings.Join(rendering.Names, ", "))
	}
	v.first = a.categoryStage(strings.TrimSuffix(block.String(), "\n"), order, v.loaded)
}

// noCategory stands for the category of skills that name none.
const noCategory = "other"

func categoryOf(s *skills.Skill) string {
	if c := strings.Join(strings.Fields(s.Category), " "); c != "" {
		return c
	}
	return noCategory
}

// offer files the named skills in the view and returns them.
func (a *Agent) offer(v *view, names []string) []*entry {
	offered := make([]*entry, 0, len(names))
	for _, name := range names {
		e := a.byName[name]
		v.skills.add(e, name, e.function())
		offered = append(offered, e)
	}
	return offered
}

// loaded returns those of the named skills that are called without being selected: the ones to preload, and
// the ones that ask for it themselves.
func (a *Agent) loaded(names []string) []*entry {
	var list []*entry
	for _, name := range names {
		if e := a.byName[name]; e.skill.Always || slices.Contains(a.opts.Preload, name) {
			list = append(list, e)
		}
	}
	return list
}

// rendering holds the settings under which the catalogue is written.
func (a *Agent) rendering(tags []string) skills.RenderOptions {
	return skills.RenderOptions{
		Format:      a.opts.Rendering,
		TokenLimit:  a.opts.TokenLimit,
		CountTokens: a.opts.CountTokens,
		ContextTags: tags,
		Schemas:     a.opts.Catalog == "flat",
	}
}

func (a *Agent) list() []*skills.Skill {
	list := make([]*skills.Skill, len(a.entries))
	for i, e := range a.entries {
		list[i] = e.skill
	}
	return list
}
