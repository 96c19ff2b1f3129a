package session

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/schema"
)

// flagRow names one bit of a flag word. Tables of them are in bit order.
type flagRow struct {
	bit  uint32
	name string
}

// logFileModeRows names the bits of LogFileMode (TRACE_LOGFILE_HEADER 0x20,
// EVENT_TRACE_PROPERTIES 0x40).
var logFileModeRows = sync.OnceValue(func() []flagRow {
	values, _ := schema.LookupValues("log_file_mode")
	rows := make([]flagRow, len(values.Names))
	for i, n := range values.Names {
		rows[i] = flagRow{uint32(n.Value), n.Name}
	}
	return rows
})

// TimerSourceName names a HAL_PLATFORM_TIMER_SOURCE, or returns "" for a value without
// a name. See [TraceHeader.TimerSources].
func TimerSourceName(source uint64) string { return timerSources().Text(source) }

var timerSources = sync.OnceValue(func() *schema.Values {
	values, _ := schema.LookupValues("timer_source")
	return values
})

// masksText names the bits of a PERFINFO_GROUPMASK. Its first lines describe its form.
//
//go:embed masks.txt
var masksText string

// groupMaskRows returns the bits of a PERFINFO_GROUPMASK, by word.
var groupMaskRows = sync.OnceValue(func() [][]flagRow {
	rows, err := parseMasks(masksText)
	if err != nil {
		panic(err) // a test reads it
	}
	return rows
})

// parseMasks reads the names of bits in the form of masks.txt.
func parseMasks(text string) ([][]flagRow, error) {
	rows, number := make([][]flagRow, 8), 0
	for line := range strings.Lines(text) {
		number++
		if strings.HasPrefix(line, "#") {
			continue
		}
		var word uint
		var row flagRow
		if _, err := fmt.Sscanf(line, "%d %v %s\n", &word, &row.bit, &row.name); err != nil || word >= uint(len(rows)) {
			return nil, fmt.Errorf("masks.txt:%d: %q, want a word, a bit and its name", number, line)
		}
		rows[word] = append(rows[word], row)
	}
	return rows, nil
}

// bufferFlagRows names the bits of WMI_BUFFER_HEADER.BufferFlag (0x34).
// Documented in NTWMI.H only: phnt's ntwmi.h and Geoff Chappell's "BufferFlag
// In WMI_BUFFER_HEADER" agree. Observed in files: 0x01, 0x20, 0x40.
var bufferFlagRows = []flagRow{
	{0x0001, "ETW_BUFFER_FLAG_FLUSH_MARKER"},
	{0x0002, "ETW_BUFFER_FLAG_EVENTS_LOST"},
	{0x0004, "ETW_BUFFER_FLAG_BUFFER_LOST"},
	{0x0008, "ETW_BUFFER_FLAG_RTBACKUP_CORRUPT"},
	{0x0010, "ETW_BUFFER_FLAG_RTBACKUP"},
	{0x0020, "ETW_BUFFER_FLAG_PROC_INDEX"},
	{0x0040, "ETW_BUFFER_FLAG_COMPRESSED"},
}

// bufferTypeNames names WMI_BUFFER_HEADER.BufferType (0x36) by value. Same
// sources as bufferFlagRows; ETW_BUFFER_TYPE_MAXIMUM (8) is the number of
// types. Observed in files: 0 and 4.
var bufferTypeNames = [...]string{
	0: "ETW_BUFFER_TYPE_GENERIC",
	1: "ETW_BUFFER_TYPE_RUNDOWN",
	2: "ETW_BUFFER_TYPE_CTX_SWAP",
	3: "ETW_BUFFER_TYPE_REFTIME",
	4: "ETW_BUFFER_TYPE_HEADER",
	5: "ETW_BUFFER_TYPE_BATCHED",
	6: "ETW_BUFFER_TYPE_EMPTY_MARKER",
	7: "ETW_BUFFER_TYPE_DBG_INFO",
}

