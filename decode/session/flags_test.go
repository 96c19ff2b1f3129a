package session

import (
	"fmt"
	"math/bits"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// flagTables returns all tables of flag bits, each with the prefix of its names
// and the width of its word.
func flagTables() map[string]struct {
	rows   []flagRow
	prefix string
	width  int
} {
	type table = struct {
		rows   []flagRow
		prefix string
		width  int
	}
	tables := map[string]table{
		"LogFileMode": {logFileModeRows(), "EVENT_TRACE_", 32},
		"BufferFlag":  {bufferFlagRows, "ETW_BUFFER_FLAG_", 16},
	}
	for word, rows := range groupMaskRows() {
		prefix, width := "PERF_", 29 // the top three bits are the word's index
		if word == 0 {
			prefix, width = "EVENT_TRACE_FLAG_", 32
		}
		tables[fmt.Sprintf("Masks[%d]", word)] = table{rows, prefix, width}
	}
	return tables
}

func TestFlagTables(t *testing.T) {
	wellFormed := regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)
	for name, table := range flagTables() {
		t.Run(name, func(t *testing.T) {
			var last uint32
			names, shorts := map[string]bool{}, map[string]bool{}
			for _, row := range table.rows {
				if bits.OnesCount32(row.bit) != 1 || bits.Len32(row.bit) > table.width {
					t.Errorf("%s: %#x is not one bit of %d", row.name, row.bit, table.width)
				}
				if row.bit <= last {
					t.Errorf("%s: %#x repeats a bit or is out of order", row.name, row.bit)
				}
				last = row.bit
				if !wellFormed.MatchString(row.name) || !strings.HasPrefix(row.name, table.prefix) {
					t.Errorf("%#x: bad name %q", row.bit, row.name)
				}
				short := ShortFlagName(row.name)
				if names[row.name] || shorts[short] {
					t.Errorf("%#x: %q (%q) is listed twice", row.bit, row.name, short)
				}
				names[row.name], shorts[short] = true, true
				if short == "" || short == row.name || !strings.Contains(row.name, short) {
					t.Errorf("%s: short name %q", row.name, short)
				}
			}
		})
	}
}

