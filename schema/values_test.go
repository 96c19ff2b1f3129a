package schema

import (
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	valuesName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	valueName  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
)

func TestValues(t *testing.T) {
	seen := make(map[string]bool)
	for _, v := range AllValues() {
		t.Run(v.Name, func(t *testing.T) {
			if !valuesName.MatchString(v.Name) || seen[v.Name] {
				t.Errorf("name %q: malformed or duplicate", v.Name)
			}
			seen[v.Name] = true
			if got, ok := LookupValues(v.Name); !ok || got != v {
				t.Errorf("LookupValues(%q) = %p, %v; want %p", v.Name, got, ok, v)
			}
			if !strings.HasSuffix(v.Doc, ".") || strings.TrimSpace(v.Ref) == "" || len(v.Names) == 0 {
				t.Errorf("Doc %q, Ref %q, %d names: want all, and a full stop after Doc", v.Doc, v.Ref, len(v.Names))
			}
			names := make(map[string]bool)
			for i, n := range v.Names {
				if !valueName.MatchString(n.Name) || names[n.Name] {
					t.Errorf("name %q of %#x: malformed or duplicate", n.Name, n.Value)
				}
				names[n.Name] = true
				if i > 0 && n.Value <= v.Names[i-1].Value {
					t.Errorf("%#x after %#x: not ascending", n.Value, v.Names[i-1].Value)
				}
				if v.Flags && bits.OnesCount64(n.Value) > 1 {
					t.Errorf("%s is %#x, more than one bit", n.Name, n.Value)
				}
				if n.Value > 1<<32-1 {
					t.Errorf("%s is %#x: no field is wider than 32 bits", n.Name, n.Value)
				}
				if got := v.Text(n.Value); got != n.Name {
					t.Errorf("Text(%#x) = %q, want %q", n.Value, got, n.Name)
				}
			}
		})
	}
	if _, ok := LookupValues("no_such_table"); ok {
		t.Error("LookupValues found a missing table")
	}
}

