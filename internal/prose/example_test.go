package prose_test

import (
	"fmt"

	"github.com/skilleval/skilleval/internal/prose"
)

func ExampleTakeApart() {
	sides := prose.TakeApart("Weather of a city. Do not use for smog; use get_air_quality.")
	fmt.Println(sides.Positive)
	fmt.Println(sides.Negative)
	// Output:
	// [Weather of a city.]
	// [Do not use for smog; use get_air_quality.]
}
