package sevenzip_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/sevenzip"
)

// FuzzOpen reads an archive with arbitrary packed streams and an arbitrary header, with valid
// checksums. Files must lie inside their folders, and a folder must return as many bytes as it
// claims, or an error.
func FuzzOpen(f *testing.F) {
	const signatureHeader = 32
	for _, name := range []string{"copy", "lzma2", "lzma", "deflate", "bzip2", "ppmd", "bcj2", "encrypted"} {
		b := fixture(f, name+".7z")
		offset := binary.LittleEndian.Uint64(b[12:])
		f.Add(b[signatureHeader:signatureHeader+offset], b[signatureHeader+offset:])
	}
	f.Add(make([]byte, 20), oneFile(20, 20, []byte{0}, nil))
	f.Fuzz(func(t *testing.T, packed, header []byte) {
		small := sevenzip.Limits{Files: 100, Header: 1 << 16, Window: 1 << 20}
		b := archive7z(packed, header)
		a, err := sevenzip.Open(bytes.NewReader(b), int64(len(b)), small)
		if err != nil {
			if a != nil {
				t.Error("an archive and an error")
			}
			return
		}
		if n := len(a.Files()); n > small.Files {
			t.Errorf("%d files", n)
		}
		folders := make(map[int]int64)
		for _, file := range a.Files() {
			if file.Folder < 0 {
				continue
			}
			if file.Offset < 0 || file.Size < 0 || file.Offset != folders[file.Folder] {
				t.Errorf("file at %d of %d bytes, after %d", file.Offset, file.Size, folders[file.Folder])
			}
			folders[file.Folder] = file.Offset + file.Size
		}
		read := 0
		for i, size := range folders {
			if read++; read > 3 {
				break
			}
			readFolder(t, a, i, size)
		}
	})
}

func readFolder(t *testing.T, a *sevenzip.Archive, i int, files int64) {
	const most = 1 << 20
	r, err := a.Folder(i)
	if err != nil {
		return
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, most))
	if err == nil && n < min(files, most) {
		t.Errorf("folder %d: %d bytes and no error, but its files have %d", i, n, files)
	}
}
