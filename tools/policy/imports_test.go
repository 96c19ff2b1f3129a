package policy

import (
	"slices"
	"strings"
	"testing"
)

const (
	golang    = "golang.org/x/"
	parquetGo = "github.com/parquet-go/parquet-go/" // encodings and structures; not its reader and writer
	arrowGo   = "github.com/apache/arrow-go/"
	klauspost = "github.com/klauspost/compress"
	xxh3      = "github.com/zeebo/xxh3"
	minio     = "github.com/minio/minio-go/"
	txtar     = "github.com/rogpeppe/go-internal/txtar"
)

// floors are the folders of the house, from the ground up: a package imports only packages on its own
// floor or on a lower one. The longest matching prefix counts.
var floors = []struct {
	folder string
	holds  string // what is on it
}{
	{"internal/base", "what any Go program could use"},
	{"schema", "tables and kernel events as data"},
	{"facts", "what is known of a trace"},
	{"views", "SQL over the tables, a folder each"},
	{"decode", "bytes of traces: container, headers, payloads"},
	{"internal/engine", "reads a trace: catalogue, symbols, attribution, index, rows, pipeline"},
	{"internal/formats", "batches to bytes"},
	{"internal/lake", "datasets, in folders and buckets"},
	{"internal/inputs", "files, archives and servers, and batches of them"},
	{"internal/reading", "several traces as one: merged by time, followed while they grow"},
	{"internal/answers", "from a question to rows: its plan, the tables that it needs, the cache, DuckDB"},
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
	"internal/base":                 {golang, xxh3, klauspost, "github.com/ulikunitz/xz/"},
	"schema":                        {golang},
	"internal/engine/catalog":       {klauspost},
	"internal/engine/partname":      {golang},
	"internal/engine/index":         {xxh3},
	"internal/engine/symbols":       {golang, "github.com/ianlancetaylor/"},
	"internal/formats":              {arrowGo},
	"internal/formats/parquet":      {parquetGo, klauspost},
	"internal/lake":                 {golang, parquetGo},
	"internal/lake/store/s3":        {minio, golang},
	"internal/lake/views":           {"github.com/BurntSushi/toml"},
	"internal/lake/views/viewcases": {txtar},
	"internal/inputs":               {golang, "github.com/bmatcuk/doublestar/"},
	"internal/inputs/archive":       {klauspost, "github.com/therootcompany/xz"},
	"internal/reading/growing":      {golang, xxh3},
	"internal/reading":              {arrowGo, golang},
	"internal/answers":              {arrowGo, golang},
	root:                            {arrowGo},
	"internal/doors":                {arrowGo, golang},
	"internal/doors/viewcheck":      {txtar},
	"internal/doors/agent":          {"github.com/modelcontextprotocol/go-sdk/mcp"},
	"cmd":                           {arrowGo, "github.com/spf13/", "github.com/shirou/gopsutil/", "github.com/KimMachineGun/automemlimit/", golang},
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
	on := make([][]string, len(floors))
	for _, p := range goPackages(t) {
		if p.other || forTests(p.name) {
			continue
		}
		floor := floorOf(p.name)
		if floor < 0 {
			t.Errorf("%s is on no floor", p.name)
			continue
		}
		on[floor] = append(on[floor], p.name)
		for _, imported := range p.imports {
			switch below := floorOf(imported); {
			case below > floor:
				t.Errorf("%s, on floor %d, imports %s, on floor %d", p.name, floor, imported, below)
			case below >= 0:
				checkNever(t, p.name, imported)
			case strings.Contains(imported, ".") && !mayImport(p.name, imported):
				t.Errorf("%s imports %s", p.name, imported)
			}
		}
	}
	for i := len(floors) - 1; i >= 0; i-- {
		t.Logf("%2d  %s: %s: %s", i, floors[i].folder, floors[i].holds, strings.Join(on[i], " "))
		if len(on[i]) == 0 {
			t.Errorf("no package is on the floor of %s", floors[i].folder)
		}
	}
}

// checkNever checks an import against the nevers. No door may import another one, but that of agents, which shows what
// others show.
func checkNever(t *testing.T, from, to string) {
	t.Helper()
	for _, never := range nevers {
		if under(from, never.from) && under(to, never.to) && !except[[2]string{from, to}] {
			t.Errorf("%s imports %s: %s", from, to, never.why)
		}
	}
	const doors = "internal/doors/"
	if door, isDoor := strings.CutPrefix(from, doors); isDoor && door != "agent" && strings.HasPrefix(to, doors) {
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
	for _, p := range goPackages(t) {
		for _, imported := range p.imports {
			switch {
			case p.other || !forTests(imported):
			case forTests(p.name):
				supported++
			case p.name == "internal/doors/viewcheck" && imported == "decode/etltest": // it runs the tests of users' views
			default:
				t.Errorf("%s imports %s, which is for tests", p.name, imported)
			}
		}
	}
	if supported == 0 {
		t.Error("go list names no package that supports tests")
	}
}

// TestBuildsWithoutCgo checks that the program needs no cgo, for builds with CGO_ENABLED=0.
func TestBuildsWithoutCgo(t *testing.T) {
	linked := map[string]bool{"cmd/etl2parquet": true}
	for _, p := range slices.Backward(goPackages(t)) { // a package comes after those that it imports
		if !linked[p.name] {
			continue
		}
		for _, imported := range p.imports {
			linked[imported] = true
		}
		if p.cgo {
			t.Errorf("%s uses cgo", p.name)
		}
	}
}
