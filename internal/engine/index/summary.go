package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Summary returns the summary of the trace in a file. It counts the payloads: see Count.
func (x *Index) Summary(ctx context.Context, file string, workers int) (*facts.Info, error) {
	tally, err := x.Count(ctx, workers)
	if err != nil {
		return nil, err
	}
	h := x.File.Header()
	s := &facts.Info{
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

func (x *Index) summariseBuffers(s *facts.Info) {
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

func (x *Index) summariseTimes(s *facts.Info) {
	if recorded, ok := x.recorded(); ok {
		first, last := x.instant(recorded.First), x.instant(recorded.Last)
		s.FirstEvent, s.LastEvent = &first, &last
	}
	s.Overwritten, _, _ = x.Wrapped()
	if from, ok := x.CoveredFrom(); ok {
		s.CoveredFrom = (*facts.Instant)(&from)
	}
	if s.Start != nil {
		start := *s.Start
		if s.CoveredFrom != nil && x.File.Header().NewFile() {
			start = *s.CoveredFrom
		}
		s.DurationNS = x.length(s, start)
	}
}

// length returns the ns from a time to the end in the header, or else to the last event, by a clock that is never
// set; nil if that is not known. The end in the header is by the last setting of the clock, and before the
// start if it was set and no event says so.
func (x *Index) length(s *facts.Info, from facts.Instant) *int64 {
	end := s.End
	if c := x.ClockSteps; c != nil {
		if len(c.Breaks) > 0 {
			return nil
		}
		if end != nil {
			unset := *end - facts.Instant(c.sum())
			end = &unset
		}
	}
	if last := s.LastEvent; last != nil && (end == nil || *end < from) {
		end = last
	}
	if end == nil || *end < from {
		return nil
	}
	n := int64(*end - from)
	return &n
}

func (x *Index) instant(t decode.Ticks) facts.Instant { return facts.Instant(x.Clock.UnixNano(t)) }

func (x *Index) providerTotals() []facts.ProviderTotal {
	totals := []facts.ProviderTotal{}
	for _, p := range x.Providers() {
		id, name := p.texts()
		totals = append(totals, facts.ProviderTotal{
			ID: id, Name: name,
			Group:      unless(p.Group.String(), p.Group.IsZero()),
			NameSource: unless(p.NameSource, p.NameSource == ""),
			EventTypes: p.EventTypes, Events: p.Events, NotDecoded: p.Raw, Payloads: p.Payloads,
			FirstEvent: x.instant(p.First), LastEvent: x.instant(p.Last),
		})
	}
	slices.SortStableFunc(totals, func(a, b facts.ProviderTotal) int { return cmp.Compare(b.Events, a.Events) })
	return totals
}

func (x *Index) eventTypeTotals() []facts.EventTypeTotal {
	totals := []facts.EventTypeTotal{}
	names := x.Names()
	for _, t := range x.SortedTypes() {
		total := facts.EventTypeTotal{
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
	slices.SortStableFunc(totals, func(a, b facts.EventTypeTotal) int { return cmp.Compare(b.Events, a.Events) })
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

func zoneOf(z *decode.TimeZone) facts.Zone {
	return facts.Zone{
		Bias:         z.Bias,
		StandardName: z.StandardName, StandardBias: z.StandardBias,
		StandardDate: unless(z.StandardDate.String(), z.StandardDate.IsZero()),
		DaylightName: z.DaylightName, DaylightBias: z.DaylightBias,
		DaylightDate: unless(z.DaylightDate.String(), z.DaylightDate.IsZero()),
	}
}

// instantOf converts a FILETIME; 0 and other times that cannot be give nil.
func instantOf(filetime int64) *facts.Instant {
	ns, ok := decode.FiletimeTime(filetime)
	if !ok {
		return nil
	}
	return (*facts.Instant)(&ns)
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
