package sysfs

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseMountinfo(t *testing.T) {
	tests := []struct {
		name, in string
		want     Mounts
		fails    bool
	}{
		{name: "empty"},
		{name: "plain", in: "36 35 98:7 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n",
			want: Mounts{{ID: 36, Parent: 35, Major: 98, Minor: 7, Root: "/mnt1", Point: "/mnt2", Options: "rw,noatime", FS: "ext3", Source: "/dev/root", super: "rw,errors=continue"}}},
		{name: "no optional field, no line end", in: "36 35 0:7 / / rw - tmpfs x rw",
			want: Mounts{{ID: 36, Parent: 35, Minor: 7, Root: "/", Point: "/", Options: "rw", FS: "tmpfs", Source: "x", super: "rw"}}},
		{name: "three optional fields", in: "36 35 0:7 / / rw shared:1 master:2 propagate_from:3 - tmpfs x rw",
			want: Mounts{{ID: 36, Parent: 35, Minor: 7, Root: "/", Point: "/", Options: "rw", FS: "tmpfs", Source: "x", super: "rw"}}},
		{name: "escapes", in: `1 2 0:7 / /My\040Disk\011a\134b\012c rw - ext4 /dev/a\040b rw`,
			want: Mounts{{ID: 1, Parent: 2, Minor: 7, Root: "/", Point: "/My Disk\ta\\b\nc", Options: "rw", FS: "ext4", Source: "/dev/a b", super: "rw"}}},
		{name: "a dash as mount point", in: "1 2 0:7 / - rw - ext4 - rw",
			want: Mounts{{ID: 1, Parent: 2, Minor: 7, Root: "/", Point: "-", Options: "rw", FS: "ext4", Source: "-", super: "rw"}}},
		{name: "empty source", in: "1 2 0:7 / /m rw - tmpfs  rw,size=1k",
			want: Mounts{{ID: 1, Parent: 2, Minor: 7, Root: "/", Point: "/m", Options: "rw", FS: "tmpfs", super: "rw,size=1k"}}},
		{name: "spaces in options of the file system", in: `1 2 0:7 / /m rw - 9p C: rw,path=C:\134Program Files`,
			want: Mounts{{ID: 1, Parent: 2, Minor: 7, Root: "/", Point: "/m", Options: "rw", FS: "9p", Source: "C:", super: `rw,path=C:\134Program Files`}}},
		{name: "no separator", in: "36 35 98:7 /mnt1 /mnt2 rw,noatime ext3 /dev/root rw", fails: true},
		{name: "too short", in: "36 35 98:7 / / rw - ext3", fails: true},
		{name: "bad number", in: "x 35 98:7 / / rw - ext3 /dev/root rw", fails: true},
		{name: "negative number", in: "36 -1 98:7 / / rw - ext3 /dev/root rw", fails: true},
		{name: "device without minor", in: "36 1 98 / / rw - ext3 /dev/root rw", fails: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseMountinfo([]byte(tt.in))
			if (err != nil) != tt.fails {
				t.Fatalf("error %v", err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("\n got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestMountinfoErrorNamesTheLine(t *testing.T) {
	_, err := ParseMountinfo([]byte(root + "nonsense\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}

func TestSuper(t *testing.T) {
	m := Mount{super: `ro,lowerdir=/a\054b:/c,upperdir=/my\040files\054x,index=`}
	for name, want := range map[string]string{"upperdir": "/my files,x", "lowerdir": "/a,b:/c", "index": "", "ro": ""} {
		if got, ok := m.Super(name); !ok || got != want {
			t.Errorf("%s: %q %v, want %q", name, got, ok, want)
		}
	}
	if _, ok := m.Super("upper"); ok {
		t.Error("found an option by a part of its name")
	}
}

func mounts(t *testing.T, lines ...string) Mounts {
	t.Helper()
	ms, err := ParseMountinfo([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

func TestMountOf(t *testing.T) {
	ms := mounts(t,
		"1 1 0:2 / / rw - rootfs rootfs rw",
		"27 1 8:1 / / rw - ext4 /dev/sda1 rw",
		"30 27 8:2 / /home rw - ext4 /dev/sda2 rw",
		"31 27 8:3 / /mnt rw - ext4 /dev/sda3 rw",
		"32 31 8:4 / /mnt/deep rw - ext4 /dev/sda4 rw",
		"33 31 8:5 / /mnt rw - ext4 /dev/sda5 rw",       // over 31 and what is in it
		"34 33 8:6 / /mnt/new rw - ext4 /dev/sda6 rw",   //
		"35 27 8:7 / /srv/a rw - ext4 /dev/sda7 rw",     //
		"36 27 8:8 / /srv rw - ext4 /dev/sda8 rw",       // over the folder that 35 is in
		"37 35 8:9 / /srv/a/x rw - ext4 /dev/sda9 rw",   // inside of what cannot be reached
		"38 30 8:10 / /home rw - ext4 /dev/sda10 rw",    //
		"39 38 8:11 / /home rw - ext4 /dev/sda11 rw",    // the third at one place
		"40 39 8:12 / /home/me rw - ext4 /dev/sda12 rw", //
	)
	for path, want := range map[string]int{
		"/": 27, "/etc": 27, "/home": 39, "/home/me": 40, "/home/me/a": 40, "/homer": 27, "/mnt": 33,
		"/mnt/deep/x": 33, "/mnt/new/x": 34, "/srv/a/x/y": 36,
	} {
		if m, ok := ms.Of(path); !ok || m.ID != want {
			t.Errorf("%s is on mount %d, want %d", path, m.ID, want)
		}
	}
	if m, ok := ms.Of("relative"); ok {
		t.Errorf("a relative path is on mount %d", m.ID)
	}
}

func FuzzParseMountinfo(f *testing.F) {
	f.Add([]byte(root))
	f.Add([]byte(`1 2 0:7 / /My\040Disk rw shared:3 - overlay x rw,upperdir=/a\054b` + "\n"))
	f.Add([]byte("1 1 0:2 / / rw - rootfs rootfs rw\n2 1 0:3 / / rw - tmpfs  rw\n1 2 0:3 / / rw - tmpfs  rw\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<12 {
			return
		}
		ms, err := ParseMountinfo(b)
		if err != nil && ms != nil {
			t.Fatal("mounts beside an error")
		}
		places := ms.Places("/home/me", func(string) bool { return true })
		seen := make(map[string]bool)
		for _, p := range places {
			if seen[p.Mount.Device()] {
				t.Fatalf("two places on %s", p.Mount.Device())
			}
			seen[p.Mount.Device()] = true
		}
	})
}
