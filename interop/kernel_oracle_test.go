package interop_test

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
)

// kernelLine is a line of ../../shared/oracles/perfview about a kernel event
// or one that the merge tools write.
type kernelLine struct {
	perfViewLine
	Fields [][2]string // name, text
	Counts map[string]int
}

// kernelRow is a row of an event table: values as text, null as nil.
type kernelRow map[string]*string

// kernelTrace is what an independent reader finds in the event tables of a trace.
type kernelTrace struct {
	Rows     [][]kernelRow // per line
	Counts   map[string]int
	Filtered map[string]int
	Lists    [][]kernelRow
}

// The lists that names are resolved with.
var kernelLists = []struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}{
	{"SysConfig/VolumeMapping", []string{"nt_path", "dos_path"}},
	{"FileIo/FileCreate", []string{"time_ns", "file_object", "file_name"}},
	{"FileIo/FileRundown", []string{"time_ns", "file_object", "file_name"}},
	{"Process/DCStart", []string{"payload_process_id", "image_file_name"}},
	{"EventTrace/Header", []string{"perf_freq"}},
}

const (
	listVolumes = iota
	listFileCreate
	listFileRundown
	listProcesses
	listHeader
)

// kernelTables has the tables of the events that the oracle calls otherwise.
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

// notCounted has the tables whose events the oracle leaves out, and why
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

// countedOnly has, of tables of which the oracle leaves out some events, a
// condition for the others: samples of the idle thread count in DPCs and ISRs.
var countedOnly = map[string]string{"PerfInfo/SampleProf": "payload_thread_id <> 0 OR flags & 3 <> 0"}

// TestKernelOracle compares the event tables with what Windows and PerfView
// decoded from the same payloads: each field of each line, and how many events
// there are of each kind.
func TestKernelOracle(t *testing.T) {
	python := interop.NewPython(t)
	root := realDataset(t)
	oracles := []struct {
		trace         string
		lines, fields int
	}{
		{trace: "net.4.5.2.x86", lines: 199, fields: 1327},
		{trace: "gcevents", lines: 1, fields: 21},
		{trace: "primitive-types", lines: 1, fields: 21},
	}
	type key struct {
		Table     string `json:"table"`
		US        int64  `json:"us"`
		Processor int64  `json:"processor"`
		Size      int64  `json:"size"`
	}
	type lookup struct {
		Trace string `json:"trace"`
		Keys  []key  `json:"keys"`
	}
	var lookups []lookup
	lines := make([][]kernelLine, len(oracles))
	counts := make([]map[string]int, len(oracles))
	for i := range oracles {
		l := lookup{Trace: oracles[i].trace}
		for _, line := range readLines[kernelLine](t, "perfview/"+oracles[i].trace+".baseline.jsonl") {
			switch {
			case line.Counts != nil:
				counts[i] = line.Counts
			case isKernel(line.Provider):
				lines[i] = append(lines[i], line)
				l.Keys = append(l.Keys, key{kernelTable(line.Event), int64(math.Round(*line.MS * 1000)), line.Processor, line.Size})
			}
		}
		lookups = append(lookups, l)
	}
	var answer struct{ Traces []kernelTrace }
	python.Run(t, "kernel_rows.py", map[string]any{"root": root, "traces": lookups, "lists": kernelLists, "filters": countedOnly}, &answer)
	for i, o := range oracles {
		t.Run(o.trace, func(t *testing.T) {
			c := newKernelComparison(t, &answer.Traces[i])
			for j := range lines[i] {
				c.line(t, &lines[i][j], answer.Traces[i].Rows[j])
			}
			t.Logf("SCORE lines found in the table of their event %d/%d", c.found, o.lines)
			t.Logf("SCORE fields equal %d/%d compared, of %d (%d that the oracle cuts at 20 characters)", c.equal, c.compared, c.fields, c.cut)
			for _, k := range slices.SortedFunc(maps.Keys(c.by), func(a, b outcome) int {
				return strings.Compare(a.how.String()+a.reason, b.how.String()+b.reason)
			}) {
				t.Logf("SCORE %v: %4d %s", k.how, c.by[k], k.reason)
			}
			if c.found != o.lines || c.fields != o.fields {
				t.Errorf("%d lines with %d fields, want %d with %d", c.found, c.fields, o.lines, o.fields)
			}
			compareKernelCounts(t, counts[i], &answer.Traces[i])
		})
	}
}

