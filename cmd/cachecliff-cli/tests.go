package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"cachecliff/app/format"
	"cachecliff/bench"
)

// notation explains how a test is typed.
const notation = `Instead of an ID a test of your own can be given, as one argument or as several:
  RND4K Q32T4 R70          random 4 KiB, 32 in flight in each of 4 threads, 70 % reads
  SEQ1M Q8T1 R0 TIME=60s   sequential writes of 1 MiB for a minute
SEQ or RND with a block size (512 to 64M) comes first. Then follow in any order, where they differ from this:
  Q1 T1 R100               I/Os in flight in each thread, threads, share of reads in percent
  TIME=5s WARM=0s          measured time, and the time before it that is not counted
and, if wanted:
  RATE=5000                ask for 5000 I/Os a second over all threads, at random times, and count
                           latencies from then; one that finds no free place in its queue waits
  SPAN=1G                  use only the first GiB of the file
  LIMIT=10G                end after 10 GiB, even before the time is over
  FILL=zero                write zeros, not random data
  FLUSH=end, FLUSH=each    make the data durable at the end, or after each write`

func (c *cli) testsVerb() verb {
	asJSON := false
	return verb{
		name: "tests", about: "list the tests that run takes",
		notes:   "With --json each line is an object of \"type\" test. Sizes are bytes, times are nanoseconds.",
		options: []option{flagTo(&asJSON, "json", "print JSON, one object a line")},
		run: func(_ context.Context, args []string) error {
			if err := noArgs("tests", args); err != nil {
				return err
			}
			if !asJSON {
				c.printTests()
				return nil
			}
			for _, p := range append(bench.Builtin(), bench.Long()...) {
				if err := c.writeJSON("test", "test", p); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (c *cli) printTests() {
	tw := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "ID\tTITLE\tFILE\tLOOPS\tTIME\tPAUSE\tROWS")
	for _, p := range bench.Builtin() {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", p.ID, p.Title, format.FileSize(p.FileSize, format.EN), p.Loops,
			format.Duration(p.Workloads[0].Spec.Measure, format.EN), format.Duration(p.Rest, format.EN), strings.Join(rowLabels(p), ", "))
	}
	tw.Flush()
	fmt.Fprintf(c.stdout, "\nEach row is run once for nothing and then LOOPS times, reads before writes before the mix.\n")
	c.printLong()
	fmt.Fprintf(c.stdout, "\n%s\n", notation)
}

// rowLabels names the rows of a table. One that is shown in several units is there once.
func rowLabels(p bench.Profile) []string {
	var out []string
	for _, r := range p.Rows {
		if l := r.Shape.Label(); len(out) == 0 || out[len(out)-1] != l {
			out = append(out, l)
		}
	}
	return out
}
