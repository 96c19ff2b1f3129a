package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Summary is what the library's Info says about a trace. Its JSON form is stable:
// fields may be added, but none is renamed or changes its meaning. Fields that are also
// columns of the tables traces, providers, event_types or problems have the same names
// and meanings. An unknown value is null; an empty list is []. In problems, a position
// that does not apply is -1.
type Summary struct {
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
	ComputerName     *string  `json:"computer_name"`
	Session          *string  `json:"session"`
	SessionFile      *int64   `json:"session_file"`
	Recording        *string  `json:"recording"`
	Processors       uint32   `json:"processors"` // 1 for sessions without per-processor buffers
	CPUSpeedMHz      uint32   `json:"cpu_speed_mhz"`
	TimeZone         Zone     `json:"time_zone"`
	BootTime         *Instant `json:"boot_time"`
	Clock            string   `json:"clock"`           // QPC, SystemTime or CPUCycle
	ClockFrequency   int64    `json:"clock_frequency"` // ticks per second
	Start            *Instant `json:"start"`           // of the session
	End              *Instant `json:"end"`             // null if it was not stopped
	DurationNS       *int64   `json:"duration_ns"`     // start to end, or to the last event if there is no end
	FirstEvent       *Instant `json:"first_event"`     // in the file; null if there are only records of the session about itself
	LastEvent        *Instant `json:"last_event"`
	CoveredFrom      *Instant `json:"covered_from"`        // of a wrapped circular file, or a later file of a series; else null
	Overwritten      int64    `json:"overwritten_buffers"` // of a wrapped circular file
	BufferSize       uint32   `json:"buffer_size"`         // of a buffer in memory, bytes
	Buffers          int64    `json:"buffers"`             // found in the file
	BuffersWritten   uint32   `json:"buffers_written"`     // as the session counted; 0 if it was not stopped
	Compressed       int64    `json:"compressed_buffers"`
	CompressionRatio *float64 `json:"compression_ratio"`    // of the compressed buffers: bytes in memory / bytes in the file
	Uncompressed     int64    `json:"uncompressed_bytes"`   // of all buffers in memory, up to the end of their data
	Events           int64    `json:"events"`               // found in the file
	EventsLost       *uint32  `json:"events_lost"`          // while the session wrote the file; null if that is unknown
	BuffersLost      *uint32  `json:"buffers_lost"`         // in the same way
	SessionEvents    *uint32  `json:"session_events_lost"`  // that the session had lost by the end of the file; null if it was not stopped
	SessionBuffers   *uint32  `json:"session_buffers_lost"` // in the same way
	Ends             *Ends    `json:"-"`
	UnlistedEvents   int64    `json:"unlisted_events"` // not in the lists below, which are bounded
	Damaged          bool     `json:"damaged"`         // something in the file could not be read

	EventsByHeader map[string]int64   `json:"events_by_header"` // by the name of the header type
	Providers      []ProviderTotal    `json:"providers"`        // most events first
	EventTypes     []EventTypeTotal   `json:"event_types"`      // most events first
	Decoding       *Decoding          `json:"decoding"`         // events that are not decoded, and files that would help
	ProviderPDBs   []PDB              `json:"provider_pdbs"`    // debug information that WPP messages need
	Problems       []problems.Problem `json:"problems"`         // in file order
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

// Summary returns the summary of the trace in a file. It counts the payloads: see Count.
func (x *Index) Summary(ctx context.Context, file string, workers int) (*Summary, error) {
	tally, err := x.Count(ctx, workers)
	if err != nil {
		return nil, err
	}
	h := x.File.Header()
	s := &Summary{
		File: file, Size: x.File.Size(), FileKind: h.Kind.String(),
		SessionName: h.LoggerName, LogFileName: h.LogFileName,
		LogVersion:  fmt.Sprintf("%d.%d", h.SubVersion, h.SubMinorVersion),
		LogFileMode: h.LogFileMode, LogFileModeText: orEmpty(session.LogFileModeNames(h.LogFileMode)),
		MaximumFileBytes: maximumFileBytes(h), PointerSize: h.PointerSize,
		OS:        WindowsName(h.MajorVersion, h.MinorVersion, h.ProviderVersion),
		OSVersion: fmt.Sprintf("%d.%d", h.MajorVersion, h.MinorVersion), Build: h.ProviderVersion,
		BuildLab: unless(x.Session.BuildLab, x.Session.BuildLab == ""), ComputerName: unless(x.ComputerName(), x.Computer == ""), Ends: x.Ends(),
		Session: unless(x.Place.Session, x.Place.Session == ""), SessionFile: nonZero(x.Place.File), Recording: unless(x.Place.Recording, x.Place.Recording == ""),
		Processors: h.NumberOfProcessors, CPUSpeedMHz: h.CPUSpeedInMHz, TimeZone: zoneOf(&h.TimeZone),
		BootTime: instantOf(h.BootTime), Start: instantOf(h.StartTime), End: instantOf(h.EndTime),
		Clock: session.ClockTypeName(uint32(h.ClockType)), ClockFrequency: clockFrequency(h),
		BufferSize: h.BufferSize, Buffers: int64(x.File.Buffers()), BuffersWritten: h.BuffersWritten,
		Events: x.Events, UnlistedEvents: x.UnlistedEvents,
		Damaged: x.Problems.Damaged(), Problems: orEmpty(x.Found()),
		EventsByHeader: make(map[string]int64), Decoding: x.Decoding(tally), ProviderPDBs: x.pdbs(),
		Providers: x.providerTotals(), EventTypes: x.eventTypeTotals(),
	}
	if m := x.Session.Masks; m != nil {
		s.EnableFlagsText = orEmpty(session.GroupMaskNames(m.Masks[:]))
	}
	for t, n := range x.ByHeader {
		if n > 0 {
			s.EventsByHeader[decode.HeaderType(t).String()] += n // unnamed types share the name UNKNOWN
		}
	}
	x.summariseBuffers(s)
	x.summariseTimes(s)
	lost := x.Losses()
	if lost.Known {
		s.SessionEvents, s.SessionBuffers = &lost.SessionEvents, &lost.SessionBuffers
	}
	if lost.Own {
		s.EventsLost, s.BuffersLost = &lost.Events, &lost.Buffers
	}
	x.mask(s)
	return s, nil
}

func (x *Index) summariseBuffers(s *Summary) {
	var inFile, inMemory int64
	for i := range x.Buffers {
		info := x.File.BufferInfo(i)
		s.Uncompressed += info.UncompressedSize()
		if info.Header.Compressed() {
			s.Compressed++
			inFile += int64(info.Size)
			inMemory += info.UncompressedSize()
		}
	}
	if inFile > 0 {
		ratio := math.Round(100*float64(inMemory)/float64(inFile)) / 100
		s.CompressionRatio = &ratio
	}
}

func (x *Index) summariseTimes(s *Summary) {
	if recorded, ok := x.recorded(); ok {
		first, last := x.instant(recorded.First), x.instant(recorded.Last)
		s.FirstEvent, s.LastEvent = &first, &last
	}
	s.Overwritten, _, _ = x.Wrapped()
	if from, ok := x.CoveredFrom(); ok {
		s.CoveredFrom = (*Instant)(&from)
	}
	end := cmp.Or(s.End, s.LastEvent)
	if s.Start != nil && end != nil {
		start := int64(*s.Start)
		if s.CoveredFrom != nil && x.File.Header().NewFile() {
			start = int64(*s.CoveredFrom)
		}
		s.DurationNS = x.length(start, int64(*end))
	}
}

// length returns the ns from a time to the end of the trace, by a clock that is never set, or nil if that is
// not known. Where the clock was set, the end in the header is by the last setting.
func (x *Index) length(from, to int64) *int64 {
	c := x.ClockSteps
	switch {
	case c != nil && len(c.Breaks) > 0:
		return nil
	case c != nil:
		to -= c.Offsets[len(c.Offsets)-1].NS
	case to < from:
		if last, ok := x.LastEvent(); ok { // the clock was set, and counts on
			to = x.Clock.UnixNano(last)
		}
	}
	if to < from {
		return nil
	}
	n := to - from
	return &n
}

func (x *Index) instant(t decode.Ticks) Instant { return Instant(x.Clock.UnixNano(t)) }

func (x *Index) providerTotals() []ProviderTotal {
	totals := []ProviderTotal{}
	for _, p := range x.Providers() {
		id, name := p.texts()
		totals = append(totals, ProviderTotal{
			ID: id, Name: name,
			Group:      unless(p.Group.String(), p.Group.IsZero()),
			NameSource: unless(p.NameSource, p.NameSource == ""),
			EventTypes: p.EventTypes, Events: p.Events, NotDecoded: p.Raw, Payloads: p.Payloads,
			FirstEvent: x.instant(p.First), LastEvent: x.instant(p.Last),
		})
	}
	slices.SortStableFunc(totals, func(a, b ProviderTotal) int { return cmp.Compare(b.Events, a.Events) })
	return totals
}

func (x *Index) eventTypeTotals() []EventTypeTotal {
	totals := []EventTypeTotal{}
	names := x.Names()
	for _, t := range x.SortedTypes() {
		total := EventTypeTotal{
			HeaderTable: schema.HeaderTables()[t.Family].Name,
			EventID:     t.ID, Version: t.Version, Events: t.Events,
			FirstEvent: x.instant(t.First), LastEvent: x.instant(t.Last),
		}
		if id, ok := t.Provider(); ok {
			name, known := names.Provider(id)
			total.ProviderID, total.ProviderName = unless(id.String(), false), unless(name, !known)
		}
		name, called := x.Catalog.Of(&t.Key).Name(), x.EventNames(&t)
		total.EventName = unless(name, false)
		total.Decoder, total.PayloadTable = unless(called.Decoder, called.Decoder == ""), unless(called.PayloadTable, called.PayloadTable == "")
		total.Payloads = x.PayloadsOf(&t).Payloads
		totals = append(totals, total)
	}
	slices.SortStableFunc(totals, func(a, b EventTypeTotal) int { return cmp.Compare(b.Events, a.Events) })
	return totals
}

// maximumFileBytes returns the limit on the size of the file. A bit of the mode decides its unit.
func maximumFileBytes(h *decode.TraceHeader) int64 {
	const useKBytes = 0x2000 // EVENT_TRACE_USE_KBYTES_FOR_SIZE
	if h.LogFileMode&useKBytes != 0 {
		return int64(h.MaximumFileSize) << 10
	}
	return int64(h.MaximumFileSize) << 20
}

// clockFrequency returns the ticks of the trace's clock per second.
func clockFrequency(h *decode.TraceHeader) int64 {
	switch {
	case h.ClockType == decode.ClockSystemTime:
		return 10_000_000
	case h.ClockType == decode.ClockCPUCycle && h.CPUSpeedInMHz > 0:
		return int64(h.CPUSpeedInMHz) * 1_000_000
	}
	return h.PerfFreq
}

func zoneOf(z *decode.TimeZone) Zone {
	return Zone{
		Bias:         z.Bias,
		StandardName: z.StandardName, StandardBias: z.StandardBias,
		StandardDate: unless(z.StandardDate.String(), z.StandardDate.IsZero()),
		DaylightName: z.DaylightName, DaylightBias: z.DaylightBias,
		DaylightDate: unless(z.DaylightDate.String(), z.DaylightDate.IsZero()),
	}
}

// instantOf converts a FILETIME; 0 and other times that cannot be give nil.
func instantOf(filetime int64) *Instant {
	ns, ok := decode.FiletimeTime(filetime)
	if !ok {
		return nil
	}
	return (*Instant)(&ns)
}

func unless(text string, null bool) *string {
	if null {
		return nil
	}
	return &text
}

// nonZero returns a number, or nil for 0.
func nonZero(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// windowsNames are the releases of Windows by build (Microsoft, "Windows 10 release
// information", "Windows 11 release information", "Windows Server release information"). If a
// client and a server release share a build, a trace does not distinguish them.
var windowsNames = map[uint32]string{
	6000:  "Windows Vista",
	6001:  "Windows Vista SP1 or Server 2008",
	6002:  "Windows Vista SP2 or Server 2008 SP2",
	6003:  "Windows Server 2008 SP2",
	7600:  "Windows 7 or Server 2008 R2",
	7601:  "Windows 7 SP1 or Server 2008 R2 SP1",
	9200:  "Windows 8 or Server 2012",
	9600:  "Windows 8.1 or Server 2012 R2",
	10240: "Windows 10 1507",
	10586: "Windows 10 1511",
	14393: "Windows 10 1607 or Server 2016",
	15063: "Windows 10 1703",
	16299: "Windows 10 1709 or Server 1709",
	17134: "Windows 10 1803 or Server 1803",
	17763: "Windows 10 1809 or Server 2019",
	18362: "Windows 10 1903 or Server 1903",
	18363: "Windows 10 1909 or Server 1909",
	19041: "Windows 10 2004 or Server 2004",
	19042: "Windows 10 20H2 or Server 20H2",
	19043: "Windows 10 21H1",
	19044: "Windows 10 21H2",
	19045: "Windows 10 22H2",
	20348: "Windows Server 2022",
	22000: "Windows 11 21H2",
	22621: "Windows 11 22H2",
	22631: "Windows 11 23H2",
	25398: "Windows Server 23H2",
	26100: "Windows 11 24H2 or Server 2025",
	26200: "Windows 11 25H2",
}

// WindowsName returns the name of a release of Windows, the version and build if the
// release is unknown, or "" if there is no version.
func WindowsName(major, minor uint8, build uint32) string {
	if name, ok := windowsNames[build]; ok {
		return name
	}
	if major == 0 && minor == 0 && build == 0 {
		return ""
	}
	return fmt.Sprintf("Windows %d.%d build %d", major, minor, build)
}
