package ui

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/app/settings"
)

func TestKeeperSavesTheLastAndNeverTwoAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []int
		saving, faults := 0, 0
		k := &keeper[settings.Settings]{
			save: func(s settings.Settings) error {
				saving++
				if saving > 1 {
					t.Error("two saves at a time")
				}
				<-time.After(time.Second)
				saving--
				saved = append(saved, s.Loops)
				if s.Loops == 9 {
					return errors.New("disk full")
				}
				return nil
			},
			failed: func(error) { faults++ },
			start:  func(f func()) { go f() },
		}
		for i := 1; i <= 9; i++ {
			k.keep(settings.Settings{Loops: i})
			<-time.After(100 * time.Millisecond)
		}
		k.wait()
		if n := len(saved); n != 2 || saved[n-1] != 9 || faults != 1 {
			t.Errorf("saved %v with %d faults", saved, faults)
		}
		k.keep(settings.Settings{Loops: 10})
		k.wait()
		if saved[len(saved)-1] != 10 {
			t.Errorf("after a fault: saved %v", saved)
		}
	})
}

// With a pause what is typed quickly is saved once, and nobody who waits waits for the pause.
func TestKeeperPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []string
		k := &keeper[string]{
			save:  func(s string) error { saved = append(saved, s); return nil },
			start: func(f func()) { go f() }, pause: time.Second,
		}
		for _, s := range []string{"a", "ab", "abc"} {
			k.keep(s)
			<-time.After(100 * time.Millisecond)
		}
		<-time.After(time.Second)
		if len(saved) != 1 || saved[0] != "abc" {
			t.Errorf("saved %q", saved)
		}
		k.keep("abcd")
		began := time.Now()
		for range 2 {
			k.wait()
		}
		if took := time.Since(began); len(saved) != 2 || saved[1] != "abcd" || took > 0 {
			t.Errorf("saved %q, waited %v", saved, took)
		}
	})
}
