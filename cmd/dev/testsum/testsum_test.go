package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestSum(t *testing.T) {
	const passed = `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"run","Package":"a","Test":"TestX/one"}
{"Action":"pass","Package":"a","Test":"TestX/one"}
{"Action":"pass","Package":"a","Test":"TestX"}
{"Action":"pass","Package":"a","Elapsed":1.25}
`
	const skipped = `{"Action":"run","Package":"b","Test":"TestY"}
{"Action":"output","Package":"b","Test":"TestY","Output":"=== RUN   TestY\n"}
{"Action":"output","Package":"b","Test":"TestY","Output":"    y_test.go:7: no drive here\n"}
{"Action":"output","Package":"b","Test":"TestY","Output":"--- SKIP: TestY (0.00s)\n"}
{"Action":"skip","Package":"b","Test":"TestY"}
{"Action":"pass","Package":"b","Elapsed":2}
`
	for _, c := range []struct {
		name, in string
		status   int
		want     []string
	}{
		{"passed, with a subtest", passed, 0, []string{"a  ", "   1 passed   0 failed   0 skipped    1.2 s"}},
		{"skipped", passed + skipped, 0, []string{"   0 passed   0 failed   1 skipped    2.0 s\n    TestY: no drive here\n"}},
		{"failed", passed + `{"Action":"output","Package":"c","Test":"TestZ","Output":"    z_test.go:1: is 3\n"}
{"Action":"fail","Package":"c","Test":"TestZ"}
`, 1, []string{"FAILED c TestZ\n    z_test.go:1: is 3\n", "   0 passed   1 failed"}},
		{"never ended", passed + `{"Action":"run","Package":"c","Test":"TestZ"}` + "\n", 1, []string{"FAILED c TestZ\n", "   0 passed   1 failed"}},
		{"does not compile", passed + `{"ImportPath":"c","Action":"build-output","Output":"c.go:1: syntax\n"}` + "\n", 1, []string{"c.go:1: syntax\n"}},
		{"no such command", "go: not there", 1, []string{"go: not there\n"}},
		{"nothing ran", skipped, 1, []string{"TestY"}},
		{"package never ended", `{"Action":"run","Package":"a","Test":"TestX"}
{"Action":"pass","Package":"a","Test":"TestX"}
`, 1, []string{"   1 passed"}},
		{"package fails by itself", passed + `{"Action":"output","Package":"c","Output":"panic\n"}
{"Action":"fail","Package":"c"}
`, 1, []string{"FAILED c \npanic\n", "c  "}},
		{"a package without tests", passed + `{"Action":"skip","Package":"d"}` + "\n", 0, []string{"a  "}},
	} {
		var out bytes.Buffer
		status := run(strings.NewReader(c.in), &out)
		if status != c.status {
			t.Errorf("%s: status %d", c.name, status)
		}
		for _, w := range c.want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%s: said %q, want %q", c.name, out.String(), w)
			}
		}
		if strings.Contains(out.String(), "\nd ") {
			t.Errorf("%s: counts a package without tests: %q", c.name, out.String())
		}
	}
}
