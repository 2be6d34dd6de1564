package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"cachecliff/app"
	"cachecliff/app/explain"
	"cachecliff/app/store"
	"cachecliff/bench"
	"cachecliff/platform"
)

// runOptions is what the command line of run says.
type runOptions struct {
	target   string
	change   bench.Overrides
	pause    time.Duration // negative: as the test says
	engine   platform.Engine
	buffered bool
	huge     bool
	through  bool
	sample   time.Duration
	comment  string
	json     bool
	text     bool
	data     string
	noSave   bool
	yes      bool
}

func (c *cli) runVerb() verb {
	o := runOptions{pause: -1}
	return verb{
		name: "run", args: "TEST --target DIR", about: "run a test in a folder",
		notes: "TEST is an ID of the list that tests prints. " + notation + "\n\n" +
			"With --json each line is an event of the run; the last is an object of \"type\" result. The test file is removed\n" +
			"at the end, however the run ends. Ctrl-C stops the run and keeps what was measured; a second one ends at once.",
		options: o.options(),
		run: func(ctx context.Context, args []string) error {
			if o.json && o.text {
				return usagef("--json and --text exclude each other; take one of them.")
			}
			p, err := o.profile(args)
			if err != nil {
				return err
			}
			return c.runTest(ctx, p, o)
		},
	}
}

func (o *runOptions) options() []option {
	table := []option{
		stringTo(&o.target, "target", "DIR", "the folder to test in"),
		sizeTo(&o.change.FileSize, "size", "size of the test file (1GiB unless the test says otherwise), or of each file of a fill"),
		countTo(&o.change.Loops, "loops", 1, bench.MaxLoops, "measured loops of each row, after one that is discarded, or how often a fill is repeated"),
		timeTo(&o.change.Measure, "time", bench.MinMeasure, bench.MaxTime, "measured time of each loop, such as 5s"),
		timeTo(&o.pause, "pause", 0, bench.MaxRest, "pause between rows, such as 5s, or before a pass of a fill"),
		countTo(&o.change.MixPct, "mix", 1, 99, "share of reads in the mix column, in percent (70)"),
		{name: "engine", arg: "ENGINE", help: "how I/O is handed to the system, if not in the best way that works: " + engineNames(), set: o.setEngine},
		flagTo(&o.buffered, "buffered", "measure through the system's cache where a file system has no direct I/O; a fill writes as programs copy files"),
		flagTo(&o.through, "write-through", "each write is on the medium, past the drive's own cache, before it counts as done"),
		flagTo(&o.huge, "huge-pages", "buffers in huge pages, so that large requests reach the drive whole"),
		timeTo(&o.sample, "sample", bench.MinSample, bench.MaxSample, "how often counters and temperature of the drives are taken down (1s)"),
		stringTo(&o.comment, "comment", "TEXT", "a comment that is kept with the result"),
		flagTo(&o.json, "json", "print events and result as JSON, one object a line"),
		flagTo(&o.text, "text", "print a table (this is the default)"),
		dataOption(&o.data),
		flagTo(&o.noSave, "no-save", "do not keep the result"),
		flagTo(&o.yes, "yes", "ask nothing, and remove what killed runs have left in the folder"),
	}
	at := slices.IndexFunc(table, func(x option) bool { return x.name == "engine" })
	return slices.Insert(table, at, slices.Concat(fillOptions(&o.change.Fill), thermalOptions(&o.change.Thermal), copyOptions(&o.change.Copy))...)
}

// profile is the test that args name, with the options applied.
func (o *runOptions) profile(args []string) (bench.Profile, error) {
	p, err := findTest(args)
	if err != nil {
		return bench.Profile{}, err
	}
	if err := o.checkThermalOptions(p); err != nil {
		return bench.Profile{}, err
	}
	if err := o.checkFillOptions(p); err != nil {
		return bench.Profile{}, err
	}
	if err := o.checkCopyOptions(p); err != nil {
		return bench.Profile{}, err
	}
	if o.change.MixPct != 0 && !p.Has(bench.DirMix) {
		if _, ok := bench.ByID(p.ID + "+mix"); ok {
			return bench.Profile{}, usagef("%s has no mix that --mix could change; run %s+mix.", p.ID, p.ID)
		}
		return bench.Profile{}, usagef("%s has no mix that --mix could change; leave the option out.", p.Title)
	}
	if o.target == "" {
		return bench.Profile{}, usagef("Say in which folder to test: --target DIR.")
	}
	if o.pause >= 0 {
		o.change.Rest = &o.pause
	}
	p = p.With(o.change)
	return p, p.Validate()
}

