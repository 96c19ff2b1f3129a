package etl2parquet

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	module = "github.com/etl2parquet/etl2parquet/"
	root   = "github.com/etl2parquet/etl2parquet" // the library
)

// layer lists what a package may import: packages of this module, and other modules by the
// beginnings of their paths. The standard library is always allowed.
type layer struct {
	name   string
	own    []string
	others []string
}

const (
	golang    = "golang.org/x/"
	parquetGo = "github.com/parquet-go/parquet-go/" // encodings and structures; not its reader and writer
	arrowGo   = "github.com/apache/arrow-go/"
	klauspost = "github.com/klauspost/compress"
	xxh3      = "github.com/zeebo/xxh3"
	minio     = "github.com/minio/minio-go/"
)

// layers are the packages of the program. Each comes after all packages that it may import,
// so that there is no cycle.
var layers = []layer{
	{"schema", nil, nil},
	{"decode/xca", nil, nil},
	{"decode", []string{"decode/xca", "schema"}, nil},
	{"decode/activity", []string{"schema"}, nil},
	{"decode/ccswap", nil, nil},
	{"decode/session", []string{"decode", "schema"}, nil},
	{"decode/tdh", []string{"decode", "schema"}, nil},
	{"decode/definition", []string{"decode", "schema"}, nil},
	{"decode/eventinfo", []string{"decode", "decode/tdh", "schema"}, nil},
	{"decode/manifest", []string{"decode", "decode/definition", "decode/tdh", "schema"}, nil},
	{"decode/mof", []string{"decode", "decode/definition", "decode/tdh", "schema"}, nil},
	{"decode/tracelogging", []string{"decode", "decode/tdh", "schema"}, nil},
	{"decode/wpp", []string{"decode", "decode/definition", "schema"}, nil},

	{"internal/crash", nil, nil},
	{"internal/ordered", []string{"internal/crash"}, []string{golang}},
	{"internal/filehash", []string{"internal/ordered"}, nil},
	{"internal/shell", nil, nil},
	{"internal/bytesize", nil, nil},
	{"internal/spool", nil, nil},
	{"internal/snapshot", nil, []string{xxh3}},
	{"internal/problems", []string{"decode"}, nil},
	{"internal/jsontext", nil, nil},
	{"internal/grid", nil, nil},
	{"internal/number", nil, nil},
	{"internal/symbols/pdb", []string{"schema"}, nil},
	{"internal/symbols/pe", []string{"schema"}, nil},
	{"internal/codes", []string{"schema"}, nil},
	{"internal/explain", []string{"decode", "decode/session", "internal/codes", "internal/grid", "schema"}, nil},
	{"internal/columns", []string{"schema"}, nil},
	{"internal/columns/lines", []string{"internal/columns", "internal/jsontext", "schema"}, nil},
	{"internal/columns/recordbatch", []string{"internal/columns", "schema"}, []string{arrowGo}},
	{"internal/parquet", []string{"internal/columns", "schema"}, []string{parquetGo, klauspost}},
	{"internal/siblings", []string{"decode"}, nil},
	{"internal/attribution/cswitch", []string{"decode"}, nil},
	{"internal/attribution/framestore", nil, nil},
	{"internal/attribution/textpool", []string{"decode", "schema"}, nil},
	{"internal/attribution/pairs", []string{"decode"}, nil},
	{"internal/attribution/radix", nil, nil},
	{"internal/attribution", []string{"decode", "internal/attribution/cswitch", "internal/attribution/framestore", "internal/attribution/pairs", "internal/attribution/radix", "internal/attribution/textpool", "internal/ordered", "schema"}, nil},
	{"internal/catalog/corrections", []string{"decode/tdh", "schema"}, nil},
	{"internal/catalog/packed", []string{"decode/definition", "decode/tdh", "schema"}, []string{klauspost}},
	{"internal/catalog/windows", []string{"internal/catalog/packed"}, nil},
	{"internal/catalog/corrections", []string{"decode/tdh", "schema"}, nil},
	{"internal/catalog", []string{"decode", "decode/definition", "decode/eventinfo", "decode/manifest", "decode/mof", "decode/tracelogging", "decode/wpp",
		"internal/catalog/corrections", "internal/catalog/packed", "internal/catalog/windows", "internal/problems", "internal/symbols/pdb", "schema"}, nil},
	{"internal/catalog/listing", []string{"internal/catalog/packed", "internal/grid", "schema"}, nil},
	{"internal/fits", []string{"decode", "internal/catalog", "schema"}, nil},
	{"internal/symbols/demangle/microsoft", nil, nil},
	{"internal/symbols/demangle", []string{"internal/symbols/demangle/microsoft"}, []string{"github.com/ianlancetaylor/"}},
	{"internal/archive/cab", nil, []string{klauspost}},
	{"internal/remote", []string{"internal/spool"}, nil},
	{"internal/symbols/find", []string{"internal/archive/cab", "internal/remote", "schema"}, []string{golang}},
	{"internal/symbols", []string{"internal/attribution", "internal/symbols/demangle", "internal/symbols/find", "internal/symbols/pdb", "internal/symbols/pe", "schema"}, nil},
	{"internal/index", []string{"decode", "decode/ccswap", "decode/session", "internal/attribution", "internal/attribution/cswitch", "internal/attribution/framestore", "internal/catalog", "internal/filehash", "internal/fits", "internal/ordered", "internal/problems", "internal/snapshot", "internal/spool", "schema"}, []string{xxh3}},
	{"internal/selection", []string{"internal/index", "schema"}, nil},
	{"internal/rows/payloadjson", []string{"decode", "internal/index", "internal/jsontext", "schema"}, nil},
	{"internal/rows/extended", []string{"decode", "internal/columns", "internal/index"}, nil},
	{"internal/rows/arena", nil, nil},
	{"internal/rows/distinct", []string{"internal/spool"}, nil},
	{"internal/rows/slabs", []string{"decode", "internal/index"}, nil},
	{"internal/rows/frames", []string{"decode", "internal/attribution", "internal/columns", "internal/symbols"}, nil},
	{"internal/rows/processes", []string{"decode", "internal/attribution", "internal/catalog", "internal/index", "schema"}, nil},
	{"internal/rows/unmatched", []string{"internal/attribution", "internal/catalog", "internal/index", "internal/rows/processes", "internal/selection", "schema"}, nil},
	{"internal/rows/values", []string{"decode", "internal/columns", "schema"}, nil},
	{"internal/rows", []string{"decode", "decode/activity", "internal/attribution", "internal/attribution/cswitch", "internal/catalog", "internal/columns", "internal/fits", "internal/index", "internal/problems",
		"internal/rows/arena", "internal/rows/distinct", "internal/rows/extended", "internal/rows/frames", "internal/rows/payloadjson", "internal/rows/processes", "internal/rows/slabs", "internal/rows/unmatched", "internal/rows/values", "internal/selection", "internal/symbols", "schema"}, nil},
	{"internal/rows/fixed", []string{"decode", "decode/session", "internal/attribution", "internal/catalog", "internal/columns", "internal/index", "internal/problems", "schema"}, nil},

	{"internal/splits", []string{"decode", "internal/catalog", "internal/index", "internal/rows", "internal/rows/slabs"}, nil},

	{"internal/archive/deflate64", nil, nil},
	{"internal/archive/sevenzip", []string{"internal/archive/deflate64"}, []string{klauspost, "github.com/ulikunitz/xz/"}},
	{"internal/archive", []string{"internal/archive/cab", "internal/archive/deflate64", "internal/archive/sevenzip", "internal/spool"},
		[]string{klauspost, "github.com/therootcompany/xz"}},
	{"internal/store", nil, []string{golang}}, // locks of Windows
	{"internal/store/s3", []string{"internal/remote", "internal/spool", "internal/store"}, []string{minio, golang}},

	{"internal/dataset", []string{"internal/catalog", "internal/index", "internal/ordered", "internal/parquet", "internal/problems", "internal/store", "internal/symbols", "schema"},
		[]string{golang}},

	{"internal/describe", []string{"internal/bytesize", "internal/dataset", "internal/grid", "internal/number", "schema"}, nil},
	{"convert", []string{"decode", "internal/catalog", "internal/columns", "internal/crash", "internal/dataset", "internal/filehash", "internal/index", "internal/ordered", "internal/parquet", "internal/problems",
		"internal/rows", "internal/rows/distinct", "internal/rows/fixed", "internal/rows/slabs", "internal/selection", "internal/siblings", "internal/splits", "internal/store", "internal/symbols", "schema"}, []string{parquetGo, golang}},
	{"internal/batch/input", []string{"convert", "decode", "internal/archive", "internal/remote", "internal/store", "internal/store/s3"}, []string{golang}},
	{"internal/batch/plan", []string{"internal/batch/input", "internal/dataset"}, nil},
	{"internal/batch", []string{"convert", "internal/archive", "internal/batch/input", "internal/dataset", "internal/ordered", "internal/siblings"}, nil},
	{"internal/info", []string{"convert", "decode", "decode/session", "internal/batch", "internal/batch/input", "internal/bytesize", "internal/describe", "internal/grid", "internal/number", "internal/siblings"}, nil},
	{"internal/benchmark", []string{"convert", "decode", "internal/bytesize", "internal/columns", "internal/grid", "internal/number", "internal/parquet", "schema"}, []string{golang}},
	{"internal/stream", []string{"convert", "internal/columns/lines", "internal/columns/recordbatch", "schema"}, []string{arrowGo}},
	{"internal/query", []string{"convert", "internal/archive", "internal/batch", "internal/batch/input", "internal/codes", "internal/dataset", "internal/grid", "internal/jsontext", "schema"}, []string{arrowGo}},
	{root, []string{"convert", "internal/columns/recordbatch", "internal/crash", "internal/stream", "schema"}, []string{arrowGo}},
	{"cmd/etl2parquet/internal/progress", []string{"internal/batch/input", "internal/bytesize", "internal/grid", "internal/number"}, []string{golang}},
	{"cmd/etl2parquet/internal/messages", []string{"convert", "decode", "internal/archive", "internal/batch/input", "internal/shell"}, nil},
	{"cmd/etl2parquet/internal/mistakes", []string{"internal/archive", "internal/batch/input", "internal/shell", "schema"}, []string{"github.com/spf13/"}},
	{"cmd/etl2parquet/internal/results", []string{"convert", "internal/batch", "internal/batch/input", "internal/bytesize", "internal/info", "internal/number", "internal/shell"}, nil},
	{"cmd/etl2parquet", []string{"cmd/etl2parquet/internal/messages", "cmd/etl2parquet/internal/mistakes", "cmd/etl2parquet/internal/progress", "cmd/etl2parquet/internal/results", "convert", "decode", "decode/tracelogging", "internal/archive", "internal/batch", "internal/batch/input", "internal/batch/plan", "internal/benchmark", "internal/bytesize", "internal/catalog", "internal/catalog/listing",
		"internal/catalog/windows", "internal/codes", "internal/dataset", "internal/describe", "internal/explain", "internal/grid", "internal/info", "internal/number", "internal/query", "internal/remote", "internal/shell", "internal/spool", "internal/stream", "schema"},
		[]string{arrowGo, "github.com/spf13/", golang}},
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

// TestImports checks the imports of each package against its layer. With -v it prints the
// graph.
func TestImports(t *testing.T) {
	known := make(map[string]*layer)
	for i := range layers {
		l := &layers[i]
		for _, below := range l.own {
			if known[below] == nil {
				t.Errorf("%s may import %s, which is not below it", l.name, below)
			}
		}
		known[l.name] = l
	}
	found := make(map[string]bool)
	for _, line := range list(t, `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...") {
		imports := strings.Fields(line)
		name := strings.TrimPrefix(imports[0], module)
		l := known[name]
		if l == nil {
			if !forTests(name) && !alone[name] {
				t.Errorf("%s has no layer", imports[0])
			}
			continue
		}
		found[name] = true
		var own []string
		for _, p := range imports[1:] {
			below, isOwn := strings.CutPrefix(p, module)
			switch {
			case isOwn && slices.Contains(l.own, below):
				own = append(own, below)
			case isOwn:
				t.Errorf("%s imports %s", name, below)
			case strings.Contains(p, ".") && !slices.ContainsFunc(l.others, func(prefix string) bool { return strings.HasPrefix(p, prefix) }):
				t.Errorf("%s imports %s", name, p)
			}
		}
		for _, below := range l.own {
			if !slices.Contains(own, below) {
				t.Errorf("%s may import %s, but does not", name, below)
			}
		}
		t.Logf("%s <- %s", name, strings.Join(own, " "))
	}
	for _, l := range layers {
		if !found[l.name] {
			t.Errorf("package %s does not exist", l.name)
		}
	}
}

// alone lists packages that nothing imports: programs for developers of this one, and the tests
// of the Python package.
var alone = map[string]bool{"internal/catalog/windows/generate": true, "internal/notices": true, "python": true, "python/wheels": true}

// forTests reports whether a package is only for tests.
func forTests(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.HasSuffix(name, "test") || first == "interop" || first == "bench" || name == "internal/testenv" || name == "decode/tracetest"
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
