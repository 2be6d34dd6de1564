package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"cachecliff/app/store"
	"cachecliff/bench"
)

// readOwn reads a result of this program: a file of the store or an export of any schema up to now, or the lines
// that run and show print with --json. Of such lines the result counts, and if it is missing what the events tell.
func readOwn(data []byte) (bench.Result, error) {
	var head struct {
		Schema *int            `json:"schema"`
		Type   *string         `json:"type"`
		Result json.RawMessage `json:"result"`
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&head); err != nil {
		return bench.Result{}, jsonFault(data, 0, err)
	}
	switch {
	case head.Schema != nil:
		return store.Decode(bytes.NewReader(data))
	case head.Type != nil:
		return readLines(data)
	}
	return bench.Result{}, unknown("it is JSON, and neither of fio nor of this program")
}

// readLines reads one object a line.
func readLines(data []byte) (bench.Result, error) {
	var folded bench.Result
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var head struct {
			Type   string          `json:"type"`
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(line, &head); err != nil {
			return bench.Result{}, refuse(n, "this is not JSON: %v", err)
		}
		if head.Type == "result" {
			r, err := store.Decode(bytes.NewReader(head.Result))
			if err != nil {
				return r, fmt.Errorf("line %d: %w", n, err)
			}
			return r, nil
		}
		e, err := bench.DecodeEvent(line)
		if err != nil {
			return bench.Result{}, refuse(n, "it is not an event of a run: %v", err)
		}
		folded.Apply(e)
	}
	var b bytes.Buffer
	if err := store.Encode(&b, folded); err != nil {
		return bench.Result{}, err
	}
	return store.Decode(&b) // checks it
}

// jsonFault says in which line JSON is wrong. The offset is where in the data the decoder began.
func jsonFault(data []byte, from int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return refuse(lineAt(data, from+syntax.Offset), "this is not JSON: %v", err)
	case errors.As(err, &kind):
		return refuse(lineAt(data, from+kind.Offset), "%s is a %s", kind.Field, kind.Value)
	}
	return refuse(lineAt(data, int64(len(data))), "the JSON ends too early")
}

// lineAt is the line in which an offset lies.
func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
}
