package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/app/condition"
	"cachecliff/app/words"
	"cachecliff/platform"
)

// clinic is a computer with drives in all conditions.
type clinic struct{ platform.Host }

// patient is a drive and what it answers.
type patient struct {
	drive   platform.Drive
	sensors platform.Sensors
	health  platform.Health
	fault   error // in place of both
	hangs   bool
}

func sick(reason error, more error) error {
	return &platform.OpError{Op: "read SMART of", Object: "x", Reason: reason, Err: more}
}

func warm(milliC int32) platform.Sensors {
	return platform.Sensors{Temperatures: []platform.Reading{{Label: "Composite", MilliC: milliC}}}
}

func patients() []patient {
	nvme := platform.Health{
		Source: "nvme", Passed: platform.Yes, PercentUsed: new(3), SpareLeft: new(99), SpareThreshold: new(10), MediaErrors: new(uint64(7)),
		TempMilliC: new(int32(34_850)), HostWrites: new(uint64(12_345_678_000_000)), HostReads: new(uint64(512_000)), PowerOnHours: new(uint64(12_164)),
		ReadCommands: new(uint64(134_106_494)), UnsafeShutdowns: new(uint64(15)), ErrorLogEntries: new(uint64(62)), WarningTempMin: new(uint32(90)),
		Limits: platform.TempLimits{WarnMilliC: new(int32(84_850))},
	}
	nvme.Explain(platform.WhyNotReported)
	sata := platform.Health{
		Source: "ata", Passed: platform.No, Critical: []string{"failing"}, TempMilliC: new(int32(31_000)), PowerOnHours: new(uint64(44_670)),
		Attributes: []platform.Attribute{
			{ID: 5, Name: "Reallocated_Sector_Ct", Normalized: 9, Worst: 9, Threshold: new(36), Raw: 1400, Vital: true, Failing: true},
			{ID: 194, Name: "Temperature_Celsius", Normalized: 31, Worst: 42, Threshold: new(0), Raw: 81_604_378_656},
			{ID: 240, Name: "Head_Flying_Hours", Normalized: 100, Worst: 253, Threshold: new(0), Raw: 260_725_989_826_497},
			{ID: 251, Normalized: 100, Worst: 100, Raw: 7},
		},
	}
	sata.Explain(platform.WhyBus, platform.PartSpare, platform.PartSpareThreshold)
	sata.Explain(platform.WhyNotReported)
	open := platform.Health{Source: "driver", Attributes: []platform.Attribute{{ID: 9, Name: "Power_On_Hours", Normalized: 99, Worst: 99, Raw: 12}}}
	open.Explain(platform.WhyRights, platform.PartThresholds, platform.PartPassed)
	named := func(name string, bus platform.Bus) platform.Drive {
		return platform.Drive{Key: "key-of-SN-" + name, Name: name, Model: "Model " + name, Serial: "SN-" + name, Firmware: "F1", Bus: bus, Capacity: 500e9}
	}
	disk := named("sda", platform.BusSATA)
	disk.Rotational, disk.RPM = platform.Yes, 7200
	return []patient{
		{drive: named("nvme0n1", platform.BusNVMe), sensors: warm(34_850), health: nvme},
		{drive: disk, sensors: platform.Sensors{NoTemp: platform.WhyRights}, health: sata},
		{drive: named("sdb", platform.BusSATA), sensors: warm(30_000), health: open},
		{drive: named("sdc", platform.BusSATA), sensors: platform.Sensors{Asleep: true}, fault: sick(platform.ErrAsleep, nil)},
		{drive: named("sdd", platform.BusUSB), sensors: platform.Sensors{NoTemp: platform.WhyBridge}, fault: sick(platform.ErrUnsupported, platform.ErrBridge)},
		{drive: named("sde", platform.BusSATA), sensors: warm(29_000), fault: sick(platform.ErrPermission, errors.New("no"))},
		{drive: named("sdf", platform.BusSATA), fault: sick(platform.ErrUnsupported, platform.ErrSwitchedOff)},
		{drive: named("sdg", platform.BusSATA), hangs: true},
		{drive: named("vda", platform.BusVirtual), sensors: platform.Sensors{NoTemp: platform.WhyBus}, fault: sick(platform.ErrUnsupported, nil)},
	}
}

func (h clinic) Drives(context.Context) ([]platform.Drive, error) {
	var out []platform.Drive
	for _, p := range patients() {
		out = append(out, p.drive)
	}
	return out, nil
}

func (h clinic) find(ctx context.Context, d platform.Drive) (patient, error) {
	for _, p := range patients() {
		if p.drive.Name == d.Name {
			if p.hangs {
				<-ctx.Done()
				return p, ctx.Err()
			}
			return p, nil
		}
	}
	return patient{}, sick(platform.ErrGone, nil)
}

func (h clinic) Sensors(ctx context.Context, d platform.Drive) (platform.Sensors, error) {
	p, err := h.find(ctx, d)
	return p.sensors, err
}

func (h clinic) Health(ctx context.Context, d platform.Drive) (platform.Health, error) {
	p, err := h.find(ctx, d)
	if err == nil {
		err = p.fault
	}
	return p.health, err
}

