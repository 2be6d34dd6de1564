package host

import (
	"errors"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"cachecliff/platform"
	"cachecliff/platform/sysfs"
)

// sysFile is a file of /sys that stays open. One that does not exist reads as empty.
type sysFile struct {
	fd  int // -1 if it is not open
	buf [256]byte
}

// openSys opens a name of the tree, "sys/...". One that does not exist is no error.
func (h *Host) openSys(name string) (sysFile, error) {
	path, err := rootFS{sys: h.sysDir, proc: h.procDir}.path("open", name)
	if err != nil {
		return sysFile{fd: -1}, err
	}
	fd, err := again(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	switch {
	case reasonOf(err) == platform.ErrNotExist:
		return sysFile{fd: -1}, nil
	case err != nil:
		return sysFile{fd: -1}, err
	}
	return sysFile{fd: fd}, nil
}

// read reads all of the file anew: the kernel makes the content at each read from the start. It is valid
// until the next call.
func (f *sysFile) read() ([]byte, error) {
	if f.fd < 0 {
		return nil, nil
	}
	n, err := again(func() (int, error) { return unix.Pread(f.fd, f.buf[:], 0) })
	return f.buf[:max(n, 0)], err
}

func (f *sysFile) close() error {
	if f.fd < 0 {
		return nil
	}
	fd := f.fd
	f.fd = -1
	return unix.Close(fd)
}

// meter reads the counters of a block device and the temperatures of its hwmon device.
type meter struct {
	drive   string
	clock   clock
	stat    sysFile
	iostats sysFile
	sensors []sensor
	power   []sysFile // say whether the drive sleeps
	thermo  *thermo   // in place of sensors; nil if there are any
}

type sensor struct {
	label string
	file  sysFile
}

// Watch opens the files of a drive's counters and temperatures. It asks the drive nothing.
func (h *Host) Watch(d platform.Drive) (platform.Meter, error) {
	dir := "sys/class/block/" + filepath.Base(d.Name)
	m := &meter{drive: d.Name, clock: h.clock}
	var errs []error
	open := func(name string) sysFile {
		f, err := h.openSys(name)
		errs = append(errs, err)
		return f
	}
	m.stat = open(dir + "/stat")
	m.iostats = open(dir + "/queue/iostats")
	t := h.tree()
	for _, s := range t.Sensors(d.Name) {
		m.sensors = append(m.sensors, sensor{s.Label, open(s.File)})
	}
	if len(m.sensors) == 0 {
		m.thermo = h.thermometer(d)
	}
	for _, name := range t.PowerStates(d.Name) {
		m.power = append(m.power, open(name))
	}
	const op = "watch the sensors of"
	switch err := errors.Join(errs...); {
	case err != nil:
		return nil, errors.Join(opError(op, d.Name, err), m.Close())
	case m.stat.fd < 0:
		return nil, errors.Join(&platform.OpError{Op: op, Object: d.Name, Reason: platform.ErrGone}, m.Close())
	}
	return m, nil
}

// Counters implements platform.Meter. It allocates nothing.
func (m *meter) Counters() (platform.Counters, time.Duration, error) {
	const op = "read the counters of"
	b, err := m.stat.read()
	at := m.clock.now()
	if err != nil {
		return platform.Counters{}, at, opError(op, m.drive, err)
	}
	on, err := m.iostats.read()
	if err == nil && !sysfs.Counts(on) {
		err = unix.EOPNOTSUPP
	}
	if err != nil {
		return platform.Counters{}, at, opError(op, m.drive, err)
	}
	c, err := sysfs.ParseStat(b)
	return c, at, opError(op, m.drive, err)
}

// Temperatures implements platform.Meter.
func (m *meter) Temperatures() ([]platform.Reading, error) {
	const op = "read the temperature of"
	for i := range m.power {
		state, err := m.power[i].read()
		if err == nil && sysfs.Sleeps(state) {
			return nil, &platform.OpError{Op: op, Object: m.drive, Reason: platform.ErrAsleep}
		}
	}
	if m.thermo != nil {
		return m.thermo.read()
	}
	var first error
	out := make([]platform.Reading, 0, len(m.sensors))
	for i := range m.sensors {
		s := &m.sensors[i]
		b, err := s.file.read()
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if v, ok := sysfs.ParseTemp(b); ok {
			out = append(out, platform.Reading{Label: s.label, MilliC: v})
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case first == nil: // what the drive reports cannot be
		return nil, &platform.OpError{Op: op, Object: m.drive, Reason: platform.ErrUnsupported}
	}
	return nil, opError(op, m.drive, first)
}

// Source implements platform.Meter.
func (m *meter) Source() string {
	if m.thermo != nil {
		return m.thermo.source()
	}
	return sourceHwmon
}

// Close implements platform.Meter.
func (m *meter) Close() error {
	errs := []error{m.stat.close(), m.iostats.close()}
	for i := range m.sensors {
		errs = append(errs, m.sensors[i].file.close())
	}
	for i := range m.power {
		errs = append(errs, m.power[i].close())
	}
	if m.thermo != nil {
		errs = append(errs, m.thermo.close())
	}
	return opError("close the sensors of", m.drive, errors.Join(errs...))
}
