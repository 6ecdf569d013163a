package stats_test

import (
	"fmt"
	"slices"

	"github.com/skilleval/skilleval/internal/stats"
)

func Example() {
	single, _ := stats.Wilson(80, 100)
	fmt.Printf("80 of 100 cases: %.3f to %.3f\n", single.Lo, single.Hi)

	// The same share from 20 cases with 5 trials each that agree: 100 trials, but only 20 cases.
	clusters := make([]stats.Cluster, 20)
	for i := range clusters {
		clusters[i].N = 5
		if i < 16 {
			clusters[i].Sum = 5
		}
	}
	clustered, _ := stats.WilsonClustered(clusters)
	fmt.Printf("16 of 20 cases, 5 trials each: %.3f to %.3f\n", clustered.Lo, clustered.Hi)
	// Output:
	// 80 of 100 cases: 0.711 to 0.867
	// 16 of 20 cases, 5 trials each: 0.584 to 0.919
}

func ExamplePairedDifference() {
	// 220 cases: 130 right under both arms, 25 only under A, 10 only under B, 55 under neither.
	clusters := slices.Concat(
		slices.Repeat([]stats.PairedCluster{{A: 1, B: 1, N: 1}}, 130),
		slices.Repeat([]stats.PairedCluster{{A: 1, B: 0, N: 1}}, 25),
		slices.Repeat([]stats.PairedCluster{{A: 0, B: 1, N: 1}}, 10),
		slices.Repeat([]stats.PairedCluster{{A: 0, B: 0, N: 1}}, 55),
	)
	diff, iv, method, _ := stats.PairedDifference(clusters)
	exact, midP := stats.McNemar(25, 10)
	fmt.Printf("B − A: %.4f (%.4f to %.4f, %s), p = %.4f, mid-p = %.4f\n", diff, iv.Lo, iv.Hi, method, exact, midP)
	// Output:
	// B − A: -0.0682 (-0.1205 to -0.0154, newcombe-paired), p = 0.0167, mid-p = 0.0113
}