// linuxWords puts the sentences of Linux in the place of those that users of Windows read.
var linuxWords = strings.NewReplacer(condition.Refused(english, platform.WhyRights), condition.Refused(words.For(words.English, words.Linux), platform.WhyRights))

func clinicStage(t *testing.T) *stage {
	s := newStage(t)
	s.host = clinic{s.host}
	return s
}

// TestSmartOutput compares what is printed of drives in all conditions.
func TestSmartOutput(t *testing.T) {
	for name, args := range map[string]string{
		"smart": "smart", "smart-json": "smart --json", "smart-serial-json": "smart sda --serial --json", "smart-serial": "smart sda --serial",
		"smart-drives": "drives", "smart-drives-json": "drives --json", "help-smart": "help smart",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := clinicStage(t)
			began := time.Now()
			if status := s.run(t.Context(), strings.Fields(args)...); status != exitDone || s.stderr.Len() > 0 {
				t.Errorf("%s: status %d: %s", args, status, s.stderr.String())
			}
			if took := time.Since(began); took > sensorTime+healthTime {
				t.Errorf("%s took %v", args, took)
			}
			golden(t, name, linuxWords.Replace(s.stdout.String()))
			if strings.HasPrefix(args, "smart") && strings.Contains(s.stdout.String(), "SN-") != strings.Contains(args, "--serial") {
				t.Errorf("%s: serial numbers in\n%s", args, s.stdout.String())
			}
		})
	}
}

// TestSmartNames takes drives by name and by folder, and says which could not be read.
func TestSmartNames(t *testing.T) {
	for _, tt := range []struct {
		args   string
		status int
		out    int    // lines of JSON
		says   string // on standard error
	}{
		{"smart --json nvme0n1 /dev/sda", exitDone, 2, ""},
		{"smart --json sda sda", exitDone, 1, ""},
		{"smart --json /fake", exitFailed, 1, "No health was read from fake0n1: "}, // which the clinic does not know
		{"smart --json nvme0n1 sdd", exitFailed, 2, "No health was read from sdd: The USB adapter does not pass SMART on."},
		{"smart --json sdc sdf", exitFailed, 2, "sdc: The drive sleeps and was not woken to be asked. No health was read from sdf: SMART is switched off in x."},
		{"smart --json sde", exitFailed, 1, "No health was read from sde: Only "},
		{"smart --json nix", exitUsage, 0, `There is no drive "nix"`},
		{"smart --sreial", exitUsage, 0, "did you mean --serial?"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := clinicStage(t)
			status := s.run(t.Context(), strings.Fields(tt.args)...)
			if n := strings.Count(s.stdout.String(), "\n"); status != tt.status || n != tt.out {
				t.Errorf("%s: status %d, %d lines: %s", tt.args, status, n, s.stdout.String())
			}
			if got := s.stderr.String(); (tt.says == "") != (got == "") || !strings.Contains(got, tt.says) {
				t.Errorf("%s: says %q", tt.args, got)
			}
		})
	}
}

// TestSmartJSONKeys keeps the keys that scripts rely on.
func TestSmartJSONKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := clinicStage(t)
		if status := s.run(t.Context(), "smart", "--json"); status != exitDone {
			t.Fatalf("status %d: %s", status, s.stderr.String())
		}
		for line := range strings.Lines(s.stdout.String()) {
			var got struct {
				Type  string
				Smart map[string]any
			}
			if err := json.Unmarshal([]byte(line), &got); err != nil || got.Type != "smart" {
				t.Fatalf("%v: %s", err, line)
			}
			health, has := got.Smart["health"]
			_, why := got.Smart["no_health"]
			if !has || health == nil && !why || why != (got.Smart["health_grade"] == "unknown") {
				t.Errorf("health without a reason: %s", line)
			}
			_, milliC := got.Smart["temp_millic"]
			_, noTemp := got.Smart["no_temp"]
			if milliC == noTemp {
				t.Errorf("temperature without a reason: %s", line)
			}
		}
	})
}

// TestSmartStop stops while a drive does not answer.
func TestSmartStop(t *testing.T) {
	for _, args := range []string{"smart", "smart sdg", "drives"} {
		synctest.Test(t, func(t *testing.T) {
			s := clinicStage(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if status := s.run(ctx, strings.Fields(args)...); status != exitStopped || s.stdout.Len() > 0 || s.stderr.Len() > 0 {
				t.Errorf("%s: status %d: %s%s", args, status, s.stdout.String(), s.stderr.String())
			}
		})
	}
}

// TestSmartUnread closes the pipe behind the program.
func TestSmartUnread(t *testing.T) {
	for _, args := range []string{"smart nvme0n1", "smart nvme0n1 --json"} {
		synctest.Test(t, func(t *testing.T) {
			s := clinicStage(t)
			s.unread = true
			if status := s.run(t.Context(), strings.Fields(args)...); status != exitFailed || s.stderr.Len() > 0 {
				t.Errorf("%s: status %d: %s", args, status, s.stderr.String())
			}
		})
	}
}
