package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"hash/crc32"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// named is a file to put into an archive.
type named struct{ name, content string }

var modTime = time.Date(2024, 5, 17, 12, 34, 56, 0, time.UTC)

func fixture(t testing.TB, name string) string {
	t.Helper()
	return string(testenv.ReadFile(t, filepath.FromSlash(name)))
}

// must returns v. Writers of archives use it because they do not fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func zipped(files ...named) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modTime}
		if f.content == "" {
			h.Method = zip.Store
		}
		must(io.WriteString(must(w.CreateHeader(h)), f.content))
	}
	must(0, w.Close())
	return out.String()
}

// zippedBy makes a zip of one file from content that is already compressed.
func zippedBy(method uint16, f named, compressed string, flags uint16, size uint64, crc uint32) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	h := &zip.FileHeader{Name: f.name, Method: method, Flags: flags, CRC32: crc,
		CompressedSize64: uint64(len(compressed)), UncompressedSize64: size}
	must(io.WriteString(must(w.CreateRaw(h)), compressed))
	must(0, w.Close())
	return out.String()
}

func tarred(files ...named) string {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		must(0, w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.content)), ModTime: modTime}))
		must(io.WriteString(w, f.content))
	}
	must(0, w.Close())
	return out.String()
}

func gzipped(s string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	must(io.WriteString(w, s))
	must(0, w.Close())
	return out.String()
}

func zstded(s string) string {
	return string(must(zstd.NewWriter(nil)).EncodeAll([]byte(s), nil))
}

func xzed(s string) string {
	var out bytes.Buffer
	w := must(xz.WriterConfig{DictCap: 1 << 16}.NewWriter(&out))
	must(io.WriteString(w, s))
	must(0, w.Close())
	return out.String()
}

func crc(s string) uint32 { return crc32.ChecksumIEEE([]byte(s)) }
