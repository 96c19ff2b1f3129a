package archive_test

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive/archivetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func nested(n int, wrap func(string) string, core string) string {
	for range n {
		core = wrap(core)
	}
	return core
}

func entries(n int) []named {
	files := make([]named, n)
	for i := range files {
		files[i] = named{name: fmt.Sprintf("%06d.etl", i)}
	}
	return files
}

// TestBombs walks hostile archives. Each is rejected with one clear line, and its
// good entries are still visited.
func TestBombs(t *testing.T) {
	most := testenv.Times(t, 1000, 1000, 100_000, 100_000) // entries
	testenv.Sequential(t)
	good := named{"good.etl", "good"}
	sevenz43 := "7z\xbc\xaf\x27\x1c\x00\x04"
	start := binary.LittleEndian.AppendUint32(append(make([]byte, 8), 11, 0, 0, 0, 0, 0, 0, 0),
		crc("\x01\x05\xf0\x00\x94\x35\x77\x14\x01\x01\x00"))
	sevenz43 += string(binary.LittleEndian.AppendUint32(nil, crc(string(start)))) + string(start) + "\x01\x05\xf0\x00\x94\x35\x77\x14\x01\x01\x00"
	overlap := archivetest.OverlappingZip(500, archivetest.Zeros(21<<20), 21<<20)
	if len(overlap) > 48<<10 {
		t.Fatalf("the zip has %d bytes", len(overlap))
	}
	for _, test := range []struct {
		name, content string
		limits        archive.Limits
		good          int // entries
		limit         archive.Limit
		path, text    string
	}{
		{"44 KB zip, 10 GiB by overlap", overlap, archive.Limits{}, 0,
			archive.LimitOverlap, "x", "refused: 500 entries that share their bytes"},
		{"8 GiB zstd", archivetest.ZstdBomb(65536), archive.Limits{}, 0,
			archive.LimitRatio, "x/x", "refused: it expands too far beyond its compressed size (ratio limit: 1000)"},
		{"8 GiB zstd among others", tarred(named{"large", strings.Repeat("x", 300_000)}, named{"b.zst", archivetest.ZstdBomb(65536)}, good), archive.Limits{}, 2,
			archive.LimitRatio, "x/b.zst/b", "(ratio limit: 1000)"},
		{"ratio", zipped(good, named{"z.etl", strings.Repeat("\x00", 1<<20)}), archive.Limits{Ratio: 100, Free: 1 << 10}, 1,
			archive.LimitRatio, "x/z.etl", "(ratio limit: 100)"},
		{"bytes", tarred(good, named{"x.gz", gzipped(strings.Repeat("etl", 10_000))}, good), archive.Limits{Bytes: 20_000}, 1,
			archive.LimitBytes, "x/x.gz/x", "refused: the input expands to more than 20000 bytes (expanded bytes limit: 20000)"},
		{"sparse tar of 1 EiB", archivetest.SparseTar(1 << 60), archive.Limits{Free: 1 << 20}, 0,
			archive.LimitRatio, "x/sparse.etl", "(ratio limit: 1000)"},
		{"zip in zip in zip", nested(50, func(s string) string { return zipped(good, named{"n.zip", s}) }, ""), archive.Limits{}, 2,
			archive.LimitDepth, "x/n.zip/n.zip", "refused: an archive inside 2 others (depth limit: 2)"},
		{"gzip in gzip", nested(1000, gzipped, "core"), archive.Limits{}, 0,
			archive.LimitDepth, "x/x/x", "refused: an archive inside 2 others (depth limit: 2)"},
		{"depth of one", zipped(good, named{"n.tgz", gzipped(tarred(good))}), archive.Limits{Depth: 1}, 1,
			archive.LimitDepth, "x/n.tgz", "refused: an archive inside 1 others (depth limit: 1)"},
		{"too many entries in zip", zipped(entries(most + 1)...), archive.Limits{Entries: most}, 0,
			archive.LimitEntries, "x", fmt.Sprintf("refused: more than %d entries (entries limit: %[1]d)", most)},
		{"too many entries in tar", tarred(entries(most + 1)...), archive.Limits{Entries: most}, most,
			archive.LimitEntries, "x", fmt.Sprintf("refused: more than %d entries (entries limit: %[1]d)", most)},
		{"a directory of more entries than its end counts", zipped(entries(65536 + 20)...), archive.Limits{Entries: 50}, 0,
			archive.LimitEntries, "x", "refused: more than 50 entries (entries limit: 50)"},
		{"zstd window", "\x28\xb5\x2f\xfd\x00\xb0\x01\x00\x00", archive.Limits{}, 0,
			archive.LimitWindow, "x/x", "refused: it needs a larger window (window limit: 134217728)"},
		{"xz window", xzed("some"), archive.Limits{Window: 1 << 12}, 0,
			archive.LimitWindow, "x", "refused: it needs a larger window (window limit: 4096)"},
		{"7z window", fixture(t, "../../base/sevenzip/testdata/lzma2.7z"), archive.Limits{Window: 5000}, 1,
			archive.LimitWindow, "x/a.etl", "refused: it needs a window of 5500 bytes (window limit: 5000); 1 more files"},
		{"2e9 files in 43 bytes of 7z", sevenz43, archive.Limits{}, 0,
			archive.LimitEntries, "x", "refused: more than 100000 entries"},
		{"name of 4 KiB", zipped(good, named{strings.Repeat("n", 4096), "long"}, good), archive.Limits{}, 2,
			archive.LimitName, "x/" + strings.Repeat("n", 60) + "...", "refused: a name of 4096 bytes (name length limit: 1024)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := walk(t, "x", test.content, test.limits)
			var limit *archive.LimitError
			err := w.errs[test.path]
			if !errors.As(err, &limit) || limit.Limit != test.limit || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%s: got %v, want an error with %q", test.path, err, test.text)
			}
			if len(w.errs) != 1 || err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %v", w.errs)
			}
			if len(w.content) != test.good {
				t.Errorf("%d good entries, want %d", len(w.content), test.good)
			}
		})
	}
}