// TestParseValues reads tables in each form of line, and refuses lines that have none.
func TestParseValues(t *testing.T) {
	const text = "# A comment.\n\nvalues state\ndoc Of a thread.\nref wdm.h, STATE\n0 Ready Running\n0x10 Gone\nflags mode\n0x2 Two\n"
	want := []*Values{
		{Name: "state", Doc: "Of a thread.", Ref: "wdm.h, STATE", Names: []ValueName{{0, "Ready"}, {1, "Running"}, {16, "Gone"}}},
		{Name: "mode", Flags: true, Names: []ValueName{{2, "Two"}}},
	}
	got, err := parseValues(text)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, line := range []string{"Four", "4", "4x Four", "-4 Four", "4 Four Five", "docs Of a mode.", "0x10000000000000000 Large"} {
		if _, err := parseValues(text + line + "\n"); err == nil || !strings.HasPrefix(err.Error(), "values.txt:10: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
	if _, err := parseValues("doc Of nothing.\n"); err == nil {
		t.Error("a doc without a table")
	}
}

// TestValuesRoundTrip reads the names of sets back into the number.
func TestValuesRoundTrip(t *testing.T) {
	for _, v := range AllValues() {
		if !v.Flags {
			continue
		}
		value, all := make(map[string]uint64), uint64(0)
		for _, n := range v.Names {
			value[n.Name] = n.Value
			all |= n.Value
		}
		for _, want := range []uint64{all, all &^ (all & -all), 0x55555555 & all} {
			got := uint64(0)
			for _, name := range strings.Split(v.Text(want), "|") {
				if name != "" {
					got |= value[name]
				}
			}
			if got != want {
				t.Errorf("%s: Text(%#x) = %q, which is %#x", v.Name, want, v.Text(want), got)
			}
		}
	}
}

func TestValuesText(t *testing.T) {
	tests := []struct {
		table string
		n     uint64
		want  string
	}{
		{"thread_state", 0, "Initialized"},
		{"thread_state", 9, "WaitingForProcessInSwap"},
		{"thread_state", 10, ""},
		{"wait_reason", 6, "UserRequest"},
		{"wait_reason", 15, "WrQueue"},
		{"wait_reason", 32, "WrPreempted"},
		{"wait_reason", 37, "WrAlertByThreadId"},
		{"wait_reason", 1<<64 - 1, ""},
		{"wait_mode", 1, "UserMode"},
		{"page_priority", 0, ""},
		{"page_priority", 5, "MEMORY_PRIORITY_NORMAL"},
		{"io_type", 9, ""},
		{"io_type", 14, "FlushBuffers"},
		{"major_function", 27, "IRP_MJ_PNP"},
		{"file_info_class", 0, ""},
		{"file_info_class", 4, "FileBasicInformation"},
		{"file_info_class", 20, "FileEndOfFileInformation"},
		{"file_info_class", 64, "FileDispositionInformationEx"},
		{"file_info_class", 76, "FileKnownFolderInformation"},
		{"create_disposition", 5, "FILE_OVERWRITE_IF"},
		{"image_signature_level", 12, "SE_SIGNING_LEVEL_WINDOWS"},
		{"profile_source", 19, "ProfileTotalCycles"},
		{"pool_type", 544, "NonPagedPoolSessionNx"},
		{"pool_type", 543, ""},
		{"bus_type", 17, "BusTypeNvme"},
		{"service_state", 4, "SERVICE_RUNNING"},
		{"device_problem", 57, "CM_PROB_GUEST_ASSIGNMENT_FAILED"},
		{"ntstatus", 0, "STATUS_SUCCESS"},
		{"ntstatus", 0xC0000034, "STATUS_OBJECT_NAME_NOT_FOUND"},
		{"ntstatus", 0x80000006, "STATUS_NO_MORE_FILES"},
		{"ntstatus", 0xC0001234, ""},
		{"ntstatus", 0xFFFFFFFFC0000034, ""}, // sign-extended, so not the field's bits
		{"irp_flags", 0, ""},
		{"irp_flags", 0x43, "IRP_NOCACHE|IRP_PAGING_IO|IRP_SYNCHRONOUS_PAGING_IO"},
		{"irp_flags", 0x60043, "IRP_NOCACHE|IRP_PAGING_IO|IRP_SYNCHRONOUS_PAGING_IO|0x60000"},
		{"irp_flags", 0x60000, "0x60000"},
		{"irp_flags", 1 << 63, "0x8000000000000000"},
		{"virtual_alloc_flags", 0x3000, "MEM_COMMIT|MEM_RESERVE"},
		{"page_protection", 0x104, "PAGE_READWRITE|PAGE_GUARD"},
		{"file_attributes", 0x80, "FILE_ATTRIBUTE_NORMAL"},
		{"create_options", 0x200060, "FILE_SYNCHRONOUS_IO_NONALERT|FILE_NON_DIRECTORY_FILE|FILE_OPEN_REPARSE_POINT"},
		{"share_access", 7, "FILE_SHARE_READ|FILE_SHARE_WRITE|FILE_SHARE_DELETE"},
		{"process_flags", 10, "ETW_PROCESS_EVENT_FLAG_WOW64|ETW_PROCESS_EVENT_FLAG_PACKAGED"},
		{"thread_flags", 1, "ExecutingDpc"},
		{"sampled_profile_flags", 3, "ExecutingDpc|ExecutingIsr"},
	}
	for _, tt := range tests {
		v, ok := LookupValues(tt.table)
		if !ok {
			t.Errorf("no table %q", tt.table)
			continue
		}
		if got := v.Text(tt.n); got != tt.want {
			t.Errorf("%s: Text(%#x) = %q, want %q", tt.table, tt.n, got, tt.want)
		}
		if got := string(v.AppendText([]byte("a|"), tt.n)); got != "a|"+tt.want {
			t.Errorf("%s: AppendText(%#x) = %q, want %q", tt.table, tt.n, got, "a|"+tt.want)
		}
	}
}

func TestValuesZeroOfASet(t *testing.T) {
	v := &Values{Flags: true, Names: []ValueName{{0, "None"}, {2, "Two"}}}
	for n, want := range []string{"None", "0x1", "Two", "Two|0x1"} {
		if got := v.Text(uint64(n)); got != want {
			t.Errorf("Text(%d) = %q, want %q", n, got, want)
		}
	}
	if got := new(Values).Text(0); got != "" {
		t.Errorf("without names: Text(0) = %q", got)
	}
}

// TestValuesAllocate checks that the functions called for every row do not allocate.
func TestValuesAllocate(t *testing.T) {
	var buffer []byte
	for _, v := range AllValues() {
		last := v.Names[len(v.Names)-1].Value
		if n := testing.AllocsPerRun(10, func() { v.Text(last); v.Text(0) }); n != 0 {
			t.Errorf("%s: Text allocates %v times", v.Name, n)
		}
		buffer = slices.Grow(buffer[:0], 4096)
		if n := testing.AllocsPerRun(10, func() { buffer = v.AppendText(buffer[:0], 0xFFFFFFFF) }); n != 0 {
			t.Errorf("%s: AppendText allocates %v times", v.Name, n)
		}
	}
}

func BenchmarkValuesText(b *testing.B) {
	for _, bb := range []struct {
		table string
		n     uint64
	}{{"wait_reason", 15}, {"ntstatus", 0xC0000034}, {"irp_flags", 1}} {
		v, _ := LookupValues(bb.table)
		b.Run(bb.table, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v.Text(bb.n)
			}
		})
	}
}
