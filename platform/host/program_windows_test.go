package host

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

const programTest = "CACHECLIFF_TEST_PROGRAM"

// again starts this test binary once more, as a measuring process is started.
func again(t *testing.T, test, task string) *exec.Cmd {
	t.Helper()
	exe, err := Program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^"+test+"$")
	cmd.Env = append(os.Environ(), programTest+"="+task)
	Apart(cmd)
	return cmd
}

// TestApart: the child shows no window and has another terminal than its parent.
func TestApart(t *testing.T) {
	if os.Getenv(programTest) != "" {
		window, _ := call(kernel32.NewProc("GetConsoleWindow")) // 0 is an answer, not an error
		fmt.Printf("%t %t\n", window != 0 && windows.IsWindowVisible(windows.HWND(window)), IsTerminal(os.Stdout))
		os.Exit(0)
	}
	out, err := again(t, "TestApart", "child").Output()
	if err != nil || strings.TrimSpace(string(out)) != "false false" {
		t.Errorf("window, terminal: %q, %v", out, err)
	}
}

// TestTie kills a process: the child that it tied to itself ends, although that listens to nothing.
func TestTie(t *testing.T) {
	switch os.Getenv(programTest) {
	case "child":
		fmt.Println("here")
		hang()
	case "parent":
		child := again(t, "TestTie", "child")
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		Tie(child.Process)
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatalf("%q, %v", line, err)
		}
		fmt.Println(child.Process.Pid)
		hang()
	}
	parent := again(t, "TestTie", "parent")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	parent.Stderr = os.Stderr
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	child, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		t.Fatal(err)
	}
	defer windows.CloseHandle(child)
	if state, err := windows.WaitForSingleObject(child, 50); err != nil || state != uint32(windows.WAIT_TIMEOUT) {
		t.Fatalf("while its parent lives the child is in state %#x, %v", state, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := parent.Wait(); err == nil {
		t.Error("the parent was killed and has no error")
	}
	if state, err := windows.WaitForSingleObject(child, 5000); err != nil || state != windows.WAIT_OBJECT_0 {
		t.Errorf("the child lives on: %#x, %v", state, err)
	}
}
