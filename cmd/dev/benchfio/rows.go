package main

import (
	"fmt"
	"slices"
	"strings"

	"cachecliff/bench"
)

// filter is a row that was asked for.
type filter struct {
	spec bench.Spec
	any  bool // in all directions
}

// parseFilter reads specs with commas between.
func parseFilter(text string) ([]filter, error) {
	var out []filter
	if text == "" {
		return nil, nil
	}
	for _, t := range strings.Split(text, ",") {
		s, err := bench.ParseSpec(t)
		if err != nil {
			return nil, err
		}
		out = append(out, filter{spec: s, any: !slices.ContainsFunc(strings.Fields(strings.ToUpper(t)), isShare)})
	}
	return out, nil
}

// isShare says whether a word of a spec names the share of reads: "R70".
func isShare(word string) bool {
	rest, ok := strings.CutPrefix(word, "R")
	return ok && strings.Trim(rest, "0123456789") == ""
}

func (f filter) takes(s bench.Spec) bool {
	return f.spec == s || f.any && f.spec.Shape() == s.Shape()
}

// specs are the rows of a device that were asked for; without a filter all.
func (d *device) specs(filters []filter) ([]bench.Spec, error) {
	if d.name == "drive" {
		return driveSpecs(filters)
	}
	var out []bench.Spec
	for _, text := range d.rows {
		s, err := bench.ParseSpec(text)
		if err != nil {
			return nil, fmt.Errorf("row %s of %s: %w", text, d.name, err)
		}
		if len(filters) == 0 || slices.ContainsFunc(filters, func(f filter) bool { return f.takes(s) }) {
			out = append(out, s)
		}
	}
	return out, nil
}

// driveSpecs are the specs themselves that were asked for, or each test of the two profiles once.
func driveSpecs(filters []filter) ([]bench.Spec, error) {
	var out []bench.Spec
	for _, f := range filters {
		out = append(out, f.spec)
	}
	if len(out) > 0 {
		return out, nil
	}
	for _, id := range []string{"cdm-default", "cdm-nvme"} {
		p, ok := bench.ByID(id)
		if !ok {
			return nil, fmt.Errorf("there is no profile %s", id)
		}
		for _, w := range p.Workloads {
			if !slices.Contains(out, w.Spec) {
				out = append(out, w.Spec)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b bench.Spec) int { return b.ReadPct - a.ReadPct }) // reads first
	return out, nil
}
