package agent

import (
	"fmt"
	"slices"
	"strings"
)

// chooseSkill takes up a selection by name.
func (r *run) chooseSkill(t *turn, name string, flags []string) note {
	e, normalized, ok := r.view.skills.find(name)
	if !ok && blankName(name) {
		return t.chooseNone("")
	}
	if !ok {
		r.out.Selected = append(r.out.Selected, clip(name, 200))
		return t.refuse(r.unknown(name))
	}
	if normalized {
		flags = append(slices.Clone(flags), flagNormalized)
	}
	r.out.Selected = append(r.out.Selected, e.name())
	t.chosen = append(t.chosen, selection{e, flags})
	return note{kind: noteChosen, skill: e.name(), text: e.detail}
}

// chooseCategory takes up the choice of a category.
func (r *run) chooseCategory(t *turn, name string) note {
	if r.view.categories == nil {
		return t.refuse(fmt.Sprintf("there are no categories to choose from: %s", r.expected()))
	}
	s, _, ok := r.view.categories.find(name)
	switch {
	case ok:
		t.category = s
		return note{kind: noteCategory, text: fmt.Sprintf("You chose the category %s.", name)}
	case blankName(name):
		return t.chooseNone("")
	}
	return t.refuse(fmt.Sprintf("there is no category %q; the categories are: %s", clip(name, 200), listed(r.view.first.names)))
}

// chooseNone takes up the word that no skill fits.
func (t *turn) chooseNone(answer string) note {
	t.none, t.answer = true, orElse(t.answer, answer)
	return note{kind: noteNone, text: "No skill was chosen."}
}

// chosenName is the name inside a call of select_skill or select_category: under "name" or, unless strict,
// under another usual key, as the only value, or in place of the object.
func (r *run) chosenName(c *rawCall) (string, bool) {
	decoded := decodeArguments(c.args)
	if decoded.fault != "" {
		bare := strings.Trim(strings.TrimSpace(c.args), `"`)
		_, _, known := r.view.skills.find(bare)
		return bare, known && !r.agent.opts.Strict
	}
	fields, _ := fieldsOf(decoded.object)
	for _, key := range append([]string{"name"}, nameKeys...) {
		for _, f := range fields {
			if f.name != key && (len(fields) > 1 || r.agent.opts.Strict) {
				continue
			}
			if name, ok := textOf(f.value); ok || string(f.value) == "null" {
				return name, true
			}
		}
		if r.agent.opts.Strict {
			break
		}
	}
	return "", false
}

// isChooser tells whether a name stands for one of the functions that choose.
func (r *run) isChooser(name, function string) bool {
	if r.view.flat || function == selectCategory && r.view.categories == nil {
		return false
	}
	if name == function {
		_, own := r.view.skills.exact[name] // a skill of that name, in the text protocol
		return !own || r.agent.native()
	}
	return !r.agent.opts.Strict && fold(name[strings.LastIndexAny(name, ".:/")+1:]) == function
}

func (r *run) unknown(name string) string {
	return fmt.Sprintf("there is no skill %q; %s", clip(name, 200), r.expected())
}

// expected says what the step would accept.
func (r *run) expected() string {
	names := listed(r.step.stage.names)
	native := r.agent.native()
	switch {
	case names == "":
		return "answer in plain words"
	case r.view.flat && native:
		return "call one of: " + names + "; or answer"
	case r.view.flat:
		return `reply {"skill": NAME, "args": {…}} with one of: ` + names + "; or answer in plain words"
	case r.step.stage.level == 2 && native:
		return fmt.Sprintf("call %s, call select_skill to choose another skill, or answer", r.step.stage.tools[0].Name)
	case r.step.stage.level == 2:
		return fmt.Sprintf(`reply {"skill": %s, "args": {…}}, {"skill": NAME} to choose another skill, or answer in plain words`, quoteJSON(names))
	case r.step.stage.level == 0 && native:
		return "call select_category with one of: " + names + "; or answer"
	case r.step.stage.level == 0:
		return `reply {"category": NAME} with one of: ` + names + "; or answer in plain words"
	case native:
		return "call select_skill with one of: " + names + "; or answer"
	}
	return `reply {"skill": NAME} with one of: ` + names + "; or answer in plain words"
}

// listed joins names for a message, at most fifty.
func listed(names []string) string {
	const most = 50
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
