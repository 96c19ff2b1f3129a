package etl2parquet

import (
	"context"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/answers/cache"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// ErrNoDuckDB means that there is no DuckDB, which [Traces.Query] needs, or a version that is too old.
var ErrNoDuckDB = answers.ErrUnavailable

// Query answers a SELECT of DuckDB's SQL over the tables and views of all traces, as "etl2parquet query" does: it makes
// the tables that the SELECT reads, or takes them from Options.Cache, and runs the user's program duckdb. The traces must
// be files, archives or URLs that [OpenAll] has opened; they are read again. The values of $name in the SQL are
// parameters: nil, booleans, numbers, strings and times. The reader must be released.
//
// The error of one trace, a [facts.InputError], does not end the others: the reader returns those of all such
// traces, joined, after the rows. Why there are no rows is told to Options.OnNote.
func (t *Traces) Query(ctx context.Context, sql string, parameters map[string]any) (array.RecordReader, error) {
	sources, o := t.reading().Sources(), t.reading().Options()
	if sources.Paths == nil {
		return nil, errors.New("only traces that OpenAll has opened can be asked")
	}
	files, err := batch.ShareOpenFiles()
	if err != nil {
		return nil, err
	}
	traces := &answers.Traces{
		Files: sources.Files, Reader: inputs.Reader{Options: sources.Archive}, Servers: sources.Servers, Limit: files.Traces, Siblings: true,
		Options: pipeline.Options{Workers: o.Workers, Memory: o.Memory, Facts: o.Facts, Schemas: o.Schemas, Messages: o.Messages, Symbols: o.Symbols, Redact: o.Redact, TempDir: o.TempDir},
	}
	traces.Kept.Failed = func(err error) { o.Note("the tables are not kept for the next question: " + err.Error()) }
	if o.Cache != "" {
		folder, err := filepath.Abs(o.Cache)
		if err != nil {
			return nil, err
		}
		if traces.Kept.Cache, err = cache.Open(folder, cache.DefaultLimit); err != nil {
			return nil, err
		}
	}
	q := answers.Options{Temp: o.TempDir, Threads: o.Workers, Notes: notes{&o}, Explain: o.Note}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		p, err := answers.NewParameter(name, parameters[name])
		if err != nil {
			return nil, err
		}
		q.Parameters = append(q.Parameters, p)
	}
	return answers.Query(ctx, traces, sources.Paths, sql, q)
}

// notes passes on lines that are printed.
type notes struct{ o *reading.Options }

// Write implements [io.Writer].
func (n notes) Write(text []byte) (int, error) {
	n.o.Note(strings.TrimSpace(string(text)))
	return len(text), nil
}

var _ io.Writer = notes{}
