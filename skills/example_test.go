package skills_test

import (
	"encoding/json"
	"fmt"
	"testing/fstest"

	"github.com/skilleval/skilleval/skills"
)

func Example() {
	suite := fstest.MapFS{
		"skills/get_weather/SKILL.md":        {Data: []byte("---\nname: get_weather\ndescription: Current weather for a city. Use when the user asks about rain.\n---\nAsk for the city.\n")},
		"skills/get_weather/parameters.json": {Data: []byte(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)},
	}
	catalog, err := skills.LoadFS(suite, "skills", skills.LoadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(catalog.Found, "found,", len(catalog.Failures), "failed")
	fmt.Println(skills.Render(catalog.Skills, skills.RenderOptions{}).Text)

	weather, _ := catalog.Get("get_weather")
	schema, err := weather.Schema()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, fault := range schema.Validate(json.RawMessage(`{"city": 5}`)) {
		fmt.Println(fault.Message)
	}
	// Output:
	// 1 found, 0 failed
	// - get_weather: Current weather for a city. Use when the user asks about rain. Arguments: city (required).
	// city: expected string, given integer 5
}
