// Package agent is the loop under test: request → selection → detail → arguments → validation → execution →
// result → answer, over any [Model].
//
// In pipeline order: [New] joins a Model, the skills of a registry and [Options] (agent.go), gives each skill a
// function name (names.go) and renders the catalogue once for each set of context tags (catalog.go, prompt.go).
// [Agent.Run] performs one [Task]: the loop is run.go, and where a task goes next is step.go. A reply is read in
// tiers (parse.go: native calls, JSON in parse_json.go and region.go, vendor markup in parse_vendor.go, Python in
// parse_python.go, values in literal.go), each call is interpreted (interpret.go, choose.go), its arguments are
// decoded (args.go) and bound (bind.go), valid calls are executed (execute.go) and their results summarised
// (summarize.go), and the model is told what came of it (reply.go). Every step is an [Event]. A [Session]
// carries history from task to task.
//
// A failure of the server or the transport is a [*ModelError]; whatever the model itself does wrong is a
// [Fault] in the [Outcome], or an error given back to it. The package holds no global state and prints nothing.
package agent
