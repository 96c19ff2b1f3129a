package etl2parquet

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
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
	Session          *string  `json:"session"`       // id of the session; [Recordings] sets the same for the files of a series; null if the trace has no start
	SessionFile      *int64   `json:"session_file"`  // the place of the file in the session; null if that is unknown
	Recording        *string  `json:"recording"`     // id of the sessions that were recorded together; [Recordings] sets the same for them; null if the trace has no start
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
	EventsLost       *uint32  `json:"events_lost"`          // while the session wrote the file; null if it was not stopped, and of a later file of a series until [Recordings] has the file before
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
	Siblings       []string         `json:"siblings,omitempty"` // other traces of the same recording, as in File: see [Recordings]

	ends *index.Ends
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

// Info describes what is in the trace. The first call may read the trace once more, because payloads
// with texts must be read to be counted.
func (t *Trace) Info(ctx context.Context) (*Info, error) {
	s, err := t.source.Index.Summary(ctx, t.fileName(), t.options.Workers)
	if err != nil {
		return nil, err
	}
	return infoOf(s), nil
}

// fileName returns the name that the trace has in its description.
func (t *Trace) fileName() string {
	if t.options.RedactKey != nil {
		return t.source.FileName()
	}
	return t.source.Input.Name
}

// ReadInfo describes the trace in r. It costs less than [OpenReader] and [Trace.Info], because it
// does not index processes, images, files, methods and stacks. The name becomes Info.File.
func ReadInfo(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*Info, error) {
	o.complete()
	p, err := o.redacting()
	if err != nil {
		return nil, err
	}
	x, err := p.IndexForInfo(ctx, pipeline.Input{Name: name, Size: size, Trace: r})
	if err != nil {
		return nil, err
	}
	if p.Redact != nil {
		name = redact.FileName(p.Redact.TraceName(partname.OfTraces([]string{name})[0]))
	}
	s, err := x.Summary(ctx, name, o.Workers)
	if err = errors.Join(err, x.Close()); err != nil {
		return nil, err
	}
	return infoOf(s), nil
}

// infoOf converts a summary.
func infoOf(s *index.Summary) *Info {
	return &Info{
		File:             s.File,
		Size:             s.Size,
		FileKind:         s.FileKind,
		SessionName:      s.SessionName,
		LogFileName:      s.LogFileName,
		LogVersion:       s.LogVersion,
		LogFileMode:      s.LogFileMode,
		LogFileModeText:  s.LogFileModeText,
		EnableFlagsText:  s.EnableFlagsText,
		MaximumFileBytes: s.MaximumFileBytes,
		PointerSize:      s.PointerSize,
		OS:               s.OS,
		OSVersion:        s.OSVersion,
		Build:            s.Build,
		BuildLab:         s.BuildLab,
		ComputerName:     s.ComputerName,
		Session:          s.Session,
		SessionFile:      s.SessionFile,
		Recording:        s.Recording,
		Processors:       s.Processors,
		CPUSpeedMHz:      s.CPUSpeedMHz,
		TimeZone:         Zone(s.TimeZone),
		BootTime:         instantOf(s.BootTime),
		Clock:            s.Clock,
		ClockFrequency:   s.ClockFrequency,
		Start:            instantOf(s.Start),
		End:              instantOf(s.End),
		DurationNS:       s.DurationNS,
		FirstEvent:       instantOf(s.FirstEvent),
		LastEvent:        instantOf(s.LastEvent),
		CoveredFrom:      instantOf(s.CoveredFrom),
		Overwritten:      s.Overwritten,
		BufferSize:       s.BufferSize,
		Buffers:          s.Buffers,
		BuffersWritten:   s.BuffersWritten,
		Compressed:       s.Compressed,
		CompressionRatio: s.CompressionRatio,
		Uncompressed:     s.Uncompressed,
		Events:           s.Events,
		EventsLost:       s.EventsLost,
		BuffersLost:      s.BuffersLost,
		SessionEvents:    s.SessionEvents,
		SessionBuffers:   s.SessionBuffers,
		UnlistedEvents:   s.UnlistedEvents,
		Damaged:          s.Damaged,
		EventsByHeader:   s.EventsByHeader,
		Providers:        converted(s.Providers, providerTotalOf),
		EventTypes:       converted(s.EventTypes, eventTypeTotalOf),
		Decoding:         decodingOf(s.Decoding),
		ProviderPDBs:     converted(s.ProviderPDBs, pdbOf),
		Problems:         converted(s.Problems, problemOf),
		ends:             s.Ends,
	}
}

// converted converts the members of a list; it returns nil only for nil.
func converted[From, To any](list []From, convert func(*From) To) []To {
	if list == nil {
		return nil
	}
	to := make([]To, len(list))
	for i := range list {
		to[i] = convert(&list[i])
	}
	return to
}

func instantOf(t *index.Instant) *Instant {
	if t == nil {
		return nil
	}
	at := Instant(*t)
	return &at
}

func providerTotalOf(p *index.ProviderTotal) ProviderTotal {
	return ProviderTotal{
		ID: p.ID, Name: p.Name, Group: p.Group, NameSource: p.NameSource, EventTypes: p.EventTypes, Events: p.Events, NotDecoded: p.NotDecoded,
		Payloads: Payloads(p.Payloads), FirstEvent: Instant(p.FirstEvent), LastEvent: Instant(p.LastEvent),
	}
}

func eventTypeTotalOf(e *index.EventTypeTotal) EventTypeTotal {
	return EventTypeTotal{
		HeaderTable: e.HeaderTable, ProviderID: e.ProviderID, ProviderName: e.ProviderName, EventName: e.EventName, EventID: e.EventID, Version: e.Version, Events: e.Events,
		FirstEvent: Instant(e.FirstEvent), LastEvent: Instant(e.LastEvent), Decoder: e.Decoder, PayloadTable: e.PayloadTable, Payloads: Payloads(e.Payloads),
	}
}

func decodingOf(d *index.Decoding) *Decoding {
	if d == nil {
		return nil
	}
	return &Decoding{
		Events: d.Events, NotDecoded: d.NotDecoded, Payloads: Payloads(d.Payloads),
		Providers: converted(d.Providers, providerDecodingOf), Unlisted: d.Unlisted, PDBs: converted(d.PDBs, pdbOf),
	}
}

func providerDecodingOf(p *index.ProviderDecoding) ProviderDecoding {
	return ProviderDecoding{
		ID: p.ID, Name: p.Name, Events: p.Events, NotDecoded: p.NotDecoded, Payloads: Payloads(p.Payloads),
		Help: converted(p.Help, helpOf), InParts: converted(p.InParts, partlyReadOf),
	}
}

func helpOf(h *index.Help) Help {
	return Help{Option: h.Option, Kind: HelpFile(h.Kind), Events: h.Events}
}

func partlyReadOf(p *index.PartlyRead) PartlyRead {
	return PartlyRead{
		EventName: p.EventName, EventID: p.EventID, Version: p.Version, Reason: PartReason(p.Reason), Field: p.Field, Payloads: p.Payloads, BytesRest: p.BytesRest,
	}
}

func pdbOf(p *index.PDB) PDB { return PDB(*p) }

func problemOf(p *problems.Problem) Problem {
	return Problem{
		Severity: Severity(p.Severity), Code: p.Code, Count: p.Count, Buffer: p.Buffer, FileOffset: p.FileOffset, Position: p.Position, Field: p.Field, Message: p.Message,
	}
}
