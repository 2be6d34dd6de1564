package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
)

func (c *cli) versionVerb() verb {
	return verb{name: "version", about: "print the version", run: func(_ context.Context, args []string) error {
		if err := noArgs("version", args); err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%s %s\n", program, c.version)
		return nil
	}}
}

func (c *cli) helpVerb() verb {
	return verb{name: "help", args: "[VERB]", about: "print this, or all about a verb", run: func(_ context.Context, args []string) error {
		switch len(args) {
		case 0:
			c.printHelp()
			return nil
		case 1:
			v, err := c.findVerb(args[0])
			if err == nil {
				c.printVerb(v)
			}
			return err
		}
		return usagef("help takes one verb, so leave out %q.", strings.Join(args[1:], " "))
	}}
}

func (c *cli) printHelp() {
	fmt.Fprintf(c.stdout, "Cachecliff measures drives. This is %s, the program without a window.\n\n", program)
	tw := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, v := range c.verbs() {
		fmt.Fprintf(tw, "  %s %s\t%s\n", program, strings.TrimSpace(v.name+" "+v.args), v.about)
	}
	tw.Flush()
	fmt.Fprintf(c.stdout, `
Options may stand anywhere; "%[1]s help VERB" lists those of a verb. For example:

  %[1]s drives
  %[1]s run cdm-default --target %[2]s
  %[1]s run RND4K Q32T4 R70 --target %[2]s --size 4GiB --json
  %[1]s export latest --format csv --out run.csv

Exit status: 0 done, 1 could not run or failed, 2 wrong command line, 130 stopped (what was measured is kept).
`, program, english.T("cli.example-folder"))
}

// printVerb prints all about one verb.
func (c *cli) printVerb(v verb) {
	fmt.Fprintf(c.stdout, "%s: %s\n\n  %s\n", v.name, v.about, strings.TrimSpace(program+" "+v.name+" "+v.args))
	if len(v.options) > 0 {
		fmt.Fprintln(c.stdout)
		tw := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		for _, o := range v.options {
			fmt.Fprintf(tw, "  %s\t%s\n", strings.TrimSpace("--"+o.name+" "+o.arg), o.help)
		}
		tw.Flush()
	}
	if v.notes != "" {
		fmt.Fprintf(c.stdout, "\n%s\n", v.notes)
	}
}
