package main

import "context"

func (c *cli) showVerb() verb {
	asJSON, data := false, ""
	return verb{
		name: "show", args: "ID|CODE|latest|FILE", about: "print a result",
		notes: "The first letters of an ID are enough. CODE is the run code on pictures and in posts. FILE is a result as JSON, or a\n" +
			"picture that export or the window saved. With --json it is the object of \"type\" result that run prints last.",
		options: []option{flagTo(&asJSON, "json", "print JSON"), dataOption(&data)},
		run: func(_ context.Context, args []string) error {
			r, err := c.oneResult("show", data, args)
			if err != nil {
				return err
			}
			if asJSON {
				return c.writeJSON("result", "result", r)
			}
			return writeText(c.stdout, r)
		},
	}
}
