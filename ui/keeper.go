package ui

import (
	"sync"

	"cachecliff/app/settings"
)

// keeper saves settings off the UI goroutine, since a drive under test may take seconds to flush a small
// file. One save goes on at a time, and of those asked for meanwhile only the last is done.
type keeper struct {
	save   func(settings.Settings) error
	failed func(error)  // called on the keeper's goroutine
	start  func(func()) // runs the keeper's goroutine

	mu   sync.Mutex
	next *settings.Settings
	busy bool
	all  sync.WaitGroup
}

// keep saves soon.
func (k *keeper) keep(s settings.Settings) {
	k.mu.Lock()
	k.next = &s
	begin := !k.busy
	k.busy = true
	k.mu.Unlock()
	if begin {
		k.all.Add(1)
		k.start(k.work)
	}
}

func (k *keeper) work() {
	defer k.all.Done()
	for {
		k.mu.Lock()
		s := k.next
		k.next = nil
		k.busy = s != nil
		k.mu.Unlock()
		if s == nil {
			return
		}
		if err := k.save(*s); err != nil {
			k.failed(err)
		}
	}
}

// wait returns when all is saved or could not be saved.
func (k *keeper) wait() { k.all.Wait() }
