package decode

import (
	"errors"
	"fmt"
	"strings"
)

// The causes that callers distinguish with errors.Is.
var (
	// ErrNotETL means that the input does not begin like a trace and holds no trace
	// buffer elsewhere.
	ErrNotETL = errors.New("not an ETL trace")
	// ErrTruncated means that a structure extends beyond the bytes that hold it.
	ErrTruncated = errors.New("truncated")
	// ErrCorrupt means that a value contradicts the format.
	ErrCorrupt = errors.New("corrupt")
	// ErrUnsupported means that the input seems well formed, but has a form that
	// this package does not read.
	ErrUnsupported = errors.New("unsupported")
	// ErrUnstated means that no description states the size, count or members of a field,
	// and that the payload's length leaves more than one reading.
	ErrUnstated = errors.New("no single reading")
)

// Error describes damage and its position. Position fields that do not apply are
// -1, so that an error without a buffer differs from one in buffer 0.
type Error struct {
	Buffer int    // index of the buffer in file order, or -1
	Offset int64  // byte offset of that buffer (or structure) in the file, or -1
	Pos    int    // byte position in the decompressed buffer, or -1
	Where  string // the field, as in "WMI_BUFFER_HEADER.BufferSize"
	Err    error  // the cause
}

func (e *Error) Error() string {
	var s strings.Builder
	if e.Buffer >= 0 {
		fmt.Fprintf(&s, "buffer %d: ", e.Buffer)
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&s, "file offset %#x: ", e.Offset)
	}
	if e.Pos >= 0 {
		fmt.Fprintf(&s, "position %#x: ", e.Pos)
	}
	if e.Where != "" {
		s.WriteString(e.Where)
		s.WriteString(": ")
	}
	s.WriteString(e.Err.Error())
	return s.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// BlobError returns an error in a structure that is not read from a trace file,
// so that only the position in the structure is known.
func BlobError(pos int, where string, cause error, format string, args ...any) *Error {
	return &Error{Buffer: -1, Offset: -1, Pos: pos, Where: where, Err: causef(cause, format, args...)}
}

// causef adds details to one of the causes above.
func causef(cause error, format string, args ...any) error {
	return fmt.Errorf("%w: %s", cause, fmt.Sprintf(format, args...))
}
