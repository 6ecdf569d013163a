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

func ExampleWriteGitHub() {
	r := &reports.Report{Findings: []reports.Finding{
		{Rule: "description-missing", Severity: "error", Message: "no description", Hint: "say when to use it", Path: "skills/get_weather/SKILL.md", Line: 2, Column: 1},
	}}
	if err := reports.WriteGitHub(os.Stdout, r); err != nil {
		panic(err)
	}
	// Output:
	// ::error file=skills/get_weather/SKILL.md,line=2,col=1,title=description-missing::no description. Hint: say when to use it
}
