package fleets

import (
	"encoding/binary"
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// logNames are kinds of log. Further ones get a number.
var logNames = []string{"boot", "service", "network", "update", "audio", "storage", "print", "browser"}

// The parts of the names of providers and of kinds. All are made up.
var (
	parts = []string{"Loader", "Broker", "Cache", "Store", "Router", "Monitor", "Agent", "Driver", "Policy", "Session", "Queue", "Index"}
	verbs = []string{"Open", "Close", "Read", "Write", "Check", "Load", "Send", "Receive", "Find", "Apply", "Update", "Queue", "Reset", "Map"}
	nouns = []string{"Item", "Package", "Channel", "Request", "Device", "Profile", "Setting", "Block", "Token", "Link", "Volume", "Page"}
)

const (
	kindsPerProvider = 30 // at most; verbs and nouns make more names
	leastProviders   = 4  // of a log
)

// builds of Windows. Further ones are consecutive.
var builds = []uint32{19045, 22621, 22631, 26100}

var (
	speeds     = []uint32{2100, 2400, 2592, 3000, 3600}
	processors = []int{2, 4, 8}
)

// process is a process that runs in each boot. Their ids differ between boots.
type process struct{ name, command string }

var processes = []process{
	{"Idle", ""},
	{"System", ""},
	{"made-init.exe", `C:\Made\made-init.exe`},
	{"made-host.exe", `C:\Made\made-host.exe -k group1`},
	{"made-host.exe", `C:\Made\made-host.exe -k group2`},
	{"made-shell.exe", `C:\Made\made-shell.exe`},
	{"made-agent.exe", `C:\Made\made-agent.exe /quiet`},
	{"made-tool.exe", `"C:\Made Tools\made-tool.exe" --all`},
}

// firstLogging is the first of the processes that log events.
const firstLogging = 2

// fieldType is a type of field. The numbers of types are the same in TraceLogging and in
// TRACE_EVENT_INFO, those of out-types differ.
type fieldType struct {
	name      string
	in        uint8
	logOut    uint8  // of TraceLogging
	infoOut   uint16 // of TRACE_EVENT_INFO
	appending func(dst []byte, s stream) []byte
}

// statusField begins the fields of errors; its value is the code.
var statusField = fieldType{name: "Status", in: 8, logOut: 14, infoOut: 31}

var fieldTypes = []fieldType{
	{"Count", 8, 0, 0, func(b []byte, s stream) []byte { return le.AppendUint32(b, uint32(s.below(100))) }},
	{"Bytes", 10, 0, 0, func(b []byte, s stream) []byte { return le.AppendUint64(b, 512*uint64(s.below(1<<12))) }},
	{"Path", 1, 0, 0, func(b []byte, s stream) []byte {
		return etltest.AppendString16(b, fmt.Sprintf(`C:\Made\%s\file%02d.dat`, pick(s, parts), s.below(40)))
	}},
	{"Detail", 1, 0, 0, func(b []byte, s stream) []byte {
		return etltest.AppendString16(b, fmt.Sprintf("%s of %s %d by %s", pick(s, verbs), pick(s, nouns), s.below(100), pick(s, parts)))
	}},
	{"Changed", 17, 0, 0, func(b []byte, s stream) []byte {
		return le.AppendUint64(b, uint64(etltest.FileTime(firstDay))-uint64(s.below64(1e15)))
	}},
	{"Owner", 2, 0, 0, func(b []byte, s stream) []byte { return etltest.AppendString8(b, "made-"+pick(s, nouns)) }},
	{"Key", 15, 0, 0, func(b []byte, s stream) []byte {
		g := etltest.GUID{0: byte(s.below(50)), 15: 0xf1}
		return append(b, g[:]...)
	}},
	{"Enabled", 13, 0, 0, func(b []byte, s stream) []byte { return le.AppendUint32(b, uint32(s.below(2))) }},
	{"Priority", 4, 0, 0, func(b []byte, s stream) []byte { return append(b, byte(s.below(32))) }},
	{"Change", 9, 0, 0, func(b []byte, s stream) []byte { return le.AppendUint64(b, uint64(s.between(-5000, 5000))) }},
	{"Flags", 20, 0, 0, func(b []byte, s stream) []byte { return le.AppendUint32(b, 1<<s.below(20)) }},
	{"Port", 6, 7, 22, func(b []byte, s stream) []byte {
		return binary.BigEndian.AppendUint16(b, pick(s, []uint16{53, 80, 443, 8080}))
	}},
	{"Address", 8, 8, 23, func(b []byte, s stream) []byte { return append(b, 192, 0, 2, byte(s.between(1, 254))) }}, // TEST-NET-1
	{"Share", 12, 0, 0, func(b []byte, s stream) []byte {
		return le.AppendUint64(b, 0x3ff0000000000000|uint64(s.below(256))<<44)
	}},
}

// statuses are codes of errors.
var statuses = []struct {
	code    uint32
	meaning string
}{
	{0xc0000022, "STATUS_ACCESS_DENIED"},
	{0xc0000034, "STATUS_OBJECT_NAME_NOT_FOUND"},
	{0xc00000b5, "STATUS_IO_TIMEOUT"},
	{0xc0000043, "STATUS_SHARING_VIOLATION"},
	{0xc000009a, "STATUS_INSUFFICIENT_RESOURCES"},
	{0xc000020d, "STATUS_CONNECTION_RESET"},
	{0xc000007f, "STATUS_DISK_FULL"},
	{0xc0000225, "STATUS_NOT_FOUND"},
}
