package decode

import (
	"fmt"
	"unicode/utf16"
)

// TraceHeader is the payload of the trace header event, TRACE_LOGFILE_HEADER
// and the two names after it (evntrace.h; seen with 4- and 8-byte pointers).
type TraceHeader struct {
	Kind FileKind // decides which of the fields below the file has

	// These are from the event's header.
	HeaderPointerSize int   // 4 or 8, by the header type; decides the layout
	EventTicks        Ticks // the time stamp that StartTime belongs to
	ProcessID         uint32
	ThreadID          uint32

	BufferSize         uint32    // 0x00, bytes of a buffer in memory
	MajorVersion       uint8     // 0x04, of Windows
	MinorVersion       uint8     //
	SubVersion         uint8     // of the log file: 1.5, or 2.0 if it is compressed
	SubMinorVersion    uint8     //
	ProviderVersion    uint32    // 0x08, build of Windows
	NumberOfProcessors uint32    // 0x0C, 1 for sessions without per-processor buffers
	EndTime            int64     // 0x10, FILETIME, 0 if the session was not stopped
	TimerResolution    uint32    // 0x18, unit of kernel and user times, 100 ns
	MaximumFileSize    uint32    // 0x1C, MB, or KB with a bit of LogFileMode
	LogFileMode        uint32    // 0x20
	BuffersWritten     uint32    // 0x24, the header buffer included
	StartBuffers       uint32    // 0x28, buffers that a circular file never overwrites
	PointerSize        uint32    // 0x2C, 4 or 8
	EventsLost         uint32    // 0x30
	CPUSpeedInMHz      uint32    // 0x34
	NamePointers       [2]uint64 // LoggerName and LogFileName: see [TraceHeader.TimerSources]
	TimeZone           TimeZone
	BootTime           int64     // FILETIME
	PerfFreq           int64     // Hz
	StartTime          int64     // FILETIME
	ClockType          ClockType // ReservedFlags
	BuffersLost        uint32
	LoggerName         string
	LogFileName        string
}

// TimeZone is TIME_ZONE_INFORMATION: UTC = local time + Bias. For display
// only: no time in a trace is local.
type TimeZone struct {
	Bias         int32 // minutes
	StandardName string
	StandardDate SystemTime // when it begins
	StandardBias int32      // minutes, added to Bias
	DaylightName string
	DaylightDate SystemTime
	DaylightBias int32
}

// SystemTime is SYSTEMTIME: a date, or in a [TimeZone] with Year 0 a rule such
// as "the second (Day) Sunday (DayOfWeek) of March (Month)".
type SystemTime struct {
	Year, Month, DayOfWeek, Day, Hour, Minute, Second, Milliseconds uint16
}

// The layout of TRACE_LOGFILE_HEADER: the same for both pointer sizes up to
// the two name pointers at 0x38, then shifted by their growth.
const (
	logfileNames      = 0x38
	logfileTimeZone   = 0x40 // the positions from here on are for 4-byte pointers
	logfileBootTime   = 0xf0
	logfilePerfFreq   = 0xf8
	logfileStartTime  = 0x100
	logfileClockType  = 0x108
	logfileLost       = 0x10c
	logfileSize       = 0x110
	logfileShift64    = 8
	timeZoneSize      = 172
	timeZoneNameUnits = 32
	hookTraceHeader   = 0x0000
	majorVersionVista = 6
	buildVista        = 6000
	modeCompressed    = 0x04000000 // of LogFileMode
)

