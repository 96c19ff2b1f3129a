package etltest

import (
	"encoding/binary"
	"fmt"
	"unicode/utf16"
)

// logfileField is an integer of TRACE_LOGFILE_HEADER, whose offsets depend on
// the pointer size of the logger.
type logfileField struct {
	name  string
	off32 int
	off64 int
	size  int                 // 0: a pointer
	get   func(*Trace) uint64 // nil: zero, or written elsewhere
}

// logfileFields is TRACE_LOGFILE_HEADER but for the names in the time zone
// and the two strings after it. Source: the format dossier, 03 section 2.
var logfileFields = []logfileField{
	{"buffersize", 0x00, 0x00, 4, func(t *Trace) uint64 { return uint64(t.bufferSize()) }},
	{"versiondetail", 0x04, 0x04, 4, (*Trace).version},
	{"providerversion", 0x08, 0x08, 4, func(t *Trace) uint64 { return uint64(t.build()) }},
	{"numberofprocessors", 0x0C, 0x0C, 4, func(t *Trace) uint64 { return uint64(t.processors()) }},
	{"endtime", 0x10, 0x10, 8, nil},
	{"timerresolution", 0x18, 0x18, 4, func(t *Trace) uint64 { return uint64(t.timerResolution()) }},
	{"maximumfilesize", 0x1C, 0x1C, 4, func(t *Trace) uint64 { return uint64(t.MaximumFileSize) }},
	{"logfilemode", 0x20, 0x20, 4, func(t *Trace) uint64 { return uint64(t.Mode) }},
	{"bufferswritten", 0x24, 0x24, 4, nil},
	{"startbuffers", 0x28, 0x28, 4, func(t *Trace) uint64 { return uint64(t.startBuffers()) }},
	{"pointersize", 0x2C, 0x2C, 4, func(t *Trace) uint64 { return uint64(t.pointerSize()) }},
	{"eventslost", 0x30, 0x30, 4, func(t *Trace) uint64 { return uint64(t.EventsLost) }},
	{"cpuspeedinmhz", 0x34, 0x34, 4, func(t *Trace) uint64 { return uint64(t.mhz()) }},
	{"loggernamepointer", 0x38, 0x38, 0, nil},
	{"logfilenamepointer", 0x3C, 0x40, 0, nil},
	{"bias", 0x40, 0x48, 4, func(t *Trace) uint64 { return uint64(t.TimeZone.Bias) }},
	{"standardbias", 0x94, 0x9C, 4, func(t *Trace) uint64 { return uint64(t.TimeZone.StandardBias) }},
	{"daylightbias", 0xE8, 0xF0, 4, func(t *Trace) uint64 { return uint64(t.TimeZone.DaylightBias) }},
	{"boottime", 0xF0, 0xF8, 8, func(t *Trace) uint64 { return uint64(FileTime(t.boot())) }},
	{"perffreq", 0xF8, 0x100, 8, func(t *Trace) uint64 { return uint64(t.frequency()) }},
	{"starttime", 0x100, 0x108, 8, func(t *Trace) uint64 { return uint64(FileTime(t.start())) }},
	{"clocktype", 0x108, 0x110, 4, func(t *Trace) uint64 { return uint64(t.clock()) }},
	{"bufferslost", 0x10C, 0x114, 4, func(t *Trace) uint64 { return uint64(t.BuffersLost) }},
}

// TimeZone is the TIME_ZONE_INFORMATION of a logfile header. Biases are in
// minutes; UTC is local time plus bias.
type TimeZone struct {
	Bias         int32
	StandardName string // at most 32 UTF-16 units
	StandardDate SystemTime
	StandardBias int32
	DaylightName string
	DaylightDate SystemTime
	DaylightBias int32
}

// SystemTime is a SYSTEMTIME: year, month, day of the week, day, hour,
// minute, second, millisecond. In a time zone a year of 0 makes the day the
// number of the week in the month, 5 being the last.
type SystemTime [8]uint16

func (s SystemTime) append(dst []byte) []byte {
	for _, v := range s {
		dst = binary.LittleEndian.AppendUint16(dst, v)
	}
	return dst
}

// logfileHeader returns the payload of the trace header event.
func (t *Trace) logfileHeader(endTime int64, buffersWritten int) ([]byte, error) {
	wide := t.pointerSize() == 8
	size := 0x110
	if wide {
		size = 0x118
	}
	out := make([]byte, size)
	find := func(name string) (place, bool) {
		for _, f := range logfileFields {
			if f.name == name {
				return f.place(wide), true
			}
		}
		return place{}, false
	}
	for _, f := range logfileFields {
		if f.get != nil {
			p := f.place(wide)
			put(out[p.off:], p.size, f.get(t))
		}
	}
	computed := Fields{"endtime": uint64(endTime), "bufferswritten": uint64(buffersWritten)}
	if err := computed.set(out, find); err != nil {
		return nil, err
	}

	zone, _ := find("bias")
	for _, n := range []struct {
		name string
		date SystemTime
		off  int
	}{
		{t.TimeZone.StandardName, t.TimeZone.StandardDate, 4},
		{t.TimeZone.DaylightName, t.TimeZone.DaylightDate, 88},
	} {
		units := utf16.Encode([]rune(n.name))
		if len(units) > 32 {
			return nil, fmt.Errorf("time zone name %q is longer than 32 characters", n.name)
		}
		b := out[zone.off+n.off:]
		for i, u := range units {
			binary.LittleEndian.PutUint16(b[2*i:], u)
		}
		copy(b[64:], n.date.append(nil))
	}

	if err := t.Logfile.set(out, find); err != nil {
		return nil, err
	}
	out = AppendString16(out, t.LoggerName)
	return AppendString16(out, t.FileName), nil
}

func (f *logfileField) place(wide bool) place {
	p := place{f.off32, f.size}
	if p.size == 0 {
		p.size = 4
	}
	if wide {
		if p.off = f.off64; f.size == 0 {
			p.size = 8
		}
	}
	return p
}

// AppendString16 appends s in UTF-16 and a terminating NUL.
func AppendString16(dst []byte, s string) []byte {
	return append(appendChars16(dst, s), 0, 0)
}

// AppendString8 appends s and a terminating NUL.
func AppendString8(dst []byte, s string) []byte { return append(append(dst, s...), 0) }

func appendChars16(dst []byte, s string) []byte {
	for _, u := range utf16.Encode([]rune(s)) {
		dst = binary.LittleEndian.AppendUint16(dst, u)
	}
	return dst
}
