// Package skilleval is the root of an evaluation and regression-testing harness for the skills of AI agents. It holds
// no code; the command is cmd/skilleval, and the library starts at package agent.
package skilleval