// parseTraceHeader reads the trace header event. If the payload is short, it
// returns an error together with the fields that could be read; the others are 0.
func parseTraceHeader(ev *Event) (TraceHeader, error) {
	h := ev.System()
	p := ev.Raw[ev.header:] // the logger writes this event without counters
	t := TraceHeader{
		HeaderPointerSize: ev.PointerSize(),
		EventTicks:        ev.Time,
		ProcessID:         h.ProcessID(),
		ThreadID:          h.ThreadID(),
	}
	if len(p) < logfileNames {
		return t, causef(ErrTruncated, "the payload has %d bytes", len(p))
	}
	t.BufferSize = le.Uint32(p[0x00:])
	t.MajorVersion, t.MinorVersion, t.SubVersion, t.SubMinorVersion = p[4], p[5], p[6], p[7]
	t.ProviderVersion = le.Uint32(p[0x08:])
	t.NumberOfProcessors = le.Uint32(p[0x0c:])
	t.EndTime = int64(le.Uint64(p[0x10:]))
	t.TimerResolution = le.Uint32(p[0x18:])
	t.MaximumFileSize = le.Uint32(p[0x1c:])
	t.LogFileMode = le.Uint32(p[0x20:])
	t.BuffersWritten = le.Uint32(p[0x24:])
	t.StartBuffers = le.Uint32(p[0x28:])
	t.PointerSize = le.Uint32(p[0x2c:])
	t.EventsLost = le.Uint32(p[0x30:])
	t.CPUSpeedInMHz = le.Uint32(p[0x34:])
	shift := 0
	if t.HeaderPointerSize == 8 {
		shift = logfileShift64
	}
	if len(p) < logfileTimeZone+shift {
		return t, causef(ErrTruncated, "the payload has %d bytes", len(p))
	}
	t.NamePointers = namePointers(p[logfileNames:], t.HeaderPointerSize)
	if p = p[shift:]; len(p) < logfileSize {
		return t, causef(ErrTruncated, "the payload has %#x of %#x bytes", len(p), logfileSize)
	}
	t.TimeZone = parseTimeZone(p[logfileTimeZone:][:timeZoneSize])
	t.BootTime = int64(le.Uint64(p[logfileBootTime:]))
	t.PerfFreq = int64(le.Uint64(p[logfilePerfFreq:]))
	t.StartTime = int64(le.Uint64(p[logfileStartTime:]))
	t.ClockType = ClockType(le.Uint32(p[logfileClockType:]))
	t.BuffersLost = le.Uint32(p[logfileLost:])
	var rest []byte
	t.LoggerName, rest = cutUTF16(p[logfileSize:])
	t.LogFileName, _ = cutUTF16(rest)
	return t, nil
}

func namePointers(p []byte, size int) [2]uint64 {
	if size == 8 {
		return [2]uint64{le.Uint64(p), le.Uint64(p[8:])}
	}
	return [2]uint64{uint64(le.Uint32(p)), uint64(le.Uint32(p[4:]))}
}

func parseTimeZone(p []byte) TimeZone {
	const name = timeZoneNameUnits * 2
	z := TimeZone{Bias: int32(le.Uint32(p))}
	z.StandardName, _ = cutUTF16(p[4 : 4+name])
	p = p[4+name:]
	z.StandardDate = parseSystemTime(p)
	z.StandardBias = int32(le.Uint32(p[16:]))
	z.DaylightName, _ = cutUTF16(p[20 : 20+name])
	p = p[20+name:]
	z.DaylightDate = parseSystemTime(p)
	z.DaylightBias = int32(le.Uint32(p[16:]))
	return z
}

func parseSystemTime(p []byte) SystemTime {
	u := func(i int) uint16 { return le.Uint16(p[2*i:]) }
	return SystemTime{u(0), u(1), u(2), u(3), u(4), u(5), u(6), u(7)}
}

// cutUTF16 splits b after the first NUL. Text without NUL extends to the end; lone
// surrogates become U+FFFD.
func cutUTF16(b []byte) (text string, rest []byte) {
	units := make([]uint16, 0, min(len(b)/2, 64))
	for len(b) >= 2 {
		u := le.Uint16(b)
		b = b[2:]
		if u == 0 {
			return string(utf16.Decode(units)), b
		}
		units = append(units, u)
	}
	return string(utf16.Decode(units)), nil
}

// Clock returns the clock of the trace.
func (t *TraceHeader) Clock() Clock {
	return NewClock(t.ClockType, t.EventTicks, t.StartTime, t.PerfFreq, t.CPUSpeedInMHz)
}

