package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive/archivetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// zipOf makes a zip of files.
func zipOf(t *testing.T, names, contents []string) string {
	t.Helper()
	var out bytes.Buffer
	if err := zipTo(&out, names, contents); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// convertBeside converts an input with a good trace beside it. It returns the status, the
// error output and the folder. The run may write only into out, a folder inside it.
func convertBeside(t *testing.T, name, contents string, args ...string) (status int, said []string, out string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "up", "here")
	for _, folder := range []string{"in", "temp"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	sample := testenv.ReadFile(t, sampleTrace)
	for file, contents := range map[string]string{name: contents, "sample.etl": string(sample)} {
		testenv.WriteFile(t, filepath.Join(dir, "in", file), contents)
	}
	above := filepath.Join(dir, "..", "..")
	before := tree(t, above)
	t.Chdir(dir)
	var stderr bytes.Buffer
	status = run(t.Context(), append([]string{"convert", "in", "-o", "out", "--temp-dir", "temp", "--bundle", "never"}, args...), nil, io.Discard, &stderr)
	after := tree(t, above)
	maps.DeleteFunc(after, func(name, _ string) bool { return name == "up/here/out/" || strings.HasPrefix(name, "up/here/out/") })
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("files outside the output:\n%s", diff)
	}
	if text := strings.TrimSuffix(stderr.String(), "\n"); text != "" {
		said = strings.Split(text, "\n")
	}
	return status, said, filepath.Join(dir, "out")
}

// onlyTraces checks that a dataset has exactly these traces, and only safe names.
func onlyTraces(t *testing.T, out string, traces ...string) {
	t.Helper()
	var got []string
	safe := regexp.MustCompile(`^[0-9A-Za-z_.=/-]+$`)
	for name := range tree(t, out) {
		if !safe.MatchString(name) {
			t.Errorf("an unsafe name: %q", name)
		}
		if trace, ok := strings.CutPrefix(name, "_traces/"); ok && trace != "" {
			got = append(got, strings.TrimSuffix(trace, ".json"))
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(traces, got); diff != "" {
		t.Errorf("traces: -want +got:\n%s", diff)
	}
}

// TestBombs converts hostile archives beside a good trace. Each is rejected in one line
// that says why and what raises the limit.
func TestBombs(t *testing.T) {
	sample := testenv.ReadFile(t, sampleTrace)
	good := string(sample)
	deep := good
	for range 5 {
		deep = zipOf(t, []string{"deeper.zip"}, []string{deep})
	}
	most := testenv.Times(t, 1000, 1000, 100_000, 100_000) // entries; the last is the default
	many := make([]string, most+1)
	for i := range many {
		many[i] = fmt.Sprintf("%d.etl", i)
	}
	var few []string
	if testenv.Running(t) < testenv.TierAll {
		few = []string{fmt.Sprintf("--archive-max-entries=%d", most)}
	}
	overlap := archivetest.OverlappingZip(500, archivetest.Zeros(21<<20), 21<<20)
	if len(overlap) > 48<<10 {
		t.Fatalf("the zip has %d bytes", len(overlap))
	}
	for _, test := range []struct {
		file, contents string
		said           string
		traces         []string
		args           []string
	}{
		{"overlap.zip", overlap, `in/overlap.zip: refused: 500 entries that share their bytes`, nil, nil},
		{"ratio.etl.zst", archivetest.ZstdBomb(65536), `in/ratio.etl.zst/ratio.etl: refused: it expands too far beyond its compressed size (ratio limit: 1000); see --archive-max-ratio`, nil, nil},
		{"sparse.tar", archivetest.SparseTar(1 << 60), `in/sparse.tar/sparse.etl: refused: it expands too far beyond its compressed size (ratio limit: 1000); see --archive-max-ratio`, nil, nil},
		{"deep.zip", deep, `in/deep.zip/deeper.zip/deeper.zip: refused: an archive inside 2 others (depth limit: 2); see --archive-depth`, nil, nil},
		{"many.zip", zipOf(t, many, make([]string, len(many))), fmt.Sprintf("in/many.zip: refused: more than %[1]d entries (entries limit: %[1]d); see --archive-max-entries", most), nil, few},
		{"long.zip", zipOf(t, []string{strings.Repeat("n", 4092) + ".etl", "good.etl"}, []string{good, good}),
			`in/long.zip/` + strings.Repeat("n", 60) + `...: refused: a name of 4096 bytes (name length limit: 1024)`, []string{"good"}, nil},
	} {
		t.Run(test.file, func(t *testing.T) {
			status, said, out := convertBeside(t, test.file, test.contents, test.args...)
			if status != exitSomeFailed {
				t.Errorf("exit status %d", status)
			}
			if diff := cmp.Diff([]string{"etl2parquet: " + filepath.FromSlash(test.said)}, said); diff != "" {
				t.Errorf("-want +said:\n%s", diff)
			}
			onlyTraces(t, out, append(test.traces, "sample")...)
		})
	}
}

// TestBadNames converts traces from archives with unsafe names: they become safe and
// distinct paths.
func TestBadNames(t *testing.T) {
	sample := testenv.ReadFile(t, sampleTrace)
	names := []string{
		"../../up.etl", "/absolute.etl", `C:\drive.etl`, `..\..\back.etl`, `\\server\share\unc.etl`, "CON.etl", "aux", "com1.x.etl",
		"a:stream.etl", "nul\x00l.etl", "new\nline.etl", "\xff\xfe.etl", "dots...etl", ".etl", "_hidden.etl", "trace=x/y.etl", "dir/../../../z.etl", "a b'\"$(x).etl",
	}
	contents := make([]string, len(names))
	for i := range contents {
		contents[i] = string(sample)
	}
	status, said, out := convertBeside(t, "names.zip", zipOf(t, names, contents), "--table", "traces")
	if status != exitDone || len(said) > 0 {
		t.Errorf("exit status %d, output %q", status, said)
	}
	var got []string
	for name := range tree(t, filepath.Join(out, "_traces")) {
		got = append(got, strings.TrimSuffix(name, ".json"))
	}
	slices.Sort(got)
	if len(got) != len(names)+1 {
		t.Errorf("%d traces, want %d", len(got), len(names)+1)
	}
	onlyTraces(t, out, got...)
	t.Logf("%q", got)
	for _, bad := range []string{"con", "aux", "nul", "com1"} {
		for _, name := range got {
			if stem, _, _ := strings.Cut(strings.ToLower(name), "."); stem == bad {
				t.Errorf("%s is a device", name)
			}
		}
	}
}
