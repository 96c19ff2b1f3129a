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
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// best are names that come first although the source lists others before them.
var best = map[string]bool{"STATUS_SUCCESS": true, "S_OK": true, "ERROR_SUCCESS": true, "FACILITY_WIN32": true, "FACILITY_NULL": true}

// noCodes matches constants of these types that are masks and bases of codes.
var noCodes = regexp.MustCompile(`^(APPLICATION_ERROR_MASK|ERROR_SEVERITY_\w+|WSABASEERR)$`)

// TestGenerated makes codes.txt from its source.
func TestGenerated(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Skip("no module golang.org/x/sys:", err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "windows", "zerrors_windows.go"))
	if err != nil {
		t.Skip(err)
	}
	systems := map[string]string{"Handle": "hresult", "NTStatus": "ntstatus", "syscall.Errno": "win32_error", "": facility}
	type key struct {
		system string
		code   uint64
	}
	names := make(map[key][]string)
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+)\s+([\w.]*)\s*= (0x[0-9A-Fa-f]+|\d+)$`).FindAllStringSubmatch(string(source), -1) {
		system, known := systems[m[2]]
		code, err := strconv.ParseUint(m[3], 0, 32)
		if !known || noCodes.MatchString(m[1]) || (system == facility) != strings.HasPrefix(m[1], "FACILITY_") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		k := key{system, code}
		if best[m[1]] {
			names[k] = slices.Insert(names[k], 0, m[1])
		} else {
			names[k] = append(names[k], m[1])
		}
	}
	var lines []string
	for k, list := range names {
		lines = append(lines, fmt.Sprintf("%s %08X %s\n", k.system, k.code, strings.Join(list, " ")))
	}
	slices.Sort(lines)
	want := strings.Join(lines, "")
	if *testenv.Update {
		testenv.WriteFile(t, "codes.txt", want)
	} else if text != want {
		t.Error("codes.txt is not what -update makes of golang.org/x/sys")
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
