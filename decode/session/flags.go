package session

import (
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
var logFileModeRows = flagRowsOf("log_file_mode")

// TimerSourceName names a HAL_PLATFORM_TIMER_SOURCE, or returns "" for a value without
// a name. See [TraceHeader.TimerSources].
func TimerSourceName(source uint64) string { return timerSources().Text(source) }

var timerSources = sync.OnceValue(func() *schema.Values {
	values, _ := schema.LookupValues("timer_source")
	return values
})

// flagRowsOf returns the rows of a table of package schema.
func flagRowsOf(name string) []flagRow {
	values, _ := schema.LookupValues(name)
	rows := make([]flagRow, len(values.Names))
	for i, n := range values.Names {
		rows[i] = flagRow{uint32(n.Value), n.Name}
	}
	return rows
}

// groupMaskRows names the bits of a PERFINFO_GROUPMASK, by word. A PERF_ constant of NTWMI.H holds
// the index of its word in the top three bits. The rows here hold only the bit: PERF_SYNC_OBJECTS =
// 0x20020000 is bit 0x00020000 of word 1.
//
// Word 0 is documented (EVENT_TRACE_FLAG_* of evntrace.h in the Windows SDK);
// its bit 0x08000000 has no known use. The other words are not documented:
// the names are those of NTWMI.H, which Microsoft published with the Windows
// 10 and 1511 WDKs, as given by phnt's ntwmi.h and by Geoff Chappell's
// "PERFINFO_GROUPMASK"; the two agree on every row. PERF_POOLTRACE,
// PERF_PROFILING, PERF_SPININSTR and PERF_SYSCFG_ALL are not rows, because they
// are not single bits. PERF_SESSION is also called PERF_PFSECTION.
var groupMaskRows = [8][]flagRow{
	0: {
		{0x00000001, "EVENT_TRACE_FLAG_PROCESS"},
		{0x00000002, "EVENT_TRACE_FLAG_THREAD"},
		{0x00000004, "EVENT_TRACE_FLAG_IMAGE_LOAD"},
		{0x00000008, "EVENT_TRACE_FLAG_PROCESS_COUNTERS"},
		{0x00000010, "EVENT_TRACE_FLAG_CSWITCH"},
		{0x00000020, "EVENT_TRACE_FLAG_DPC"},
		{0x00000040, "EVENT_TRACE_FLAG_INTERRUPT"},
		{0x00000080, "EVENT_TRACE_FLAG_SYSTEMCALL"},
		{0x00000100, "EVENT_TRACE_FLAG_DISK_IO"},
		{0x00000200, "EVENT_TRACE_FLAG_DISK_FILE_IO"},
		{0x00000400, "EVENT_TRACE_FLAG_DISK_IO_INIT"},
		{0x00000800, "EVENT_TRACE_FLAG_DISPATCHER"},
		{0x00001000, "EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS"},
		{0x00002000, "EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS"},
		{0x00004000, "EVENT_TRACE_FLAG_VIRTUAL_ALLOC"},
		{0x00008000, "EVENT_TRACE_FLAG_VAMAP"},
		{0x00010000, "EVENT_TRACE_FLAG_NETWORK_TCPIP"},
		{0x00020000, "EVENT_TRACE_FLAG_REGISTRY"},
		{0x00040000, "EVENT_TRACE_FLAG_DBGPRINT"},
		{0x00080000, "EVENT_TRACE_FLAG_JOB"},
		{0x00100000, "EVENT_TRACE_FLAG_ALPC"},
		{0x00200000, "EVENT_TRACE_FLAG_SPLIT_IO"},
		{0x00400000, "EVENT_TRACE_FLAG_DEBUG_EVENTS"},
		{0x00800000, "EVENT_TRACE_FLAG_DRIVER"},
		{0x01000000, "EVENT_TRACE_FLAG_PROFILE"},
		{0x02000000, "EVENT_TRACE_FLAG_FILE_IO"},
		{0x04000000, "EVENT_TRACE_FLAG_FILE_IO_INIT"},
		{0x10000000, "EVENT_TRACE_FLAG_NO_SYSCONFIG"},
		{0x20000000, "EVENT_TRACE_FLAG_ENABLE_RESERVE"},
		{0x40000000, "EVENT_TRACE_FLAG_FORWARD_WMI"},
		{0x80000000, "EVENT_TRACE_FLAG_EXTENSION"},
	},
	1: {
		{0x00000001, "PERF_MEMORY"},
		{0x00000002, "PERF_PROFILE"},
		{0x00000004, "PERF_CONTEXT_SWITCH"},
		{0x00000008, "PERF_FOOTPRINT"},
		{0x00000010, "PERF_DRIVERS"},
		{0x00000020, "PERF_REFSET"},
		{0x00000040, "PERF_POOL"},
		{0x00000080, "PERF_DPC"},
		{0x00000100, "PERF_COMPACT_CSWITCH"},
		{0x00000200, "PERF_DISPATCHER"},
		{0x00000400, "PERF_PMC_PROFILE"},
		{0x00000800, "PERF_PROCESS_INSWAP"},
		{0x00001000, "PERF_AFFINITY"},
		{0x00002000, "PERF_PRIORITY"},
		{0x00004000, "PERF_INTERRUPT"},
		{0x00008000, "PERF_VIRTUAL_ALLOC"},
		{0x00010000, "PERF_SPINLOCK"},
		{0x00020000, "PERF_SYNC_OBJECTS"},
		{0x00040000, "PERF_DPC_QUEUE"},
		{0x00080000, "PERF_MEMINFO"},
		{0x00100000, "PERF_CONTMEM_GEN"},
		{0x00200000, "PERF_SPINLOCK_CNTRS"},
		{0x00400000, "PERF_SESSION"},
		{0x00800000, "PERF_MEMINFO_WS"},
		{0x01000000, "PERF_KERNEL_QUEUE"},
		{0x02000000, "PERF_INTERRUPT_STEER"},
		{0x04000000, "PERF_SHOULD_YIELD"},
		{0x08000000, "PERF_WS"},
	},
	2: {
		{0x00000001, "PERF_ANTI_STARVATION"},
		{0x00000002, "PERF_PROCESS_FREEZE"},
		{0x00000004, "PERF_PFN_LIST"},
		{0x00000008, "PERF_WS_DETAIL"},
		{0x00000010, "PERF_WS_ENTRY"},
		{0x00000020, "PERF_HEAP"},
		{0x00000040, "PERF_SYSCALL"},
		{0x00000080, "PERF_UMS"},
		{0x00000100, "PERF_BACKTRACE"},
		{0x00000200, "PERF_VULCAN"},
		{0x00000400, "PERF_OBJECTS"},
		{0x00000800, "PERF_EVENTS"},
		{0x00001000, "PERF_FULLTRACE"},
		{0x00002000, "PERF_DFSS"},
		{0x00004000, "PERF_PREFETCH"},
		{0x00008000, "PERF_PROCESSOR_IDLE"},
		{0x00010000, "PERF_CPU_CONFIG"},
		{0x00020000, "PERF_TIMER"},
		{0x00040000, "PERF_CLOCK_INTERRUPT"},
		{0x00080000, "PERF_LOAD_BALANCER"},
		{0x00100000, "PERF_CLOCK_TIMER"},
		{0x00200000, "PERF_IDLE_SELECTION"},
		{0x00400000, "PERF_IPI"},
		{0x00800000, "PERF_IO_TIMER"},
		{0x01000000, "PERF_REG_HIVE"},
		{0x02000000, "PERF_REG_NOTIF"},
		{0x04000000, "PERF_PPM_EXIT_LATENCY"},
		{0x08000000, "PERF_WORKER_THREAD"},
	},
	3: {}, // no constant is known
	4: {
		{0x00000001, "PERF_OPTICAL_IO"},
		{0x00000002, "PERF_OPTICAL_IO_INIT"},
		{0x00000008, "PERF_DLL_INFO"},
		{0x00000010, "PERF_DLL_FLUSH_WS"},
		{0x00000040, "PERF_OB_HANDLE"},
		{0x00000080, "PERF_OB_OBJECT"},
		{0x00000200, "PERF_WAKE_DROP"},
		{0x00000400, "PERF_WAKE_EVENT"},
		{0x00000800, "PERF_DEBUGGER"},
		{0x00001000, "PERF_PROC_ATTACH"},
		{0x00002000, "PERF_WAKE_COUNTER"},
		{0x00008000, "PERF_POWER"},
		{0x00010000, "PERF_SOFT_TRIM"},
		{0x00020000, "PERF_CC"},
		{0x00080000, "PERF_FLT_IO_INIT"},
		{0x00100000, "PERF_FLT_IO"},
		{0x00200000, "PERF_FLT_FASTIO"},
		{0x00400000, "PERF_FLT_IO_FAILURE"},
		{0x00800000, "PERF_HV_PROFILE"},
		{0x01000000, "PERF_WDF_DPC"},
		{0x02000000, "PERF_WDF_INTERRUPT"},
		{0x04000000, "PERF_CACHE_FLUSH"},
	},
	5: {
		{0x00000001, "PERF_HIBER_RUNDOWN"},
	},
	6: {
		{0x00000001, "PERF_SYSCFG_SYSTEM"},
		{0x00000002, "PERF_SYSCFG_GRAPHICS"},
		{0x00000004, "PERF_SYSCFG_STORAGE"},
		{0x00000008, "PERF_SYSCFG_NETWORK"},
		{0x00000010, "PERF_SYSCFG_SERVICES"},
		{0x00000020, "PERF_SYSCFG_PNP"},
		{0x00000040, "PERF_SYSCFG_OPTICAL"},
	},
	7: { // these bits change how the system behaves; they select no events
		{0x00000001, "PERF_CLUSTER_OFF"},
		{0x00000002, "PERF_MEMORY_CONTROL"},
	},
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
	return appendFlagNames(nil, logFileModeRows, mode, "0x%08x")
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
		if word < len(groupMaskRows) {
			rows = groupMaskRows[word]
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
