package pdb

import (
	"errors"
	"fmt"
)

// The kinds of fault in a file. An Error wraps one of these, or an error of the reader.
var (
	ErrNotPDB      = errors.New("not a PDB")
	ErrUnsupported = errors.New("not supported")
	ErrCorrupt     = errors.New("corrupt")
	ErrTruncated   = errors.New("truncated")
)

// noStream stands for the container itself in an Error, and in the file for a missing stream.
const noStream = 0xFFFF

// Error is an error at a position of a file.
type Error struct {
	Stream int    // -1 for the container
	Offset int64  // in the stream or, without one, in the file
	Where  string // what was read there
	Err    error
}

func (e *Error) Error() string {
	if e.Stream < 0 {
		return fmt.Sprintf("%s at 0x%x: %v", e.Where, e.Offset, e.Err)
	}
	return fmt.Sprintf("%s, stream %d at 0x%x: %v", e.Where, e.Stream, e.Offset, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}
