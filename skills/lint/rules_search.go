package lint

import "github.com/skilleval/skilleval/skills"

// searchRules pass on what the search for skills left out.
func searchRules() []Rule {
	rule := func(id, code, title string, s Severity, hint string, d doc) Rule {
		d.fix = hint + "."
		return Rule{ID: id, Title: title, Severity: s, Doc: d.text(), found: code, hint: hint}
	}
	return []Rule{
		rule(skills.CodeNoSkillFile, skills.CodeNoSkillFile, "folder looks like a skill and has no SKILL.md", Warning, "name the file SKILL.md",
			doc{what: "A folder holds a parameters.json or a file such as skills.md, but no SKILL.md.", why: "It is no skill for any host, which is easily missed.",
				wrong: "skills/pdf/skills.md", right: "skills/pdf/SKILL.md", source: openFormat}),
		rule(skills.CodeSecondFile, skills.CodeSecondFile, "second SKILL.md in one folder", Warning, "keep one of the files",
			doc{what: "A folder holds SKILL.md twice, in different case. One is left out.", why: "On systems that fold case the two are one file, and which text counts is chance.",
				wrong: "skills/pdf/SKILL.md and skills/pdf/skill.md", right: "skills/pdf/SKILL.md"}),
		rule(skills.CodeResourceSkill, skills.CodeResourceSkill, "SKILL.md among the resources of another skill", Note, "move it out of the resource folder if it is meant to be a skill",
			doc{what: "A SKILL.md lies in scripts, references, assets, examples or the like of another skill. It counts as a sample.", why: "Hosts differ in whether they would load it.",
				wrong: "skills/writer/examples/demo/SKILL.md   meant to be used", right: "skills/demo/SKILL.md"}),
		rule("folder-dangling-link", skills.CodeDangling, "link to nothing among the skills", Warning, "correct the link or remove it",
			doc{what: "A link in the skills folder has no target, so whatever it was to bring in is missing.", why: "The catalogue is smaller than it looks.",
				wrong: "skills/pdf -> ../shared/pdf   which was moved", right: "skills/pdf -> ../shared/documents/pdf"}),
		rule("folder-path-escape", skills.CodePathEscape, "link out of the skills folder is not followed", Warning, "name its target as a root of its own",
			doc{what: "A link to a folder leads out of the folder that is searched. It is not followed.", why: "Agent hosts may follow it, so their catalogue is larger than the one that is measured.",
				wrong: "skilleval lint skills   where skills/pdf -> /opt/pdf", right: "skilleval lint skills /opt/pdf"}),
		rule("folder-unreadable", skills.CodeUnreadable, "folder cannot be read", Warning, "make the folder readable",
			doc{what: "The operating system refuses to list a folder.", why: "Skills in it are missing without a word.", wrong: "a folder with mode 000", right: "a folder with mode 755"}),
		rule(skills.CodeLinkCycle, skills.CodeLinkCycle, "link leads back to a folder that holds it", Note, "remove the link",
			doc{what: "A link goes round in a circle and is not followed.", why: "Simple searches never come back from it.", wrong: "skills/all -> ..", right: "no such link"}),
		rule(skills.CodeLinkSeen, skills.CodeLinkSeen, "folder is reached twice", Note, "remove the link if one place is enough",
			doc{what: "A link leads to a folder that was searched already; its skills count once.", why: "Hosts that follow links may list the skills twice.", wrong: "skills/pdf2 -> pdf", right: "skills/pdf"}),
		rule(skills.CodeSkippedFolder, skills.CodeSkippedFolder, "hidden or vendored folder was not searched", Note, "name the folder as a root to search it",
			doc{what: "Hidden folders and node_modules are not searched, except for a hidden folder's skills.", why: "It is said, so that a missing skill is no riddle.",
				wrong: "skills/.drafts/pdf/SKILL.md   expected to load", right: "skills/pdf/SKILL.md"}),
		rule(skills.CodeDepth, skills.CodeDepth, "folders nested too deep", Warning, "name a folder further down as a root",
			doc{what: "Folders deeper than 32 levels are not searched.", why: "Skills below are missing.", wrong: "33 folders in each other", right: "skills/group/pdf/SKILL.md",
				source: "a limit of skilleval"}),
	}
}
