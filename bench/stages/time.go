package stages

import "time"

// Time is how long the first so many bytes of the series took by its stages, and at the rate of the last one beyond
// its end; 0 without a stage.
func (s Stages) Time(bytes int64) time.Duration {
	var took float64
	for i, st := range s.Stages {
		to := min(st.To, bytes)
		if i == len(s.Stages)-1 {
			to = bytes
		}
		if length := st.To - st.From; to > st.From && length > 0 {
			took += float64(st.Took) * float64(to-st.From) / float64(length)
		}
	}
	return time.Duration(took)
}
