package offline

import (
	"net/mail"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/internal/prose"
)

// formed finds a string that its form gives away: an address, a path, a date, a match of the pattern, an identifier,
// or one of the examples of the schema.
func (f *filler) formed(p *param) (found, bool) {
	switch {
	case p.isURL():
		return f.firstOf(p, f.links)
	case p.isEmail():
		return f.firstOf(p, f.emails())
	case p.isPath():
		return f.firstOf(p, f.paths())
	}
	if kind := p.timeKind(); kind != noTime {
		if v, ok := f.timed(p, kind); ok {
			return v, true
		}
	}
	if p.pattern != "" {
		if v, ok := f.matching(p); ok {
			return v, true
		}
	}
	if p.has("id", "ids", "identifier", "code", "number", "sku", "version", "ref") {
		if v, ok := f.firstOf(p, f.identifiers()); ok {
			return v, true
		}
	}
	return f.exemplified(p)
}

// isURL, isEmail and isPath judge a parameter by its format, name and description.
func (p *param) isURL() bool {
	return p.format == "uri" || p.format == "url" || p.format == "" && (p.has("url", "uri", "link", "href", "webpage") || p.says("url of", "the url", "link to", "web address", "网址", "链接"))
}

func (p *param) isEmail() bool {
	return p.format == "email" || p.format == "" && (p.has("email", "mail") || p.says("email address", "e-mail address", "邮箱", "邮件地址"))
}

func (p *param) isPath() bool {
	return p.format == "" && (p.has("path", "file", "filename", "filepath", "folder", "dir", "directory") || p.says("file path", "path to", "path of", "file name", "文件路径", "文件名"))
}

// firstOf takes the first free stretch that the schema accepts.
func (f *filler) firstOf(p *param, list []span) (found, bool) {
	for _, s := range list {
		if text := f.text[s.from:s.to]; f.free(s) && p.fits(text) {
			return found{quote(text), s}, true
		}
	}
	return found{}, false
}

// urls lists the web addresses of the text.
func (f *filler) urls() []span {
	var list []span
	for _, start := range [...]string{"https://", "http://", "www."} {
		for at := 0; at < len(f.folded); {
			i := strings.Index(f.folded[at:], start)
			if i < 0 {
				break
			}
			i += at
			end := i + prose.RunLength(f.text[i:], func(r rune) bool {
				return r > ' ' && !prose.IsIdeographic(r) && !strings.ContainsRune("\"'<>`，。、；：？！（）《》「」“”‘’", r)
			})
			for end > i && strings.IndexByte(".,;:!?)]}", f.text[end-1]) >= 0 {
				end--
			}
			if end > i+len(start) && (start != "www." || i == 0 || f.text[i-1] != '/') {
				list = append(list, span{i, end})
			}
			at = max(end, i+len(start))
		}
		if len(list) > 0 && start == "http://" {
			break
		}
	}
	return sortedSpans(list)
}

// emails lists the e-mail addresses of the text.
func (f *filler) emails() []span {
	var list []span
	for i := 0; i < len(f.text); i++ {
		if f.text[i] != '@' {
			continue
		}
		from, to := i, i+1
		for from > 0 && isAddressByte(f.text[from-1]) {
			from--
		}
		for to < len(f.text) && isAddressByte(f.text[to]) {
			to++
		}
		for to > i && strings.IndexByte(".-", f.text[to-1]) >= 0 {
			to--
		}
		if address := f.text[from:to]; from < i && strings.Contains(f.text[i:to], ".") {
			if parsed, err := mail.ParseAddress(address); err == nil && parsed.Address == address {
				list = append(list, span{from, to})
			}
		}
	}
	return list
}

// isAddressByte reports whether c may stand in an e-mail address, but for the @.
func isAddressByte(c byte) bool {
	return c < utf8.RuneSelf && (prose.IsWordRune(rune(c)) || strings.IndexByte("._%+-", c) >= 0)
}

