package info

import (
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// Options say how to print what is in traces.
type Options struct {
	JSON  bool // an object for each trace, on a line of its own
	Long  bool // a page for each of several traces, not only a line
	Brief bool // a page without the counts of headers
	Width int  // of a page
	Style texts.Style
}

// Report prints what is in traces: a page for a single one, and a line for each of several.
type Report struct {
	w          io.Writer
	o          Options
	traces     []*facts.Info
	recordings etl2parquet.Recordings
}

// NewReport returns a report without traces.
func NewReport(w io.Writer, o Options) *Report { return &Report{w: w, o: o} }

// Add adds a trace, whose head is as in [etl2parquet.Recordings.Add]. With Options.Long it prints its
// page.
func (r *Report) Add(trace *facts.Info, head []byte) {
	r.recordings.Add(trace, head)
	r.traces = append(r.traces, trace)
	if r.o.JSON || !r.o.Long {
		return
	}
	if len(r.traces) > 1 {
		fmt.Fprintln(r.w)
	}
	write(r.w, &r.o, trace)
}

// End prints the traces that Add did not print, and which of them belong together.
func (r *Report) End() error {
	found := r.recordings.Find()
	if r.o.JSON {
		return texts.WriteJSONLines(r.w, documentsOf(r.traces))
	}
	if len(r.traces) == 0 {
		return nil
	}
	folder := commonFolder(r.traces)
	switch {
	case r.o.Long:
	case len(r.traces) == 1:
		write(r.w, &r.o, r.traces[0])
	default:
		writeList(r.w, &r.o, r.traces, folder)
	}
	writeSessions(r.w, &r.o, found, folder)
	return nil
}
