package main

import (
	"fmt"
	"io"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/cputime"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// timing measures where the time of a question goes.
type timing struct {
	start   time.Time
	workers pipeline.Times
	made    answers.Time // the conversion
}

func newTiming() *timing { return &timing{start: time.Now()} }

// convert measures a conversion, until the function that it returns is called. A nil timing measures
// nothing.
func (t *timing) convert(o *bundle.Options) (stop func()) {
	if t == nil {
		return func() {}
	}
	o.Times = &t.workers
	start, used := time.Now(), cputime.Used()
	return func() {
		t.made.Wall += time.Since(start)
		t.made.Processor += cputime.Used() - used
	}
}

// print prints the times of the stages. Those of a conversion go on at the same time: each has the share of
// the conversion that the workers spent on it.
func (t *timing) print(w io.Writer, duckdb answers.Time) {
	total := answers.Time{Wall: time.Since(t.start), Processor: cputime.Used()}
	line := func(stage string, took answers.Time) {
		fmt.Fprintf(w, "%-8s %9.3f s %9.3f s\n", stage, took.Wall.Seconds(), took.Processor.Seconds())
	}
	fmt.Fprintf(w, "%-8s %11s %11s\n", "timing", "wall", "processor")
	rest := answers.Time{Wall: total.Wall - t.made.Wall - duckdb.Wall, Processor: total.Processor - t.made.Processor - duckdb.Own}
	line("open", answers.Time{Wall: max(rest.Wall, 0), Processor: max(rest.Processor, 0)})
	index, decode, write := t.workers.Index.Load(), t.workers.Decode.Load(), t.workers.Write.Load()
	sum := float64(max(index+decode+write, 1))
	for _, s := range []struct {
		name string
		ns   int64
	}{{"index", index}, {"decode", decode}, {"write", write}} {
		share := float64(s.ns) / sum
		line(s.name, answers.Time{Wall: time.Duration(share * float64(t.made.Wall)), Processor: time.Duration(share * float64(t.made.Processor))})
	}
	line("DuckDB", duckdb)
}
