package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"cachecliff/app/format"
	"cachecliff/app/recording"
	"cachecliff/app/safefile"
	"cachecliff/app/words"
	"cachecliff/bench/monitor"
	"cachecliff/platform"
)

// monitorOut is where samples go: all that the user asked for.
type monitorOut struct {
	c      *cli
	o      monitorOrder
	print  bool
	rows   monitorTable
	follow monitor.Follower
	save   *recording.File
	csv    *csvFile
	trend  *recording.Trend
}

// csvFile is a table that is being written.
type csvFile struct {
	*recording.Table
	file   *os.File
	buffer *bufio.Writer
}

// newMonitorOut opens the files, and prints the head of the JSON.
func (c *cli) newMonitorOut(h recording.Header, o monitorOrder, print bool) (*monitorOut, error) {
	m := &monitorOut{c: c, o: o, print: print, rows: monitorTable{w: c.stdout, drives: h.Drives}, trend: recording.NewTrend(h)}
	if o.asJSON {
		if err := c.writeJSON("monitor", "monitor", monitorJSON{h.Started, h.Period, h.System, h.Drives}); err != nil {
			return nil, err
		}
	}
	if o.save != "" {
		var err error
		if m.save, err = recording.Create(o.save, h); err != nil {
			return nil, err
		}
	}
	if o.csv == "" {
		return m, nil
	}
	file, err := os.OpenFile(o.csv, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, safefile.Shared)
	if err == nil {
		m.csv = &csvFile{file: file, buffer: bufio.NewWriter(file)}
		m.csv.Table, err = recording.NewTable(m.csv.buffer, h)
	}
	if err != nil {
		return nil, errors.Join(safefile.Fault("write", o.csv, err), m.close(recording.End{Reason: recording.Failed}))
	}
	return m, nil
}

// add takes a sample.
func (m *monitorOut) add(s monitor.Sample) error {
	m.trend.Add(s)
	if m.save != nil {
		if err := m.save.Add(s); err != nil {
			return err
		}
	}
	if m.csv != nil {
		if err := m.csv.Add(s); err != nil {
			return safefile.Fault("write", m.o.csv, err)
		}
	}
	switch {
	case m.o.asJSON:
		return m.c.writeMonitorJSON(s, m.follow.Add(s))
	case m.print:
		return m.rows.add(s)
	}
	return nil
}

// close ends the files, draws the picture, and says what was late.
func (m *monitorOut) close(end recording.End) error {
	var faults []error
	if m.save != nil {
		faults = append(faults, m.save.Close(end))
	}
	if m.csv != nil && m.csv.Table != nil {
		faults = append(faults, safefile.Fault("write", m.o.csv, errors.Join(m.csv.Close(), m.csv.buffer.Flush(), m.csv.file.Close())))
	}
	if m.o.png != "" && m.trend.Samples > 0 {
		faults = append(faults, m.picture())
	}
	if m.trend.Late > 0 {
		fmt.Fprintf(m.c.stderr, "%s samples were late or came to nothing: the computer had no time for them.\n", format.Integer(int64(m.trend.Late), format.EN))
	}
	return errors.Join(faults...)
}

func (m *monitorOut) picture() error {
	data, err := m.trend.Picture(recording.Look{Words: words.New(words.English), Locale: format.EN, Zone: time.Local})
	if err != nil {
		return err
	}
	return writeFile(m.o.png, data)
}

// monitorJSON is how the JSON begins.
type monitorJSON struct {
	Started time.Time        `json:"started"`
	Period  time.Duration    `json:"period"`
	System  platform.System  `json:"system"`
	Drives  []platform.Drive `json:"drives"`
}

// monitorLine is a sample, and what it says since the one before: columns by their names with units.
type monitorLine struct {
	Type    string               `json:"type"`
	Sample  monitor.Sample       `json:"sample"`
	Columns []map[string]float64 `json:"columns"` // of each drive, null where nothing can be said; what is not known is left out
	CPU     map[string]float64   `json:"cpu,omitempty"`
}

func (c *cli) writeMonitorJSON(s monitor.Sample, row monitor.Row) error {
	line := monitorLine{Type: "sample", Sample: s, CPU: cpuByName(row.CPU)}
	for _, d := range row.Drives {
		line.Columns = append(line.Columns, columnsByName(d))
	}
	data, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("encode sample: %w", err)
	}
	_, err = c.rawOut.Write(append(data, '\n'))
	return err
}

func columnsByName(c *monitor.Columns) map[string]float64 {
	if c == nil {
		return nil
	}
	out := map[string]float64{}
	for _, col := range monitor.List() {
		if v, known := col.Of(c); known {
			out[col.Head()] = v
		}
	}
	return out
}

func cpuByName(s *monitor.CPUShares) map[string]float64 {
	if s == nil {
		return nil
	}
	out := map[string]float64{}
	for _, col := range monitor.CPUList() {
		if v, known := col.Of(s); known {
			out[col.Name] = v
		}
	}
	return out
}
