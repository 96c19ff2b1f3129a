package batch

import (
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// Result is the result of a trace, or of a file that cannot be read.
type Result struct {
	File   *inputs.File
	Name   string         // of the trace, or of the unreadable input, for messages
	Size   int64          // of the trace, -1 if unknown
	Taken  int64          // bytes of the file that the trace takes
	Report *bundle.Report // nil if the trace failed
	Err    error          // nil if it did not fail; without the path of the file
	Took   time.Duration
}

// failed returns the result of a file, or of an entry in it, that cannot be read.
func failed(f *inputs.File, name string, err error) *Result {
	return &Result{File: f, Name: name, Err: err}
}

// Written returns the size of the new files. The files of a bundle count for its first
// trace.
func (r *Result) Written() int64 {
	var n int64
	for i := range r.Report.Files {
		n += r.Report.Files[i].Bytes
	}
	return n
}

// lossCodes are the codes of problems that count lost things, by the name of the thing.
var lossCodes = map[string]string{"events_lost": "event", "buffers_lost": "buffer", "buffers_missing": "buffer", "session_events_lost": "event", "session_buffers_lost": "buffer"}

// LostThing returns what the problems of a code count as lost, such as "event", or
// "" if they count problems.
func LostThing(code string) string { return lossCodes[code] }

// Lost counts lost things, by code of problem.
func (r *Result) Lost() map[string]int64 {
	lost := make(map[string]int64)
	for i := range r.Report.Problems {
		if p := &r.Report.Problems[i]; LostThing(p.Code) != "" {
			lost[p.Code] += p.Count
		}
	}
	return lost
}

// Problems counts problems by severity. A problem that counts lost things is one
// problem.
func (r *Result) Problems() map[facts.Severity]int64 {
	counts := make(map[facts.Severity]int64)
	for i := range r.Report.Problems {
		p := &r.Report.Problems[i]
		if LostThing(p.Code) != "" {
			counts[p.Severity]++
		} else {
			counts[p.Severity] += p.Count
		}
	}
	return counts
}

// judge fails a skipped trace under strict if the trace is damaged: it was converted
// without strict.
func (r *Result) judge(strict bool) {
	isFailure := func(p facts.Problem) bool { return p.Severity == facts.SeverityError }
	if r.Err == nil && r.Report.Skipped && strict && slices.ContainsFunc(r.Report.Problems, isFailure) {
		r.Err = pipeline.ErrStrict
	}
}
