package etl2parquet

import (
	"context"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// FollowOptions say how growing traces are followed. The zero value is valid.
type FollowOptions struct {
	// Trace are the options of each trace. Siblings, Index and Only are not used.
	Trace Options
	// Write says how rows are written. Formats of lines can be followed: those of which two results, one
	// after the other, are one.
	Write WriteOptions
	// State is the path of a file that says how far each trace has been written. Follow goes on from
	// there, and replaces the file, at once, after rows were written. "" begins with the first buffer.
	State string
	// OnMessage is called with a sentence for people when something happens to a file: it is absent,
	// complete, removed, begun anew, or a buffer is damaged. It may be nil.
	OnMessage func(text string)
}

// The errors of following traces.
var (
	ErrNotFollowed = reading.ErrNotFollowed
	ErrOtherState  = reading.ErrOtherState
)

// Follow writes the events of growing traces as their buffers arrive, until ctx is done, and returns the
// number of rows. Its error is then that of ctx. With s.Limit it ends after that number of rows.
//
// Inputs are files, which need not exist yet, folders and patterns, whose new files are followed too.
// Unless the only input is a file, the rows begin with the name of the trace.
//
// Follow decodes buffers that are complete, with the facts that are known so far: processes, images,
// descriptions of payloads. At first it reads all that is there for its facts. Rows that are written
// together are in the order of time: those of buffers that come within a fifth of a second, at most
// 64 MiB of each trace. Later rows can be of earlier times, because each processor has buffers of its own.
//
// When ctx is done, the rows that are being written are completed. If the process is killed instead, the
// next run with the same state writes the rows of the buffers again that were being written: its first
// message says which. No row is left out.
func Follow(ctx context.Context, inputs []string, w io.Writer, s Scan, o FollowOptions) (rows int64, err error) {
	options, err := o.Trace.reading()
	if err != nil {
		return 0, err
	}
	return reading.Follow(ctx, inputs, w, s.reading(), reading.FollowOptions{
		Trace: options, Write: o.Write.reading(), State: o.State, OnMessage: o.OnMessage,
	})
}
