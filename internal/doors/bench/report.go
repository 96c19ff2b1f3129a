package bench

import (
	"slices"
	"time"
)

// FormatVersion is the version of the JSON form. Fields may be added to a version; none is
// renamed or changes its meaning.
const FormatVersion = 4

// Report is what is the same for all traces of a run. docs/bench.md explains each field.
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
}

// result is the JSON form of the measurements of a trace.
type result struct {
	*Report
	*Trace
}

// Trace has the measurements of a trace.
type Trace struct {
	Shape       Shape        `json:"shape"`
	Conversions []Conversion `json:"conversions"` // by the number of workers
	Stages      []Stage      `json:"stages"`      // by the number of workers, in their order
}

// Shape describes a trace, for comparisons with other traces.
type Shape struct {
	File           string           `json:"file"`
	Size           int64            `json:"size"`
	Measured       int64            `json:"measured_bytes"`     // of the file: a part from its beginning, or all
	Uncompressed   int64            `json:"uncompressed_bytes"` // of all buffers, up to the end of their events
	Buffers        int64            `json:"buffers"`
	Compressed     int64            `json:"compressed_buffers"`
	Compression    *float64         `json:"compression_ratio"` // as in info; null if nothing is compressed
	Events         int64            `json:"events"`
	EventsByHeader map[string]int64 `json:"events_by_header"`
	EventTypes     int64            `json:"event_types"`
	NotDecoded     int64            `json:"events_not_decoded"` // with raw payloads
	Tables         int64            `json:"tables"`             // with rows
	Rows           int64            `json:"rows"`               // of all tables
	Stacks         bool             `json:"stacks"`             // the trace has stacks
	Parquet        int64            `json:"parquet_bytes"`
	WholeParquet   int64            `json:"whole_parquet_bytes"` // of the whole trace, estimated from the part
}

// Conversion is the whole conversion with a number of workers. Rates are computed from the medians.
// Bytes are bytes of the uncompressed trace.
type Conversion struct {
	Workers int    `json:"workers"`
	CPU     Spread `json:"cpu_seconds"`
	Wall    Spread `json:"wall_seconds"`

	EventsPerCore   float64 `json:"events_per_cpu_second"`
	BytesPerCore    float64 `json:"bytes_per_cpu_second"`
	EventsPerSecond float64 `json:"events_per_second"`
	BytesPerSecond  float64 `json:"bytes_per_second"`

	WholeCPU  float64 `json:"whole_cpu_seconds"` // of the whole trace, estimated from the part
	WholeWall float64 `json:"whole_wall_seconds"`
}

// Stage is a stage of a conversion. Rates refer to the whole trace: a stage that takes half of the processor time has
// twice the rate of the conversion.
type Stage struct {
	Stage   string  `json:"stage"`
	Workers int     `json:"workers"`
	Share   float64 `json:"share"`       // of the processor time of the conversion
	CPU     float64 `json:"cpu_seconds"` // of the runs up to the stage, less that of the runs up to the one before; medians

	NSPerEvent    float64 `json:"ns_per_event"`
	EventsPerCore float64 `json:"events_per_cpu_second"` // 0 if nothing was measured
	BytesPerCore  float64 `json:"bytes_per_cpu_second"`
}

// Spread sums up the rounds.
type Spread struct {
	Median float64 `json:"median"`
	Least  float64 `json:"least"`
	Most   float64 `json:"most"`
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
