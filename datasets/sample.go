package datasets

import "embed"

// Sample is the built-in suite, under "sample/": skills, cases and description sets.
//
//go:embed all:sample
var Sample embed.FS
