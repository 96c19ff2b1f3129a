package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// RunState says how a run ended.
type RunState string

// The states of a run.
const (
	RunComplete    RunState = "complete" // inputs may have failed
	RunInterrupted RunState = "interrupted"
	RunFailed      RunState = "failed" // the run itself
)

// The results of an input.
const (
	resultConverted = "converted"
	resultSkipped   = "skipped"
	resultFailed    = "failed"
)

// partialSuffix is added to the name of a report while it is written.
const partialSuffix = ".partial"

// Report counts the results of a run, and writes them as JSON: an object with the
// members of reportHead, the list inputs, and the members of reportTail. It is
// written during the run, so that the results so far survive a crash, and gets its
// final name at the end. The form of the JSON is stable: members may be added, but
// none is renamed or changes its meaning.
type Report struct {
	o       ReportOptions
	counts  Counts
	absent  []inputs.Absent // not written yet
	leftOut inputs.LeftOut
	begin   time.Time

	path    string         // the final path
	file    io.WriteCloser // nil if no report is wanted
	partial bool           // the file is renamed to path at the end
	inputs  int            // written so far
	err     error          // the first write error
}

// ReportOptions are the facts about the run that a report includes.
type ReportOptions struct {
	Tool    string                              // version
	Output  string                              // the dataset
	Message func(name string, err error) string // returns the message for an error of an input
	Out     io.Writer                           // takes a report whose path is "-"
}

// Counts count results.
type Counts struct {
	Converted int `json:"converted"`
	Skipped   int `json:"skipped"`
	Failed    int `json:"failed"`
}

// Traces returns the number of traces that did not fail.
func (c *Counts) Traces() int { return c.Converted + c.Skipped }

type reportHead struct {
	Tool   string `json:"tool"`
	Output string `json:"output"`
}

type reportTail struct {
	Run     RunState `json:"run"`
	Seconds float64  `json:"seconds"`
	Counts  Counts   `json:"counts"`

	LeftOut inputs.LeftOut `json:"left_out,omitempty"` // files in folders that are no traces
}

// reportInput is the result of a trace, or of an input that could not be read.
type reportInput struct {
	Input    string                   `json:"input"`
	Result   string                   `json:"result"`
	Error    string                   `json:"error,omitempty"`
	Trace    string                   `json:"trace,omitempty"` // name in the dataset
	Size     int64                    `json:"size"`
	Events   int64                    `json:"events"`
	Rows     int64                    `json:"rows"` // in header tables
	Decoding *dataset.DecodingRecord  `json:"decoding,omitempty"`
	Written  int64                    `json:"bytes_written"`
	Lost     map[string]int64         `json:"lost"`     // by code of problem
	Problems map[facts.Severity]int64 `json:"problems"` // by severity
	Seconds  float64                  `json:"seconds"`
	// Mismatches are the parts of the selection that match nothing in the trace; [] for a
	// skipped trace.
	Mismatches []facts.Mismatch `json:"mismatches"`
	Again      string           `json:"again,omitempty"` // how its session changed since it was converted before
}

// NewReport creates the file of a report, to fail before the work if path cannot be
// written. If path is "", the report only counts; if it is "-", it goes to o.Out.
func NewReport(path string, o ReportOptions) (*Report, error) {
	r := &Report{o: o, begin: time.Now(), path: path}
	switch path {
	case "":
		return r, nil
	case "-":
		r.file = kept{o.Out}
		r.start()
		return r, nil
	}
	info, err := os.Stat(path)
	r.partial = err != nil || info.Mode().IsRegular() // else path is a pipe or a device
	if r.partial {
		// An older report must not be mistaken for this run's.
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		path += partialSuffix
	}
	if r.file, err = os.Create(path); err != nil {
		return nil, err
	}
	r.start()
	return r, nil
}

// kept is a writer that the report does not close.
type kept struct{ io.Writer }

func (kept) Close() error { return nil }

func (r *Report) start() {
	r.write("{" + members(reportHead{Tool: r.o.Tool, Output: r.o.Output}) + ",\n  \"inputs\": [")
}

// members returns the members of an object, without its brackets.
func members(object any) string {
	text := indented(object, "")
	return string(text[1 : len(text)-2])
}

func indented(object any, prefix string) []byte {
	text, err := json.MarshalIndent(object, prefix, "  ")
	if err != nil {
		panic(err) // all its values can be encoded
	}
	return bytes.TrimSpace(text)
}

func (r *Report) write(text string) {
	if r.err == nil {
		_, r.err = io.WriteString(r.file, text)
	}
}

// Counts returns the results so far.
func (r *Report) Counts() Counts { return r.counts }

// Absent adds inputs that do not exist or cannot be read. It must be called first; the
// inputs are written among the results, in input order.
func (r *Report) Absent(list []inputs.Absent) {
	r.counts.Failed += len(list)
	r.absent = list
}

// LeftOut adds the files in folders that are no traces.
func (r *Report) LeftOut(list inputs.LeftOut) { r.leftOut = list }

// reach writes the absent inputs that come before the input at position order.
func (r *Report) reach(order int) {
	for len(r.absent) > 0 && r.absent[0].Before <= order {
		r.writeInput(r.failed(r.absent[0].Name, r.absent[0].Err))
		r.absent = r.absent[1:]
	}
}

// Add adds a result.
func (r *Report) Add(of *Result) {
	r.reach(of.File.Order)
	switch {
	case of.Err != nil:
		r.counts.Failed++
		r.writeInput(r.failed(of.Name, of.Err))
		return
	case of.Report.Skipped:
		r.counts.Skipped++
	default:
		r.counts.Converted++
	}
	r.writeInput(done(of))
}

func (r *Report) failed(name string, err error) *reportInput {
	return &reportInput{
		Input: name, Result: resultFailed, Error: r.o.Message(name, err),
		Lost: map[string]int64{}, Problems: map[facts.Severity]int64{}, Mismatches: []facts.Mismatch{},
	}
}

func done(of *Result) *reportInput {
	report := of.Report
	in := &reportInput{
		Input: of.Name, Result: resultConverted, Trace: report.Trace, Size: of.Size, Events: report.Events, Rows: report.Rows, Decoding: dataset.RecordOf(report.Decoding),
		Written: of.Written(), Lost: of.Lost(), Problems: of.Problems(), Seconds: of.Took.Seconds(),
		Mismatches: append([]facts.Mismatch{}, report.Mismatches...), Again: report.Again,
	}
	if report.Skipped {
		in.Result = resultSkipped
	}
	return in
}

func (r *Report) writeInput(in *reportInput) {
	if r.file == nil {
		return
	}
	comma := ","
	if r.inputs == 0 {
		comma = ""
	}
	r.inputs++
	r.write(comma + "\n    " + string(indented(in, "    ")))
}

// Close ends the report, and gives the file its final name.
func (r *Report) Close(state RunState) error {
	if r.file == nil {
		return nil
	}
	r.reach(math.MaxInt)
	tail := reportTail{Run: state, Seconds: time.Since(r.begin).Seconds(), Counts: r.counts, LeftOut: r.leftOut}
	r.write("\n  ]," + members(tail) + "\n}\n")
	err := errors.Join(r.err, r.file.Close())
	if err == nil && r.partial {
		err = os.Rename(r.path+partialSuffix, r.path)
	}
	return err
}
