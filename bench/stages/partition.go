package stages

import "math"

// shortest is how many bins a piece has at least.
const shortest = 3

// price is what a cut costs: that of the Schwarz criterion, four times, since the noise of drives has heavier tails
// than the normal distribution. Cuts too many are taken back later; one too few is not found again.
func price(noise float64, n int) float64 {
	return 4 * noise * noise * math.Log(float64(n)+1)
}

// partition gives the first bins of the pieces after the first one.
func partition(x []float64, price float64) []int {
	n := len(x)
	sum, square := make([]float64, n+1), make([]float64, n+1)
	for i, v := range x {
		v -= x[0] // keeps the differences of large sums exact
		sum[i+1], square[i+1] = sum[i]+v, square[i]+v*v
	}
	cost := func(i, j int) float64 { // of a piece that has the bins from i up to j
		s := sum[j] - sum[i]
		return square[j] - square[i] - s*s/float64(j-i)
	}
	best := make([]float64, n+1) // the least cost of the first bins
	from := make([]int, n+1)     // where the last piece of it begins
	best[0] = -price
	for j := 1; j <= n; j++ {
		best[j] = math.Inf(1)
	}
	starts := []int{0} // that may still begin the last piece of a best partition
	for j := shortest; j <= n; j++ {
		for _, i := range starts {
			if c := best[i] + cost(i, j) + price; j-i >= shortest && c < best[j] {
				best[j], from[j] = c, i
			}
		}
		kept := starts[:0]
		for _, i := range starts {
			if j-i < shortest || best[i]+cost(i, j) <= best[j] {
				kept = append(kept, i)
			}
		}
		starts = append(kept, j)
	}
	var cuts []int
	for j := from[n]; j > 0; j = from[j] {
		cuts = append([]int{j}, cuts...)
	}
	return cuts
}
