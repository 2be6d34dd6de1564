package host

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestNoTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	for _, f := range []*os.File{file, null, reader, writer} {
		if IsTerminal(f) {
			t.Errorf("%s is a terminal", f.Name())
		}
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write([]byte("x")); !NobodyReads(err) {
		t.Errorf("a pipe that nobody reads: %v", err)
	}
	if _, err := file.WriteAt(nil, -1); NobodyReads(err) || NobodyReads(nil) || NobodyReads(errors.New("pipe")) {
		t.Error("another error means that nobody reads")
	}
}
