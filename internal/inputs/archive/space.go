package archive

import (
	"context"
	"fmt"
	"sync"
)

// Space bounds the total size of the temporary files of all walks that share it. A walk without
// room waits until callers close files that they got from [Entry.File], so callers must not wait
// for the walk; see [Options.Held].
type Space struct {
	total int64

	mu    sync.Mutex
	left  int64
	lent  int64         // part of the taken space in files that callers close soon
	freed chan struct{} // closed when space is released
}

// NewSpace returns a space of the given number of bytes.
func NewSpace(bytes int64) *Space {
	return &Space{total: bytes, left: bytes, freed: make(chan struct{})}
}

// take takes n bytes, and waits for them if necessary, unless held is true. It returns an error if it
// does not wait, or if no lent file could free them. A nil space is unlimited.
func (s *Space) take(ctx context.Context, n int64, held bool) error {
	if s == nil {
		return nil
	}
	for {
		freed, err := s.tryTake(n, held)
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

// tryTake takes n bytes, or returns a channel to wait for.
func (s *Space) tryTake(n int64, held bool) (freed <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case n <= s.left:
		s.left -= n
		return nil, nil
	case s.lent > 0 && !held:
		return s.freed, nil
	}
	return nil, &LimitError{LimitSpool, s.total, fmt.Sprintf("more than %d bytes to keep in temporary files", s.total)}
}

// lend records that n of the taken bytes are now in files that callers close soon.
func (s *Space) lend(n int64) {
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lent += n
	}
}

// give releases bytes, some of which were lent.
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
