package main

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"unicode/utf16"
)

// Types of resources (RT_*, winuser.h).
const (
	typeIcon      = 3
	typeGroupIcon = 14
	typeVersion   = 16
	typeManifest  = 24
)

// windows10 names Windows 10, 11 and the servers since 2016 in a manifest ("Targeting your application
// for Windows", Microsoft Learn).
const windows10 = "{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}"

var errCutShort = errors.New("the resources are cut short")

// resource is a leaf of the tree: type, name (0 if it has a text for one), language.
type resource struct {
	kind, id uint32
	data     []byte
}

type resources []resource

// readResources reads the tree of a .rsrc section (PE format, "The .rsrc Section"): three levels of
// directories, type, name and language. at is the address of the section in memory.
func readResources(section []byte, at uint32) (resources, error) {
	var out resources
	err := eachEntry(section, 0, func(kind, typeDir uint32) error {
		return eachEntry(section, typeDir, func(id, nameDir uint32) error {
			return eachEntry(section, nameDir, func(_, leaf uint32) error {
				if uint64(leaf)+16 > uint64(len(section)) {
					return errCutShort
				}
				address, size := binary.LittleEndian.Uint32(section[leaf:]), binary.LittleEndian.Uint32(section[leaf+4:])
				from, to := int64(address)-int64(at), int64(address)-int64(at)+int64(size)
				if from < 0 || to > int64(len(section)) {
					return fmt.Errorf("resource of type %d lies outside of its section", kind)
				}
				if id&named != 0 {
					id = 0
				}
				out = append(out, resource{kind, id, section[from:to]})
				return nil
			})
		})
	})
	return out, err
}

// named marks an identifier that is the offset of a text, and an offset that is the one of a directory.
const named = 1 << 31

// eachEntry calls f with the identifier and the offset of each entry of the directory at offset.
func eachEntry(section []byte, offset uint32, f func(id, offset uint32) error) error {
	offset &^= named
	if uint64(offset)+16 > uint64(len(section)) {
		return errCutShort
	}
	d := section[offset:]
	count := int(binary.LittleEndian.Uint16(d[12:])) + int(binary.LittleEndian.Uint16(d[14:]))
	if len(d) < 16+8*count {
		return errCutShort
	}
	for i := range count {
		e := d[16+8*i:]
		if err := f(binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[4:])); err != nil {
			return err
		}
	}
	return nil
}

func (r resources) all(kind uint32) [][]byte {
	var out [][]byte
	for _, e := range r {
		if e.kind == kind {
			out = append(out, e.data)
		}
	}
	return out
}

func (r resources) first(kind uint32) []byte {
	for _, data := range r.all(kind) {
		return data
	}
	return nil
}

func (r resources) byID(kind, id uint32) []byte {
	for _, e := range r {
		if e.kind == kind && e.id == id {
			return e.data
		}
	}
	return nil
}

// iconWidth is the width of one picture of an icon, a PNG or a bitmap without its file header.
func iconWidth(data []byte) (int, bool) {
	if c, err := png.DecodeConfig(bytes.NewReader(data)); err == nil {
		return c.Width, c.Width == c.Height
	}
	const headerSize = 40 // BITMAPINFOHEADER
	if len(data) < headerSize || binary.LittleEndian.Uint32(data) != headerSize {
		return 0, false
	}
	// The height counts the picture and its mask.
	w, h := binary.LittleEndian.Uint32(data[4:]), binary.LittleEndian.Uint32(data[8:])
	return int(w), h == 2*w
}

// version is a VS_VERSIONINFO.
type version struct {
	file, product string
	strings       map[string]string
}

// readVersion reads the numbers and the texts of a version.
func readVersion(data []byte) (version, error) {
	v := version{strings: map[string]string{}}
	_, fixed, children, err := readBlock(data)
	if err != nil {
		return v, err
	}
	const signature = 0xFEEF04BD // VS_FFI_SIGNATURE
	if len(fixed) < 24 || binary.LittleEndian.Uint32(fixed) != signature {
		return v, errors.New("the version has no numbers")
	}
	number := func(b []byte) string {
		high, low := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		return fmt.Sprintf("%d.%d.%d.%d", high>>16, high&0xffff, low>>16, low&0xffff)
	}
	v.file, v.product = number(fixed[8:]), number(fixed[16:])
	// StringFileInfo holds a table a language, a table holds the texts.
	return v, eachBlock(children, func(key string, _, tables []byte) error {
		if key != "StringFileInfo" {
			return nil
		}
		return eachBlock(tables, func(_ string, _, texts []byte) error {
			return eachBlock(texts, func(key string, value, _ []byte) error {
				v.strings[key] = text(value)
				return nil
			})
		})
	})
}

// readBlock reads one block of a version: length, length of the value, type (1: text, whose length is
// counted in characters), key, value, children; each begins at a multiple of four.
func readBlock(b []byte) (key string, value, children []byte, err error) {
	if len(b) < 6 {
		return "", nil, nil, errCutShort
	}
	length, size := int(binary.LittleEndian.Uint16(b)), int(binary.LittleEndian.Uint16(b[2:]))
	if binary.LittleEndian.Uint16(b[4:]) == 1 {
		size *= 2
	}
	if length < 6 || length > len(b) {
		return "", nil, nil, errCutShort
	}
	b = b[:length]
	end := 6
	for end+2 <= len(b) && (b[end] != 0 || b[end+1] != 0) {
		end += 2
	}
	key = text(b[6:end])
	from := align(end + 2)
	to := from + size
	if from > len(b) || to > len(b) {
		if size == 0 {
			return key, nil, nil, nil
		}
		return "", nil, nil, errCutShort
	}
	return key, b[from:to], b[min(align(to), len(b)):], nil
}

// eachBlock calls f for blocks that follow one another.
func eachBlock(b []byte, f func(key string, value, children []byte) error) error {
	for len(b) >= 6 {
		key, value, children, err := readBlock(b)
		if err != nil {
			return err
		}
		if err := f(key, value, children); err != nil {
			return err
		}
		b = b[min(align(int(binary.LittleEndian.Uint16(b))), len(b)):]
	}
	return nil
}

func align(n int) int { return (n + 3) &^ 3 }

// text is UTF-16 up to the first zero.
func text(b []byte) string {
	var units []uint16
	for ; len(b) >= 2; b = b[2:] {
		u := binary.LittleEndian.Uint16(b)
		if u == 0 {
			break
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units))
}

// manifest is what matters of one.
type manifest struct {
	Level struct {
		Level    string `xml:"level,attr"`
		UIAccess string `xml:"uiAccess,attr"`
	} `xml:"trustInfo>security>requestedPrivileges>requestedExecutionLevel"`
	Supported     []supported  `xml:"compatibility>application>supportedOS"`
	DPIAware      string       `xml:"application>windowsSettings>dpiAware"`
	DPIAwareness  string       `xml:"application>windowsSettings>dpiAwareness"`
	LongPathAware string       `xml:"application>windowsSettings>longPathAware"`
	Dependencies  []dependency `xml:"dependency>dependentAssembly>assemblyIdentity"`
}

type supported struct {
	ID string `xml:"Id,attr"`
}

type dependency struct {
	Name    string `xml:"name,attr"`
	Version string `xml:"version,attr"`
}

func readManifest(data []byte) (manifest, error) {
	var m manifest
	if len(data) == 0 {
		return m, errors.New("there is no manifest")
	}
	if err := xml.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("manifest: %w", err)
	}
	return m, nil
}