func compareKernelCounts(t *testing.T, want map[string]int, trace *kernelTrace) {
	var compared, equal int
	seen := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		provider, event, _ := strings.Cut(name, "/")
		if !isKernel(provider) {
			continue
		}
		table := kernelTable(event)
		seen[table] = true
		got := trace.Counts[table]
		if condition := countedOnly[table]; condition != "" {
			t.Logf("SCORE events: of the %d of %s the oracle counts those with %s", got, table, condition)
			got = trace.Filtered[table]
		}
		compared++
		if got == want[name] {
			equal++
		} else {
			t.Errorf("%s: %d rows, want %d of %s", table, got, want[name], name)
		}
	}
	t.Logf("SCORE counts equal %d/%d", equal, compared)
	for _, table := range slices.Sorted(maps.Keys(trace.Counts)) {
		if seen[table] || kernelFields[table] == nil {
			continue
		}
		reason := notCounted[table]
		if reason == "" {
			t.Errorf("%s: %d rows, and the oracle counts none", table, trace.Counts[table])
			continue
		}
		t.Logf("SCORE counts left out by the oracle: %6d %s (%s)", trace.Counts[table], table, reason)
	}
}

// how says what a field of a line is compared with.
type how uint8

const (
	direct   how = iota // a column
	derived             // computed from columns, as the library does from the payload
	misread             // the oracle is wrong: what it makes of the bytes, from our columns
	notInRow            // not compared: the payload does not say it
)

func (h how) String() string {
	return [...]string{"fields equal: column", "fields equal: computed", "fields equal: the oracle misreads, as the bytes show", "fields not compared"}[h]
}

// outcome is a reason to count fields by.
type outcome struct {
	how    how
	reason string
}

// rule is how a field of the oracle follows from a row.
type rule struct {
	how    how
	reason string
	text   func(*kernelComparison, kernelRow, *kernelLine) string
}

// column is the rule for a field with another name than ours.
func column(names string) rule {
	return rule{direct, "of another name", func(c *kernelComparison, r kernelRow, l *kernelLine) string {
		return c.columnText(kernelTable(l.Event), names, r)
	}}
}

func computed(reason string, text func(*kernelComparison, kernelRow) string) rule {
	return rule{derived, reason, func(c *kernelComparison, r kernelRow, _ *kernelLine) string { return text(c, r) }}
}

func misreads(reason string, text func(kernelRow) string) rule {
	return rule{misread, reason, func(_ *kernelComparison, r kernelRow, _ *kernelLine) string { return text(r) }}
}

