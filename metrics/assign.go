package metrics

import "math"

// assign pairs each labelled call with one call made, or -1: as many exact ones as can be, then as many right
// arguments, then as many pairs. Each call made is used once. rows[i].results says which pairs are possible.
func assign(rows []row, calls int) []int {
	if len(rows) == 0 {
		return nil
	}
	total := 0 // arguments that may be right
	for i := range rows {
		most := 0
		for _, c := range rows[i].results {
			most = max(most, c.Right)
		}
		total += most
	}
	// Sums compare in three digits: pairs ≤ len(rows) < right's weight, right·that + pairs < exact's weight.
	perRight := len(rows) + 1
	perExact := (total + 1) * perRight
	weight := make([][]int, len(rows))
	for i := range rows {
		weight[i] = make([]int, max(calls, len(rows)))
		for j, c := range rows[i].results {
			weight[i][j] = 1 + c.Right*perRight
			if c.exact {
				weight[i][j] += perExact
			}
		}
	}
	pairs := maxAssignment(weight)
	for i, j := range pairs {
		if _, ok := rows[i].results[j]; !ok {
			pairs[i] = -1
		}
	}
	return pairs
}

// maxAssignment returns for each row the column that gives the greatest sum of weights, each column used at most
// once. There must be at least as many columns as rows. It takes O(rows² · columns).
//
// Source: H. W. Kuhn, "The Hungarian method for the assignment problem", Nav. Res. Logist. Q. 2 (1955) 83–97, as
// shortest augmenting paths with potentials (R. Jonker and A. Volgenant, Computing 38 (1987) 325–340).
func maxAssignment(weight [][]int) []int {
	rows, cols := len(weight), len(weight[0])
	u, v := make([]int, rows+1), make([]int, cols+1)
	rowOf := make([]int, cols+1) // 1-based; 0: free
	for i := 1; i <= rows; i++ {
		rowOf[0] = i
		slack, from, done := make([]int, cols+1), make([]int, cols+1), make([]bool, cols+1)
		for j := range slack {
			slack[j] = math.MaxInt
		}
		j0 := 0
		for rowOf[j0] != 0 {
			done[j0] = true
			delta, next := math.MaxInt, 0
			for j := 1; j <= cols; j++ {
				if done[j] {
					continue
				}
				if d := -weight[rowOf[j0]-1][j-1] - u[rowOf[j0]] - v[j]; d < slack[j] {
					slack[j], from[j] = d, j0
				}
				if slack[j] < delta {
					delta, next = slack[j], j
				}
			}
			for j := range done {
				switch {
				case done[j]:
					u[rowOf[j]] += delta
					v[j] -= delta
				case j > 0:
					slack[j] -= delta
				}
			}
			j0 = next
		}
		for j0 != 0 {
			rowOf[j0] = rowOf[from[j0]]
			j0 = from[j0]
		}
	}
	column := make([]int, rows)
	for j := 1; j <= cols; j++ {
		if rowOf[j] > 0 {
			column[rowOf[j]-1] = j - 1
		}
	}
	return column
}
