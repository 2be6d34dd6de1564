package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// browser is a Chromium without a window, spoken to through its DevTools pipe
// (chromedevtools.github.io/devtools-protocol): messages in JSON, each ended by a zero byte.
type browser struct {
	cmd     *exec.Cmd
	to      *os.File
	replies chan reply
	session string // of the page; empty for the browser itself
	next    int
	seen    func(method string, params json.RawMessage)
}

// reply is an answer, or an event, which has a method and no ID.
type reply struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// patience is how long an answer may take: a page of half a megabyte is printed within seconds.
const patience = time.Minute

// start starts Chromium with a profile of its own in a folder.
func start(program, profile string) (*browser, error) {
	theirs, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, answers, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	args := []string{"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + profile, "--no-first-run", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--disable-dev-shm-usage"}
	if os.Geteuid() == 0 { // it refuses to run as root otherwise; the pages are our own
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(program, append(args, "about:blank")...)
	cmd.ExtraFiles = []*os.File{theirs, answers} // 3 and 4
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := errors.Join(theirs.Close(), answers.Close()); err != nil {
		return nil, err
	}
	b := &browser{cmd: cmd, to: to, replies: make(chan reply, 1024)}
	go b.listen(from)
	return b, nil
}

func (b *browser) listen(from *os.File) {
	defer close(b.replies)
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var one reply
		if json.Unmarshal(line[:len(line)-1], &one) == nil {
			b.replies <- one
		}
	}
}

// call asks for something and fills in the answer. Events that come first are passed to seen.
func (b *browser) call(method string, params, into any) error {
	b.next++
	message := map[string]any{"id": b.next, "method": method, "params": params}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if _, err := b.to.Write(append(data, 0)); err != nil {
		return err
	}
	one, err := b.until(func(r reply) bool { return r.ID == b.next })
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", method, err)
	case one.Error != nil:
		return fmt.Errorf("%s: %s", method, one.Error.Message)
	case into == nil:
		return nil
	}
	return json.Unmarshal(one.Result, into)
}

// until waits for a message.
func (b *browser) until(is func(reply) bool) (reply, error) {
	late := time.After(patience)
	for {
		select {
		case one, open := <-b.replies:
			if !open {
				return one, errors.New("Chromium has ended")
			}
			if one.Method != "" && b.seen != nil {
				b.seen(one.Method, one.Params)
			}
			if is(one) {
				return one, nil
			}
		case <-late:
			return reply{}, errors.New("no answer from Chromium in " + patience.String())
		}
	}
}

// page opens an empty page and speaks to it from now on.
func (b *browser) page() error {
	b.session = ""
	var target struct {
		ID string `json:"targetId"`
	}
	if err := b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return err
	}
	var attached struct {
		Session string `json:"sessionId"`
	}
	if err := b.call("Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached); err != nil {
		return err
	}
	b.session = attached.Session
	for _, domain := range []string{"Page", "Network", "Log", "Runtime"} {
		if err := b.call(domain+".enable", map[string]any{}, nil); err != nil {
			return err
		}
	}
	return nil
}

// number evaluates an expression that is a whole number.
func (b *browser) number(expression string) (int, error) {
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
	}
	if err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &out); err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out.Result.Value)))
}

// close ends the browser.
func (b *browser) close() error {
	b.session = ""
	err := b.call("Browser.close", map[string]any{}, nil)
	return errors.Join(err, b.cmd.Wait(), b.to.Close())
}