// findTest is the profile with the ID that was typed, or a test in the notation of a Spec.
func findTest(args []string) (bench.Profile, error) {
	if len(args) == 0 {
		return bench.Profile{}, usagef("Say which test to run; %s tests lists them.", program)
	}
	typed := strings.Join(args, " ")
	if p, ok := bench.ByID(strings.ToLower(typed)); ok {
		return p, nil
	}
	upper := strings.ToUpper(strings.TrimSpace(typed))
	if strings.HasPrefix(upper, "SEQ") || strings.HasPrefix(upper, "RND") {
		s, err := bench.ParseSpec(typed)
		if err != nil {
			return bench.Profile{}, usagef("%s: %s", typed, sentence(err))
		}
		return bench.AdHoc(s), nil
	}
	var ids []string
	for _, p := range append(bench.Builtin(), bench.Long()...) {
		ids = append(ids, p.ID)
	}
	if near := nearest(typed, ids); near != "" {
		return bench.Profile{}, usagef("There is no test %q; did you mean %s? %s tests lists them all.", typed, near, program)
	}
	return bench.Profile{}, usagef("There is no test %q; %s tests lists them all.", typed, program)
}

// runTest runs a test from its plan to its table.
func (c *cli) runTest(ctx context.Context, p bench.Profile, o runOptions) error {
	target, err := c.host.Resolve(ctx, o.target)
	if err != nil {
		return err
	}
	var source *bench.CopySource
	if p.Copying != nil && p.Copying.Source != "" {
		if source, err = bench.FindSource(ctx, c.host, p.Copying.Source, target); err != nil {
			return err
		}
	}
	plan, err := bench.NewPlan(p, target, bench.Options{Source: source, Engine: o.engine, Buffered: o.buffered, Huge: o.huge, Through: o.through, Sample: o.sample})
	if err != nil {
		return err
	}
	kept, err := c.keep(o)
	if err != nil {
		return err
	}
	if !o.json {
		c.printPlan(ctx, plan)
	}
	if err := c.agree(ctx, target, o); err != nil {
		return err
	}
	var lines *emitter
	if o.json {
		lines = newEmitter(c.rawOut)
	}
	session := app.NewSession(c.runner(lines, kept), kept)
	err = session.Start(plan, o.comment)
	if err == nil {
		var screen io.Writer
		if !o.json && c.stderrTTY {
			screen = c.rawErr
		}
		follow(ctx, session, lines.gone(), screen)
	}
	view := session.View()
	if lineErr := lines.close(view.Result); lineErr != nil {
		return errors.Join(lineErr, err, view.SaveErr)
	}
	if err != nil {
		return err
	}
	return c.finish(&view, o)
}

// keep is the store that keeps the result, looked at before the first write to the target.
func (c *cli) keep(o runOptions) (app.Store, error) {
	if o.noSave {
		return nowhere{}, nil
	}
	s, err := c.library(o.data)
	if err != nil {
		return nil, err
	}
	return s, s.Check()
}

// runner runs a plan and prints its events. What was written shortly before is known from the results that are
// kept; a run that keeps none looks for none.
func (c *cli) runner(lines *emitter, kept app.Store) app.RunFunc {
	return func(ctx context.Context, plan bench.Plan, order app.Order, sink func(bench.Event)) (bench.Result, error) {
		r := bench.Runner{Host: c.host, Measurer: c.measurer, App: bench.App{Version: c.version, Method: bench.MethodVersion}, Comment: order.Comment, Gate: order.Gate}
		if s, ok := kept.(*store.Store); ok {
			r.Recent = func(drives []platform.Drive) []bench.Written { return s.Recent(drives, time.Now()) }
		}
		return r.Run(ctx, plan, func(e bench.Event) {
			lines.emit(e)
			sink(e)
		})
	}
}

// finish shows what a run gave and says how it ended.
func (c *cli) finish(v *app.View, o runOptions) error {
	measured := v.Save != app.SaveNothing
	if measured && !o.json {
		if err := writeText(c.stdout, v.Result); err != nil {
			return errors.Join(&outputError{err}, v.Err, v.SaveErr)
		}
		if v.Save == app.SaveDone && !o.noSave {
			c.note("The result is kept as %s.", v.Result.ID)
		}
	}
	switch {
	case v.JournErr != nil && v.SaveErr != nil:
		return errors.Join(v.Err, lostf(v.SaveErr))
	case v.JournErr != nil:
		title := explain.Error(english, v.JournErr).Title
		c.note("%s. Only if the computer had died meanwhile would that have cost what was measured.", title)
	}
	if forced := v.Result.Plan.Engine; forced != platform.EngineAuto && errors.Is(v.Err, platform.ErrUnsupported) {
		return errors.Join(engineFault(forced, v.Err), v.SaveErr)
	}
	switch {
	case v.Err != nil || v.SaveErr != nil:
		return errors.Join(v.Err, v.SaveErr)
	case v.Result.Failure != nil:
		return v.Result.Failure.Err()
	case v.Result.Reason == bench.ReasonDone:
		return nil
	}
	if !measured && !o.json {
		c.note("Stopped before anything was measured.")
	}
	return errStopped
}

// nowhere is a store that keeps nothing, for those who asked for that.
type nowhere struct{}

func (nowhere) Check() error                        { return nil }
func (nowhere) Save(bench.Result) error             { return nil }
func (nowhere) Journal(string) (app.Journal, error) { return nowhere{}, nil }
func (nowhere) Append(bench.Event) error            { return nil }
func (nowhere) Close() error                        { return nil }
func (nowhere) Remove() error                       { return nil }