// usesQPC reports whether time stamps are QPC ticks: by the clock type, or by the
// rule of [NewClock] for undocumented types.
func (t *TraceHeader) usesQPC() bool {
	switch t.ClockType {
	case ClockSystemTime:
		return false
	case ClockCPUCycle:
		return t.CPUSpeedInMHz == 0 && t.PerfFreq > 0
	case ClockQPC:
		return true
	}
	return t.PerfFreq > 0
}

// TimerSources returns the HAL_PLATFORM_TIMER_SOURCE of the clock interrupt and of the
// performance counter. Windows stores them in place of the pointers to the two names
// from 6.1 on; ok is false for older traces, whose pointers mean nothing in a file.
// Relogged traces have 0 for both.
//
// Not documented by Microsoft: format dossier 03, after Geoff Chappell's
// "TRACE_LOGFILE_HEADER". Seen: 2 and 6 on Windows 7.
func (t *TraceHeader) TimerSources() (clock, counter uint64, ok bool) {
	if t.MajorVersion < majorVersionVista || t.MajorVersion == majorVersionVista && t.MinorVersion == 0 {
		return 0, 0, false
	}
	return t.NamePointers[0], t.NamePointers[1], true
}

// LogVersionText says what the version of the log file means, or returns "" for a
// version that no public source explains.
func (t *TraceHeader) LogVersionText() string {
	switch {
	case t.oldInstances():
		return "buffers are not compressed; INSTANCE headers have registration handles in place of GUIDs"
	case t.SubVersion == 1 && t.SubMinorVersion <= 5:
		return "buffers are not compressed"
	case t.SubVersion == 2 && t.SubMinorVersion == 0:
		return "buffers may be compressed"
	}
	return ""
}

// Finalised reports whether the session was stopped and the header completed.
func (t *TraceHeader) Finalised() bool { return t.EndTime != 0 }

// CountsLosses reports whether the file has the numbers of lost events and buffers. A session
// writes them when it is stopped, but not to the file of a real-time session.
func (t *TraceHeader) CountsLosses() bool { return t.Kind != FileRealTimeBackup }

// Private reports whether the session was private to a process. Event headers of
// such a session have a ProcessorTime instead of kernel and user time.
func (t *TraceHeader) Private() bool {
	const private, privateInProc = 0x800, 0x20000
	return t.LogFileMode&(private|privateInProc) != 0
}

// NewFile reports whether the session wrote a series of files, one after another.
func (t *TraceHeader) NewFile() bool {
	const newFile = 0x8
	return t.LogFileMode&newFile != 0
}

// Circular reports whether the session overwrote the oldest buffers when the file was full.
func (t *TraceHeader) Circular() bool {
	const circular = 0x2
	return t.LogFileMode&circular != 0
}

// PerProcessor reports whether each buffer holds the events of one processor.
func (t *TraceHeader) PerProcessor() bool {
	const noPerProcessorBuffering = 0x10000000
	return t.LogFileMode&noPerProcessorBuffering == 0
}

// oldInstances reports whether INSTANCE events have the form without GUIDs.
func (t *TraceHeader) oldInstances() bool {
	return t.SubVersion < 1 || t.SubVersion == 1 && t.SubMinorVersion < 1
}

// IsZero reports whether there is no date or rule.
func (s SystemTime) IsZero() bool { return s == SystemTime{} }

// String returns a date, or a rule such as "month 3, week 2, day 0 02:00": week 5
// is the last of the month, day 0 is Sunday.
func (s SystemTime) String() string {
	clock := fmt.Sprintf("%02d:%02d", s.Hour, s.Minute)
	if s.Year != 0 {
		return fmt.Sprintf("%04d-%02d-%02d %s", s.Year, s.Month, s.Day, clock)
	}
	return fmt.Sprintf("month %d, week %d, day %d %s", s.Month, s.Day, s.DayOfWeek, clock)
}
