package store

import (
	"context"
	"fmt"
	"io"
)

// maxPiece is the number of bytes read at a time when a whole file is read.
const maxPiece = 256 << 10

// EachPiece reads a file from start to end, in pieces. It uses room as the buffer, and
// replaces it by a larger one if the file can use that.
func EachPiece(ctx context.Context, r io.ReaderAt, size int64, room *[]byte, do func(piece []byte)) error {
	if need := min(maxPiece, size); int64(len(*room)) < need {
		*room = make([]byte, need)
	}
	for at := int64(0); at < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		piece := (*room)[:min(int64(len(*room)), size-at)]
		if n, err := r.ReadAt(piece, at); n < len(piece) {
			return fmt.Errorf("read at %#x: %w", at, err)
		}
		do(piece)
		at += int64(len(piece))
	}
	return nil
}
