package facts

import "cachecliff/bench"

// ValidSign stands at a number without doubts.
const ValidSign = "✓"

// Sign is the sign of a level, for who does not see colours. The signs are those of the window's badges.
func Sign(l bench.Level) string {
	switch l {
	case bench.LevelDoubt:
		return "△"
	case bench.LevelInvalid:
		return "✕"
	}
	return "○"
}
