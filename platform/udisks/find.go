package udisks

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"cachecliff/platform"
)

// Source is what data from here are called in platform.Health and platform.Sensors.
const Source = "udisks2"

// The names of the service and of the interfaces that matter here.
const (
	Service  = "org.freedesktop.UDisks2"
	Root     = "/org/freedesktop/UDisks2" // the object that manages all others
	block    = Service + ".Block"
	ataDrive = Service + ".Drive.Ata"
	nvmeCtrl = Service + ".NVMe.Controller" // since 2.10
)

// Properties are those of one interface of an object.
type Properties map[string]any

// Objects are all objects of the service: by path, then by interface.
type Objects map[string]map[string]Properties

// Device is a drive of which the service may have SMART data.
type Device struct {
	Path      string // of the drive's object
	Interface string // that has SmartUpdate and SmartGetAttributes
	Properties
}

// Options are those of all calls: a drive that sleeps is not woken, and nobody is asked for a password.
func Options() map[string]any {
	return map[string]any{"nowakeup": true, "auth.no_user_interaction": true}
}

// Find looks for the drive that the system calls name (nvme0n1, sda). It fails with platform.ErrUnsupported where
// the service does not know the drive, has no SMART data of one of its kind, or where the drive has no SMART; with
// platform.ErrSwitchedOff beside it where that is switched off.
func Find(all Objects, name string) (Device, error) {
	path, ok := driveOf(all, name)
	if !ok {
		return Device{}, unsupported(name, errors.New("UDisks2 does not know this drive"))
	}
	interfaces := all[path]
	if p, ok := interfaces[nvmeCtrl]; ok {
		return Device{path, nvmeCtrl, p}, nil
	}
	p, ok := interfaces[ataDrive]
	switch {
	case !ok:
		return Device{}, unsupported(name, errors.New("UDisks2 reads no SMART data of drives of this kind"))
	case p.flag("SmartSupported") == platform.No:
		return Device{}, unsupported(name, errors.New("the drive has no SMART"))
	case p.flag("SmartEnabled") == platform.No:
		return Device{}, unsupported(name, platform.ErrSwitchedOff)
	}
	return Device{path, ataDrive, p}, nil
}

func unsupported(name string, why error) error {
	return &platform.OpError{Op: "find", Object: name, Reason: platform.ErrUnsupported, Err: why}
}

// driveOf is the path of the drive that a block device is or is part of.
func driveOf(all Objects, name string) (string, bool) {
	for _, interfaces := range all {
		p := interfaces[block]
		device, _ := p["Device"].([]byte) // with a zero at its end
		if string(bytes.TrimRight(device, "\x00")) != "/dev/"+name {
			continue
		}
		drive, _ := p["Drive"].(string)
		return drive, all[drive] != nil
	}
	return "", false
}

// NVMe says whether the drive is one.
func (d Device) NVMe() bool { return d.Interface == nvmeCtrl }

// Age is how long ago the service asked the drive. ok is false if it never did, or at a time that is still to come:
// somebody set the clock.
func (d Device) Age(now time.Time) (age time.Duration, ok bool) {
	const most = 1 << 40
	at, _ := d.Properties["SmartUpdated"].(uint64) // seconds since 1970, 0 for never
	if at == 0 || at > most {
		return 0, false
	}
	age = now.Sub(time.Unix(int64(at), 0))
	return max(age, 0), age > -2*time.Second // the time is in whole seconds
}

// Reason is the reason that a caller can act on for an error that D-Bus or the service gives by name; nil if there
// is none.
func Reason(name string) error {
	for reason, names := range map[error][]string{
		platform.ErrAsleep: {Service + ".Error.WouldWakeup"},
		platform.ErrPermission: {Service + ".Error.NotAuthorized", Service + ".Error.NotAuthorizedCanObtain",
			Service + ".Error.NotAuthorizedDismissed", dbusError + "AccessDenied", dbusError + "AuthFailed",
			dbusError + "InteractiveAuthorizationRequired"},
		platform.ErrBusy: {Service + ".Error.DeviceBusy"},
		platform.ErrStalled: {Service + ".Error.TimedOut", dbusError + "NoReply", dbusError + "Timeout",
			dbusError + "TimedOut"},
		platform.ErrUnsupported: {Service + ".Error.NotSupported", dbusError + "UnknownObject", dbusError + "UnknownInterface",
			dbusError + "UnknownMethod", dbusError + "UnknownProperty", dbusError + "InvalidArgs", dbusError + "NotSupported"},
	} {
		if slices.Contains(names, name) {
			return reason
		}
	}
	if Missing(name) {
		return platform.ErrUnsupported
	}
	return nil
}

const dbusError = "org.freedesktop.DBus.Error."

// Missing says whether an error that D-Bus gives by name means that the service is not there.
func Missing(name string) bool {
	return slices.Contains([]string{"ServiceUnknown", "NameHasNoOwner", "Spawn.ServiceNotFound", "Spawn.ExecFailed",
		"Spawn.ChildExited", "Spawn.ChildSignaled", "Spawn.ForkFailed", "Spawn.Failed", "Disconnected"},
		strings.TrimPrefix(name, dbusError))
}

func (p Properties) flag(name string) platform.Tri {
	b, ok := p[name].(bool)
	if !ok {
		return platform.Unknown
	}
	return platform.TriOf(b)
}
