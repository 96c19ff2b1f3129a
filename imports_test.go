package etl2parquet

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const (
	module = "github.com/etl2parquet/etl2parquet/"
	root   = "github.com/etl2parquet/etl2parquet" // the library
)

const (
	golang    = "golang.org/x/"
	parquetGo = "github.com/parquet-go/parquet-go/" // encodings and structures; not its reader and writer
	arrowGo   = "github.com/apache/arrow-go/"
	klauspost = "github.com/klauspost/compress"
	xxh3      = "github.com/zeebo/xxh3"
	minio     = "github.com/minio/minio-go/"
)

// floors are the folders of the house, from the ground up: a package imports only packages on its own
// floor or on a lower one. The longest matching prefix counts.
var floors = []struct {
	folder string
	holds  string // what is on it
}{
	{"internal/base", "what any Go program could use"},
	{"schema", "tables and kernel events as data"},
	{"decode", "bytes of traces: container, headers, payloads"},
	{"internal/engine", "reads a trace: catalogue, symbols, attribution, index, rows, pipeline"},
	{"internal/formats", "batches to bytes"},
	{"internal/lake", "datasets, in folders and buckets"},
	{"internal/inputs", "files, archives and servers, and batches of them"},
	{root, "the library"},
	{"convert", "traces to a dataset"},
	{"internal/doors", "what people see"},
	{"cmd", "the program"},
}

// nevers are pairs of folders: no package in the first imports one in the second, although it is on
// a lower floor.
var nevers = []struct{ from, to, why string }{
	{"schema", "internal/base", "the public tables stand alone"},
	{"internal/formats/parquet", "decode", "it writes batches, and knows no traces"},
	{"internal/formats/parquet", "internal/engine/index", "it writes batches, and knows no traces"},
	{"internal/formats/lines", "internal/engine/index", "it writes batches, and knows no traces"},
	{"internal/engine", "internal/base/remote", "a trace is read from bytes, wherever they are"},
	{"internal/lake/store", "internal/engine", "a store knows files, and not what is in them"},
	{"internal/inputs/archive", "internal/engine", "an archive knows files, and not what is in them"},
	{"internal/doors/info", "internal/lake/bundle", "it writes nothing"},
}

// except lists imports that a never allows.
var except = map[[2]string]bool{
	{"internal/engine/symbols/find", "internal/base/remote"}: true, // symbol servers
}

// others lists the other modules that packages of a folder may import, by prefixes of their paths. The
// standard library is always allowed.
var others = map[string][]string{
	"internal/base":            {golang, xxh3, klauspost, "github.com/ulikunitz/xz/"},
	"internal/base/freememory": {"github.com/shirou/gopsutil/", "github.com/KimMachineGun/automemlimit/"},
	"schema":                   {golang},
	"internal/engine/catalog":  {klauspost},
	"internal/engine/partname": {golang},
	"internal/engine/index":    {xxh3},
	"internal/engine/symbols":  {golang, "github.com/ianlancetaylor/"},
	"internal/formats":         {arrowGo},
	"internal/formats/parquet": {parquetGo, klauspost},
	"internal/lake":            {golang, parquetGo},
	"internal/lake/store/s3":   {minio, golang},
	"internal/inputs":          {golang, "github.com/bmatcuk/doublestar/"},
	"internal/inputs/growing":  {golang, xxh3},
	"internal/inputs/archive":  {klauspost, "github.com/therootcompany/xz"},
	root:                       {arrowGo, golang},
	"internal/doors":           {arrowGo, golang},
	"internal/doors/agent":     {"github.com/modelcontextprotocol/go-sdk/mcp"},
	"cmd":                      {arrowGo, "github.com/spf13/", golang},
}

// list returns the output of go list for a template, a line per package.
func list(t *testing.T, format string, patterns ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-f", format}, patterns...)...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 2 {
		t.Fatalf("go list names %d packages", len(lines))
	}
	return lines
}

// under reports whether a package is in a folder.
func under(name, folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }

// floorOf returns the number of the floor of a package, and -1 if it is on none.
func floorOf(name string) int {
	for i := range floors {
		if under(name, floors[i].folder) && (floors[i].folder != root || name == root) {
			return i
		}
	}
	return -1
}

