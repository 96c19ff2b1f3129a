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

	{"internal/base/crash", nil, nil},
	{"internal/base/ordered", []string{"internal/base/crash"}, []string{golang}},
	{"internal/base/filehash", []string{"internal/base/ordered"}, nil},
	{"internal/base/shell", nil, nil},
	{"internal/base/text/bytesize", nil, nil},
	{"internal/base/spool", nil, nil},
	{"internal/base/snapshot", nil, []string{xxh3}},
	{"internal/engine/problems", []string{"decode"}, nil},
	{"internal/base/text/jsontext", nil, nil},
	{"internal/base/text/grid", nil, nil},
	{"internal/base/text/number", nil, nil},
	{"internal/engine/symbols/pdb", []string{"schema"}, nil},
	{"internal/engine/symbols/pe", []string{"schema"}, nil},
	{"internal/engine/codes", []string{"schema"}, nil},
	{"internal/doors/explain", []string{"decode", "decode/session", "internal/engine/codes", "internal/base/text/grid", "schema"}, nil},
	{"internal/engine/columns", []string{"schema"}, nil},
	{"internal/formats/lines", []string{"internal/engine/columns", "internal/base/text/jsontext", "schema"}, nil},
	{"internal/formats/recordbatch", []string{"internal/engine/columns", "schema"}, []string{arrowGo}},
	{"internal/formats/parquet", []string{"internal/engine/columns", "schema"}, []string{parquetGo, klauspost}},
	{"internal/inputs/siblings", []string{"decode"}, nil},
	{"internal/engine/attribution/cswitch", []string{"decode"}, nil},
	{"internal/engine/attribution/framestore", nil, nil},
	{"internal/engine/attribution/textpool", []string{"decode", "schema"}, nil},
	{"internal/engine/attribution/pairs", []string{"decode"}, nil},
	{"internal/engine/attribution/radix", nil, nil},
	{"internal/engine/attribution", []string{"decode", "internal/engine/attribution/cswitch", "internal/engine/attribution/framestore", "internal/engine/attribution/pairs", "internal/engine/attribution/radix", "internal/engine/attribution/textpool", "internal/base/ordered", "schema"}, nil},
	{"internal/engine/catalog/corrections", []string{"decode/tdh", "schema"}, nil},
	{"internal/engine/catalog/packed", []string{"decode/definition", "decode/tdh", "schema"}, []string{klauspost}},
	{"internal/engine/catalog/windows", []string{"internal/engine/catalog/packed"}, nil},
	{"internal/engine/catalog/corrections", []string{"decode/tdh", "schema"}, nil},
	{"internal/engine/catalog", []string{"decode", "decode/definition", "decode/eventinfo", "decode/manifest", "decode/mof", "decode/tracelogging", "decode/wpp",
		"internal/engine/catalog/corrections", "internal/engine/catalog/packed", "internal/engine/catalog/windows", "internal/engine/problems", "internal/engine/symbols/pdb", "schema"}, nil},
	{"internal/doors/listing", []string{"internal/engine/catalog/packed", "internal/base/text/grid", "schema"}, nil},
	{"internal/engine/fits", []string{"decode", "internal/engine/catalog", "schema"}, nil},
	{"internal/engine/symbols/demangle/microsoft", nil, nil},
	{"internal/engine/symbols/demangle", []string{"internal/engine/symbols/demangle/microsoft"}, []string{"github.com/ianlancetaylor/"}},
	{"internal/base/cab", nil, []string{klauspost}},
	{"internal/base/remote", []string{"internal/base/spool"}, nil},
	{"internal/engine/symbols/find", []string{"internal/base/cab", "internal/base/remote", "schema"}, []string{golang}},
	{"internal/engine/symbols", []string{"internal/engine/attribution", "internal/engine/symbols/demangle", "internal/engine/symbols/find", "internal/engine/symbols/pdb", "internal/engine/symbols/pe", "schema"}, nil},
	{"internal/engine/index", []string{"decode", "decode/ccswap", "decode/session", "internal/engine/attribution", "internal/engine/attribution/cswitch", "internal/engine/attribution/framestore", "internal/engine/catalog", "internal/base/filehash", "internal/engine/fits", "internal/base/ordered", "internal/engine/problems", "internal/base/snapshot", "internal/base/spool", "schema"}, []string{xxh3}},
	{"internal/engine/selection", []string{"internal/engine/index", "schema"}, nil},
	{"internal/engine/rows/payloadjson", []string{"decode", "internal/engine/index", "internal/base/text/jsontext", "schema"}, nil},
	{"internal/engine/rows/extended", []string{"decode", "internal/engine/columns", "internal/engine/index"}, nil},
	{"internal/engine/rows/arena", nil, nil},
	{"internal/engine/rows/distinct", []string{"internal/base/spool"}, nil},
	{"internal/engine/rows/slabs", []string{"decode", "internal/engine/index"}, nil},
	{"internal/engine/rows/frames", []string{"decode", "internal/engine/attribution", "internal/engine/columns", "internal/engine/symbols"}, nil},
	{"internal/engine/rows/processes", []string{"decode", "internal/engine/attribution", "internal/engine/catalog", "internal/engine/index", "schema"}, nil},
	{"internal/engine/rows/unmatched", []string{"internal/engine/attribution", "internal/engine/catalog", "internal/engine/index", "internal/engine/rows/processes", "internal/engine/selection", "schema"}, nil},
	{"internal/engine/rows/values", []string{"decode", "internal/engine/columns", "schema"}, nil},
	{"internal/engine/rows", []string{"decode", "decode/activity", "internal/engine/attribution", "internal/engine/attribution/cswitch", "internal/engine/catalog", "internal/engine/columns", "internal/engine/fits", "internal/engine/index", "internal/engine/problems",
		"internal/engine/rows/arena", "internal/engine/rows/distinct", "internal/engine/rows/extended", "internal/engine/rows/frames", "internal/engine/rows/payloadjson", "internal/engine/rows/processes", "internal/engine/rows/slabs", "internal/engine/rows/unmatched", "internal/engine/rows/values", "internal/engine/selection", "internal/engine/symbols", "schema"}, nil},
	{"internal/engine/rows/fixed", []string{"decode", "decode/session", "internal/engine/attribution", "internal/engine/catalog", "internal/engine/columns", "internal/engine/index", "internal/engine/problems", "schema"}, nil},

	{"internal/engine/splits", []string{"decode", "internal/engine/catalog", "internal/engine/index", "internal/engine/rows", "internal/engine/rows/slabs"}, nil},

	{"internal/base/deflate64", nil, nil},
	{"internal/base/sevenzip", []string{"internal/base/deflate64"}, []string{klauspost, "github.com/ulikunitz/xz/"}},
	{"internal/inputs/archive", []string{"internal/base/cab", "internal/base/deflate64", "internal/base/sevenzip", "internal/base/spool"},
		[]string{klauspost, "github.com/therootcompany/xz"}},
	{"internal/lake/store", nil, []string{golang}}, // locks of Windows
	{"internal/lake/store/s3", []string{"internal/base/remote", "internal/base/spool", "internal/lake/store"}, []string{minio, golang}},

	{"internal/lake/dataset", []string{"internal/engine/catalog", "internal/engine/index", "internal/base/ordered", "internal/formats/parquet", "internal/engine/problems", "internal/lake/store", "internal/engine/symbols", "schema"},
		[]string{golang}},

	{"internal/lake/views", []string{"internal/engine/catalog", "internal/lake/dataset", "schema"}, nil},

	{"internal/doors/describe", []string{"internal/base/text/bytesize", "internal/lake/dataset", "internal/lake/views", "internal/base/text/grid", "internal/base/text/number", "schema"}, nil},
	{"convert", []string{"decode", "internal/engine/catalog", "internal/engine/columns", "internal/base/crash", "internal/lake/dataset", "internal/base/filehash", "internal/engine/index", "internal/base/ordered", "internal/formats/parquet", "internal/engine/problems",
		"internal/engine/rows", "internal/engine/rows/distinct", "internal/engine/rows/fixed", "internal/engine/rows/slabs", "internal/engine/selection", "internal/inputs/siblings", "internal/engine/splits", "internal/lake/store", "internal/engine/symbols", "schema"}, []string{parquetGo, golang}},
	{"internal/inputs", []string{"convert", "decode", "internal/inputs/archive", "internal/base/remote", "internal/lake/store", "internal/lake/store/s3"}, []string{golang}},
	{"internal/inputs/plan", []string{"internal/inputs", "internal/lake/dataset"}, nil},
	{"internal/inputs/batch", []string{"convert", "internal/inputs/archive", "internal/inputs", "internal/lake/dataset", "internal/base/ordered", "internal/inputs/siblings"}, nil},
	{"internal/doors/info", []string{"convert", "decode", "decode/session", "internal/inputs/batch", "internal/inputs", "internal/base/text/bytesize", "internal/doors/describe", "internal/base/text/grid", "internal/base/text/number", "internal/inputs/siblings"}, nil},
	{"internal/doors/bench", []string{"convert", "decode", "internal/base/text/bytesize", "internal/engine/columns", "internal/base/text/grid", "internal/base/text/number", "internal/formats/parquet", "schema"}, []string{golang}},
	{"internal/formats", []string{"convert", "internal/formats/lines", "internal/formats/recordbatch", "schema"}, []string{arrowGo}},
	{"internal/doors/query", []string{"convert", "internal/inputs/archive", "internal/inputs/batch", "internal/inputs", "internal/engine/codes", "internal/lake/views", "internal/base/text/grid", "internal/base/text/jsontext", "schema"}, []string{arrowGo}},
	{root, []string{"convert", "internal/formats/recordbatch", "internal/base/crash", "internal/formats", "schema"}, []string{arrowGo}},
	{"cmd/etl2parquet/internal/progress", []string{"internal/inputs", "internal/base/text/bytesize", "internal/base/text/grid", "internal/base/text/number"}, []string{golang}},
	{"cmd/etl2parquet/internal/messages", []string{"convert", "decode", "internal/inputs/archive", "internal/inputs", "internal/base/shell"}, nil},
	{"cmd/etl2parquet/internal/usage", []string{"internal/inputs/archive", "internal/inputs", "internal/base/shell", "schema"}, []string{"github.com/spf13/"}},
	{"cmd/etl2parquet/internal/results", []string{"convert", "internal/inputs/batch", "internal/inputs", "internal/base/text/bytesize", "internal/doors/info", "internal/base/text/number", "internal/base/shell"}, nil},
	{"cmd/etl2parquet", []string{"cmd/etl2parquet/internal/messages", "cmd/etl2parquet/internal/usage", "cmd/etl2parquet/internal/progress", "cmd/etl2parquet/internal/results", "convert", "decode", "decode/tracelogging", "internal/inputs/archive", "internal/inputs/batch", "internal/inputs", "internal/inputs/plan", "internal/doors/bench", "internal/base/text/bytesize", "internal/engine/catalog", "internal/doors/listing",
		"internal/engine/catalog/windows", "internal/engine/codes", "internal/lake/dataset", "internal/lake/views", "internal/doors/describe", "internal/doors/explain", "internal/base/text/grid", "internal/doors/info", "internal/base/text/number", "internal/doors/query", "internal/base/remote", "internal/base/shell", "internal/base/spool", "internal/formats", "schema"},
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
var alone = map[string]bool{"tools/catalog": true, "tools/notices": true, "python": true, "python/wheels": true}

// forTests reports whether a package is only for tests.
func forTests(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return strings.HasSuffix(name, "test") || first == "interop" || first == "bench" || name == "tools/testenv" || name == "decode/tracetest"
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
