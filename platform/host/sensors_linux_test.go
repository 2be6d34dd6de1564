package host

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/fstest"

	"cachecliff/platform"
)

// fakeSys is a /sys with one NVMe drive.
func fakeSys(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := fstest.MapFS{}
	for name, content := range map[string]string{
		"devices/pci/nvme/nvme0/model":                     "Fake",
		"devices/pci/nvme/nvme0/serial":                    "S1",
		"devices/pci/nvme/nvme0/nvme0n1/dev":               "259:0",
		"devices/pci/nvme/nvme0/nvme0n1/size":              "2048",
		"devices/pci/nvme/nvme0/nvme0n1/wwid":              "eui.1",
		"devices/pci/nvme/nvme0/nvme0n1/stat":              "1 0 8 0 0 0 0 0 0 0 0",
		"devices/pci/nvme/nvme0/hwmon/hwmon3/name":         "nvme",
		"devices/pci/nvme/nvme0/hwmon/hwmon3/temp1_input":  "35850",
		"devices/pci/nvme/nvme0/hwmon/hwmon3/temp1_label":  "Composite",
		"class/hwmon/placeholder":                          "",
		"class/block/placeholder":                          "",
		"block/placeholder":                                "",
		"devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance",
	} {
		files[name] = &fstest.MapFile{Data: []byte(content + "\n"), Mode: 0o644}
	}
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"block/nvme0n1":                              "../devices/pci/nvme/nvme0/nvme0n1",
		"class/block/nvme0n1":                        "../../devices/pci/nvme/nvme0/nvme0n1",
		"class/hwmon/hwmon3":                         "../../devices/pci/nvme/nvme0/hwmon/hwmon3",
		"devices/pci/nvme/nvme0/nvme0n1/device":      "../../nvme0",
		"devices/pci/nvme/nvme0/hwmon/hwmon3/device": "../../../nvme0",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSensors(t *testing.T) {
	h := testHost(t, Options{SysRoot: fakeSys(t)})
	drives, err := h.Drives(t.Context())
	if err != nil || len(drives) != 1 || drives[0].Key != "eui.1" || drives[0].Model != "Fake" {
		t.Fatalf("%+v, %v", drives, err)
	}
	before := h.Now()
	s, err := h.Sensors(t.Context(), drives[0])
	if err != nil {
		t.Fatal(err)
	}
	if s.At < before || s.At > h.Now() || s.Source != "hwmon" || s.Counters == nil || s.Counters.ReadBytes != 4096 ||
		len(s.Temperatures) != 1 || s.Temperatures[0] != (platform.Reading{Label: "Composite", MilliC: 35850}) {
		t.Errorf("%+v", s)
	}
	_, err = h.Sensors(t.Context(), platform.Drive{Name: "nvme7n1"})
	if !errors.Is(err, platform.ErrGone) {
		t.Errorf("a drive that is gone: %v", err)
	}
}

// A drive that understands neither language is sent nothing, and one that is not there is gone.
func TestHealthIsOnlyAskedOfWhoUnderstands(t *testing.T) {
	h := testHost(t, Options{SysRoot: fakeSys(t)})
	for _, c := range []struct {
		d    platform.Drive
		want error
		why  platform.Why
	}{
		{platform.Drive{Name: "nvme0n1", Bus: platform.BusUSB}, platform.ErrUnsupported, platform.WhyBridge},
		{platform.Drive{Name: "nvme0n1", Bus: platform.BusVirtual}, platform.ErrUnsupported, platform.WhyBus},
		{platform.Drive{Name: "nvme0n1"}, platform.ErrUnsupported, platform.WhyBus},
		{platform.Drive{Name: "sda", Bus: platform.BusNVMe}, platform.ErrGone, platform.WhyFailed},
		{platform.Drive{Name: "../null", Bus: platform.BusNVMe}, platform.ErrGone, platform.WhyFailed},
		{platform.Drive{Name: "nvme7n1", Bus: platform.BusNVMe}, platform.ErrGone, platform.WhyFailed},
	} {
		_, err := h.Health(t.Context(), c.d)
		if !errors.Is(err, c.want) || platform.WhyOf(err) != c.why {
			t.Errorf("%+v: %v, %s", c.d, err, platform.WhyOf(err))
		}
	}
}

func TestNodes(t *testing.T) {
	if _, err := openNode("nonesuch"); !errors.Is(err, platform.ErrGone) {
		t.Errorf("no node: %v", err)
	}
	n, err := openNode("null")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readNVMe(n, platform.Drive{}); !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("a device that is no drive is asked in NVMe: %v", err)
	}
	if _, err := readATA(n, platform.Drive{}); !errors.Is(err, platform.ErrUnsupported) {
		t.Errorf("a device that is no drive is asked in ATA: %v", err)
	}
	if err := n.close(); err != nil {
		t.Error(err)
	}
}

func TestSystemHere(t *testing.T) {
	s, err := testHost(t, Options{SysRoot: fakeSys(t)}).System(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Kernel == "" || s.Memory <= 0 || s.CPUs != runtime.NumCPU() || s.Arch != runtime.GOARCH || s.PowerPlan != "performance" {
		t.Errorf("%+v", s)
	}
}

func TestFoldersHere(t *testing.T) {
	home := t.TempDir()
	for _, v := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(v, "")
	}
	t.Setenv("HOME", home)
	h := testHost(t, Options{})
	got, err := h.Folders()
	want := platform.Folders{Data: home + "/.local/share/cachecliff", Config: home + "/.config/cachecliff", Pictures: home + "/Pictures/Cachecliff"}
	if err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	t.Setenv("HOME", "")
	if _, err := h.Folders(); !errors.Is(err, platform.ErrNotExist) {
		t.Errorf("no home folder: %v", err)
	}
}
