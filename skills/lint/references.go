package lint

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// reference is a file that the body of a skill names.
type reference struct {
	target       string // as written, without what stands behind # or ?
	link         bool   // a Markdown link, as opposed to a path in the text
	line, column int
}

var (
	link     = regexp.MustCompile(`\]\(\s*(?:<([^<>]*)>|([^()\s]+(?:\([^()\s]*\)[^()\s]*)*))(?:\s+["'(][^)]*)?\)`)
	barePath = regexp.MustCompile("(?:^|[\\s`\"'(=])((?:\\./)?(?:scripts|references|assets)[/\\\\][A-Za-z0-9._/\\\\-]*\\.[A-Za-z0-9]+)")
	scheme   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`)
)

// mostReferences bounds the files that are looked for, of one skill.
const mostReferences = 200

// references lists the files that the body names, each once: the targets of links outside code, and paths below
// scripts, references and assets anywhere.
func (p *skillPass) references() []reference {
	if p.file.refsRead {
		return p.file.refs
	}
	p.file.refsRead = true
	if !strings.ContainsAny(p.skill.Body, `/\`) && !strings.Contains(p.skill.Body, "](") {
		return nil
	}
	seen := map[string]bool{}
	fence := ""
	for _, l := range p.file.body() {
		text := strings.TrimLeft(l.text, " \t>")
		if mark := fenceMark(text); mark != "" && (fence == "" || strings.HasPrefix(text, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		take := func(from, to int, isLink bool) {
			target := l.text[from:to]
			if cut := strings.IndexAny(target, "#?"); cut >= 0 {
				target = target[:cut]
			}
			if !wanted(target) || seen[target] || len(p.file.refs) >= mostReferences {
				return
			}
			seen[target] = true
			p.file.refs = append(p.file.refs, reference{target, isLink, l.number, utf8.RuneCountInString(l.text[:from]) + 1})
		}
		if fence == "" && strings.Contains(l.text, "](") {
			masked := maskCode(l.text)
			for _, m := range link.FindAllStringSubmatchIndex(masked, -1) {
				i := 2
				if m[2] < 0 {
					i = 4
				}
				take(m[i], m[i+1], true)
			}
		}
		if strings.ContainsAny(l.text, `/\`) {
			for _, m := range barePath.FindAllStringSubmatchIndex(l.text, -1) {
				take(m[2], m[3], false)
			}
		}
	}
	return p.file.refs
}

// fenceMark gives the run of marks that opens or closes a code block, or "".
func fenceMark(text string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 {
			return text[:n]
		}
	}
	return ""
}

// maskCode blanks the insides of inline code, so that offsets stay.
func maskCode(text string) string {
	b := []byte(text)
	for i := 0; i < len(b); i++ {
		if b[i] != '`' {
			continue
		}
		end := strings.IndexByte(text[i+1:], '`')
		if end < 0 {
			break
		}
		for j := i + 1; j < i+1+end; j++ {
			b[j] = ' '
		}
		i += end + 1
	}
	return string(b)
}

// wanted tells whether a target is a file of the machine and no address, anchor or placeholder.
func wanted(target string) bool {
	return target != "" && !strings.ContainsAny(target, "{}<>$*|\"'`…") && !strings.Contains(target, "...") && !strings.Contains(target, "://") &&
		target[0] != '#' && target[0] != '@' && (!scheme.MatchString(target) || drive.MatchString(target)) && utf8.RuneCountInString(target) <= 300
}

var drive = regexp.MustCompile(`^(?:[A-Za-z]:[\\/]|file:)`)

// local gives the path inside the skill's folder that a target means; inside is false when it leads out.
func (r reference) local() (rel string, inside bool) {
	target := r.target
	if plain, err := url.PathUnescape(target); err == nil && r.link {
		target = plain
	}
	if drive.MatchString(target) || strings.HasPrefix(target, "/") || strings.HasPrefix(target, "~") {
		return target, false
	}
	rel = path.Clean(strings.ReplaceAll(target, `\`, "/"))
	return rel, rel != ".." && !strings.HasPrefix(rel, "../")
}

// underFolder tells whether a path that is no link may be meant as one of the skill: its first folder is there.
func (p *skillPass) underFolder(rel string) bool {
	first, _, _ := strings.Cut(rel, "/")
	there, known := p.dir.has(first)
	return known && there && slices.Contains([]string{"scripts", "references", "assets"}, first)
}
