package lint

import (
	"regexp"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

func secret() Rule {
	return Rule{ID: "secret", Title: "what looks like a key or token", Severity: Warning, unread: true, skill: checkSecret,
		hint: "revoke it, and name an environment variable instead",
		Doc: doc{what: "SKILL.md or parameters.json holds a text in the form of an access key, token or private key. Placeholders are left out; the finding shows the first characters only.",
			why:   "Skills are published, sent to models and kept in run files. It is a warning because hosts accept such a file and a form can deceive; in CI, raise it: rules: {secret: error}.",
			wrong: "export API_KEY=sk-…   (a real one)", right: "export API_KEY=$OPENAI_API_KEY", fix: "revoke the key and take it out; deleting the line is not enough where it was committed.", source: "the vendors' published key formats"}.text()}
}

var secretForms = regexp.MustCompile(`\b(?:sk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{24,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}|glpat-[A-Za-z0-9_-]{20,}` +
	`|xox[abprs]-[0-9A-Za-z-]{20,}|AIza[0-9A-Za-z_-]{35}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|[rs]k_live_[A-Za-z0-9]{20,}|SG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{30,}` +
	`|eyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{20,})` +
	`|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40,}`)

// mostSecrets bounds the findings in one file.
const mostSecrets = 20

func checkSecret(p *skillPass) {
	if p.file.load() {
		p.secrets(p.skill.Path, p.file.data)
	} else {
		p.secrets(p.skill.Path, []byte(p.skill.Body))
	}
	if p.skill.Parameters != nil { // whether it is a schema or not
		p.secrets(p.dir.beside("parameters.json"), p.skill.Parameters)
	}
}

func (p *skillPass) secrets(path string, data []byte) {
	n := 0
	for _, m := range secretForms.FindAllIndex(data, 10*mostSecrets) {
		text := string(data[m[0]:m[1]])
		if placeholder(text) {
			continue
		}
		if n++; n > mostSecrets {
			return
		}
		line, column := skills.Position(data, m[0])
		if path == p.skill.Path && p.file.load() {
			line, column = p.file.place(m[0])
		}
		p.add(Finding{Message: "this looks like a key or token: " + quote(text[:4]+"…"), Path: path, Line: line, Column: column, Skill: p.skill.Name, Key: text[:4]})
	}
}

// placeholder tells whether a text in the form of a key is an example: it says so, or has few different characters.
func placeholder(text string) bool {
	low := strings.ToLower(text)
	for _, word := range []string{"xxxx", "your", "example", "placeholder", "redacted", "dummy", "sample", "fake", "insert", "replace", "1234567", "abcdef", "test"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	kinds, digit := map[rune]bool{}, false
	for _, r := range low {
		kinds[r] = true
		digit = digit || r >= '0' && r <= '9'
	}
	return len(kinds) < 10 || !digit
}
