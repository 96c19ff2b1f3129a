package info

import (
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
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
		return jsontext.Write(r.w, documents(r.summaries))
	case len(r.summaries) == 1:
		return jsontext.Write(r.w, documents(r.summaries)[0])
	}
	return nil // or the only trace failed
}

// document is a summary as JSON, with the flags of the files that would help. The members from
// decoding on are in the order of the summary.
type document struct {
	*index.Summary
	Decoding     *dataset.DecodingRecord `json:"decoding"`
	ProviderPDBs []index.PDB             `json:"provider_pdbs"`
	Problems     []problems.Problem      `json:"problems"`
	Siblings     []string                `json:"siblings,omitempty"`
}

func documents(summaries []*index.Summary) []document {
	list := []document{}
	for _, s := range summaries {
		list = append(list, document{s, dataset.RecordOf(s.Decoding), s.ProviderPDBs, s.Problems, s.Siblings})
	}
	return list
}