// TestManyEntries walks the greatest allowed number of entries.
func TestManyEntries(t *testing.T) {
	testenv.Slow(t, "100,000 entries")
	testenv.Sequential(t)
	if n := len(walk(t, "x", zipped(entries(100_000)...), archive.Limits{}).content); n != 100_000 {
		t.Errorf("%d entries", n)
	}
}

// TestKeptEntries checks that an entry without an overlap is kept beside two that overlap.
func TestKeptEntries(t *testing.T) {
	data := archivetest.Zeros(1 << 10)
	b := archivetest.OverlappingZip(3, data, 1<<10)
	// The third entry of the directory gets its own bytes, after the shared ones.
	third := strings.LastIndex(b, "PK\x01\x02")
	out := []byte(b)
	local := 30 + 5 + len(data)
	binary.LittleEndian.PutUint32(out[third+42:], uint32(local))
	out = append(out[:local:local], append([]byte(b[:local]), out[local:]...)...)
	end := len(out) - 22
	binary.LittleEndian.PutUint32(out[end+16:], uint32(2*local))
	w := walk(t, "x", string(out), archive.Limits{})
	if got := w.content["x/00002"]; len(w.content) != 1 || len(got) != 1<<10 {
		t.Errorf("%d entries, %d bytes", len(w.content), len(got))
	}
	if err := w.errs["x"]; err == nil || err.Error() != "refused: 2 entries that share their bytes" {
		t.Error(err)
	}
}

// TestSpoolLimit checks that a temporary file stays within its limit.
func TestSpoolLimit(t *testing.T) {
	content := zipped(named{"a.etl", "0123456789"})
	for limit, want := range map[int64]bool{9: true, 10: false, 11: false} {
		dir := t.TempDir()
		err := archive.Walk(t.Context(), at("x", content), archive.Options{Limits: archive.Limits{Spool: limit}, TempDir: dir},
			func(e *archive.Entry, err error) error {
				if err != nil {
					return err
				}
				f, err := e.File()
				if err != nil {
					return err
				}
				return f.Close()
			})
		var refused *archive.LimitError
		if errors.As(err, &refused) != want || want && refused.Limit != archive.LimitSpool {
			t.Errorf("limit %d: %v", limit, err)
		}
		if left := must(os.ReadDir(dir)); len(left) > 0 {
			t.Errorf("limit %d: %v is left", limit, left)
		}
	}
}

// TestLinks checks that links and devices in a tar are skipped.
func TestLinks(t *testing.T) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range []*tar.Header{
		{Name: "folder/", Typeflag: tar.TypeDir},
		{Name: "symbolic.etl", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "hard.etl", Typeflag: tar.TypeLink, Linkname: "../../etc/passwd"},
		{Name: "device.etl", Typeflag: tar.TypeBlock},
		{Name: "pipe.etl", Typeflag: tar.TypeFifo},
		{Name: "file.etl", Typeflag: tar.TypeReg},
	} {
		must(0, w.WriteHeader(h))
	}
	must(0, w.Close())
	if got := walk(t, "x", out.String(), archive.Limits{}); len(got.order) != 1 || got.order[0] != "x/file.etl" {
		t.Errorf("%v", got.order)
	}
}
