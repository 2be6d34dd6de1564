package host

import (
	"context"
	"errors"
	"sync"
	"time"

	"cachecliff/platform"
)

// patience is how long a file system or a drive may take to answer a question about itself. A healthy
// disk that has to spin up first takes longer, and is asked again.
const patience = 2 * time.Second

// healthPatience is how long a drive may take for all that makes up its health: a dozen commands, each of which
// may wait behind a long write of a hard disk.
const healthPatience = 10 * time.Second

// questions are those that the system has not answered yet. A system call that waits for a dead server
// or drive cannot be taken back: its goroutine and its thread stay until the kernel gives up. So nobody
// asks the same twice; whoever comes later waits for the same answer.
type questions struct {
	mu   sync.Mutex
	open map[string]*question
}

type question struct {
	answered chan struct{}
	value    any
	err      error
}

func newQuestions() *questions {
	return &questions{open: make(map[string]*question)}
}

// ask runs f, or waits for one with the same key that runs already. It gives up with
// platform.ErrStalled when patience is at its end and with the context's error when that is cancelled.
// All callers with the same key must ask for the same type.
func ask[T any](ctx context.Context, q *questions, key string, f func() (T, error)) (T, error) {
	return askFor(ctx, q, patience, key, f)
}

// askFor is ask with another patience.
func askFor[T any](ctx context.Context, q *questions, patience time.Duration, key string, f func() (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	open := q.put(key, func() (any, error) { return f() })
	select {
	case <-open.answered:
		v, ok := open.value.(T)
		if !ok {
			return none, open.err
		}
		return v, open.err
	case <-limited.Done():
		if err := ctx.Err(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return none, err
		}
		return none, &platform.OpError{Op: "wait for", Object: key, Reason: platform.ErrStalled}
	}
}

func (q *questions) put(key string, f func() (any, error)) *question {
	q.mu.Lock()
	defer q.mu.Unlock()
	if open, ok := q.open[key]; ok {
		return open
	}
	open := &question{answered: make(chan struct{})}
	q.open[key] = open
	go func() {
		open.value, open.err = f()
		q.mu.Lock()
		delete(q.open, key)
		q.mu.Unlock()
		close(open.answered)
	}()
	return open
}
