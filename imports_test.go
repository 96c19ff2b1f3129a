package etl2parquet

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/etl2parquet/etl2parquet/"

// TestImports holds the packages to one line, schema <- decode <-
// attribution <- convert <- cmd: each may depend on what is named here, and on nothing else that is not
// in the standard library.
func TestImports(t *testing.T) {
	const golang = "golang.org/x/"
	parquet := []string{"github.com/parquet-go/", "github.com/klauspost/compress", "github.com/pierrec/lz4/", golang}
	buckets := []string{"github.com/minio/", golang, "github.com/klauspost/", "github.com/cespare/xxhash", "github.com/dustin/go-humanize", "github.com/google/uuid",
		"github.com/philhofer/fwd", "github.com/rs/xid", "github.com/tinylib/msgp", "github.com/zeebo/xxh3", "go.yaml.in/yaml", "gopkg.in/ini.v1"}
	for _, rule := range []struct {
		pattern string
		allowed []string
	}{
		{"./schema/...", nil},
		{"./decode", []string{module + "schema", module + "decode"}},
		{"./decode/xca", []string{module + "decode/xca"}},
		{"./decode/tdh", []string{module + "schema", module + "decode"}},
		{"./decode/definition", []string{module + "schema", module + "decode"}},
		{"./decode/manifest", []string{module + "schema", module + "decode"}},
		{"./decode/mof", []string{module + "schema", module + "decode"}},
		{"./decode/tracelogging", []string{module + "schema", module + "decode"}},
		{"./decode/eventinfo", []string{module + "schema", module + "decode"}},
		{"./decode/wpp", []string{module + "schema", module + "decode"}},
		{"./decode/etltest", []string{module + "decode/etltest"}},
		{"./internal/archive", []string{module + "internal/archive", module + "internal/spool", "github.com/klauspost/compress", "github.com/therootcompany/xz", "github.com/ulikunitz/xz"}},
		{"./internal/archive/cab", []string{module + "internal/archive/cab", "github.com/klauspost/compress"}},
		{"./internal/archive/deflate64", []string{module + "internal/archive/deflate64"}},
		{"./internal/archive/sevenzip", []string{module + "internal/archive/sevenzip", module + "internal/archive/deflate64", "github.com/klauspost/compress", "github.com/ulikunitz/xz"}},
		{"./internal/attribution", []string{module + "schema", module + "decode", module + "internal/attribution"}},
		{"./internal/store", []string{module + "internal/store", golang}}, // locks of Windows
		{"./internal/spool", []string{module + "internal/spool"}},
		{"./internal/testenv", []string{module + "internal/testenv"}},
		{"./internal/remote", []string{module + "internal/remote", module + "internal/spool"}},
		{"./internal/store/s3", append(buckets, module+"internal/store", module+"internal/remote", module+"internal/spool")},
		{"./internal/columns", []string{module + "schema", module + "internal/columns"}},
		{"./internal/parquet", append(parquet, module+"schema", module+"internal/columns", module+"internal/parquet")},
		{"./internal/shell", []string{module + "internal/shell"}},
		{"./convert", append(parquet, module+"internal/columns", module+"internal/parquet", module+"internal/shell", module+"internal/store", module+"internal/spool", module+"schema", module+"decode", module+"internal/attribution", module+"convert")},
		{"./cmd/etl2parquet", append(append(parquet, buckets...), module+"internal/remote", module+"internal/spool", "github.com/spf13/", "github.com/inconshreveable/mousetrap",
			module+"internal/archive", "github.com/therootcompany/xz", "github.com/ulikunitz/xz",
			module+"internal/columns", module+"internal/parquet", module+"internal/shell", module+"internal/store", module+"schema", module+"decode", module+"internal/attribution", module+"convert", module+"cmd/etl2parquet")},
	} {
		t.Run(rule.pattern, func(t *testing.T) {
			out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", rule.pattern).Output()
			if err != nil {
				t.Fatalf("go list: %v", err)
			}
			packages := strings.Fields(string(out))
			if len(packages) == 0 {
				t.Fatal("go list names no package")
			}
			for _, p := range packages {
				if !allowed(p, rule.pattern, rule.allowed) {
					t.Errorf("%s depends on %s", rule.pattern, p)
				}
				if forTests(p) && p != module+strings.TrimPrefix(rule.pattern, "./") {
					t.Errorf("%s depends on %s, which is for tests", rule.pattern, p)
				}
			}
		})
	}
}

// forTests reports whether a package supports tests and nothing else.
func forTests(p string) bool {
	return strings.HasSuffix(p, "test") || p == module+"interop" || strings.HasPrefix(p, module+"bench") || p == module+"internal/testenv"
}

// TestTestPackages keeps the packages for tests out of all others, those too
// that no rule above names.
func TestTestPackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}\n{{end}}", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	supported := 0
	for line := range strings.Lines(string(out)) {
		p, imported, _ := strings.Cut(strings.TrimSpace(line), " ")
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

func allowed(p, pattern string, prefixes []string) bool {
	self := module + strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/...")
	if p == self {
		return true
	}
	for _, prefix := range prefixes {
		if strings.HasPrefix(p, prefix) {
			return true
		}
	}
	return false
}

// TestBuildsWithoutCgo keeps the program free of cgo, for builds with CGO_ENABLED=0.
func TestBuildsWithoutCgo(t *testing.T) {
	command := exec.Command("go", "list", "-deps", "-f", "{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}", "./cmd/etl2parquet")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if packages := strings.Fields(string(out)); len(packages) > 0 {
		t.Errorf("packages with cgo: %v", packages)
	}
}
