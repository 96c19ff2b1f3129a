package interop_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/schema"
)

// kernelLists is the row of the trace.
var kernelLists = []list{{"traces", []string{"time_zone_bias"}}}

// kernelViews are the views that add values to an event's table.
var kernelViews = map[string]string{
	"DiskIo/Read": "disk_io", "DiskIo/Write": "disk_io", "DiskIo/FlushBuffers": "disk_io", "PerfInfo/SampleProf": "cpu_samples",
}

// kernelTables maps the oracle's names of events to tables, where they differ.
var kernelTables = map[string]string{
	"EventTrace":                 "EventTrace/Header",
	"EventTrace/RundownComplete": "EventTrace/RDComplete",
	"Image/DCStop":               "Image/DCEnd",
	"Image/Unload":               "Image/UnLoad",
	"ImageID":                    "ImageID/Info",
	"Memory/HardFault":           "PageFault/HardFault",
	"MetaData/EventInfo":         "EventMetadata/EventInfo",
	"MetaData/EventMapInfo":      "EventMetadata/MapInfo",
	"PerfInfo/Sample":            "PerfInfo/SampleProf",
	"Process/DCStop":             "Process/DCEnd",
	"Process/Stop":               "Process/End",
	"SysConfig/Opcode(37)":       "SysConfig/Unknown37",
	"TcpIp/Accept":               "TcpIp/AcceptIPV4",
	"TcpIp/Disconnect":           "TcpIp/DisconnectIPV4",
	"TcpIp/Recv":                 "TcpIp/RecvIPV4",
	"TcpIp/Send":                 "TcpIp/SendIPV4",
	"Thread/Stop":                "Thread/End",
	"UdpIp/Recv":                 "UdpIp/RecvIPV4",
	"UdpIp/Send":                 "UdpIp/SendIPV4",
}

func kernelTable(event string) string {
	if table := kernelTables[event]; table != "" {
		return table
	}
	if task, name, _ := strings.Cut(event, "/"); task == "DiskIO" {
		return "DiskIo/" + name
	}
	return event
}

func isKernel(provider string) bool {
	return provider == "Windows Kernel" || provider == "KernelTraceControl" || provider == "MSNT_SystemTrace"
}

// notCounted has the tables whose events the oracle omits, and the reason
// (../../shared/oracles/README.md).
var notCounted = map[string]string{
	"EventTrace/PartitionInfoExtension": "MSNT_SystemTrace except two",
	"FileIo/FileCreate":                 "FileIo name rundown",
	"FileIo/FileDelete":                 "FileIo name rundown",
	"FileIo/FileRundown":                "FileIo name rundown",
	"Image/HypercallPage":               "MSNT_SystemTrace except two",
	"StackWalk/KeyDelete":               "StackWalk",
	"StackWalk/KeyRundown":              "StackWalk",
	"StackWalk/Stack":                   "StackWalk",
	"StackWalk/StackKeyKernel":          "StackWalk",
	"StackWalk/StackKeyUser":            "StackWalk",
	"SystemConfig/DPI":                  "MSNT_SystemTrace except two",
	"SystemConfig/OpticalDisk":          "MSNT_SystemTrace except two",
	"Thread/DCEnd":                      "Thread DCStart/DCStop",
	"Thread/DCStart":                    "Thread DCStart/DCStop",
}

// countedOnly has, for tables of which the oracle omits some events, a condition for the
// counted ones: samples of the idle thread count only in DPCs and ISRs.
var countedOnly = map[string]string{"PerfInfo/SampleProf": "payload_thread_id <> 0 OR flags & 3 <> 0"}

// TestKernelOracle compares the event tables with what Windows and PerfView decoded from
// the same payloads: each field of each line, and the number of events of each kind.
func TestKernelOracle(t *testing.T) {
	o := &oracle{
		covers:  isKernel,
		place:   func(_, _, event string) place { return place{Table: kernelTable(event)} },
		part:    countedOnly,
		rules:   kernelRules,
		value:   kernelValue,
		own:     func(table string) bool { return kernelFields[table] != nil },
		leftOut: notCounted,
		lists:   kernelLists,
		views:   kernelViews,
	}
	o.run(t, []oracleTrace{{"net.4.5.2.x86", 199, 1327}, {"gcevents", 1, 21}, {"primitive-types", 1, 21}})
}

