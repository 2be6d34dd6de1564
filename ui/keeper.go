package ui

import (
	"sync"
	"time"
)

// keeper saves something off the UI goroutine, since a drive under test may take seconds to flush a small
// file. One save goes on at a time, and of those asked for meanwhile only the last is done.
type keeper[T any] struct {
	save   func(T) error
	failed func(error)   // called on the keeper's goroutine
	start  func(func())  // runs the keeper's goroutine
	pause  time.Duration // waited before each save, for what is still being typed

	mu    sync.Mutex
	next  *T
	busy  bool
	hurry chan struct{} // closed by wait: no more pauses; nil until it is needed
	all   sync.WaitGroup
}

// keep saves soon.
func (k *keeper[T]) keep(v T) {
	k.mu.Lock()
	k.next = &v
	begin := !k.busy
	k.busy = true
	k.mu.Unlock()
	if begin {
		k.all.Add(1)
		k.start(k.work)
	}
}

func (k *keeper[T]) work() {
	defer k.all.Done()
	for {
		k.rest()
		k.mu.Lock()
		v := k.next
		k.next = nil
		k.busy = v != nil
		k.mu.Unlock()
		if v == nil {
			return
		}
		if err := k.save(*v); err != nil {
			k.failed(err)
		}
	}
}

// rest waits for the pause, or until someone waits.
func (k *keeper[T]) rest() {
	if k.pause <= 0 {
		return
	}
	select {
	case <-time.After(k.pause):
	case <-k.hurried():
	}
}

func (k *keeper[T]) hurried() chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.hurry == nil {
		k.hurry = make(chan struct{})
	}
	return k.hurry
}

// wait returns when all is saved or could not be saved. The pauses end.
func (k *keeper[T]) wait() {
	hurry := k.hurried()
	k.mu.Lock()
	select {
	case <-hurry:
	default:
		close(hurry)
	}
	k.mu.Unlock()
	k.all.Wait()
}
