// Package skills turns directories that hold a SKILL.md into a catalogue an agent can choose from.
//
// In pipeline order: discover directories, parse one SKILL.md into a [Skill], collect them in a [Catalog]
// (with what was found, loaded and failed), check requirements and dependencies, register the usable ones
// in a per-agent [Registry], and disclose them at three levels: summary ([Render]), full detail ([Detail])
// and resources ([Skill.Resource]).
package skills
