package info

import (
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// Options say how to print what is in traces.
type Options struct {
	JSON     bool
	Width    int // of a page
	Terminal int // width of the terminal; 0 if the output is none
}

// Report prints what is in traces: a page for each when it is added, or JSON at the end.
type Report struct {
	w         io.Writer
	o         Options
	summaries []*index.Summary
	sessions  sessions
}

// NewReport returns a report without traces.
func NewReport(w io.Writer, o Options) *Report {
	return &Report{w: w, o: o, summaries: []*index.Summary{}}
}

// Add adds a trace while it is being visited.
func (r *Report) Add(t *inputs.Trace, s *index.Summary) {
	r.sessions.add(t, s)
	r.summaries = append(r.summaries, s)
	if r.o.JSON {
		return
	}
	if len(r.summaries) > 1 {
		fmt.Fprintln(r.w)
	}
	write(r.w, r.o.Width, r.o.Terminal, s)
}

// End prints which traces belong together, or the JSON: the object of a single trace, or an array.
func (r *Report) End(single bool) error {
	found := r.sessions.find()
	switch {
	case !r.o.JSON:
		writeSessions(r.w, found)
	case !single:
		return jsontext.Write(r.w, r.summaries)
	case len(r.summaries) == 1:
		return jsontext.Write(r.w, r.summaries[0])
	}
	return nil // or the only trace failed
}
