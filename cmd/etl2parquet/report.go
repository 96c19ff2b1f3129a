package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/etl2parquet/etl2parquet/convert"
)

// What can come of an input.
const (
	resultConverted = "converted"
	resultSkipped   = "skipped"
	resultFailed    = "failed"
)

// report is what came of a run, for programs.
type report struct {
	Tool   string        `json:"tool"`
	Output string        `json:"output"`
	Counts reportCounts  `json:"counts"`
	Inputs []reportInput `json:"inputs"`

	file *os.File // nil if none is asked for
}

type reportCounts struct {
	Converted int `json:"converted"`
	Skipped   int `json:"skipped"`
	Failed    int `json:"failed"`
}

// reportInput is what came of a trace, or of an input that could not be read.
type reportInput struct {
	Input    string           `json:"input"`
	Result   string           `json:"result"`
	Error    string           `json:"error,omitempty"`
	Trace    string           `json:"trace,omitempty"` // name in the dataset
	Size     int64            `json:"size"`
	Events   int64            `json:"events"`
	Rows     int64            `json:"rows"` // in tables of events
	Written  int64            `json:"bytes_written"`
	Lost     map[string]int64 `json:"lost"`     // by code of problem
	Problems map[string]int64 `json:"problems"` // by severity
	Seconds  float64          `json:"seconds"`
}

func newReport(output string) *report {
	return &report{Tool: toolVersion(), Output: output, Inputs: []reportInput{}}
}

// create makes the file, so that one that cannot be made is known before the
// work is done.
func (r *report) create(path string) (err error) {
	if path != "" {
		r.file, err = os.Create(path)
	}
	if err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	return nil
}

func (r *report) failed() int { return r.Counts.Failed }

func (r *report) fail(name string, err error) {
	r.Counts.Failed++
	r.Inputs = append(r.Inputs, reportInput{Input: name, Result: resultFailed, Error: inputError(name, err), Lost: map[string]int64{}, Problems: map[string]int64{}})
}

func (r *report) add(t *trace, of *convert.Report, took time.Duration) {
	in := reportInput{
		Input: t.name(), Result: resultConverted, Trace: of.Trace, Size: t.size, Events: of.Events, Rows: of.Rows,
		Lost: map[string]int64{}, Problems: map[string]int64{}, Seconds: took.Seconds(),
	}
	if of.Skipped {
		in.Result = resultSkipped
		r.Counts.Skipped++
	} else {
		r.Counts.Converted++
	}
	for _, f := range of.Files {
		in.Written += f.Bytes
	}
	for _, p := range of.Problems {
		if _, isLoss := lossCodes[p.Code]; isLoss {
			in.Lost[p.Code] += p.Count
			p.Count = 1 // it counts what was lost
		}
		in.Problems[string(p.Severity)] += p.Count
	}
	r.Inputs = append(r.Inputs, in)
}

func (r *report) write() error {
	if r.file == nil {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		_, err = r.file.Write(append(text, '\n'))
	}
	if err = errors.Join(err, r.file.Close()); err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	return nil
}