// kernelRules are by event, or task, and field. All other fields have a column
// of the same name, but for case and underscores. What the oracle misreads, in
// bytes of payloads with 8-byte pointers:
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
var kernelRules = map[string]map[string]rule{
	"EventTrace": {
		"SessionName": column("session_name_string"),
		"LogFileName": column("log_file_name_string"),
		"UtcOffsetMinutes": computed("Bias, the first 4 bytes of time_zone_information", func(c *kernelComparison, r kernelRow) string {
			zone, err := hex.DecodeString(r.text("time_zone_information"))
			if err != nil || len(zone) != 172 && len(zone) != 176 {
				return fmt.Sprintf("%d bytes, %v", len(zone), err)
			}
			return grouped(int64(int32(uint32(zone[0]) | uint32(zone[1])<<8 | uint32(zone[2])<<16 | uint32(zone[3])<<24)))
		}),
	},
	"SysConfig": {"Value": column("volume_name")},
	"Process": {
		"PageDirectoryBase": column("directory_table_base"),
		"Flags":             computed("names of bits", func(_ *kernelComparison, r kernelRow) string { return flagText(r.number("flags"), processFlags) }),
		"MemoryCount":       column("page_fault_count"),
	},
	"ImageID": {
		"BuildTime": buildTime,
		"ProcessID": {misread, "ImageID.ProcessID is always 0; ours is the PID of the line", func(_ *kernelComparison, r kernelRow, l *kernelLine) string {
			if id := int64(r.number("payload_process_id")); id != l.PID {
				return fmt.Sprintf("ours is %d, the PID is %d", id, l.PID)
			}
			return "0"
		}},
	},
	"Image": {
		"BuildTime": buildTime,
		"ImageSize": {direct, "of the same name", func(_ *kernelComparison, r kernelRow, _ *kernelLine) string {
			return grouped(int64(r.number("image_size")))
		}},
		"FileName": computed("DOS path, by SysConfig/VolumeMapping", func(c *kernelComparison, r kernelRow) string { return c.dosPath(r.text("file_name")) }),
	},
	"PerfInfo": {
		"ProcessorNumber": column("processor"),
		"Priority":        computed("bits of flags", func(_ *kernelComparison, r kernelRow) string { return grouped(int64(r.number("flags") >> 3)) }),
		"ExecutingDPC":    computed("bits of flags", func(_ *kernelComparison, r kernelRow) string { return boolText(r.number("flags")&1 != 0) }),
		"ExecutingISR":    computed("bits of flags", func(_ *kernelComparison, r kernelRow) string { return boolText(r.number("flags")&2 != 0) }),
		"SampleSource":    column("source"),
	},
	"DiskIO": {
		"IrpFlags": computed("names of bits", func(_ *kernelComparison, r kernelRow) string {
			return flagText(r.number("irp_flags")&^(7<<17), irpFlags)
		}),
		"Priority": computed("names of bits", func(_ *kernelComparison, r kernelRow) string { return ioPriorities[r.number("irp_flags")>>17&7] }),
		"ElapsedTimeMSec": computed("ms from ticks", func(c *kernelComparison, r kernelRow) string {
			return milliseconds(new(big.Rat).SetFrac(new(big.Int).SetUint64(r.number("high_res_response_time")), big.NewInt(c.frequency)))
		}),
		// The library takes the earlier end of another request into account,
		// but only of traces in its own format (DiskIOTraceData).
		"DiskServiceTimeMSec": computed("ms from ticks", func(c *kernelComparison, r kernelRow) string {
			return milliseconds(new(big.Rat).SetFrac(new(big.Int).SetUint64(r.number("high_res_response_time")), big.NewInt(c.frequency)))
		}),
		"FileKey":  column("file_object"),
		"FileName": fileName,
	},
	"Memory": {
		"ElapsedTimeMSec": computed("ms from ticks", func(_ *kernelComparison, r kernelRow) string {
			return milliseconds(big.NewRat(int64(r.number("time_ns")-r.number("initial_time_ns")), 1e9))
		}),
		"FileKey":  column("file_object"),
		"FileName": fileName,
	},
	"Thread": {
		"StartAddr":  misreads("Thread.StartAddr is Affinity since version 3", func(r kernelRow) string { return address(r.number("affinity")) }),
		"ThreadName": computed("empty before version 4", func(_ *kernelComparison, r kernelRow) string { return r.text("thread_name") }),
	},
	"Thread/Start": {
		"ParentThreadID":  column("thread_id"),
		"ParentProcessID": column("process_id"),
	},
	"Thread/Stop": {
		"ParentThreadID":  {how: notInRow, reason: "Thread/Stop.Parent...ID: -1, no value"},
		"ParentProcessID": {how: notInRow, reason: "Thread/Stop.Parent...ID: -1, no value"},
	},
	"UdpIp": {
		"context": misreads("UdpIp.context, of version 0, is pid and size", func(r kernelRow) string { return address(r.number("size")<<32 | r.number("pid")) }),
		"dsize":   misreads("UdpIp.dsize, of version 0, is the high half of seqnum", func(r kernelRow) string { return grouped(int64(r.number("seqnum") >> 16)) }),
	},
	"SystemConfig/Services": {
		"ProcessName": computed("image name of the process", func(c *kernelComparison, r kernelRow) string { return c.processes[r.number("payload_process_id")] }),
	},
}

