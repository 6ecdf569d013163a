package skilleval_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/skilleval/skilleval/"

// mayImport is the whole design of the packages: each one, and what it may import inside the project.
var mayImport = map[string][]string{
	"skills":             nil,
	"skills/lint":        {"skills", "similarity"},
	"datasets":           {"skills", "datasets/match"},
	"datasets/match":     nil,
	"agent":              {"skills"},
	"results":            nil,
	"runner":             {"skills", "datasets", "agent", "results"},
	"metrics":            {"datasets", "datasets/match", "results", "internal/stats"},
	"reports":            {"results", "metrics", "similarity"},
	"similarity":         {"internal/prose"},
	"internal/stats":     nil,
	"internal/llm":       {"agent"},
	"internal/transport": nil,
	"internal/tokens":    nil,
	"internal/offline":   {"internal/prose"},
	"internal/prose":     nil,
	"cmd/skilleval":      {"*"},
}

// testsMayImport is what the tests of a package may import beyond that: a benchmark of the client with the transports
// that the program puts under it.
var testsMayImport = map[string][]string{
	"internal/llm": {"internal/transport"},
}

// only names the packages that may import a library which must not spread.
var only = map[string]string{
	"github.com/openai/openai-go/v3": "internal/llm",
	"github.com/spf13/cobra":         "cmd/skilleval",
}

func TestImportsFollowTheDesign(t *testing.T) {
	seen := map[string]bool{}
	walkGo(t, func(file, pkg string, imports []string) {
		allowed, known := mayImport[pkg]
		require.True(t, known, "%s: package %s is not in the design's table", file, pkg)
		seen[pkg] = true
		if strings.HasSuffix(file, "_test.go") {
			allowed = slices.Concat(allowed, testsMayImport[pkg])
		}
		for _, imp := range imports {
			for prefix, home := range only {
				if imp == prefix || strings.HasPrefix(imp, prefix+"/") {
					require.Equal(t, home, pkg, "%s imports %s, which only %s may", file, imp, home)
				}
			}
			inTree, ok := strings.CutPrefix(imp, module)
			if !ok || inTree == pkg || slices.Contains(allowed, "*") {
				continue
			}
			require.Contains(t, allowed, inTree, "%s: %s may not import %s", file, pkg, inTree)
		}
	})
	for pkg := range mayImport {
		require.True(t, seen[pkg], "package %s of the design has no Go file", pkg)
	}
}

// walkGo calls visit with every Go file below the root package, its package path and its imports.
func walkGo(t *testing.T, visit func(file, pkg string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		file := filepath.ToSlash(p)
		if d.IsDir() || !strings.HasSuffix(file, ".go") || path.Dir(file) == "." {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, imp)
		}
		visit(file, path.Dir(file), imports)
		return nil
	})
	require.NoError(t, err)
}
