package host

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cachecliff/platform"
)

func TestAskGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQuestions()
		var calls atomic.Int32
		hang := make(chan struct{})
		slow := func() (string, error) {
			calls.Add(1)
			<-hang
			return "late", nil
		}
		for range 3 {
			start := time.Now()
			_, err := ask(t.Context(), q, "x", slow)
			if took := time.Since(start); !errors.Is(err, platform.ErrStalled) || took != patience {
				t.Errorf("%v after %v", err, took)
			}
		}
		if n := calls.Load(); n != 1 {
			t.Errorf("asked %d times while there was no answer", n)
		}
		time.AfterFunc(time.Second, func() { close(hang) })
		if got, err := ask(t.Context(), q, "x", slow); got != "late" || err != nil {
			t.Errorf("%q, %v: the late answer was lost", got, err)
		}
		if len(q.open) != 0 {
			t.Errorf("%d questions are still open", len(q.open))
		}
	})
}

func TestAskForIsMorePatient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		defer close(hang)
		start := time.Now()
		_, err := askFor(t.Context(), newQuestions(), healthPatience, "health of x", func() (int, error) { <-hang; return 0, nil })
		if took := time.Since(start); !errors.Is(err, platform.ErrStalled) || took != 10*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

func TestAskEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, hang := newQuestions(), make(chan struct{})
		defer close(hang)
		slow := func() (int, error) { <-hang; return 0, nil }

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		if _, err := ask(ctx, q, "x", slow); !errors.Is(err, context.Canceled) || time.Since(start) != time.Second {
			t.Errorf("cancelled: %v after %v", err, time.Since(start))
		}
		if _, err := ask(ctx, q, "y", func() (int, error) { t.Error("asked after the end"); return 0, nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("already cancelled: %v", err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := ask(ctx, q, "x", slow); !errors.Is(err, platform.ErrStalled) {
			t.Errorf("deadline: %v", err)
		}
	})
}

func TestAskPassesAnswersOn(t *testing.T) {
	q, wrong := newQuestions(), errors.New("wrong")
	if got, err := ask(t.Context(), q, "x", func() (int, error) { return 3, wrong }); got != 3 || err != wrong {
		t.Errorf("%d, %v", got, err)
	}
	if got, err := ask(t.Context(), q, "x", func() (int, error) { return 4, nil }); got != 4 || err != nil {
		t.Errorf("asked anew: %d, %v", got, err)
	}
}
