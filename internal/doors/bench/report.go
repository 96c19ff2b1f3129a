package bench

import (
	"slices"
	"time"
)

// FormatVersion is the version of the JSON form. Fields may be added to a version; none is
// renamed or changes its meaning.
const FormatVersion = 1

// Report is the result of a run. docs/bench.md explains each field.
type Report struct {
	Version   int     `json:"version"`
	Program   string  `json:"program"` // version of etl2parquet
	GoVersion string  `json:"go"`
	Machine   Machine `json:"machine"`
	Settings  struct {
		Workers []int `json:"workers"`
		Rounds  int   `json:"rounds"`
		Memory  int64 `json:"memory_bytes"` // limit of a conversion
	} `json:"settings"`
	Traces []*Trace `json:"traces"`
}

// Trace is what was measured of a trace.
type Trace struct {
	Shape   Shape        `json:"shape"`
	Stages  []StageTotal `json:"stages"`  // in the order of stages, then of workers
	Limit   *Limit       `json:"limit"`   // null if one worker was not measured
	Against *Against     `json:"against"` // null if no peer was asked for
}

// Shape says what a trace is like, for comparisons with other traces.
type Shape struct {
	File           string           `json:"file"`
	Size           int64            `json:"size"`
	Uncompressed   int64            `json:"uncompressed_bytes"` // of all buffers, up to the end of their events
	Buffers        int64            `json:"buffers"`
	Compressed     int64            `json:"compressed_buffers"`
	Compression    *float64         `json:"compression_ratio"` // as info has it; null if nothing is compressed
	Events         int64            `json:"events"`
	EventsByHeader map[string]int64 `json:"events_by_header"`
	EventTypes     int64            `json:"event_types"`
	NotDecoded     int64            `json:"events_not_decoded"` // with raw payloads
	Tables         int64            `json:"tables"`             // with rows
	Rows           int64            `json:"rows"`               // of all tables
	Stacks         bool             `json:"stacks"`             // the trace has stacks
	Columns        int64            `json:"column_bytes"`
	Parquet        int64            `json:"parquet_bytes"` // without page indexes and footers
}

// StageTotal is a stage with a number of workers. Rates follow from the medians.
type StageTotal struct {
	Stage   string `json:"stage"`
	Workers int    `json:"workers"`
	Events  int64  `json:"events"`
	Bytes   int64  `json:"bytes"` // of what the stage handles
	CPU     Spread `json:"cpu_seconds"`
	Wall    Spread `json:"wall_seconds"`

	EventsPerCore   float64 `json:"events_per_cpu_second"`
	BytesPerCore    float64 `json:"bytes_per_cpu_second"`
	EventsPerSecond float64 `json:"events_per_second"`
	BytesPerSecond  float64 `json:"bytes_per_second"`
}

// Spread sums up the rounds.
type Spread struct {
	Median float64 `json:"median"`
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
}

// Limit is the sum of the parts that no conversion can do without, each measured alone.
type Limit struct {
	Parts         []LimitPart `json:"parts"`
	CPU           float64     `json:"cpu_seconds"`           // sum of the parts
	EventsPerCore float64     `json:"events_per_cpu_second"` // of the limit
	Shares        []Share     `json:"shares"`                // of the conversion
}

// LimitPart is a stage, with one worker.
type LimitPart struct {
	Stage string  `json:"stage"`
	CPU   float64 `json:"cpu_seconds"`
}

// Share is the limit's processor time divided by the conversion's.
type Share struct {
	Workers int     `json:"workers"`
	Share   float64 `json:"share"`
}

// spreadOf sums up durations.
func spreadOf(list []time.Duration) Spread {
	list = slices.Clone(list)
	slices.Sort(list)
	n := len(list)
	median := (list[(n-1)/2] + list[n/2]) / 2
	return Spread{median.Seconds(), list[0].Seconds(), list[n-1].Seconds()}
}

// rate returns n per second, or 0 if no time was measured.
func rate(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

// ratio returns a/b, or 0 if one of them was not measured: JSON has no other number for it.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// limitParts are the parts of the composed limit. The index pass reads the file, and so has
// the one read; walk is the parsing of the second pass.
var limitParts = []Stage{Hash, Index, Walk, Scatter, Encode}

// limitOf composes the limit, or returns nil if one worker was not measured.
func limitOf(stages []StageTotal) *Limit {
	l := new(Limit)
	for i := range stages {
		s := &stages[i]
		if s.Workers == 1 && slices.Contains(limitParts, Stage(s.Stage)) {
			l.Parts = append(l.Parts, LimitPart{s.Stage, s.CPU.Median})
			l.CPU += s.CPU.Median
			l.EventsPerCore = rate(s.Events, l.CPU)
		}
	}
	if len(l.Parts) == 0 {
		return nil
	}
	for i := range stages {
		if s := &stages[i]; Stage(s.Stage) == Convert {
			l.Shares = append(l.Shares, Share{s.Workers, ratio(l.CPU, s.CPU.Median)})
		}
	}
	return l
}
