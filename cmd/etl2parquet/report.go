package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"time"

	"github.com/etl2parquet/etl2parquet/convert"
)

// The results of an input.
const (
	resultConverted = "converted"
	resultSkipped   = "skipped"
	resultFailed    = "failed"
)

// The results of a run.
const (
	runComplete    = "complete"
	runInterrupted = "interrupted"
	runFailed      = "failed" // the run itself: a run with failed inputs is complete
)

// partialSuffix is added to the name of a report while it is written.
const partialSuffix = ".partial"

// report writes the results of a run as JSON: an object with the members of
// reportHead, the list inputs, and the members of reportTail. It is written
// during the run, so that the results so far survive a crash, and gets its final
// name at the end.
type report struct {
	counts reportCounts
	absent []absent // not written yet
	begin  time.Time

	path    string   // the final path
	file    *os.File // nil if no report is wanted
	partial bool     // the file is renamed to path at the end
	inputs  int      // written so far
	err     error    // the first write error
}

type reportHead struct {
	Tool   string `json:"tool"`
	Output string `json:"output"`
}

type reportTail struct {
	Run     string       `json:"run"`
	Seconds float64      `json:"seconds"`
	Counts  reportCounts `json:"counts"`
}

type reportCounts struct {
	Converted int `json:"converted"`
	Skipped   int `json:"skipped"`
	Failed    int `json:"failed"`
}

// reportInput is the result of a trace, or of an input that could not be read.
type reportInput struct {
	Input    string            `json:"input"`
	Result   string            `json:"result"`
	Error    string            `json:"error,omitempty"`
	Trace    string            `json:"trace,omitempty"` // name in the dataset
	Size     int64             `json:"size"`
	Events   int64             `json:"events"`
	Rows     int64             `json:"rows"` // in header tables
	Decoding *convert.Decoding `json:"decoding,omitempty"`
	Written  int64             `json:"bytes_written"`
	Lost     map[string]int64  `json:"lost"`     // by code of problem
	Problems map[string]int64  `json:"problems"` // by severity
	Seconds  float64           `json:"seconds"`
	// The parts of the selection that match nothing in the trace; [] for a skipped trace.
	Mismatches []convert.Mismatch `json:"mismatches"`
}

// newReport creates the file of a report, so that a path that cannot be written
// fails before the work. Without a path the report writes nothing.
func newReport(path, output string) (*report, error) {
	r := &report{begin: time.Now(), path: path}
	if path == "" {
		return r, nil
	}
	info, err := os.Stat(path)
	r.partial = err != nil || info.Mode().IsRegular() // else path is a pipe or a device
	if r.partial {
		// An older report must not be mistaken for this run's.
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fileError("report", r.path, err)
		}
		path += partialSuffix
	}
	if r.file, err = os.Create(path); err != nil {
		return nil, fileError("report", r.path, err)
	}
	head := members(reportHead{Tool: toolVersion(), Output: output})
	r.write("{" + head + ",\n  \"inputs\": [")
	return r, nil
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

func (r *report) write(text string) {
	if r.err == nil {
		_, r.err = r.file.WriteString(text)
	}
}

func (r *report) failed() int { return r.counts.Failed }

// fail adds an input, or a trace in it, that failed.
func (r *report) fail(in *input, name string, err error) {
	r.counts.Failed++
	r.reach(in.order)
	r.add(failedInput(name, err))
}

func failedInput(name string, err error) *reportInput {
	return &reportInput{Input: name, Result: resultFailed, Error: inputError(name, err), Lost: map[string]int64{}, Problems: map[string]int64{}, Mismatches: []convert.Mismatch{}}
}

// missing adds inputs that do not exist or cannot be read.
func (r *report) missing(list []absent) {
	r.counts.Failed += len(list)
	r.absent = list
}

// reach writes the absent inputs that come before the input of this order.
func (r *report) reach(order int) {
	for len(r.absent) > 0 && r.absent[0].before <= order {
		r.add(failedInput(r.absent[0].name, r.absent[0].err))
		r.absent = r.absent[1:]
	}
}

// done adds the result of a trace.
func (r *report) done(t *trace, of *convert.Report, took time.Duration) {
	in := reportInput{
		Input: t.name(), Result: resultConverted, Trace: of.Trace, Size: t.size, Events: of.Events, Rows: of.Rows, Decoding: of.Decoding,
		Lost: map[string]int64{}, Problems: map[string]int64{}, Seconds: took.Seconds(),
		Mismatches: append([]convert.Mismatch{}, of.Mismatches...),
	}
	if of.Skipped {
		in.Result = resultSkipped
		r.counts.Skipped++
	} else {
		r.counts.Converted++
	}
	for _, f := range of.Files {
		in.Written += f.Bytes
	}
	for _, p := range of.Problems {
		if _, isLoss := lossCodes[p.Code]; isLoss {
			in.Lost[p.Code] += p.Count
			p.Count = 1 // its count is of lost things, not of problems
		}
		in.Problems[string(p.Severity)] += p.Count
	}
	r.reach(t.in.order)
	r.add(&in)
}

func (r *report) add(in *reportInput) {
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

// close ends the report of a run that returned the error run, or nil, and gives
// the file its final name.
func (r *report) close(run error) error {
	if r.file == nil {
		return nil
	}
	r.reach(math.MaxInt)
	tail := reportTail{Run: runFailed, Seconds: time.Since(r.begin).Seconds(), Counts: r.counts}
	switch {
	case run == nil, errors.Is(run, errSomeFailed), errors.Is(run, errAllFailed):
		tail.Run = runComplete
	case errors.Is(run, context.Canceled):
		tail.Run = runInterrupted
	}
	r.write("\n  ]," + members(tail) + "\n}\n")
	err := errors.Join(r.err, r.file.Close())
	if err == nil && r.partial {
		err = os.Rename(r.path+partialSuffix, r.path)
	}
	if err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	return nil
}
