package datasets_test

import (
	"fmt"
	"strings"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/skills"
)

func Example() {
	cases, err := datasets.Read("cases.jsonl", strings.NewReader(
		`{"id":"rain-1","input":"Will it rain in Oslo?","expect":{"skill":"get_weather","args":{"city":"Oslo"}}}
{"id":"none-1","input":"thanks, that is all","expect":{"none":true}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	catalogue := []*skills.Skill{{Name: "get_weather", Parameters: []byte(`{"type":"object","properties":{"city":{"type":"integer"}}}`)}}
	for _, f := range datasets.Check(cases, catalogue).Errors() {
		fmt.Println(f)
	}
	fmt.Println(datasets.Describe(cases, catalogue).Cases, "cases")
	// Output:
	// cases.jsonl:1: error: case "rain-1": expect.calls[0].args.city: the schema of "get_weather" refuses the label: city: expected integer, given string "Oslo"
	// 2 cases
}
