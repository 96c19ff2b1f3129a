package etl2parquet

import (
	"context"
	"io"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// Info describes what is in the trace. The first call may read the trace once more, because payloads
// with texts must be read to be counted.
func (t *Trace) Info(ctx context.Context) (*facts.Info, error) { return t.reading().Info(ctx) }

// Problems returns the problems in the trace that are known so far, in file order: those found when
// it was opened, and by scans that have ended.
func (t *Trace) Problems() []facts.Problem { return t.reading().Problems() }

// ReadInfo describes the trace in r. It costs less than [OpenReader] and [Trace.Info], because it
// does not index processes, images, files, methods and stacks. The name becomes Info.File.
func ReadInfo(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*facts.Info, error) {
	options, err := o.reading()
	if err != nil {
		return nil, err
	}
	return reading.ReadInfo(ctx, r, size, name, options)
}

// Recordings finds which of several described traces belong together. The zero value has none.
type Recordings reading.Recordings

// Add adds the description of a trace, by [ReadInfo] or [Trace.Info]. head is the start of the trace:
// at least its first 4 KiB, or all of it if it is shorter. If the trace continues a series of files,
// and the file before it was added shortly before, Add sets what only that file tells, as Find does.
func (r *Recordings) Add(trace *facts.Info, head []byte) { (*reading.Recordings)(r).Add(trace, head) }

// Find returns the groups of traces that share facts if they are converted together. It sets
// Info.Siblings of all traces, and Info.ComputerName where only a sibling has it. It also sets
// Info.Session, Info.SessionFile and Info.Recording, and of the later files of a series what was lost
// in the file, from when on it is covered, and how long it is, in whatever order they were added.
func (r *Recordings) Find() [][]*facts.Info { return (*reading.Recordings)(r).Find() }