// paths lists what looks like a file: a name with an extension, or names joined by slashes.
func (f *filler) paths() []span {
	var list []span
	for _, w := range strings.FieldsFunc(f.text, func(r rune) bool {
		return r <= ' ' || prose.IsIdeographic(r) || strings.ContainsRune("\"'`，。、；：？！（）()《》「」“”‘’,;<>", r)
	}) {
		w = strings.TrimRight(w, ".?!:")
		base, ext := w, ""
		if i := strings.LastIndexByte(w, '.'); i >= 0 {
			base, ext = w[:i], w[i+1:]
		}
		named := base != "" && len(ext) >= 1 && len(ext) <= 5 && isASCIIAlnum(ext) && strings.ContainsAny(strings.ToLower(ext), "abcdefghijklmnopqrstuvwxyz")
		slashed := len(w) > 2 && strings.ContainsAny(w, `/\`) && !strings.HasPrefix(w, "http") && !strings.Contains(w, "://")
		if !named && !slashed || strings.Contains(w, "@") || strings.Contains(w, "://") {
			continue
		}
		if at := strings.Index(f.text, w); at >= 0 {
			list = append(list, span{at, at + len(w)})
		}
	}
	return list
}

// identifiers lists words that mix letters or signs with digits, such as PRT-8945, v1.2 or #41.
func (f *filler) identifiers() []span {
	var list []span
	for _, w := range f.words {
		text := f.text[w.from:w.to]
		if w.mark || w.han || !strings.ContainsAny(text, "0123456789") || f.inMoment(w.span) || f.inAddress(w.span) {
			continue
		}
		if strings.ContainsAny(text, "-_./") && !allDigits(strings.ReplaceAll(text, ".", "")) || hasLetterASCII(text) || w.from > 0 && f.text[w.from-1] == '#' {
			list = append(list, w.span)
		}
	}
	for _, w := range f.words {
		if !w.mark && !w.han && allDigits(f.text[w.from:w.to]) && len(w.folded) >= 3 && !f.inMoment(w.span) {
			list = append(list, w.span)
		}
	}
	return list
}

// inAddress reports whether a stretch lies within a web address.
func (f *filler) inAddress(s span) bool {
	for _, u := range f.links {
		if s.from >= u.from && s.to <= u.to {
			return true
		}
	}
	return false
}

func isASCIIAlnum(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || !prose.IsWordRune(rune(s[i])) {
			return false
		}
	}
	return true
}

func hasLetterASCII(s string) bool {
	for i := range len(s) {
		if lower(s[i]) || upper(s[i]) {
			return true
		}
	}
	return false
}

// maxPattern and maxWindow bound the work that a pattern of the schema can cause.
const (
	maxPattern = 512
	maxWindow  = 4
)

// compilePattern compiles a pattern of a schema; nil when this dialect does not have it.
func compilePattern(pattern string) *regexp.Regexp {
	if len(pattern) > maxPattern {
		return nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	return re
}

// compiled is the compiled pattern of a parameter, nil without one.
func (p *param) compiled() *regexp.Regexp {
	if !p.tried {
		p.tried = true
		if p.pattern != "" {
			p.re = compilePattern(p.pattern)
		}
	}
	return p.re
}

// matching finds words of the text that match the pattern of the schema, in their own or in upper or lower case.
func (f *filler) matching(p *param) (found, bool) {
	re := p.compiled()
	if re == nil || re.MatchString("") || re.MatchString("zq zq zq") { // a pattern that takes anything says nothing
		return found{}, false
	}
	for size := maxWindow; size >= 1; size-- {
		for i := 0; i+size <= len(f.words) && i < 400; i++ {
			s := span{f.words[i].from, f.words[i+size-1].to}
			text := f.text[s.from:s.to]
			if f.words[i].mark && text != "#" && text != "+" || !f.free(s) || size == 1 && f.isFiller(f.words[i].folded) {
				continue
			}
			for _, form := range [...]string{text, strings.ToUpper(text), strings.ToLower(text)} {
				if p.fits(form) && re.MatchString(form) {
					return found{quote(form), s}, true
				}
			}
		}
	}
	return found{}, false
}

// isCode reports whether a word of a description is a value to give rather than a word of the language: short, or with
// digits, capitals or joints in it.
func isCode(w string) bool {
	return len(w) > 0 && len(w) <= 3 && !prose.IsStop(strings.ToLower(w)) || strings.ContainsAny(w, "0123456789_-") || strings.ToUpper(w) == w && hasLetterASCII(w)
}

// exemplified finds an example of the schema, or an alias that its description explains, in the text.
func (f *filler) exemplified(p *param) (found, bool) {
	for _, example := range p.examples {
		if s, ok := f.locate(example); ok && p.fits(example) && !f.about[prose.Stem(strings.ToLower(example))] {
			return found{quote(example), s}, true
		}
	}
	for _, pair := range explained(p.description) {
		if !isCode(pair.value) {
			continue
		}
		if s, ok := f.locate(pair.phrase); ok && p.fits(pair.value) {
			return found{quote(pair.value), s}, true
		}
		if s, ok := f.locate(pair.value); ok && p.fits(pair.value) && len(pair.value) > 1 {
			return found{quote(pair.value), s}, true
		}
	}
	return found{}, false
}
