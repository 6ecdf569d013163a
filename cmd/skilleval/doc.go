// Command skilleval measures how well an agent chooses among its skills and fills their arguments.
//
// A command NAME is in NAME.go: its flags, its help and its steps from top to bottom. What only it needs is in the files
// that begin with its name (absides.go, ablatesizes.go, lintfix.go, similaraccept.go); require.go and golden.go hold what
// several commands decide by.
//
// In pipeline order: [Main] (root.go) finds the command and turns its error into the exit code; the settings are resolved
// (flags.go, config.go) and the suite is found (suite.go); everything is checked before the first request (runcheck.go,
// output.go, overwrite.go); the model is put together (model.go, replies.go); the plan is said (plan.go), the run is made
// (run.go, runfile.go, progress.go) and reported (report.go).
package main