// clockTypeNames names TRACE_LOGFILE_HEADER.ReservedFlags by value. 1 to 3
// are documented (Wnode.ClientContext in the Microsoft documentation of
// WNODE_HEADER); 0 is EVENT_TRACE_CLOCK_RAW of NTWMI.H.
var clockTypeNames = [...]string{
	0: "Raw",
	1: "QPC",
	2: "SystemTime",
	3: "CPUCycle",
}

// LogFileModeNames names the bits that are set in a LogFileMode, lowest
// first, with the names of evntrace.h. A bit without a name appears as
// "0x40000000". Mode 0 (EVENT_TRACE_FILE_MODE_NONE) has no names.
func LogFileModeNames(mode uint32) []string {
	return appendFlagNames(nil, logFileModeRows(), mode, "0x%08x")
}

// GroupMaskNames names the bits that are set in the words of a
// PERFINFO_GROUPMASK, or of its beginning, word by word and lowest bit first:
// EVENT_TRACE_FLAG_ names for word 0, PERF_ names after it. A bit without a
// name appears as "0x08000000" in word 0, and as "0x00000004[4]" in word 4.
// Words past the eighth have no names.
func GroupMaskNames(masks []uint32) []string {
	var names []string
	for word, mask := range masks {
		unnamed := "0x%08x"
		if word > 0 {
			unnamed += fmt.Sprintf("[%d]", word)
		}
		var rows []flagRow
		if all := groupMaskRows(); word < len(all) {
			rows = all[word]
		}
		names = appendFlagNames(names, rows, mask, unnamed)
	}
	return names
}

// BufferFlagNames names the bits that are set in the BufferFlag of a buffer,
// lowest first. A bit without a name appears as "0x0080". A normal buffer (0)
// has no names.
func BufferFlagNames(flag uint16) []string {
	return appendFlagNames(nil, bufferFlagRows, uint32(flag), "0x%04x")
}

// BufferTypeName names the BufferType of a buffer. A value without a name
// appears as "0x0008".
func BufferTypeName(bufferType uint16) string {
	if int(bufferType) < len(bufferTypeNames) {
		return bufferTypeNames[bufferType]
	}
	return fmt.Sprintf("0x%04x", bufferType)
}

// ClockTypeName names the clock type of a trace: "QPC", "SystemTime",
// "CPUCycle", or "Raw" for 0. A value without a name appears as
// "0x00000004".
func ClockTypeName(clockType uint32) string {
	if uint64(clockType) < uint64(len(clockTypeNames)) {
		return clockTypeNames[clockType]
	}
	return fmt.Sprintf("0x%08x", clockType)
}

// ShortFlagName removes from a flag's name the prefix and suffix that all names of
// its kind share: EVENT_TRACE_FILE_MODE_SEQUENTIAL becomes SEQUENTIAL,
// EVENT_TRACE_SECURE_MODE becomes SECURE, PERF_DPC becomes DPC. Short names are
// unique in one flag word, not across the words of a group mask. Other text is
// returned unchanged.
func ShortFlagName(name string) string {
	for _, prefix := range [...]string{
		"EVENT_TRACE_FILE_MODE_", "EVENT_TRACE_FLAG_",
		"PERF_", "ETW_BUFFER_FLAG_", "ETW_BUFFER_TYPE_",
	} {
		if short, ok := strings.CutPrefix(name, prefix); ok {
			return short
		}
	}
	if short, ok := strings.CutPrefix(name, "EVENT_TRACE_"); ok {
		return strings.TrimSuffix(short, "_MODE")
	}
	return name
}

// appendFlagNames appends a name for each bit of flags, lowest first: the name in
// the bit's row, or else the bit itself in the format unnamed.
func appendFlagNames(names []string, rows []flagRow, flags uint32, unnamed string) []string {
	for flags != 0 {
		bit := flags & -flags
		flags &^= bit
		for len(rows) > 0 && rows[0].bit < bit {
			rows = rows[1:]
		}
		if len(rows) > 0 && rows[0].bit == bit {
			names = append(names, rows[0].name)
		} else {
			names = append(names, fmt.Sprintf(unnamed, bit))
		}
	}
	return names
}
