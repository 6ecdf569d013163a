package match_test

import (
	"encoding/json"
	"fmt"

	"github.com/skilleval/skilleval/datasets/match"
)

func Example() {
	p, err := match.Compile(json.RawMessage(`{"city":"Oslo","days":{"$range":{"min":1,"max":3}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := p.Match(json.RawMessage(`{"city":"oslo","days":3.0,"units":"metric"}`), map[string]json.RawMessage{"units": json.RawMessage(`"metric"`)})
	fmt.Println(r.OK, r.Right, "of", r.Labelled)
	for _, d := range r.Diffs {
		fmt.Printf("%s: %s: want %s, got %s (%s)\n", d.Path, d.Kind, d.Want, d.Got, d.Hint)
	}
	fmt.Println(r.Notes[0])
	// Output:
	// false 1 of 2
	// city: value: want "Oslo", got "oslo" (differs only in case)
	// units: not labelled, and equal to the schema's default
}
