package lint

import (
	"regexp"
	"strings"
)

func descriptionVague() Rule {
	return Rule{ID: "description-vague", Title: "description says little", Severity: Note, skill: checkVague,
		hint: "name what goes in, what comes out, and the words a user would say",
		Doc: doc{what: "The description has two or three words, or is made of words that fit anything: \"helps with documents\", \"a useful tool\", \"does stuff with files\".",
			why: "Nothing in it tells the skill from others.", wrong: "description: Helps with documents.", right: "description: Fills PDF forms from a table of values.",
			fix: "say what exactly it does.", source: authoring}.text()}
}

var vague = regexp.MustCompile(`(?i)^(?:this\s+(?:skill|tool)\s+)?(?:helps?|assists?|works?|deals?)\s+(?:you\s+|users?\s+)?(?:with\s+)?(?:documents?|files?|data|code|text|things|tasks|stuff|projects?|work)[.!]?$` +
	`|^(?:an?|the|some)?\s*(?:useful|handy|helpful|general(?:[- ]purpose)?|generic|miscellaneous|great|powerful|simple|awesome)\s+(?:tool|skill|utility|utilities|helper|functions?|assistant)\b.{0,30}$` +
	`|\b(?:stuff|misc(?:ellaneous)?\s+(?:tasks?|things?|utilities)|various\s+(?:things|tasks|stuff|operations))\b|^(?:一个|通用)?(?:有用|好用|通用|万能)的?(?:工具|技能|助手)`)

func checkVague(p *skillPass) {
	text := opening(p.skill.Description)
	if !authored(p) {
		return
	}
	if n := words(text, 4); n == 2 || n == 3 {
		p.report("description", "description "+quote(text)+" has few words", "")
		return
	}
	if m := vague.FindString(text); m != "" {
		p.reportAt("description", strings.TrimSpace(m), "description says little: "+quote(m), "")
	}
}
