package codes

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// noCodes matches constants of these types that are masks and bases of codes.
var noCodes = regexp.MustCompile(`^(APPLICATION_ERROR_MASK|ERROR_SEVERITY_\w+|WSABASEERR)$`)

// lineOf finds the parts of a line.
var lineOf = regexp.MustCompile(`^(facility|hresult|ntstatus|win32_error) [0-9A-F]{8}( [A-Z][A-Za-z0-9_]*)+\n$`)

// TestLines checks the form and the order of the lines: a person writes them.
func TestLines(t *testing.T) {
	before := ""
	for line := range strings.Lines(text) {
		if !lineOf.MatchString(line) {
			t.Errorf("codes.txt: %q is not SYSTEM CODE NAME..., with eight hexadecimal digits", line)
			continue
		}
		words := strings.Fields(line)
		if key := words[0] + " " + words[1]; key <= before {
			t.Errorf("codes.txt: %s is behind %s", key, before)
		} else {
			before = key
		}
	}
}

// TestSource checks that codes.txt has what its main source has.
func TestSource(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Skip("no module golang.org/x/sys:", err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "windows", "zerrors_windows.go"))
	if err != nil {
		t.Skip(err)
	}
	systems := map[string]string{"Handle": "hresult", "NTStatus": "ntstatus", "syscall.Errno": "win32_error", "": facility}
	found := 0
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+)\s+([\w.]*)\s*= (0x[0-9A-Fa-f]+|\d+)$`).FindAllStringSubmatch(string(source), -1) {
		system, known := systems[m[2]]
		code, err := strconv.ParseUint(m[3], 0, 32)
		if !known || noCodes.MatchString(m[1]) || (system == facility) != strings.HasPrefix(m[1], "FACILITY_") {
			continue
		}
		if found++; err != nil || !slices.Contains(names(system, uint32(code)), m[1]) {
			t.Errorf("codes.txt lacks %s %08X %s: %v", system, code, m[1], err)
		}
	}
	if found < 9000 {
		t.Errorf("the source has %d codes", found)
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		system schema.Unit
		code   uint32
		want   string
	}{
		{schema.AsHResult, 0, "S_OK"}, {schema.AsHResult, 0x80070005, "E_ACCESSDENIED"}, {schema.AsHResult, 0x80070002, "ERROR_FILE_NOT_FOUND"}, {schema.AsHResult, 0xd0000022, "STATUS_ACCESS_DENIED"}, {schema.AsHResult, 0x0000ffff, ""},
		{schema.AsNTStatus, 0, "STATUS_SUCCESS"}, {schema.AsNTStatus, 0xc0000022, "STATUS_ACCESS_DENIED"}, {schema.AsNTStatus, 0xffffffff, ""},
		{schema.AsWin32Error, 0, "ERROR_SUCCESS"}, {schema.AsWin32Error, 5, "ERROR_ACCESS_DENIED"}, {schema.AsWin32Error, 0x20000000, ""},
	} {
		if name := Name(test.system, test.code); name != test.want {
			t.Errorf("%s %#x: %q, want %q", test.system, test.code, name, test.want)
		}
	}
	for _, system := range Systems() {
		if n := len(All(system)); n < 2500 {
			t.Errorf("%s: %d codes", system, n)
		}
	}
	if names := Facility(7); len(names) == 0 || names[0] != "FACILITY_WIN32" {
		t.Error(names)
	}
	if list := Find("error_access_denied"); len(list) != 1 || list[0].Value != 5 {
		t.Error(list)
	}
	for hresult, want := range map[uint32]string{0x80070002: "win32_error 2 true", 0xd0000022: "ntstatus 3221225506 true", 0x80004005: " 0 false"} {
		system, code, ok := Inner(hresult)
		if got := fmt.Sprint(system, " ", code, " ", ok); got != want {
			t.Errorf("%#x: %s, want %s", hresult, got, want)
		}
	}
}

// TestKernelNames checks that the names in the tables of package schema are those of this package.
func TestKernelNames(t *testing.T) {
	values, _ := schema.LookupValues(string(schema.AsNTStatus))
	for _, n := range values.Names {
		if names := Names(schema.AsNTStatus, uint32(n.Value)); names != nil && !slices.Contains(names, n.Name) {
			t.Errorf("%#x is %s, here %v", n.Value, n.Name, names)
		}
	}
}