var (
	buildTime = computed("time from time_date_stamp", func(_ *kernelComparison, r kernelRow) string {
		return timeText(time.Unix(int64(r.number("time_date_stamp")), 0))
	})
	fileName = computed("name of file_object, by FileIo and SysConfig/VolumeMapping", func(c *kernelComparison, r kernelRow) string {
		return c.dosPath(c.file(r.text("file_object"), int64(r.number("time_ns"))))
	})
)

// Names that the library prints, and where in their numbers.
var (
	processFlags = map[uint64]string{1: "PackageApplication", 2: "Wow64", 4: "Protected"}
	irpFlags     = map[uint64]string{1: "Nocache", 2: "MountCompletion", 0x40: "InputOperation"}
	ioPriorities = [8]string{"Notset", "Verylow", "Low", "Normal", "High", "Critical"}
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
				// Of several versions the last has the plain name.
				if old := tables[table][f.Name]; old == 0 || f.Before == 0 {
					tables[table][f.Name] = f.Kind
				}
			}
		}
	}
	return tables
}()

var commonColumn = func() map[string]bool {
	names := make(map[string]bool)
	for _, column := range schema.CommonColumns() {
		names[column.Name] = true
	}
	return names
}()

func (r kernelRow) text(column string) string {
	if v := r[column]; v != nil {
		return *v
	}
	return ""
}

// number returns a number without its sign; one that is missing shows in the result.
func (r kernelRow) number(column string) uint64 {
	if n, err := strconv.ParseInt(r.text(column), 10, 64); err == nil {
		return uint64(n)
	}
	n, err := strconv.ParseUint(r.text(column), 10, 64)
	if err != nil {
		return 0xbad0bad0bad
	}
	return n
}

// kernelComparison is the state of comparing the lines of one trace.
type kernelComparison struct {
	volumes                        []kernelRow
	processes                      map[uint64]string
	created, rundown               []kernelRow
	frequency                      int64
	by                             map[outcome]int
	used                           map[string]bool // rows, by event_ref
	found, fields, compared, equal int
	cut                            int // of those equal: in the oracle's first 20 characters
}

func newKernelComparison(t *testing.T, trace *kernelTrace) *kernelComparison {
	c := &kernelComparison{by: make(map[outcome]int), used: make(map[string]bool), processes: make(map[uint64]string)}
	c.volumes, c.created, c.rundown = trace.Lists[listVolumes], trace.Lists[listFileCreate], trace.Lists[listFileRundown]
	for _, r := range trace.Lists[listProcesses] {
		name, _ := strings.CutSuffix(r.text("image_file_name"), ".exe")
		c.processes[r.number("payload_process_id")] = name
	}
	if len(trace.Lists[listHeader]) != 1 {
		t.Fatalf("%d trace headers", len(trace.Lists[listHeader]))
	}
	c.frequency = int64(trace.Lists[listHeader][0].number("perf_freq"))
	return c
}

// line compares a line with its row: the first not used by a line before, for
// both are in the order of time.
func (c *kernelComparison) line(t *testing.T, l *kernelLine, rows []kernelRow) {
	at := fmt.Sprintf("line %d, %s/%s at %.3f ms", l.Line, l.Provider, l.Event, *l.MS)
	i := slices.IndexFunc(rows, func(r kernelRow) bool { return !c.used[r.text("event_ref")] })
	if i < 0 {
		t.Errorf("%s: not found in %s (%d rows)", at, kernelTable(l.Event), len(rows))
		return
	}
	row := rows[i]
	c.found++
	c.used[row.text("event_ref")] = true
	if row["payload_rest"] != nil {
		t.Errorf("%s: payload_rest is %s", at, *row["payload_rest"])
	}
	for _, f := range l.Fields {
		c.fields++
		rule := ruleOf(l.Event, f[0])
		if rule.text == nil {
			c.by[outcome{rule.how, rule.reason}]++
			continue
		}
		c.compared++
		got := shortened(rule.text(c, row, l))
		if got != f[1] {
			t.Errorf("%s: %s is %q (event_ref %s), want %q", at, f[0], got, row.text("event_ref"), f[1])
			continue
		}
		c.equal++
		if strings.HasSuffix(f[1], "...") {
			c.cut++
		}
		if rule.how == direct && strings.HasPrefix(f[1], "-") {
			rule = misreads(f[0]+": unsigned, printed as signed", nil)
		}
		c.by[outcome{rule.how, rule.reason}]++
	}
}

