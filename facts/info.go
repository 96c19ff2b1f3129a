package facts

import (
	"fmt"
	"time"
)

// Info describes what is in a trace. Its JSON form is the output of "etl2parquet info --json" except
// that the command names a flag where Help names an option. The form is stable: fields may be added,
// but none is renamed or changes its meaning. Fields that are also
// columns of the tables traces, providers, event_types or problems have the same names and
// meanings. An unknown value is null; an empty list is []. In problems, a position that does not
// apply is -1.
type Info struct {
	File string `json:"file"` // as the user named it
	Size int64  `json:"size"` // of the file, bytes

	FileKind         string   `json:"file_kind"` // "log file", "real-time backup" or "log file before Windows Vista"
	SessionName      string   `json:"session_name"`
	LogFileName      string   `json:"log_file_name"` // where Windows wrote it
	LogVersion       string   `json:"log_version"`   // 1.5, or 2.0 if it is compressed
	LogFileMode      uint32   `json:"log_file_mode"`
	LogFileModeText  []string `json:"log_file_mode_text"` // the names of its bits
	EnableFlagsText  []string `json:"enable_flags_text"`  // names of the kernel flags, null if unknown
	MaximumFileBytes int64    `json:"maximum_file_bytes"` // 0 if there is no limit
	PointerSize      uint32   `json:"pointer_size"`       // of the system, bytes
	OS               string   `json:"os"`                 // "Windows 10 22H2", or version and build; "" if unknown
	OSVersion        string   `json:"os_version"`         // major.minor
	Build            uint32   `json:"build"`
	BuildLab         *string  `json:"build_lab"`
	ComputerName     *string  `json:"computer_name"` // null if neither the trace nor a sibling has it
	Session          *string  `json:"session"`       // id of the session; the library's Recordings sets the same for the files of a series; null if the trace has no start
	SessionFile      *int64   `json:"session_file"`  // the place of the file in the session; null if that is unknown
	Recording        *string  `json:"recording"`     // id of the sessions that were recorded together; the library's Recordings sets the same for them; null if the trace has no start
	Processors       uint32   `json:"processors"`    // 1 for sessions without per-processor buffers
	CPUSpeedMHz      uint32   `json:"cpu_speed_mhz"`
	TimeZone         Zone     `json:"time_zone"`
	BootTime         *Instant `json:"boot_time"`
	Clock            string   `json:"clock"`           // QPC, SystemTime or CPUCycle
	ClockFrequency   int64    `json:"clock_frequency"` // ticks per second
	Start            *Instant `json:"start"`           // of the session
	End              *Instant `json:"end"`             // null if it was not stopped
	DurationNS       *int64   `json:"duration_ns"`     // start, or covered_from of a file in a series, to end, or to the last event if there is no end
	FirstEvent       *Instant `json:"first_event"`     // in the file; null if there are only the session's records about itself
	LastEvent        *Instant `json:"last_event"`
	CoveredFrom      *Instant `json:"covered_from"`        // of a wrapped circular file, whose earlier events are from the buffers kept from the start, or of a later file of a series; else null
	Overwritten      int64    `json:"overwritten_buffers"` // of a wrapped circular file
	BufferSize       uint32   `json:"buffer_size"`         // of a buffer in memory, bytes
	Buffers          int64    `json:"buffers"`             // found in the file
	BuffersWritten   uint32   `json:"buffers_written"`     // by the session's count; 0 if it was not stopped
	Compressed       int64    `json:"compressed_buffers"`
	CompressionRatio *float64 `json:"compression_ratio"`    // of the compressed buffers: bytes in memory / bytes in the file
	Uncompressed     int64    `json:"uncompressed_bytes"`   // of all buffers in memory, up to the end of their data
	Events           int64    `json:"events"`               // found in the file
	EventsLost       *uint32  `json:"events_lost"`          // while the session wrote the file; null if it was not stopped, and of a later file of a series until the library's Recordings has the file before
	BuffersLost      *uint32  `json:"buffers_lost"`         // in the same way
	SessionEvents    *uint32  `json:"session_events_lost"`  // that the session had lost by the end of the file, in all its files; null if it was not stopped
	SessionBuffers   *uint32  `json:"session_buffers_lost"` // in the same way
	UnlistedEvents   int64    `json:"unlisted_events"`      // missing from the lists below, which are bounded
	Damaged          bool     `json:"damaged"`              // something in the file could not be read

	EventsByHeader map[string]int64 `json:"events_by_header"`   // by the name of the header type
	Providers      []ProviderTotal  `json:"providers"`          // most events first
	EventTypes     []EventTypeTotal `json:"event_types"`        // most events first
	Decoding       *Decoding        `json:"decoding"`           // events that are not decoded, and files that would help
	ProviderPDBs   []PDB            `json:"provider_pdbs"`      // debug information that WPP messages need
	Problems       []Problem        `json:"problems"`           // in file order
	Siblings       []string         `json:"siblings,omitempty"` // other traces of the same recording, as in File: see the library's Recordings

	Ends *Ends `json:"-"` // what the library compares traces of one recording by
}

