package interop_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/interop"
)

// startViewCases are traces with the expected rows of the start views, beyond the
// questions of docs/cookbook.md.
var startViewCases = []struct {
	name, trace, query string
	want               [][]any
}{
	{"lost switches", `
# CSwitch: u32 new|old thread, u8 priorities|C-state|spare|wait reason|flags|state|ideal processor.
perfinfo64 hook=0x0524 ver=4 t=+1ms payload=u32:100|0,u8:8|0|0|0|0|0|2|0,u32:0|0
perfinfo64 hook=0x0524 ver=4 t=+3ms payload=u32:200|300,u8:8|8|0|0|6|1|5|0,u32:0|0
perfinfo64 hook=0x0524 ver=4 t=+4ms payload=u32:300|200,u8:8|8|0|0|6|1|1|0,u32:0|0
perfinfo64 hook=0x0524 ver=4 t=+9ms payload=u32:200|300,u8:8|8|0|0|4|1|5|0,u32:0|0
perfinfo64 hook=0x0532 ver=2 t=+9500us payload=u32:300,u8:0|0|0|0`,
		"SELECT thread_id, ran_ns, left_as, left_to_wait_for, away_ns, away_as, waited_for, ready_ns FROM context_switches ORDER BY time_ns",
		[][]any{
			{100., nil, nil, nil, nil, nil, nil, nil}, // the next thread is unknown
			{200., 1e6, "Ready", nil, nil, nil, nil, nil},
			{300., 5e6, "Waiting", "DelayExecution", 1e6, "Waiting", "UserRequest", nil},
			{200., nil, nil, nil, 5e6, "Ready", nil, nil},
		}},
	{"the idle thread has a process without a rundown", `
perfinfo64 hook=0x0524 ver=4 t=+1ms payload=u32:100|0,u8:8|0|0|0|0|0|2|0,u32:0|0
perfinfo64 hook=0x0524 ver=4 t=+3ms payload=u32:200|300,u8:8|8|0|0|6|1|5|0,u32:0|0`,
		"SELECT old_thread_id, old_process_id FROM context_switches ORDER BY time_ns",
		[][]any{{0., 0.}, {300., nil}}},
	{"the first that made a thread ready", `
perfinfo64 hook=0x0524 ver=4 cpu=0 t=+1ms payload=u32:100|200,u8:8|8|0|0|6|1|5|0,u32:0|0
perfinfo64 hook=0x0532 ver=2 cpu=0 t=+2ms payload=u32:200,u8:0|0|0|0
perfinfo64 hook=0x0524 ver=4 cpu=0 t=+3ms payload=u32:400|100,u8:8|8|0|0|6|1|5|0,u32:0|0
perfinfo64 hook=0x0532 ver=2 cpu=0 t=+4ms payload=u32:200,u8:0|0|1|0
perfinfo64 hook=0x0524 ver=4 cpu=0 t=+6ms payload=u32:200|400,u8:8|8|0|0|6|1|5|0,u32:0|0`,
		"SELECT away_ns, ready_ns, readied_by_thread_id, readied_from_dpc FROM context_switches WHERE thread_id = 200",
		[][]any{{5e6, 4e6, 100., false}}},
	{"modules of samples", `
# Image Load, UnLoad: base|size, u32 process.
perfinfo64 hook=0x030a ver=3 t=+1ms payload=ptr:0x400000|0x100000,u32:10|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:"\\whole.dll"
perfinfo64 hook=0x030a ver=3 t=+1ms payload=ptr:0x410000|0x1000,u32:10|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:"\\inner.dll"
perfinfo64 hook=0x1402 ver=3 t=+5ms payload=ptr:0x410000|0x1000,u32:10|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:"\\inner.dll"
perfinfo64 hook=0x030a ver=3 t=+1ms payload=ptr:0xffffffffffff0000|0xffff,u32:0|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:"\\top.sys"
perfinfo64 hook=0x0501 ver=3 t=+1ms payload=u32:10|400,ptr*7:0,u32:0,u8:8|5|2|0
perfinfo64 hook=0x0f2e ver=2 t=+2ms payload=ptr:0x410008,u32:400,u16:1,u8:0x40|0
perfinfo64 hook=0x0f2e ver=2 t=+3ms payload=ptr:0x411000,u32:400,u16:1,u8:0x41|0
perfinfo64 hook=0x0f2e ver=2 t=+4ms payload=ptr:0xffffffffffff0001,u32:400,u16:1,u8:0x42|0
perfinfo64 hook=0x0f2e ver=2 t=+6ms payload=ptr:0x410008,u32:400,u16:1,u8:0x40|0
perfinfo64 hook=0x0f2e ver=2 t=+7ms payload=ptr:0x500000,u32:400,u16:1,u8:0x40|0`,
		"SELECT module, function_offset, in_dpc, in_isr, interval_ns FROM cpu_samples ORDER BY time_ns",
		[][]any{
			{"inner.dll", 8., false, false, nil},
			{"whole.dll", float64(0x11000), true, false, nil},
			{"top.sys", 1., false, true, nil},
			{"whole.dll", float64(0x10008), false, false, nil},
			{nil, nil, false, false, nil},
		}},
	{"processes that name each other", `
# Process DCStart, DCEnd: key, u32 process|parent|session|status.
system64 hook=0x0303 ver=4 pid=4 tid=8 t=+1ms payload=ptr:1,u32:10|20|0|259,ptr:0,u32:0,wbemsid:none,str8:a.exe,str16:"",str16:"",str16:""
system64 hook=0x0303 ver=4 pid=4 tid=8 t=+2ms payload=ptr:2,u32:20|10|0|259,ptr:0,u32:0,wbemsid:none,str8:b.exe,str16:"",str16:"",str16:""
system64 hook=0x0303 ver=4 pid=4 tid=8 t=+3ms payload=ptr:3,u32:30|30|0|259,ptr:0,u32:0,wbemsid:none,str8:c.exe,str16:"",str16:"",str16:""
system64 hook=0x0301 ver=4 pid=4 tid=8 t=+4ms payload=ptr:4,u32:40|20|0|259,ptr:0,u32:0,wbemsid:none,str8:d.exe,str16:"",str16:"",str16:""`,
		"SELECT depth, tree FROM process_tree ORDER BY trace, place",
		[][]any{{0., "a.exe"}, {1., "  b.exe"}, {2., "    d.exe"}, {0., "c.exe"}}},
	{"an image loaded twice", `
perfinfo64 hook=0x030a ver=3 t=+1ms payload=ptr:0x400000|0x1000,u32:10|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:"\\a.dll"
perfinfo64 hook=0x1402 ver=3 t=+2ms payload=ptr:0x400000|0x1000,u32:10|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:"\\a.dll"
perfinfo64 hook=0x030a ver=3 t=+3ms payload=ptr:0x400000|0x1000,u32:10|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:"\\a.dll"
perfinfo64 hook=0x1403 ver=3 t=+1ms payload=ptr:0x900000|0x1000,u32:10|0|0,u8:12|1,u16:0,ptr:0,u32:0|0|0|0,str16:"\\before.dll"`,
		"SELECT image_name, unload_ns - time_ns, event_ref IS NOT NULL FROM image_loads ORDER BY time_ns",
		[][]any{{"a.dll", 1e6, true}, {"a.dll", nil, true}}},
	{"reused requests", `
# Read: u64 offset, irp|object|key, u32 thread|bytes|flags|flags. OperationEnd: irp|bytes, u32 status.
perfinfo64 hook=0x044c ver=3 t=+1ms payload=ptr:0x52|7,u32:0
perfinfo64 hook=0x0443 ver=3 t=+2ms payload=u64:0,ptr:0x52|1|2,u32:4|100|0|0
perfinfo64 hook=0x0443 ver=3 t=+3ms payload=u64:5,ptr:0x53|1|2,u32:4|100|0|0
perfinfo64 hook=0x044c ver=3 t=+4ms payload=ptr:0x53|8,u32:0
perfinfo64 hook=0x044c ver=3 t=+6ms payload=ptr:0x52|9,u32:0
perfinfo64 hook=0x0443 ver=3 t=+7ms payload=u64:9,ptr:0x52|1|2,u32:4|100|0|0`,
		"SELECT file_offset, duration_ns, status, bytes_done FROM file_io ORDER BY time_ns",
		[][]any{{0., 4e6, 0., 9.}, {5., 1e6, 0., 8.}, {9., nil, nil, nil}}},
	{"events by name", `
event64 level=4 op=1 t=+1ms schema=Event(Number:u32) payload=u32:1
event64 level=3 op=1 t=+2ms schema=Event(Number:u32) payload=u32:1
perfinfo64 hook=0x0524 ver=4 t=+2501us payload=u32:100|200,u8:8|8|0|0|6|1|5|0,u32:0|0
full64 guid=9e814aad-3204-11d2-9a82-006008a86939 type=9 level=2 t=+4ms payload=u32:1
message number=3 guid=b1a7c3d2-5e4f-3a6b-8c9d-0e1f2a3b4c5d t=+5ms payload=u32:1`,
		"SELECT header_table, event_id, level_name, opcode_name, task_name, seconds FROM events ORDER BY time_ns",
		[][]any{
			{"system_trace_header", 0., nil, nil, nil, 0.},
			{"event_header", 0., "Informational", "Start", nil, .001},
			{"event_header", 0., nil, "Start", nil, .002},
			{"perfinfo_trace_header", float64(0x524), nil, nil, nil, .002501},
			{"event_trace_header", 9., "Error", nil, nil, .004},
			{"message_trace_header", 3., nil, nil, nil, .005},
		}},
	{"disks", `
perfinfo64 hook=0x010e ver=3 t=+1ms payload=u32:0|0,u64:20,ptr:1,u32:400
perfinfo64 hook=0x0137 ver=3 t=+2ms payload=u32:1|0|2048|0,u64:4096,ptr:0|1,u64:30,u32:400`,
		"SELECT operation, disk_number, byte_offset, transfer_size, disk_ns FROM disk_io ORDER BY time_ns",
		[][]any{{"flush", 0., nil, nil, 2000.}, {"optical read", 1., 4096., 2048., 3000.}}},
}

// TestStartViews queries the start views of small traces.
func TestStartViews(t *testing.T) {
	python := interop.NewPython(t)
	var questions []map[string]string
	for _, c := range startViewCases {
		folder := t.TempDir()
		path := filepath.Join(folder, "trace.etl")
		trace := etltest.MustParse(t, "trace buffersize=16384 freq=10000000 start=2024-05-01T12:00:00Z\nstream\n"+c.trace+"\n")
		if err := os.WriteFile(path, trace, 0o666); err != nil {
			t.Fatal(err)
		}
		root := filepath.Join(folder, "out")
		if err := convertAll(root, []string{path}); err != nil {
			t.Fatal(err)
		}
		questions = append(questions, map[string]string{"sql": filepath.Join(root, "views.sql"), "query": c.query})
	}
	var answers [][][]any
	python.Run(t, "query.py", questions, &answers)
	for i, c := range startViewCases {
		t.Run(c.name, func(t *testing.T) {
			if !reflect.DeepEqual(answers[i], c.want) {
				t.Errorf("\n got %v\nwant %v", answers[i], c.want)
			}
		})
	}
}
