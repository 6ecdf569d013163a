package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set by the linker when a release is built.
var release string

// version is the release, the module version, or "devel" with the revision the build knows of.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// versionLine is what the command version and the flag --version print.
func versionLine() string {
	return fmt.Sprintf("skilleval %s %s/%s %s\n", version(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  skilleval version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.print(versionLine())
		},
	}
}
