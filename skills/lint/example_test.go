package lint_test

import (
	"fmt"
	"testing/fstest"

	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

func Example() {
	catalog, err := skills.LoadFS(fstest.MapFS{
		"pdf/SKILL.md": {Data: []byte("---\nname: pdf\ndescription: Fill PDF forms. I can merge files, too.\n---\nSee [forms](references/forms.md).\n")},
	}, ".", skills.LoadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	config, err := lint.ParseConfig("lint.yaml", []byte("rules: {description-use-when: warning, description-do-not-use-when: off}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := lint.Run(catalog, lint.Options{Config: config})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Printf("%s:%d:%d %s: %s [%s]\n", f.Path, f.Line, f.Column, f.Severity, f.Message, f.Rule)
	}
	// Output:
	// pdf/SKILL.md:3:1 warning: description does not say when to use the skill [description-use-when]
	// pdf/SKILL.md:3:30 note: description says "I can" [description-person]
	// pdf/SKILL.md:5:13 warning: there is no file "references/forms.md" [missing-file]
}

func ExampleApplyFixes() {
	fixed, err := lint.ApplyFixes("pdf/SKILL.md", []byte("---\nName: pdf\ndescription: Fill forms. Triggers: fill, form\n---\n"), lint.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(fixed.Data))
	// Output:
	// ---
	// name: pdf
	// description: 'Fill forms. Triggers: fill, form'
	// ---
}
