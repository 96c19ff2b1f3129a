package microsoft_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/symbols/microsoft"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// corpus compiles the sources in testdata for Windows, and returns the decorated names in them.
func corpus(t *testing.T) []string {
	t.Helper()
	clang, nm := testenv.Tool(t, "clang"), testenv.Tool(t, "llvm-nm")
	sources, err := filepath.Glob("testdata/*.cpp")
	if err != nil || len(sources) == 0 {
		t.Fatal(sources, err)
	}
	seen := make(map[string]bool)
	for _, flags := range [][]string{
		{"-target", "x86_64-pc-windows-msvc"},
		{"-target", "i686-pc-windows-msvc", "-emit-llvm"}, // Clang 14 fails to make objects of some
	} {
		for _, source := range sources {
			object := filepath.Join(t.TempDir(), "object")
			c := exec.Command(clang, append(flags, "-std=c++20", "-fms-extensions", "-fexceptions", "-fcxx-exceptions", "-w", "-c", "-o", object, source)...)
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			out, err := exec.Command(nm, "-j", object).Output()
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range strings.Fields(string(out)) {
				seen[name] = seen[name] || strings.HasPrefix(name, "?")
			}
		}
	}
	var names []string
	for name, decorated := range seen {
		if decorated {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// undname returns what llvm-undname prints for some names, "" for those that it cannot read.
func undname(t *testing.T, names []string, flags ...string) map[string]string {
	t.Helper()
	c := exec.Command(testenv.Tool(t, "llvm-undname"), flags...)
	c.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	out, err := c.Output()
	if _, exited := err.(*exec.ExitError); err != nil && !exited { // the exit status says that a name is invalid
		t.Fatal(err)
	}
	printed := make(map[string]string)
	lines := strings.Split(string(out), "\n")
	for i := 0; i+1 < len(lines); i++ {
		if strings.HasPrefix(lines[i], "?") {
			printed[lines[i]] = lines[i+1]
			i++
		}
	}
	for _, name := range names {
		if _, ok := printed[name]; !ok {
			t.Errorf("llvm-undname prints nothing for %s", name)
		}
	}
	return printed
}

// TestCorpus compares Clang's names, and the golden names, with the output of llvm-undname.
func TestCorpus(t *testing.T) {
	names := corpus(t)
	known, _ := goldenNames(t)
	for _, name := range known {
		if strings.HasPrefix(name, "?") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	t.Run("declarations", func(t *testing.T) { compareDeclarations(t, names) })
	t.Run("names", func(t *testing.T) { compareNames(t, names) })
}

// differs matches output of llvm-undname 14 that is different on purpose: the path to a base has
// only the first class, thunks of private functions lack "virtual", and closures that delete, and
// __regcall, have no name.
var differs = regexp.MustCompile("'s `|thunk.: private: virtual .*`adjustor|`placement delete|__regcall")

func compareDeclarations(t *testing.T, names []string) {
	unknown, compared := 0, 0
	for name, want := range undname(t, names) {
		got, ok := microsoft.Declaration(name)
		switch {
		case !ok:
			t.Errorf("%s: not read, want %q", name, want)
		case want == "":
			unknown++
			t.Logf("llvm-undname cannot read %s: %s", name, got)
		case differs.MatchString(got):
		case got != want:
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		default:
			compared++
		}
	}
	if compared < 900 || unknown > 60 {
		t.Errorf("%d names compared, %d unknown to llvm-undname", compared, unknown)
	}
}

var notInNames = regexp.MustCompile(`\b(class|struct|union|enum) |__(cdecl|stdcall|fastcall|vectorcall|thiscall)( |\b)`)

// beyondFlags matches names that contain parameters, which no flag omits.
var beyondFlags = regexp.MustCompile("[`\"]|[(].*>")

// compareNames compares names with the output of llvm-undname when it omits as much as it can.
func compareNames(t *testing.T, names []string) {
	compared := 0
	for name, printed := range undname(t, names, "--no-access-specifier", "--no-calling-convention", "--no-member-type", "--no-return-type", "--no-variable-type") {
		got, ok := microsoft.Name(name)
		want := notInNames.ReplaceAllString(strings.TrimPrefix(printed, "[thunk]: "), "")
		switch {
		case !ok:
			t.Errorf("%s: not read", name)
		case want == "" || beyondFlags.MatchString(want) || differs.MatchString(got):
		case !strings.HasPrefix(want+"(", got+"("):
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		default:
			compared++
		}
	}
	if compared < 600 {
		t.Errorf("%d names compared", compared)
	}
}
