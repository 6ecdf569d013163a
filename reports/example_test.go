package reports_test

import (
	"os"

	"github.com/skilleval/skilleval/reports"
)

func ExampleWriteTable() {
	r := &reports.Report{Skills: &reports.SkillList{Found: 1, Loaded: 1, List: []reports.SkillItem{
		{Name: "get_weather", Path: "skills/get_weather/SKILL.md", Available: true, Description: "Current weather for a city."},
	}}}
	if err := reports.WriteTable(os.Stdout, r); err != nil {
		panic(err)
	}
	// Output:
	// 1 found, 1 loaded, 0 failed
	//  skill        path                         available  description
	// ──────────────────────────────────────────────────────────────────────────────────
	//  get_weather  skills/get_weather/SKILL.md  yes        Current weather for a city.
}
