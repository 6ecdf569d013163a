package reports

import (
	"math"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// lastResort is the file that a finding without any is placed at.
const lastResort = "skilleval.yaml"

// maxPath is the length in bytes above which a path is taken for no path of a repository.
const maxPath = 4096

var (
	drive  = regexp.MustCompile(`^[A-Za-z]:(/|$)`)
	share  = regexp.MustCompile(`^//[^/]+/[^/]+`)
	scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
)

// fullPath is a cleaned absolute path in two parts: the volume of Windows ("c:", "//server/share"), lower-cased, or "",
// and the rest with forward slashes.
type fullPath struct{ volume, rest string }

// slashed spells a path with forward slashes, without the prefixes of Windows' long paths. A backslash is a separator
// on every system, so that a report made on Windows reads the same anywhere.
func slashed(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	for _, prefix := range []string{"//?/UNC/", "//./UNC/"} {
		if rest, ok := strings.CutPrefix(p, prefix); ok {
			return "//" + rest
		}
	}
	for _, prefix := range []string{"//?/", "//./"} {
		p = strings.TrimPrefix(p, prefix)
	}
	return p
}

// absolute parses a slashed absolute path; ok is false for a relative one.
func absolute(p string) (full fullPath, ok bool) {
	volume := ""
	switch {
	case drive.MatchString(p):
		volume = strings.ToLower(p[:2])
		p = p[2:]
	case share.MatchString(p):
		n := len(share.FindString(p))
		volume, p = strings.ToLower(p[:n]), p[n:]
	case !strings.HasPrefix(p, "/"):
		return fullPath{}, false
	}
	return fullPath{volume, path.Clean("/" + p)}, true
}

// below is p relative to the directory root; ok is false when p does not lie in it. Windows does not tell cases apart.
func (p fullPath) below(root fullPath) (rel string, ok bool) {
	dir := strings.TrimSuffix(root.rest, "/") + "/"
	if p.volume != root.volume || len(p.rest) <= len(dir) {
		return "", false
	}
	head := p.rest[:len(dir)]
	if head != dir && (p.volume == "" || !strings.EqualFold(head, dir)) {
		return "", false
	}
	return p.rest[len(dir):], true
}

// sourcePath is a path of the report relative to the repository's root, with forward slashes; ok is false when it is
// empty, a URL, or lies outside the root.
func (r *Report) sourcePath(p string) (rel string, ok bool) {
	p = slashed(p)
	if p == "" || len(p) > maxPath || scheme.MatchString(p) {
		return "", false
	}
	root, rooted := absolute(slashed(r.SourceRoot))
	full, isAbs := absolute(p)
	if work, ok := absolute(slashed(r.WorkDir)); !isAbs && rooted && ok {
		full, isAbs = fullPath{work.volume, path.Join(work.rest, p)}, true
	}
	if isAbs {
		if !rooted {
			return "", false
		}
		return full.below(root)
	}
	rel = path.Clean(p)
	if rel == "." || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", false
	}
	return rel, true
}

// spot is a position that a consumer outside this machine can find.
type spot struct {
	path   string // relative to the root of the repository
	line   int    // at least 1
	column int    // 0: unknown
	// fallback is set when path is not the file that was meant; outside then names that one, if it lies outside the
	// repository.
	fallback bool
	outside  string
}

// spot places p in the repository. A place without a file, or with one outside the root, falls back to line 1 of the
// report's FallbackPath, or of skilleval.yaml; of a path outside only the file's own name is kept.
func (r *Report) spot(p Place) spot {
	if rel, ok := r.sourcePath(p.Path); ok {
		return spot{path: rel, line: clamp(p.Line, 1), column: clamp(p.Column, 0)}
	}
	s := spot{path: lastResort, line: 1, fallback: true, outside: fileName(p.Path)}
	if rel, ok := r.sourcePath(r.FallbackPath); ok {
		s.path = rel
	}
	return s
}

// fileName is the last element of a path, "" when it has none.
func fileName(p string) string {
	if p == "" {
		return ""
	}
	if base := path.Base(slashed(p)); base != "/" && base != "." && base != ".." {
		return base
	}
	return ""
}

// clamp keeps a position within what 32-bit readers hold.
func clamp(n, least int) int { return min(max(n, least), math.MaxInt32) }

// relativeURI percent-encodes a relative path. A colon is encoded too: in the first element it would end a scheme.
func relativeURI(rel string) string {
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(part), ":", "%3A")
	}
	return strings.Join(parts, "/")
}
