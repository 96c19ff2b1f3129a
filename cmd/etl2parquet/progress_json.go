package main

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// The states of a run in progress for programs.
const (
	stateRunning = "running"
	stateEnded   = "ended"
)

// progressLine is the progress for programs, one JSON object on a line. Its
// form is stable: fields may be added, none is renamed or changes its meaning.
type progressLine struct {
	Time          time.Time `json:"time"`
	State         string    `json:"state"`
	Seconds       float64   `json:"seconds"` // since the start of the run
	FilesDone     int       `json:"files_done"`
	Files         int       `json:"files"`       // that were named or found; archives count as one
	TracesDone    int       `json:"traces_done"` // converted, skipped or failed
	Failed        int       `json:"failed"`      // inputs and traces
	BytesDone     int64     `json:"bytes_done"`  // of the input
	Bytes         *int64    `json:"bytes"`       // that are to be read, null while that is not known
	Events        int64     `json:"events"`
	EventsPerSec  float64   `json:"events_per_second"` // since the start
	BytesPerSec   float64   `json:"bytes_per_second"`
	SecondsLeft   *float64  `json:"seconds_left"` // null while that cannot be told
	CurrentTraces []string  `json:"current"`      // in the order of their start
}

// print prints the state for programs.
func (p *progress) print(state string) {
	s := p.state(time.Since(p.begin))
	line := progressLine{
		Time: time.Now().UTC().Round(time.Millisecond), State: state, Seconds: rounded(s.after.Seconds()),
		FilesDone: s.done, Files: s.files, TracesDone: s.traces, Failed: s.failed,
		BytesDone: s.bytes, Events: s.events,
		EventsPerSec: rounded(s.perSecond(s.events)), BytesPerSec: rounded(s.perSecond(s.bytes)),
		CurrentTraces: s.current,
	}
	if !s.stream {
		line.Bytes = &s.allBytes
	}
	if left, ok := s.remaining(); ok {
		seconds := rounded(left.Seconds())
		line.SecondsLeft = &seconds
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err) // there is nothing in it that JSON has not
	}
	fmt.Fprintf(p.out, "%s\n", text)
}

// rounded is for people who look at it all the same.
func rounded(v float64) float64 { return math.Round(v*1000) / 1000 }