// kernelRules has the rules for values that the oracle misreads. The bytes of the
// payloads, with 8-byte pointers:
//
//	ImageID, line 16     0000717700000000 0000701500000000 04000000 7aae1050 ...
//	                     ImageBase        ImageSize        ProcessId TimeDateStamp
//	                     ProcessID printed as 0, in a line whose PID is 4.
//	Thread, line 87      from 40: ff00000000000000 e0a033d0f9070000
//	                     Affinity of 8 processors, Win32StartAddr: Thread_V3 has
//	                     Affinity in the place of StartAddr of Thread_V2.
//	UdpIp, line 154      3c080000 87010000 0a80004d 0a800037 faae 076c 00000000 ...
//	                     PID      size     daddr    saddr    dport sport seqnum
//	                     context 0x1870000083c is the first 8 bytes, dsize those at 22.
//	Image, line 169      from 24: 82fc1699: TimeDateStamp, printed as -1,726,546,814,
//	                     in the same line as the build time 2051-05-23, which is unsigned.
//	Process, line 13     from 16: ffffffff: SessionId, uint32 in MOF, printed as -1.
//	NIC, line 453        00000000000000e0 08000000: 8 bytes of a hardware address,
//	                     printed as -2,305,843,009,213,6...
//	Network, line 11     from 4: ffffffff: MaxHashTableSize, uint32 in MOF, printed as -1.
var kernelRules = rules{
	"EventTrace": {
		"SessionName": column("session_name_string"),
		"LogFileName": column("log_file_name_string"),
		"UtcOffsetMinutes": computed("time_zone_bias of traces", func(c *comparison, _ eventRow) string {
			return grouped(int64(c.Lists[0][0].number("time_zone_bias")))
		}),
	},
	"SysConfig": {"Value": column("volume_name")},
	"Process": {
		"PageDirectoryBase": column("directory_table_base"),
		"Flags":             spelled("flags_text", processFlags),
		"MemoryCount":       column("page_fault_count"),
	},
	"ImageID": {
		"BuildTime": buildTime,
		"ProcessID": {how: misread, reason: "ImageID.ProcessID is always 0; ours is the PID of the line", text: func(_ *comparison, r eventRow, l *oracleLine) string {
			if id := int64(r.number("payload_process_id")); id != l.PID {
				return fmt.Sprintf("ours is %d, the PID is %d", id, l.PID)
			}
			return "0"
		}},
	},
	"Image": {
		"BuildTime": buildTime,
		"ImageSize": {how: direct, reason: "of the same name", text: func(_ *comparison, r eventRow, _ *oracleLine) string {
			return grouped(int64(r.number("image_size")))
		}},
		"FileName": file,
	},
	"PerfInfo": {
		"ProcessorNumber": column("processor"),
		"Priority":        computed("bits of flags", func(_ *comparison, r eventRow) string { return grouped(int64(r.number("flags") >> 3)) }),
		"ExecutingDPC":    computed("of the view cpu_samples", func(_ *comparison, r eventRow) string { return boolNames[r.text("cpu_samples.in_dpc")] }),
		"ExecutingISR":    computed("of the view cpu_samples", func(_ *comparison, r eventRow) string { return boolNames[r.text("cpu_samples.in_isr")] }),
		"SampleSource":    column("source"),
	},
	"DiskIO": {
		"IrpFlags":        spelled("irp_flags_text", irpFlags),
		"Priority":        computed("a name beside its number", func(_ *comparison, r eventRow) string { return r.text("irp_priority_text") }),
		"ElapsedTimeMSec": diskTime,
		// The library considers the earlier end of another request, but only for
		// traces in its own format (DiskIOTraceData).
		"DiskServiceTimeMSec": diskTime,
		"FileKey":             column("file_object"),
		"FileName":            file,
	},
	"Memory": {
		"ElapsedTimeMSec": computed("ms from initial_time_ns to time_ns", func(_ *comparison, r eventRow) string {
			return milliseconds(big.NewRat(int64(r.number("time_ns")-r.number("initial_time_ns")), 1e9))
		}),
		"FileKey":  column("file_object"),
		"FileName": file,
	},
	"Thread": {
		"StartAddr":  misreads("Thread.StartAddr is Affinity since version 3", func(r eventRow) string { return address(r.number("affinity")) }),
		"ThreadName": computed("empty before version 4", func(_ *comparison, r eventRow) string { return r.text("thread_name") }),
	},
	"Thread/Start": {
		"ParentThreadID":  column("header_thread_id"),
		"ParentProcessID": column("header_process_id"),
	},
	"Thread/Stop": {
		"ParentThreadID":  notCompared("Thread/Stop.Parent...ID: -1, no value"),
		"ParentProcessID": notCompared("Thread/Stop.Parent...ID: -1, no value"),
	},
	"UdpIp": {
		"context": misreads("UdpIp.context, of version 0, is pid and size", func(r eventRow) string { return address(r.number("size")<<32 | r.number("pid")) }),
		"dsize":   misreads("UdpIp.dsize, of version 0, is the high half of seqnum", func(r eventRow) string { return grouped(int64(r.number("seqnum") >> 16)) }),
	},
	"SystemConfig/Services": {
		"ProcessName": computed("process_name, without .exe", func(_ *comparison, r eventRow) string { return strings.TrimSuffix(r.text("process_name"), ".exe") }),
	},
}

