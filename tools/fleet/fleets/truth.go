package fleets

import "time"

// TruthFile is the name of the file in the folder that holds the [Truth] as JSON.
const TruthFile = "truth.json"

// Truth says what is in a folder.
type Truth struct {
	Options     Options      `json:"options"`
	Machines    []Machine    `json:"machines"`
	Kinds       []Kind       `json:"kinds"`
	Traces      []Trace      `json:"traces"`
	Errors      []Error      `json:"errors"`
	Differences []Difference `json:"differences"`
	Events      int          `json:"events"` // in all traces, as in Trace.Events
	Bytes       int          `json:"bytes"`  // of all traces
}

// Machine is a computer.
type Machine struct {
	Name       string `json:"name"`
	Processors int    `json:"processors"`
	MHz        uint32 `json:"mhz"`
	Boots      []Boot `json:"boots"` // earliest first
}

// Boot is a run of Windows on a machine.
type Boot struct {
	Time  time.Time `json:"time"`
	Build uint32    `json:"build"`
	Hours int       `json:"hours"` // until the machine stops
}

// Kind is a kind of event: its provider, its name and fields.
type Kind struct {
	Log        string   `json:"log"` // the kind of log that has it; "" for the events of Windows itself
	Provider   string   `json:"provider"`
	ProviderID string   `json:"provider_id"` // "" for the events of Windows itself
	Name       string   `json:"name"`
	ID         int      `json:"id"`     // of a manifest's event; 0 for TraceLogging
	Source     string   `json:"source"` // "tracelogging", "manifest" or "windows"
	Level      int      `json:"level"`
	Fields     []string `json:"fields"` // in the spelling of the provider
	Timed      bool     `json:"timed"`  // events come in pairs: opcode 1, then opcode 2 in the same activity
}

// Trace is a file.
type Trace struct {
	Path      string    `json:"path"` // in the folder, with slashes
	Log       string    `json:"log"`
	Machine   string    `json:"machine"`
	Boot      int       `json:"boot"` // an index of Machine.Boots
	BootTime  time.Time `json:"boot_time"`
	Build     uint32    `json:"build"`
	Session   string    `json:"session"`
	Start     time.Time `json:"start"`
	End       time.Time `json:"end"`
	Processes bool      `json:"processes"` // the trace names processes, threads, images and the machine
	Bytes     int       `json:"bytes"`

	Series   string `json:"series,omitempty"`  // rotated files of one session have the same
	Place    int    `json:"place,omitempty"`   // in the series, from 1
	Apart    bool   `json:"apart,omitempty"`   // it alone describes the events of its log's manifests
	Private  bool   `json:"private,omitempty"` // the header has the start of the first file of the series
	Running  bool   `json:"running,omitempty"` // the header has no end, and no numbers of what was lost
	CopyOf   string `json:"copy_of,omitempty"` // the path of a trace with the same bytes
	Circular bool   `json:"circular,omitempty"`

	Events int     `json:"events"` // in the file, without lost ones: the sum of Counts
	Counts []Count `json:"counts"` // by kind, in the order of Truth.Kinds

	Damage      *Damage `json:"damage,omitempty"`
	Overwritten int     `json:"overwritten,omitempty"`  // events lost because a circular file wrapped
	SessionLost int     `json:"session_lost,omitempty"` // events that the session lost, by the trace's header
}

// Count is the number of events of a kind.
type Count struct {
	Kind   int `json:"kind"` // an index of Truth.Kinds
	Events int `json:"events"`
}

// Damage is what was done to a trace after it was written.
type Damage struct {
	What   string `json:"what"`   // a Damage constant
	Buffer int    `json:"buffer"` // the buffer's place in the file, from 0, the header buffer
	Offset int    `json:"offset"` // in the file, of the first changed or missing byte
	Events int    `json:"events"` // lost
}

// The values of Damage.What.
const (
	DamageZeros   = "zeros"     // a buffer is zeros: its events are lost
	DamageEvent   = "event"     // an event's size is 0: it and all behind it in its buffer are lost
	DamageMissing = "missing"   // the file lacks a buffer: the session counted one more
	DamageCut     = "truncated" // the file ends inside its last buffer: the buffer's events from there on are lost
)

// Error is a planted error: events with the level 2 and a status code, and their cause.
type Error struct {
	Kind    int          `json:"kind"`
	Status  uint32       `json:"status"` // the code, in the field Status
	Meaning string       `json:"meaning"`
	Cause   Cause        `json:"cause"`
	Traces  []Occurrence `json:"traces"` // where it is: in 9 of 10 traces that have the cause, and in no other
}

// Cause is what traces with an error have in common. One of its fields is set.
type Cause struct {
	Build   uint32 `json:"build,omitempty"`
	Machine string `json:"machine,omitempty"`
	// Kind precedes each error in its activity, and occurs nowhere else. -1 if this is not the cause.
	Kind int `json:"kind"`
}

// Occurrence is the number of planted events in a trace, without its copies.
type Occurrence struct {
	Trace  string `json:"trace"` // its path
	Events int    `json:"events"`
}

// Difference is a planted difference between the traces of a build and the other traces of a log.
type Difference struct {
	Kind   int          `json:"kind"`
	What   string       `json:"what"` // a Difference constant
	Build  uint32       `json:"build"`
	Factor int          `json:"factor"` // of DifferenceMore and DifferenceSlower
	Inside []Occurrence `json:"inside"` // in traces of the build; a pair of a timed kind is two events
	Others []Occurrence `json:"others"` // in the other traces
}

// The values of Difference.What.
const (
	DifferenceOnly   = "only"   // only traces of the build have the kind
	DifferenceMore   = "more"   // they have more events of the kind for each other event
	DifferenceSlower = "slower" // the times between the events of its pairs are longer
)
