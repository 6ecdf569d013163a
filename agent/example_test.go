package agent_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/skills"
)

// parrot is a model that chooses the weather, calls it and reads out the result.
type parrot struct{}

func (parrot) Chat(_ context.Context, req *agent.Request) (*agent.Reply, error) {
	last := req.Messages[len(req.Messages)-1]
	call := func(arguments string) (*agent.Reply, error) {
		return &agent.Reply{ToolCalls: []agent.ToolCall{{ID: fmt.Sprint("call_", len(req.Messages)), Name: req.Tools[0].Name, Arguments: arguments}}}, nil
	}
	switch {
	case last.Role == "user":
		return call(`{"name":"get_weather"}`)
	case req.Tools[0].Name == "get_weather":
		return call(`{"city":"Oslo"}`)
	}
	return &agent.Reply{Content: "The station says: " + last.Content}, nil
}

func ExampleAgent_Run() {
	registry, err := skills.NewRegistry(&skills.Skill{
		Name:        "get_weather",
		Description: "Current weather of a city.",
		Parameters:  json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`),
		Result:      json.RawMessage(`"7 degrees"`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := agent.New(parrot{}, registry, agent.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := a.Run(context.Background(), agent.Task{Input: "How cold is it in Oslo?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("chose", out.Selected)
	fmt.Println("called", out.Calls[0].Skill, string(out.Calls[0].Args))
	fmt.Println(out.Answer, "after", out.Rounds, "requests")
	// Output:
	// chose [get_weather]
	// called get_weather {"city":"Oslo"}
	// The station says: 7 degrees after 3 requests
}
