package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"cachecliff/app/format"
	"cachecliff/app/reference"
	"cachecliff/app/safefile"
	"cachecliff/bench"
	"cachecliff/platform"
)

// printPlan says what a run will do, before it does it.
func (c *cli) printPlan(ctx context.Context, p bench.Plan) {
	v := p.Target.Volume
	tw := tabwriter.NewWriter(c.stderr, 0, 0, 2, ' ', 0)
	fact := func(name, value string) { fmt.Fprintln(tw, row(name, value)) }
	fact("Test", planWords(p.Profile))
	fact("Folder", fmt.Sprintf("%s (%s, mounted at %s)", p.Target.Path, v.FS, v.Mount))
	for _, d := range p.Target.Drives {
		fact("Drive", driveLine(d))
	}
	if len(p.Target.Drives) == 0 {
		fact("Drive", "none of this computer")
	}
	if w := layerWords(p.Target.Layers); w != "" {
		fact("Through", w)
	}
	if p.Profile.Filling != nil {
		fillFacts(p, fact)
	} else if p.Profile.Copying != nil {
		copyFacts(p, fact)
	} else if p.Profile.Thermal != nil {
		c.thermalFacts(ctx, p, fact)
	} else {
		cost := p.Estimate()
		fact("Writes", fmt.Sprintf("at most %s", format.About(cost.WrittenMax, format.EN)))
		fact("Takes", fmt.Sprintf("about %s", format.Duration(cost.Time, format.EN)))
		fact("Free", fmt.Sprintf("%s, with the test file %s", format.VolumeSize(v.Free, format.EN), format.VolumeSize(v.Free-p.Profile.FileSize, format.EN)))
	}
	if w := wearWords(p); w != "" {
		fact("Wear", w)
	}
	tw.Flush()
}

// wearWords is the share of the rated endurance that a run may cost; empty if that is not known.
func wearWords(p bench.Plan) string {
	all, err := reference.Shipped()
	if err != nil || len(p.Target.Drives) != 1 {
		return ""
	}
	rated, ok := reference.Endurance(all, p.Target.Drives[0])
	if !ok {
		return ""
	}
	return fmt.Sprintf("at most %s of the %s that the maker vouches for", format.Percent(float64(p.Estimate().WrittenMax)/float64(rated), format.EN), format.VolumeSize(rated, format.EN))
}

// planWords is a test in one line.
func planWords(p bench.Profile) string {
	name := p.Title
	if _, ok := bench.ByID(p.ID); ok {
		name += " (" + p.ID + ")"
	}
	if f := p.Filling; f != nil {
		return fmt.Sprintf("%s, files of %s written in %s, %s", name, fileWords(p.FileSize), f.Write.Label(), runsOf(p))
	}
	if p.Copying != nil {
		return name + ", " + copyWords(p)
	}
	if p.Thermal != nil {
		return name + ", " + thermalWords(p)
	}
	loops := "1 loop"
	if p.Loops != 1 {
		loops = fmt.Sprintf("%d loops", p.Loops)
	}
	return fmt.Sprintf("%s, file of %s, %s", name, format.FileSize(p.FileSize, format.EN), loops)
}

// agree offers to remove what killed runs have left in the folder, and asks whether to start. Where there
// is nobody to ask, a run starts, and what was left stays unless --yes says otherwise.
func (c *cli) agree(ctx context.Context, t platform.Target, o runOptions) error {
	askable := c.stdinTTY && c.stderrTTY && !o.json && !o.yes
	if err := c.cleanUp(ctx, t, o.yes, askable); err != nil {
		return err
	}
	if !askable {
		return nil
	}
	ok, err := c.ask(ctx, "Start? [Y/n] ", true)
	if err == nil && !ok {
		return errStopped
	}
	return err
}

// cleanUp removes the test files of killed runs. That it cannot is no reason not to run.
func (c *cli) cleanUp(ctx context.Context, t platform.Target, yes, askable bool) error {
	left, err := c.host.Leftovers(t)
	if err != nil {
		c.note("%s", sentence(err))
		return nil
	}
	if len(left) == 0 {
		return nil
	}
	names := strings.Join(left, ", ")
	if !yes && !askable {
		c.note("A run that was killed has left %s; --yes removes it.", names)
		return nil
	}
	if !yes {
		if ok, err := c.ask(ctx, fmt.Sprintf("A run that was killed has left %s. Remove it? [y/N] ", names), false); err != nil || !ok {
			return err
		}
	}
	for _, name := range left {
		if err := safefile.Fault("remove", name, os.RemoveAll(name)); err != nil {
			c.note("%s", sentence(err))
		} else {
			c.note("Removed %s, which a run that was killed had left.", name)
		}
	}
	return nil
}

// ask asks for yes or no; Enter alone is the usual answer, the end of the input is no. It fails when ctx
// ends. A reader that still waits then ends with the process.
func (c *cli) ask(ctx context.Context, question string, usual bool) (bool, error) {
	fmt.Fprint(c.stderr, format.PlainLine(question))
	if c.lines == nil {
		c.lines = bufio.NewReader(c.stdin)
	}
	typed := make(chan string, 1)
	go func() {
		line, err := c.lines.ReadString('\n')
		if err != nil && line == "" {
			line = "n"
		}
		typed <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(c.stderr)
		return false, errStopped
	case line := <-typed:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "":
			return usual, nil
		case "y", "yes":
			return true, nil
		}
		return false, nil
	}
}
