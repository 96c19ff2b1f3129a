package schema

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestColumnNamesOfFields(t *testing.T) {
	for _, test := range []struct{ fields, want string }{
		{"ProcessID", "process_id"},
		{"ProcessId", "process_id"},
		{"processID", "process_id"},
		{"ProcessIDs", "process_ids"},
		{"IDs,PIDs", "ids,pids"},
		{"HTTPServer", "http_server"},
		{"ClrInstanceID", "clr_instance_id"},
		{"Count1,Int32Value,IPv6Address", "count1,int32_value,ipv6_address"},
		{"already_snake", "already_snake"},
		{"with space,with-dash,with.dot,a::b", "with_space,with_dash,with_dot,a_b"},
		{"__leading,trailing__", "leading,trailing"},
		{"a,a,A", "a,a_2,a_3"},
		{"a,a_2,a", "a,a_2,a_3"},
		{",,_", "field_1,field_2,field_3"},
		{"ÄrgerÜber", "ärger_über"},
		{"x\xffy\x00z", "xy_z"},
		{"../../x", "x"},
		{"UPPER,lower", "upper,lower"},
	} {
		fields := strings.Split(test.fields, ",")
		if got := strings.Join(ColumnNames(fields), ","); got != test.want {
			t.Errorf("%q: %s, want %s", fields, got, test.want)
		}
	}
}

// TestColumnNamesOfOne names the most fields of one name that a TraceLogging event can
// have. The time must not grow with the square of their number.
func TestColumnNamesOfOne(t *testing.T) {
	names := ColumnNames(slices.Repeat([]string{"a"}, 1<<15))
	if names[0] != "a" || names[1] != "a_2" || names[1<<15-1] != "a_32768" {
		t.Errorf("%s, %s, %s", names[0], names[1], names[1<<15-1])
	}
}

func TestFolderName(t *testing.T) {
	for name, want := range map[string]string{
		"Microsoft-Windows-Kernel-Process": "Microsoft-Windows-Kernel-Process",
		"ProcessStart/Start":               "ProcessStart_Start",
		"../../x":                          "_.._x",
		"con":                              "xcon",
		"CON.txt":                          "xCON.txt",
		"com7":                             "xcom7",
		"common":                           "common",
		"":                                 "x",
		"...":                              "x",
		"_hidden":                          "x_hidden",
		"a=b":                              "a_b",
		"C:\\x":                            "C__x",
		"trailing.":                        "trailing",
		" spaces ":                         "spaces",
		"Привет":                           "Привет",
		"हिन्दी":                           "हिन्दी",
		"u\u0308ber":                       "über",
		"\u0301a":                          "_\u0301a",
		"a\u202eb\u200dc":                  "a_b_c",
		"x\xff\x00":                        "x__",
	} {
		if want[0] == '_' {
			want = "x" + want
		}
		if got := FolderName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	long := strings.Repeat("ä", 40000)
	a, b := FolderName(long+"a"), FolderName(long+"b")
	if a == b || len(a) > maxFolderName || !utf8.ValidString(a) {
		t.Errorf("long names: %q and %q", a, b)
	}
	if got := ColumnNames([]string{long + "a", long + "b"}); len(got[0]) > maxColumnName || slices.Contains(got[1:], got[0]) {
		t.Errorf("long names: %q", got)
	}
}

func FuzzNames(f *testing.F) {
	f.Add("ProcessID", "../con")
	f.Add("", "\xff\x00")
	f.Add("\u0328"+strings.Repeat("x", maxFolderName), ".\u0328.") // a mark first
	f.Fuzz(func(t *testing.T, a, b string) {
		names := ColumnNames([]string{a, b, a})
		seen := make(map[string]bool)
		for _, n := range names {
			if n == "" || seen[n] || strings.ToLower(n) != n || !utf8.ValidString(n) || strings.ContainsAny(n, " ./\\\"'\x00") || len(n) > maxColumnName+8 {
				t.Errorf("%q, %q: columns %q", a, b, names)
			}
			seen[n] = true
		}
		for _, name := range []string{a, b} {
			n := FolderName(name)
			if n == "" || len(n) > maxFolderName+1 || strings.ContainsAny(n, "/\\:=\x00\"'*?<>| ") || n[0] == '.' || n[0] == '_' || n[len(n)-1] == '.' || IsDeviceName(n) || strings.ContainsFunc(n, func(r rune) bool { return !IsNameRune(r) }) {
				t.Errorf("%q: folder %q", name, n)
			}
		}
	})
}
