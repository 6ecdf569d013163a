package runner

import (
	"time"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// Plan is what to run: every case × every arm × every repetition.
type Plan struct {
	Cases       []datasets.Case
	Arms        []Arm
	Repetitions int    // at least 1
	Seed        int64  // of everything random
	SendSeed    bool   // send a per-trial seed, derived from Seed, case and repetition, to the server
	Until       string // agent.Task.Until of the cases that expect at most one call; the others run to their answer

	Concurrency  int           // at least 1
	TrialTimeout time.Duration // 0: none
	RunTimeout   time.Duration // 0: none
}

// Arm is one variant: a name and an agent that is safe for concurrent use.
type Arm struct {
	Name  string
	Agent *agent.Agent
}

// Scorer scores a finished trial that is not an error. It must be safe for concurrent use and depend on
// nothing but its arguments.
type Scorer interface {
	Score(c *datasets.Case, t *results.Trial) (*results.Scores, error)
}
