package progress

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// The values of line.State.
const (
	stateRunning = "running"
	stateEnded   = "ended"
)

// line is the progress as a JSON object on one line. Its form is stable:
// fields may be added, but none is renamed or changes its meaning.
type line struct {
	Time          time.Time `json:"time"`
	State         string    `json:"state"`
	Seconds       float64   `json:"seconds"` // since the start of the run
	FilesDone     int       `json:"files_done"`
	Files         int       `json:"files"`       // named or found; an archive counts as one
	TracesDone    int       `json:"traces_done"` // converted, skipped or failed
	Failed        int       `json:"failed"`      // inputs and traces
	BytesDone     int64     `json:"bytes_done"`  // of the input
	Bytes         *int64    `json:"bytes"`       // to read; null while unknown
	Events        int64     `json:"events"`
	EventsPerSec  float64   `json:"events_per_second"` // since the start
	BytesPerSec   float64   `json:"bytes_per_second"`
	SecondsLeft   *float64  `json:"seconds_left"` // null while it cannot be estimated
	CurrentTraces []string  `json:"current"`      // in the order of their start
}

// print prints the state as a JSON line.
func (p *Display) print(s *inputs.State, state string) {
	l := line{
		Time: time.Now().UTC().Round(time.Millisecond), State: state, Seconds: rounded(s.After.Seconds()),
		FilesDone: s.Done, Files: s.Files, TracesDone: s.Traces, Failed: s.Failed,
		BytesDone: s.Bytes, Events: s.Events,
		EventsPerSec: rounded(s.PerSecond(s.Events)), BytesPerSec: rounded(s.PerSecond(s.Bytes)),
		CurrentTraces: s.Current,
	}
	if !s.Stream {
		l.Bytes = &s.AllBytes
	}
	if remaining, ok := s.Remaining(); ok {
		seconds := rounded(remaining.Seconds())
		l.SecondsLeft = &seconds
	}
	text, err := json.Marshal(l)
	if err != nil {
		panic(err) // all its values can be encoded
	}
	fmt.Fprintf(p.out, "%s\n", text)
}

// rounded returns v with three decimals, for people who read the JSON lines.
func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }
