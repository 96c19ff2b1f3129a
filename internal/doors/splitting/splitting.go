// Package splitting prints the splits of traces: parts of a table, each with a token by which a reader
// reads it.
package splitting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// Options say how to divide traces, and how to print their splits.
type Options struct {
	Scan  etl2parquet.Scan // whose rows are divided
	Max   int              // splits of each trace
	JSON  bool             // print an object for each split, not only the token
	Index io.Writer        // for the indexes of the traces; nil for none
}

// Report prints the splits of one trace after another.
type Report struct {
	w       io.Writer
	o       Options
	without []Without
}

// Without is a trace that does not have the table.
type Without struct {
	Name string
	Err  error
}

// NewReport returns a report without traces.
func NewReport(w io.Writer, o Options) *Report { return &Report{w: w, o: o} }

// Without returns the traces that do not have the table.
func (r *Report) Without() []Without { return r.without }

// Add prints the splits of a trace, and writes its index. A trace without the table is no error.
func (r *Report) Add(ctx context.Context, t *inputs.Trace, trace *etl2parquet.Trace) error {
	list, err := trace.Splits(ctx, r.o.Scan, r.o.Max)
	lacks := errors.Is(err, etl2parquet.ErrNoTable)
	if lacks {
		r.without = append(r.without, Without{t.Name(), err})
		err = nil
	}
	if err == nil && r.o.Index != nil {
		err = trace.WriteIndex(r.o.Index)
	}
	for i := 0; err == nil && i < len(list); i++ {
		err = r.print(&list[i], t)
	}
	return err
}

// line is the JSON of a split.
type line struct {
	Token string  `json:"token"`
	Input string  `json:"input"`
	Table string  `json:"table"`
	Rows  *int64  `json:"rows"` // null if unknown
	From  *string `json:"from"`
	To    *string `json:"to"`
}

func (r *Report) print(s *etl2parquet.Split, t *inputs.Trace) error {
	token, err := r.tokenFor(s, t)
	if err != nil {
		return err
	}
	if !r.o.JSON {
		_, err := fmt.Fprintln(r.w, token)
		return err
	}
	l := line{Token: token, Input: t.Name(), Table: s.Table, From: timeText(s.First), To: timeText(s.Last)}
	if s.Rows >= 0 {
		l.Rows = &s.Rows
	}
	return texts.WriteJSONLine(r.w, l)
}

// tokenFor returns the token of a split with the file of the trace, and its path in an archive, by
// which the command finds it, and with whether the user has named a table.
func (r *Report) tokenFor(s *etl2parquet.Split, t *inputs.Trace) (string, error) {
	split, err := splits.Parse(s.Token)
	if err != nil {
		return "", err
	}
	split.Path, split.Inner, split.Brief = t.File.Path, t.Inner, r.o.Scan.Table == ""
	if t.File.IsStdin() {
		split.Path = inputs.Stdin
	}
	return split.Token(), nil
}

// timeText returns a time for JSON, or nil for the zero time.
func timeText(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := facts.Instant(t.UnixNano()).String()
	return &text
}
