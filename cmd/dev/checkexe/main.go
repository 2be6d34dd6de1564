// Command checkexe looks into a program for Windows and says whether what Explorer and the loader
// need is in it: subsystem, icon, version, manifest, and no library that is not a part of Windows.
package main

import (
	"debug/pe"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// want is what a program must be.
type want struct {
	machine uint16
	gui     bool
	version string
	name    string // OriginalFilename
}

// run returns the exit status: 0 all is there, 1 something is missing, 2 wrong usage.
func run(args []string, out, errs io.Writer) int {
	machines := map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64, "arm64": pe.IMAGE_FILE_MACHINE_ARM64}
	f := flag.NewFlagSet("checkexe", flag.ContinueOnError)
	f.SetOutput(errs)
	arch := f.String("arch", "amd64", "`processor`: amd64 or arm64")
	gui := f.Bool("gui", false, "a program with a window, not one for the console")
	version := f.String("version", "", "`version`, such as 1.2.3")
	name := f.String("name", "", "`file` that the version says it was made as")
	verbose := f.Bool("v", false, "print what was found")
	if err := f.Parse(args); err != nil {
		return 2
	}
	machine, known := machines[*arch]
	if f.NArg() != 1 || *version == "" || *name == "" || !known {
		fmt.Fprintln(errs, "checkexe -version V -name FILE [-arch amd64|arm64] [-gui] [-v] PROGRAM.exe")
		return 2
	}
	facts, err := check(f.Arg(0), want{machine, *gui, *version, *name})
	for _, fact := range facts {
		if *verbose {
			fmt.Fprintf(out, "%s: %s\n", f.Arg(0), fact)
		}
	}
	if err != nil {
		fmt.Fprintf(errs, "%s: %s\n", f.Arg(0), strings.ReplaceAll(err.Error(), "\n", "\n"+f.Arg(0)+": "))
		return 1
	}
	fmt.Fprintf(out, "%s: icon, version, manifest and libraries are as they should be\n", f.Arg(0))
	return 0
}

// check returns what is as it should be, in words, and everything that is not.
func check(path string, w want) ([]string, error) {
	f, err := pe.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var c checklist
	header, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	c.add(ok && f.Machine == w.machine, "machine %#x, 64 bits", f.Machine)
	if !ok {
		return c.facts, c.result()
	}
	subsystem := uint16(pe.IMAGE_SUBSYSTEM_WINDOWS_CUI)
	if w.gui {
		subsystem = pe.IMAGE_SUBSYSTEM_WINDOWS_GUI
	}
	c.add(header.Subsystem == subsystem, "subsystem %d (2 has a window, 3 a console)", header.Subsystem)
	c.libraries(f)
	s := f.Section(".rsrc")
	if s == nil {
		c.add(false, "a section of resources")
		return c.facts, c.result()
	}
	data, err := s.Data()
	if err != nil {
		return c.facts, err
	}
	r, err := readResources(data, s.VirtualAddress)
	if err != nil {
		return c.facts, err
	}
	c.icon(r)
	c.versions(r, w)
	c.manifest(r)
	return c.facts, c.result()
}

// system are the libraries that every Windows since 10 has.
var system = []string{"advapi32.dll", "gdi32.dll", "kernel32.dll", "msvcrt.dll", "ntdll.dll", "opengl32.dll", "shell32.dll", "user32.dll", "ws2_32.dll"}

// checklist gathers what was found.
type checklist struct {
	facts []string
	wrong []error
}

func (c *checklist) add(ok bool, format string, args ...any) {
	if ok {
		c.facts = append(c.facts, fmt.Sprintf(format, args...))
		return
	}
	c.wrong = append(c.wrong, fmt.Errorf("wrong or missing: "+format, args...))
}

func (c *checklist) result() error { return errors.Join(c.wrong...) }

// libraries wants those of Windows only, so that one file can be copied to another computer and runs.
func (c *checklist) libraries(f *pe.File) {
	symbols, err := f.ImportedSymbols()
	if err != nil {
		c.wrong = append(c.wrong, err)
		return
	}
	var names []string
	for _, s := range symbols {
		_, library, _ := strings.Cut(s, ":")
		if library = strings.ToLower(library); !slices.Contains(names, library) {
			names = append(names, library)
		}
	}
	slices.Sort(names)
	foreign := slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(system, n) })
	c.add(len(names) > 0 && !foreign, "libraries of Windows only: %s", strings.Join(names, " "))
}

// icon wants the sizes that Explorer and the task bar ask for.
func (c *checklist) icon(r resources) {
	group := r.first(typeGroupIcon)
	var sizes []int
	if len(group) >= 6 {
		for e := group[6:]; len(e) >= 14; e = e[14:] {
			id := binary.LittleEndian.Uint16(e[12:])
			size := int(e[0])
			if size == 0 {
				size = 256
			}
			if w, ok := iconWidth(r.byID(typeIcon, uint32(id))); !ok || w != size {
				c.add(false, "icon of %d pixels", size)
			}
			sizes = append(sizes, size)
		}
	}
	complete := true
	for _, s := range []int{16, 24, 32, 48, 256} {
		complete = complete && slices.Contains(sizes, s)
	}
	c.add(complete, "icon in sizes %v", sizes)
}

// versions wants one version in each language that is there.
func (c *checklist) versions(r resources, w want) {
	list := r.all(typeVersion)
	c.add(len(list) >= 2, "version in %d languages", len(list))
	for _, data := range list {
		v, err := readVersion(data)
		if err != nil {
			c.wrong = append(c.wrong, err)
			continue
		}
		file := w.version + ".0"
		c.add(v.file == file && v.product == file && v.strings["FileVersion"] == file && v.strings["ProductVersion"] == w.version,
			"version %s, %s, %s, %s", v.file, v.product, v.strings["FileVersion"], v.strings["ProductVersion"])
		c.add(v.strings["OriginalFilename"] == w.name && v.strings["ProductName"] == "Cachecliff" && v.strings["FileDescription"] != "",
			"named %s, %s, %s", v.strings["OriginalFilename"], v.strings["ProductName"], v.strings["FileDescription"])
	}
}

// manifest wants what makes Windows treat the program as one of today.
func (c *checklist) manifest(r resources) {
	m, err := readManifest(r.first(typeManifest))
	if err != nil {
		c.wrong = append(c.wrong, err)
		return
	}
	c.add(m.Level.Level == "asInvoker" && m.Level.UIAccess == "false", "runs with the rights of who starts it (%s)", m.Level.Level)
	c.add(strings.HasPrefix(strings.ToLower(m.DPIAwareness), "permonitorv2,") && strings.HasPrefix(m.DPIAware, "true"),
		"sharp on every screen (%s; before Windows 10: %s)", m.DPIAwareness, m.DPIAware)
	c.add(m.LongPathAware == "true", "paths longer than 260 characters (%s)", m.LongPathAware)
	c.add(slices.ContainsFunc(m.Supported, func(s supported) bool { return s.ID == windows10 }), "made for Windows 10 and later (%v)", m.Supported)
	c.add(slices.ContainsFunc(m.Dependencies, func(d dependency) bool {
		return d.Name == "Microsoft.Windows.Common-Controls" && strings.HasPrefix(d.Version, "6.")
	}), "controls of version 6 (%v)", m.Dependencies)
}