func TestParseMasksRefuses(t *testing.T) {
	for _, line := range []string{"", "0 0x2", "8 0x2 PERF_TWO", "0 0x200000000 PERF_LARGE", "PERF_TWO 0 0x2", "0 0x2 PERF_TWO more"} {
		if _, err := parseMasks("# Bits.\n0 0x1 PERF_ONE\n" + line + "\n"); err == nil || !strings.HasPrefix(err.Error(), "masks.txt:3: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// TestFlagNamesHideNoBit sets every bit alone, and all together, and checks that there is one name
// for each bit.
func TestFlagNamesHideNoBit(t *testing.T) {
	names := map[string]func(uint32) []string{
		"LogFileMode": LogFileModeNames,
		"BufferFlag":  func(f uint32) []string { return BufferFlagNames(uint16(f)) },
	}
	for word := range 10 {
		names[fmt.Sprintf("Masks[%d]", word)] = func(f uint32) []string {
			masks := make([]uint32, word+1)
			masks[word] = f
			return GroupMaskNames(masks)
		}
	}
	tables := flagTables()
	for name, namesOf := range names {
		t.Run(name, func(t *testing.T) {
			width := 32
			if name == "BufferFlag" {
				width = 16
			}
			named := map[uint32]string{}
			for _, row := range tables[name].rows {
				named[row.bit] = row.name
			}
			var all []string
			for i := range width {
				bit := uint32(1) << i
				got := namesOf(bit)
				if len(got) != 1 {
					t.Fatalf("bit %#x: %q, want one name", bit, got)
				}
				if want, ok := named[bit]; ok && got[0] != want {
					t.Errorf("bit %#x: %q, want %q", bit, got[0], want)
				} else if hex := fmt.Sprintf("0x%0*x", width/4, bit); !ok && !strings.HasPrefix(got[0], hex) {
					t.Errorf("bit %#x: %q, want it to begin with %s", bit, got[0], hex)
				}
				all = append(all, got[0])
			}
			if got := namesOf(0xFFFFFFFF); !reflect.DeepEqual(got, all) {
				t.Errorf("all bits:\n got %q\nwant %q", got, all)
			}
			if got := namesOf(0); len(got) != 0 {
				t.Errorf("no bits: %q", got)
			}
		})
	}
}

func TestLogFileModeNames(t *testing.T) {
	// The modes seen in files (format/03), and one without a name.
	for mode, want := range map[uint32]string{
		0x00000000: "",
		0x00000009: "SEQUENTIAL NEWFILE",
		0x00010001: "SEQUENTIAL RELOG",
		0x02000080: "SECURE SYSTEM_LOGGER",
		0x04010001: "SEQUENTIAL RELOG COMPRESSED",
		0x08000001: "SEQUENTIAL INDEPENDENT_SESSION",
		0x10000005: "SEQUENTIAL APPEND NO_PER_PROCESSOR_BUFFERING",
		0x11002009: "SEQUENTIAL NEWFILE USE_KBYTES_FOR_SIZE USE_PAGED_MEMORY NO_PER_PROCESSOR_BUFFERING",
		0xC0100000: "MODE_RESERVED 0x40000000 ADDTO_TRIAGE_DUMP",
	} {
		names := LogFileModeNames(mode)
		for i, name := range names {
			names[i] = ShortFlagName(name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%#x:\n got %s\nwant %s", mode, got, want)
		}
	}
	if got := LogFileModeNames(1); !reflect.DeepEqual(got, []string{"EVENT_TRACE_FILE_MODE_SEQUENTIAL"}) {
		t.Errorf("got %q", got)
	}
}

func TestGroupMaskNames(t *testing.T) {
	tests := []struct {
		name  string
		masks []uint32
		want  []string
	}{
		{"none", nil, nil},
		// The masks of the session in net.4.5.2.x86 (oracles/perfview).
		{"perfview", []uint32{75535, 2, 0, 0, 0, 0, 0, 0}, []string{
			"EVENT_TRACE_FLAG_PROCESS", "EVENT_TRACE_FLAG_THREAD",
			"EVENT_TRACE_FLAG_IMAGE_LOAD", "EVENT_TRACE_FLAG_PROCESS_COUNTERS",
			"EVENT_TRACE_FLAG_DISK_IO", "EVENT_TRACE_FLAG_DISK_FILE_IO",
			"EVENT_TRACE_FLAG_DISK_IO_INIT", "EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS",
			"EVENT_TRACE_FLAG_NETWORK_TCPIP", "PERF_PROFILE",
		}},
		{"one bit per word", []uint32{1, 0x20000, 0x40, 0, 0x40, 1, 0x40, 2}, []string{
			"EVENT_TRACE_FLAG_PROCESS", "PERF_SYNC_OBJECTS", "PERF_SYSCALL",
			"PERF_OB_HANDLE", "PERF_HIBER_RUNDOWN", "PERF_SYSCFG_OPTICAL",
			"PERF_MEMORY_CONTROL",
		}},
		{"unnamed", []uint32{0x08000000, 0x80000000, 0, 1, 4, 0, 0, 0, 0x10}, []string{
			"0x08000000", "0x80000000[1]", "0x00000001[3]", "0x00000004[4]", "0x00000010[8]",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := GroupMaskNames(tt.masks); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestBufferFlagNames(t *testing.T) {
	want := []string{
		"ETW_BUFFER_FLAG_FLUSH_MARKER", "ETW_BUFFER_FLAG_PROC_INDEX",
		"ETW_BUFFER_FLAG_COMPRESSED", "0x0080",
	}
	if got := BufferFlagNames(0x00E1); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBufferTypeName(t *testing.T) {
	for value, want := range map[uint16]string{
		0: "ETW_BUFFER_TYPE_GENERIC", 4: "ETW_BUFFER_TYPE_HEADER",
		7: "ETW_BUFFER_TYPE_DBG_INFO", 8: "0x0008", 0xFFFF: "0xffff",
	} {
		if got := BufferTypeName(value); got != want {
			t.Errorf("%d: got %q, want %q", value, got, want)
		}
	}
	for value, name := range bufferTypeNames {
		if !strings.HasPrefix(name, "ETW_BUFFER_TYPE_") {
			t.Errorf("%d: %q", value, name)
		}
	}
}

func TestClockTypeName(t *testing.T) {
	for value, want := range map[uint32]string{
		0: "Raw", 1: "QPC", 2: "SystemTime", 3: "CPUCycle",
		4: "0x00000004", 0xFFFFFFFF: "0xffffffff",
	} {
		if got := ClockTypeName(value); got != want {
			t.Errorf("%d: got %q, want %q", value, got, want)
		}
	}
}

func TestShortFlagName(t *testing.T) {
	for name, want := range map[string]string{
		"EVENT_TRACE_FILE_MODE_NEWFILE":   "NEWFILE",
		"EVENT_TRACE_PRIVATE_LOGGER_MODE": "PRIVATE_LOGGER",
		"EVENT_TRACE_MODE_RESERVED":       "MODE_RESERVED",
		"EVENT_TRACE_FLAG_CSWITCH":        "CSWITCH",
		"PERF_CONTEXT_SWITCH":             "CONTEXT_SWITCH",
		"ETW_BUFFER_TYPE_HEADER":          "HEADER",
		"ETW_BUFFER_FLAG_RTBACKUP":        "RTBACKUP",
		"0x08000000":                      "0x08000000",
		"QPC":                             "QPC",
		"":                                "",
	} {
		if got := ShortFlagName(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
