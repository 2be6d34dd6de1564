package reference

import "cachecliff/platform"

// Endurance is how many bytes the maker of a drive vouches for that can be written to it, by what is stored of drives
// of its model; false if that is not known.
func Endurance(all []Drive, d platform.Drive) (int64, bool) {
	for _, o := range Same(all, Drive{Model: d.Model, CapacityGB: float64(d.Capacity) / 1e9}) {
		if v, ok := o.Find("endurance_tbw", Rated); ok && v.Value > 0 {
			return int64(v.Value * 1e12), true
		}
	}
	return 0, false
}