func ruleOf(event, field string) rule {
	if rule, ok := kernelRules[event][field]; ok {
		return rule
	}
	task, _, _ := strings.Cut(event, "/")
	if rule, ok := kernelRules[task][field]; ok {
		return rule
	}
	rule := column(field)
	rule.reason = "of the same name"
	return rule
}

// folded is a name without case, underscores and what sets it apart from
// common columns.
func folded(name string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "payload_"), "_", ""))
}

// columnText returns the value of a column as the oracle prints it.
func (c *kernelComparison) columnText(table, name string, r kernelRow) string {
	columns := []string{name}
	if _, ok := r[name]; !ok {
		columns = nil
		for column := range r {
			if folded(column) == folded(name) && !commonColumn[column] {
				columns = append(columns, column)
			}
		}
	}
	if len(columns) != 1 {
		return fmt.Sprintf("in %d columns", len(columns))
	}
	v := r[columns[0]]
	if v == nil {
		return "null"
	}
	switch kernelFields[table][strings.TrimPrefix(columns[0], "payload_")] {
	case schema.Pointer:
		return address(r.number(columns[0]))
	case schema.FileTime:
		return timeText(time.UnixMicro(int64(r.number(columns[0]))))
	case schema.U32: // the library has int for it
		return grouped(int64(int32(r.number(columns[0]))))
	case schema.U8, schema.I8, schema.U16, schema.I16, schema.I32, schema.I64, schema.Port, schema.U64, schema.Size, 0:
		return grouped(int64(r.number(columns[0])))
	}
	return *v
}

// file returns the name of a file object: that of the last creation before, or
// else that of the rundown at the end.
func (c *kernelComparison) file(object string, at int64) string {
	name := ""
	for _, r := range c.created {
		if r.text("file_object") == object && int64(r.number("time_ns")) <= at {
			name = r.text("file_name")
		}
	}
	for _, r := range c.rundown {
		if name == "" && r.text("file_object") == object {
			name = r.text("file_name")
		}
	}
	return name
}

// dosPath returns a path as users write it.
func (c *kernelComparison) dosPath(path string) string {
	for _, v := range c.volumes {
		if rest, ok := strings.CutPrefix(path, v.text("nt_path")); ok {
			return v.text("dos_path") + rest
		}
	}
	if strings.HasPrefix(path, `\Windows\`) {
		return "C:" + path
	}
	return path
}

// grouped returns a number with thousands commas.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	digits := strings.TrimPrefix(text, "-")
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return text[:len(text)-len(digits)] + b.String()
}

func address(n uint64) string { return fmt.Sprintf("0x%08x", n) }

func timeText(t time.Time) string { return t.UTC().Format("06/01/02 15:04:05.000000") }

// milliseconds prints seconds, rounded half up to 1 us.
func milliseconds(seconds *big.Rat) string {
	return seconds.Mul(seconds, big.NewRat(1000, 1)).FloatString(3)
}

func boolText(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func flagText(n uint64, names map[uint64]string) string {
	if n == 0 {
		return "None"
	}
	var list []string
	for bit := uint64(1); bit != 0; bit <<= 1 {
		if n&bit != 0 {
			list = append(list, names[bit])
		}
	}
	return strings.Join(list, ", ")
}

// shortened escapes newlines and cuts a value as the oracle does.
func shortened(text string) string {
	text = strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(text)
	if runes := []rune(text); len(runes) > 20 {
		return string(runes[:20]) + "..."
	}
	return text
}
