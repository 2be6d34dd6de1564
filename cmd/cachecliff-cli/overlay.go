package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"cachecliff/app/format"
	"cachecliff/app/thermalchart"
	"cachecliff/bench"
)

// chartTo is the option for a file with the curves of what is compared.
func chartTo(p *string) option {
	return option{name: "chart", arg: "FILE", help: "only lay the curves of tests of the temperature over each other, in a picture (.png) or a drawing (.svg); runs are named by their comments", set: func(v string) error {
		if ext := strings.ToLower(filepath.Ext(v)); ext != ".png" && ext != ".svg" {
			return errors.New("a file that ends in .png or .svg")
		}
		*p = v
		return nil
	}}
}

// layOver writes the curves of tests of the temperature into one chart.
func (c *cli) layOver(file string, runs []*bench.Result) error {
	if slices.ContainsFunc(runs, func(r *bench.Result) bool { return r == nil || len(r.ThermalPasses()) == 0 }) {
		return usagef("--chart lays tests of the temperature over each other; name results of thermal-read or thermal-write.")
	}
	s, look := thermalchart.From(runs...), thermalchart.Look{Words: english, Locale: format.EN}
	draw := s.PNG
	if strings.EqualFold(filepath.Ext(file), ".svg") {
		draw = s.SVG
	}
	data, err := draw(look)
	if err != nil {
		return err
	}
	if text := s.Difference(english); text != "" {
		c.note("%s.", text)
	}
	return writeFile(file, data)
}
