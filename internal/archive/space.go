package archive

import (
	"context"
	"fmt"
	"sync"
)

// Space bounds what the temporary files of all walks that share it take
// together. A walk that finds no room waits for files that [Entry.File] gave
// to others to be closed, so that those must not wait for the walk.
type Space struct {
	total int64

	mu    sync.Mutex
	left  int64
	lent  int64         // of what is taken, in files that are the callers' to close
	freed chan struct{} // closed when some space is given back
}

// NewSpace returns a space of some bytes.
func NewSpace(bytes int64) *Space {
	return &Space{total: bytes, left: bytes, freed: make(chan struct{})}
}

// take takes some bytes. It fails if there is nothing to wait for. A nil space
// has no end.
func (s *Space) take(ctx context.Context, n int64) error {
	if s == nil {
		return nil
	}
	for {
		freed, err := s.tryTake(n)
		if freed == nil {
			return err
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tryTake takes some bytes, or returns what to wait for.
func (s *Space) tryTake(n int64) (freed <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case n <= s.left:
		s.left -= n
		return nil, nil
	case s.lent > 0:
		return s.freed, nil
	}
	return nil, &LimitError{LimitSpool, s.total, fmt.Sprintf("more than %d bytes to keep in temporary files", s.total)}
}

// lend notes that some of what is taken is now others' to give back.
func (s *Space) lend(n int64) {
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lent += n
	}
}

// give gives some bytes back, of which some were lent.
func (s *Space) give(n, lent int64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left += n
	s.lent -= lent
	close(s.freed)
	s.freed = make(chan struct{})
}
