package bench

import (
	"context"
	"sync"
)

// Gate lets a user hold a long test: a filling stops before its next file, and goes on when it is released. It may be
// used from any goroutine. A nil Gate is always open.
type Gate struct {
	mu      sync.Mutex
	held    bool
	changed chan struct{}
}

// Hold closes the gate, or opens it again.
func (g *Gate) Hold(held bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held == held {
		return
	}
	g.held = held
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}

// State says whether the gate is closed, and gives a channel that is closed when that changes.
func (g *Gate) State() (held bool, changed <-chan struct{}) {
	if g == nil {
		return false, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.changed == nil {
		g.changed = make(chan struct{})
	}
	return g.held, g.changed
}

// pass waits while the gate is closed, and ends early when ctx does.
func (g *Gate) pass(ctx context.Context) {
	for {
		held, changed := g.State()
		if !held {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