var (
	buildTime = computed("time from time_date_stamp", func(_ *comparison, r eventRow) string {
		return timeText(time.Unix(int64(r.number("time_date_stamp")), 0))
	})
	diskTime = computed("ms from the ns of the view disk_io", func(_ *comparison, r eventRow) string {
		return milliseconds(big.NewRat(int64(r.number("disk_io.disk_ns")), 1e9))
	})
)

// The library's words for Microsoft's names. Where a bit of an IRP has two names, it uses
// the other one.
var (
	processFlags = map[string]string{"ETW_PROCESS_EVENT_FLAG_WOW64": "Wow64", "ETW_PROCESS_EVENT_FLAG_PROTECTED": "Protected"}
	irpFlags     = map[string]string{"IRP_NOCACHE": "Nocache", "IRP_PAGING_IO": "MountCompletion", "IRP_SYNCHRONOUS_PAGING_IO": "InputOperation"}
)

// kernelFields has the kinds of the fields of each table, by column.
var kernelFields = func() map[string]map[string]schema.Kind {
	tables := make(map[string]map[string]schema.Kind)
	for _, group := range schema.Kernel() {
		for i := range group {
			table := group[i].Class + "/" + group[i].Table
			if tables[table] == nil {
				tables[table] = make(map[string]schema.Kind)
			}
			for _, f := range group[i].Fields {
				// The latest of several versions has the plain name.
				if old := tables[table][f.Name]; old == 0 || f.Before == 0 {
					tables[table][f.Name] = f.Kind
				}
			}
		}
	}
	return tables
}()

// kernelValue prints a column of a kernel table.
func kernelValue(_ *comparison, table, column string, r eventRow) string {
	n := r.number(column)
	switch kernelFields[table][strings.TrimPrefix(column, "payload_")] {
	case schema.Pointer:
		return address(n)
	case schema.FileTime:
		return timeText(time.UnixMicro(int64(n)))
	case schema.U32: // the library uses int
		return grouped(int64(int32(n)))
	case schema.U8, schema.I8, schema.U16, schema.I16, schema.I32, schema.I64, schema.Port, schema.U64, schema.Size, 0:
		return grouped(int64(n))
	}
	return r.text(column)
}
