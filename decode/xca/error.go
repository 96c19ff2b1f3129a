package xca

import "errors"

// The ways in which a stream can be bad.
var (
	// ErrTruncated means that the input ended inside a token.
	ErrTruncated = errors.New("compressed data is truncated")
	// ErrCorrupt means that the input contradicts the format: a match begins
	// before the output does, a Huffman table describes no code, a chunk
	// header has no signature.
	ErrCorrupt = errors.New("compressed data is corrupt")
	// ErrFull means that a match extends beyond the end of the output.
	ErrFull = errors.New("compressed data exceeds the size of its output")
)
