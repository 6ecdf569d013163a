package stats_test

import (
	"fmt"

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
