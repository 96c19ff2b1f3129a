package info

import (
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
)

// Options say how to print what is in traces.
type Options struct {
	JSON     bool
	Width    int // of a page
	Terminal int // width of the terminal; 0 if the output is none
}

// Report prints what is in traces: a page for each when it is added, or JSON at the end.
type Report struct {
	w          io.Writer
	o          Options
	traces     []*etl2parquet.Info
	recordings etl2parquet.Recordings
}

// NewReport returns a report without traces.
func NewReport(w io.Writer, o Options) *Report { return &Report{w: w, o: o} }

// Add adds a trace, whose head is as in [etl2parquet.Recordings.Add].
func (r *Report) Add(trace *etl2parquet.Info, head []byte) {
	r.recordings.Add(trace, head)
	r.traces = append(r.traces, trace)
	if r.o.JSON {
		return
	}
	if len(r.traces) > 1 {
		fmt.Fprintln(r.w)
	}
	write(r.w, r.o.Width, r.o.Terminal, trace)
}

// End prints which traces belong together, or the JSON: the object of a single trace, or an array.
func (r *Report) End(single bool) error {
	found := r.recordings.Find()
	switch {
	case !r.o.JSON:
		writeSessions(r.w, found)
	case !single:
		return jsontext.Write(r.w, documentsOf(r.traces))
	case len(r.traces) == 1:
		return jsontext.Write(r.w, documentsOf(r.traces)[0])
	}
	return nil // or the only trace failed
}
