package etl2parquet

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/internal/answers"
)

// ErrNoDuckDB means that there is no DuckDB, which [Traces.Query] needs, or a version that is too old.
var ErrNoDuckDB = answers.ErrUnavailable

// Query answers a SELECT of DuckDB's SQL over the tables and views of all traces, as "etl2parquet query" does: it makes
// the tables that the SELECT reads, or takes them from Options.Cache, and runs the user's program duckdb. The traces must
// be files, archives or URLs that [OpenAll] has opened; they are read again. The values of $name in the SQL are
// parameters: nil, booleans, numbers, strings and times. The reader must be released.
//
// The error of one trace, a [facts.InputError], does not end the others: the reader returns those of all such
// traces, joined, after the rows. Options.OnNote is called with the reason if there are no rows.
func (t *Traces) Query(ctx context.Context, sql string, parameters map[string]any) (array.RecordReader, error) {
	return answers.Query(ctx, t.reading(), sql, parameters)
}