// Zone is the time zone of the system that recorded the trace.
type Zone struct {
	Bias         int32   `json:"bias"` // UTC - local time, minutes
	StandardName string  `json:"standard_name"`
	StandardBias int32   `json:"standard_bias"` // minutes, added to the bias outside daylight saving
	StandardDate *string `json:"standard_date"` // start of standard time, as a yearly rule
	DaylightName string  `json:"daylight_name"`
	DaylightBias int32   `json:"daylight_bias"`
	DaylightDate *string `json:"daylight_date"` // null if there is no daylight saving
}

// ProviderTotal is a row of the table providers.
type ProviderTotal struct {
	ID         *string `json:"provider_id"`
	Name       *string `json:"provider_name"`
	Group      *string `json:"provider_group"`
	NameSource *string `json:"name_source"`
	EventTypes int64   `json:"event_types"`
	Events     int64   `json:"events"`
	NotDecoded int64   `json:"events_not_decoded"` // the same as payloads_raw
	Payloads
	FirstEvent Instant `json:"first_event"`
	LastEvent  Instant `json:"last_event"`
}

// EventTypeTotal is a row of the table event_types.
type EventTypeTotal struct {
	HeaderTable  string  `json:"header_table"`
	ProviderID   *string `json:"provider_id"`
	ProviderName *string `json:"provider_name"`
	EventName    *string `json:"event_name"`
	EventID      uint32  `json:"event_id"` // hook id of kernel events, type of classic ones, number of WPP messages
	Version      uint16  `json:"event_version"`
	Events       int64   `json:"events"`
	FirstEvent   Instant `json:"first_event"`
	LastEvent    Instant `json:"last_event"`
	Decoder      *string `json:"decoder"`
	PayloadTable *string `json:"payload_table"`
	Payloads
}

// IDText returns the number of the event in the terms of its header: "id 4104" of a provider's event, "hook 0x0524" of
// a kernel event, "type 36" of a classic one.
func (t *EventTypeTotal) IDText() string {
	switch t.HeaderTable {
	case "system_trace_header", "perfinfo_trace_header":
		return fmt.Sprintf("hook 0x%04X", t.EventID)
	case "event_header":
		return fmt.Sprintf("id %d", t.EventID)
	case "message_trace_header":
		return fmt.Sprintf("message %d", t.EventID)
	case "other_header":
		return fmt.Sprintf("header 0x%02X", t.EventID)
	}
	return fmt.Sprintf("type %d", t.EventID)
}

// PDB names the debug information of a provider's binary.
type PDB struct {
	Name string `json:"name"`
	GUID string `json:"guid"`
	Age  uint32 `json:"age"`
}

// Instant is a time in ns since 1970-01-01 UTC; in JSON it is RFC 3339 with
// nine digits after the second.
type Instant int64

// Time returns the instant in UTC.
func (t Instant) Time() time.Time { return time.Unix(0, int64(t)).UTC() }

func (t Instant) String() string { return t.Time().Format("2006-01-02T15:04:05.000000000Z") }

// MarshalText returns the text form used in JSON.
func (t Instant) MarshalText() ([]byte, error) { return []byte(t.String()), nil }
