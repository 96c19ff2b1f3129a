package archive_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

var errBadSector = errors.New("input/output error")

// badSector is an input with an unreadable byte.
type badSector struct {
	content string
	at      int64
	hit     bool
}

func (b *badSector) ReadAt(p []byte, offset int64) (int, error) {
	n, err := strings.NewReader(b.content).ReadAt(p, offset)
	if b.at < offset || b.at >= offset+int64(n) {
		return n, err
	}
	b.hit = true
	return int(b.at - offset), errBadSector
}

var readError = regexp.MustCompile(`read at 0x[0-9a-f]+: input/output error$`)

// TestReadErrors walks archives with an unreadable byte. The visited contents are
// right, and every missing entry is reported with the position of the read, also
// entries after it.
func TestReadErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 50))
	files := make([]named, 5)
	for i := range files {
		text := make([]byte, 20_000)
		for k := range text {
			text[k] = byte(r.IntN(64))
		}
		files[i] = named{name: string(rune('a'+i)) + ".etl", content: string(text)}
	}
	hits, errs, whole := 0, 0, 0
	for name, content := range map[string]string{
		"x.zip": zipped(files...), "x.tar": tarred(files...), "x.tar.gz": gzipped(tarred(files...)), "x.tar.zst": zstded(tarred(files...)),
		"x.tar.xz": xzed(tarred(files...)), "x.gz": gzipped(files[0].content), "x.zst": zstded(files[0].content),
		"zip.tar": tarred(append(files, named{"in.zip", zipped(files...)})...), "tar.zip": zipped(named{"in.tar.gz", gzipped(tarred(files...))}),
		"lzma2.7z": fixture(t, "../../base/sevenzip/testdata/lzma2.7z"), "copy.7z": fixture(t, "../../base/sevenzip/testdata/copy.7z"), "bcj2.7z": fixture(t, "../../base/sevenzip/testdata/bcj2.7z"),
		"lzx.cab": fixture(t, "../../base/cab/testdata/lzx.cab"), "mszip.cab": fixture(t, "../../base/cab/testdata/mszip.cab"), "stored.cab": fixture(t, "../../base/cab/testdata/stored.cab"),
	} {
		t.Run(name, func(t *testing.T) {
			want, r := walk(t, name, content, archive.Limits{}), rand.New(rand.NewPCG(2, uint64(len(content))))
			for range 20 {
				bad := &badSector{content: content, at: r.Int64N(int64(len(content)))}
				got := newWalked()
				in := archive.Input{Name: name, At: bad, Size: int64(len(content))}
				if err := archive.Walk(t.Context(), in, archive.Options{TempDir: t.TempDir()}, got.visit); err != nil {
					t.Fatal(err)
				}
				checkReadErrors(t, want, got, bad)
				if bad.hit {
					hits++
				}
				errs += len(got.errs)
				whole += len(got.content)
				streamed := newWalked()
				in = archive.Input{Name: name, Stream: io.NewSectionReader(bad, 0, in.Size)}
				if err := archive.Walk(t.Context(), in, archive.Options{TempDir: t.TempDir()}, streamed.visit); err != nil {
					t.Fatal(err)
				}
				checkReadErrors(t, want, streamed, bad)
			}
		})
	}
	t.Logf("%d failed reads, %d reported errors, %d visited files", hits, errs, whole)
	if hits == 0 || errs == 0 || whole == 0 {
		t.Error("the unreadable bytes do not cover all outcomes")
	}
}

func checkReadErrors(t *testing.T, want, got *walked, bad *badSector) {
	t.Helper()
	for name, content := range got.content {
		if content != want.content[name] {
			t.Errorf("byte %#x: %s has other contents", bad.at, name)
		}
	}
	for name := range want.content {
		if _, ok := got.content[name]; !ok && !reported(got.errs, name) {
			t.Errorf("byte %#x: %s is missing, but not reported: %v", bad.at, name, got.errs)
		}
	}
	for name, err := range got.errs {
		if want.errs[name] == nil && (!errors.Is(err, errBadSector) || !readError.MatchString(err.Error())) {
			t.Errorf("byte %#x: %s: %q has no position of the read", bad.at, name, err)
		}
	}
}

// reported reports whether there is an error for a path or for an archive around it. If
// the beginning of a compressed tar is unreadable, the error is for a file x.tar in
// x.tar.gz.
func reported(errs map[string]error, name string) bool {
	for p := range errs {
		in, file := path.Split(p)
		if archive := path.Base(in); strings.TrimSuffix(archive, path.Ext(archive)) == file {
			p = path.Clean(in)
		}
		if p == name || strings.HasPrefix(name, p+"/") {
			return true
		}
	}
	return false
}