// TestImports checks the imports of each package against the floors and the nevers. With -v it
// prints the floors, and the packages on each.
func TestImports(t *testing.T) {
	testenv.Sequential(t)
	on := make([][]string, len(floors))
	for _, line := range list(t, `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...") {
		imports := strings.Fields(line)
		name := strings.TrimPrefix(imports[0], module)
		if forTests(name) {
			continue
		}
		floor := floorOf(name)
		if floor < 0 {
			t.Errorf("%s is on no floor", name)
			continue
		}
		on[floor] = append(on[floor], name)
		for _, p := range imports[1:] {
			below, isOwn := strings.CutPrefix(p, module)
			isOwn = isOwn || p == root
			switch {
			case isOwn && floorOf(below) > floor:
				t.Errorf("%s, on floor %d, imports %s, on floor %d", name, floor, below, floorOf(below))
			case isOwn:
				checkNever(t, name, below)
			case strings.Contains(p, ".") && !mayImport(name, p):
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
	for i := len(floors) - 1; i >= 0; i-- {
		t.Logf("%2d  %s: %s: %s", i, strings.TrimPrefix(floors[i].folder, module), floors[i].holds, strings.Join(on[i], " "))
		if len(on[i]) == 0 {
			t.Errorf("no package is on the floor of %s", floors[i].folder)
		}
	}
}

// checkNever checks an import against the nevers. No door may import another one.
func checkNever(t *testing.T, from, to string) {
	t.Helper()
	for _, never := range nevers {
		if under(from, never.from) && under(to, never.to) && !except[[2]string{from, to}] {
			t.Errorf("%s imports %s: %s", from, to, never.why)
		}
	}
	const doors = "internal/doors/"
	if door, isDoor := strings.CutPrefix(from, doors); isDoor && strings.HasPrefix(to, doors) {
		door, _, _ = strings.Cut(door, "/")
		if !under(to, doors+door) {
			t.Errorf("%s imports %s: no door stands on another", from, to)
		}
	}
}

// mayImport reports whether a package may import one of another module.
func mayImport(name, imported string) bool {
	for folder, prefixes := range others {
		if under(name, folder) && slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(imported, prefix) }) {
			return true
		}
	}
	return false
}

// forTests reports whether a package is only for tests, or for developers of this repository.
func forTests(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.HasSuffix(name, "test") || slices.Contains([]string{"interop", "bench", "tools", "python"}, first)
}

// TestTestPackages checks that no other package imports packages for tests.
func TestTestPackages(t *testing.T) {
	supported := 0
	for _, line := range list(t, `{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}`, "./...") {
		p, imported, _ := strings.Cut(strings.TrimSpace(line), " ")
		p, imported = strings.TrimPrefix(p, module), strings.TrimPrefix(imported, module)
		switch {
		case !forTests(imported):
		case forTests(p):
			supported++
		default:
			t.Errorf("%s imports %s, which is for tests", p, imported)
		}
	}
	if supported == 0 {
		t.Error("go list names no package that supports tests")
	}
}

// longFile is the number of lines beyond which a file is listed, unless it is a table of data.
const longFile = 400

// TestSizes lists the files beyond longFile, except tests and tables: candidates for a split. With
// -v it prints these and the lines of each package. A package may have any size.
func TestSizes(t *testing.T) {
	for _, line := range list(t, `{{.Dir}}{{range .GoFiles}} {{.}}{{end}}`, "./...") {
		fields := strings.Fields(line)
		dir, err := filepath.Rel(mustGetwd(t), fields[0])
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.ToSlash(dir)
		total := 0
		for _, file := range fields[1:] {
			text, err := os.ReadFile(filepath.Join(fields[0], file))
			if err != nil {
				t.Fatal(err)
			}
			n := bytes.Count(text, []byte("\n"))
			total += n
			if n > longFile && dir != "schema" {
				t.Logf("warning: %s/%s has %d lines, more than %d", dir, file, n, longFile)
			}
		}
		t.Logf("%6d lines: %s", total, dir)
	}
}

// longCommand is the most lines of a file of cmd/etl2parquet that declares a command.
const longCommand = 60

// longCommands are the files that may be longer: convert has 44 flags.
var longCommands = []string{"convert.go"}

// TestCommandSizes checks that a command is a page: what it does is in the doors and below.
func TestCommandSizes(t *testing.T) {
	files, err := filepath.Glob("cmd/etl2parquet/*.go")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("newCommand(\"")) || strings.HasSuffix(path, "_test.go") {
			continue
		}
		commands++
		n, may := bytes.Count(text, []byte("\n")), slices.Contains(longCommands, filepath.Base(path))
		if n > longCommand && !may {
			t.Errorf("%s has %d lines, more than %d", path, n, longCommand)
		}
		if n <= longCommand && may {
			t.Errorf("%s has %d lines: it need not be among the exceptions", path, n)
		}
	}
	if commands < 10 {
		t.Errorf("only %d files declare a command", commands)
	}
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestBuildsWithoutCgo checks that the program needs no cgo, for builds with CGO_ENABLED=0.
func TestBuildsWithoutCgo(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}", "./cmd/etl2parquet").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if packages := strings.Fields(string(out)); len(packages) > 0 {
		t.Errorf("packages with cgo: %v", packages)
	}
}
