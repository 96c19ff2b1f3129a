package archive_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive/archivetest"
)

// FuzzWalk walks any bytes. The limits bound the output, paths are distinct and lie
// below the input's path, each fault is reported once, and a stream has the same
// entries as an input with random access.
func FuzzWalk(f *testing.F) {
	small := []named{{"a.etl", "some content, some content"}, {"../b", "b"}, {"a.etl", ""}}
	seeds := []string{
		zipped(small...), tarred(small...), gzipped(tarred(small...)), zstded(tarred(small...)), xzed("a trace"), gzipped("a trace"),
		zipped(named{"x.zip", zipped(small...)}, named{"y.zst", zstded("trace")}),
		archivetest.OverlappingZip(3, archivetest.Zeros(100), 100), archivetest.ZstdBomb(3), archivetest.SparseTar(1 << 40),
	}
	for _, name := range []string{
		"../../base/sevenzip/testdata/lzma2.7z", "../../base/sevenzip/testdata/bzip2.7z", "../../base/sevenzip/testdata/ppmd.7z", "../../base/cab/testdata/mszip.cab", "../../base/cab/testdata/lzx.cab",
		"testdata/made.tar.bz2", "testdata/xz.zip", "testdata/encrypted.zip",
	} {
		seeds = append(seeds, fixture(f, name))
	}
	for _, s := range seeds {
		w := newWalked()
		if err := archive.Walk(f.Context(), at("x", s), archive.Options{}, w.visit); err != nil || len(w.order) == 0 || w.order[0] == "x" && len(w.errs) == 0 {
			f.Fatalf("a seed is not an archive: %v, %v", err, w.order)
		}
		f.Add([]byte(s))
	}
	limits := archive.Limits{Bytes: 1 << 20, Free: 1 << 16, Entries: 100, Window: 1 << 20, Spool: 1 << 18}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		run := func(in archive.Input) []string { return fuzzWalk(t, in, archive.Options{Limits: limits, TempDir: dir}) }
		random := run(at("x", string(b)))
		stream := run(archive.Input{Name: "x", Stream: strings.NewReader(string(b))})
		// The ratio of a stream counts only the bytes read so far, so its walk may
		// end sooner.
		if len(stream) > len(random) || !slices.Equal(stream, random[:len(stream)]) {
			t.Errorf("random access: %q, stream: %q", random, stream)
		}
	})
}

func fuzzWalk(t *testing.T, in archive.Input, o archive.Options) (order []string) {
	seen := make(map[string]bool)
	total, refused := int64(0), false
	err := archive.Walk(context.Background(), in, o, func(e *archive.Entry, err error) error {
		key := e.Path
		if err != nil {
			if key += ": error"; strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
		} else if seen[key] {
			t.Errorf("%q twice", key)
		}
		seen[key] = true
		order = append(order, key)
		if e.Path != "x" && (!strings.HasPrefix(e.Path, "x/") || strings.Contains(e.Path+"/", "/../") || strings.Contains(e.Path, "//")) {
			t.Errorf("path %q", e.Path)
		}
		if refused {
			t.Errorf("%s comes after the end", e.Path)
		}
		if err == nil {
			var n int64
			n, err = io.Copy(io.Discard, e)
			total += n
		}
		var limit *archive.LimitError
		refused = errors.As(err, &limit) && limit.Limit == archive.LimitBytes
		return nil
	})
	if err != nil {
		t.Errorf("an error, though the visitor returned none: %v", err)
	}
	// Only a tar can show as many bytes again as are counted.
	if most := 2 * (o.Limits.Bytes + in.Size + 1<<16); total > most && in.At != nil {
		t.Errorf("%d bytes from %d", total, in.Size)
	}
	return order
}
