package sevenzip_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/etl2parquet/etl2parquet/internal/base/sevenzip"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var limits = sevenzip.Limits{Files: 1000, Header: 1 << 20, Window: 64 << 20}

func open(b []byte) (*sevenzip.Archive, error) {
	return sevenzip.Open(bytes.NewReader(b), int64(len(b)), limits)
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	return testenv.ReadFile(t, filepath.Join("testdata", name))
}

// readAll reads the files of an archive and compares their checksums.
func readAll(t *testing.T, a *sevenzip.Archive) (map[string]string, error) {
	t.Helper()
	files := make(map[string]string)
	folders := make(map[int][]byte)
	for _, f := range a.Files() {
		if f.Dir {
			continue
		}
		if f.Folder < 0 {
			files[f.Name] = ""
			continue
		}
		if _, ok := folders[f.Folder]; !ok {
			r, err := a.Folder(f.Folder)
			if err != nil {
				return nil, err
			}
			if folders[f.Folder], err = io.ReadAll(r); err != nil {
				return nil, err
			}
		}
		content := folders[f.Folder][f.Offset : f.Offset+f.Size]
		if !f.HasCRC || crc32.ChecksumIEEE(content) != f.CRC {
			t.Errorf("%s: the content does not fit the checksum", f.Name)
		}
		files[f.Name] = string(content)
	}
	return files, nil
}

func TestArchives(t *testing.T) {
	for _, name := range []string{"copy", "lzma2", "lzma", "deflate", "bzip2"} {
		t.Run(name, func(t *testing.T) {
			a, err := open(fixture(t, name+".7z"))
			if err != nil {
				t.Fatal(err)
			}
			files, err := readAll(t, a)
			if err != nil {
				t.Fatal(err)
			}
			if got := files["a.etl"]; len(got) != 3000 || !strings.HasPrefix(got, "Image Kernel ") {
				t.Errorf("a.etl: %d bytes, %.15q", len(got), got)
			}
			if got := files["sub/b.etl"]; len(got) != 2500 || got[1500:2200] != strings.Repeat("\x00", 700) {
				t.Errorf("sub/b.etl: %d bytes", len(got))
			}
			if got, ok := files["empty.txt"]; !ok || got != "" || len(files) != 3 {
				t.Errorf("empty.txt: %v, %d bytes; %d files", ok, len(got), len(files))
			}
		})
	}
}

func TestFiles(t *testing.T) {
	a, err := open(fixture(t, "lzma2.7z"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2024, 5, 17, 12, 34, 56, 700_000_000, time.UTC)
	var got []sevenzip.File
	for _, f := range a.Files() {
		f.CRC = 0
		got = append(got, f)
	}
	want := []sevenzip.File{
		{Name: "sub", Dir: true, Folder: -1, ModTime: at},
		{Name: "empty.txt", Folder: -1, ModTime: at},
		{Name: "a.etl", Size: 3000, HasCRC: true, ModTime: at},
		{Name: "sub/b.etl", Offset: 3000, Size: 2500, HasCRC: true, ModTime: at},
	}
	if diff := cmp.Diff(want, got, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "isEmpty" }, cmp.Ignore())); diff != "" {
		t.Error(diff)
	}
}

func TestUnsupported(t *testing.T) {
	for name, want := range map[string]string{
		"ppmd":             "PPMd",
		"bcj2":             "BCJ2",
		"encrypted":        "encryption",
		"encrypted-header": "encryption",
	} {
		t.Run(name, func(t *testing.T) {
			a, err := open(fixture(t, name+".7z"))
			if err == nil {
				_, err = a.Folder(0)
			}
			if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want an error about %s", err, want)
			}
		})
	}
}

// number writes a number in the format's encoding.
func number(v uint64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{0xff}, v)
}

// archive7z makes an archive of packed streams and a header.
func archive7z(packed, header []byte) []byte {
	le := binary.LittleEndian
	start := le.AppendUint64(nil, uint64(len(packed)))
	start = le.AppendUint64(start, uint64(len(header)))
	start = le.AppendUint32(start, crc32.ChecksumIEEE(header))
	b := append([]byte(sevenzip.Signature), 0, 4)
	b = le.AppendUint32(b, crc32.ChecksumIEEE(start))
	return append(append(append(b, start...), packed...), header...)
}

// oneFile is the header of an archive of one file in one folder of one coder.
func oneFile(packed, unpacked uint64, method, properties []byte) []byte {
	return join([]byte{1, 4, 6}, number(0), number(1), []byte{9}, number(packed), []byte{0},
		[]byte{7, 0xb}, number(1), []byte{0}, number(1), []byte{0x20 | byte(len(method))}, method, number(uint64(len(properties))), properties,
		[]byte{0xc}, number(unpacked), []byte{0, 0},
		[]byte{5}, number(1), []byte{0x11}, number(5), []byte{0, 'a', 0, 0, 0}, []byte{0, 0})
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestZstandard(t *testing.T) {
	content := strings.Repeat("Microsoft Windows Kernel ", 100)
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := w.EncodeAll([]byte(content), nil)
	a, err := open(archive7z(packed, oneFile(uint64(len(packed)), uint64(len(content)), []byte{4, 0xf7, 0x11, 1}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files()) != 1 || a.Files()[0].Name != "a" || a.Packed(0) != int64(len(packed)) {
		t.Errorf("%+v of %d bytes", a.Files(), a.Packed(0))
	}
	r, err := a.Folder(0)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != content {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestHostile opens archives with false claims or references.
func TestHostile(t *testing.T) {
	huge := number(2_000_000_000)
	lzma, copied := []byte{3, 1, 1}, []byte{0}
	for name, test := range map[string]struct {
		archive []byte
		text    string
	}{
		"2e9 files, 43 bytes":       {archive7z(nil, []byte{1, 5, 0xf0, 0x00, 0x94, 0x35, 0x77, 0x14, 1, 1, 0}), "2000000000 files, limit 1000"},
		"2e9 folders":               {archive7z(nil, join([]byte{1, 4, 7, 0xb}, huge, []byte{0})), "2000000000 files, limit 1000"},
		"2e9 packed streams":        {archive7z(nil, join([]byte{1, 4, 6}, number(0), huge, []byte{9})), "2000000000 packed streams, where 10 can be"},
		"2e9 coders":                {archive7z(nil, join([]byte{1, 4, 7, 0xb}, number(1), []byte{0}, huge)), "2000000000 coders, where 32 can be"},
		"2e9 of properties":         {archive7z(nil, join([]byte{1, 4, 7, 0xb}, number(1), []byte{0}, number(1), []byte{0x21, 0}, huge)), "2000000000 bytes of properties"},
		"header beyond the end":     {archive7z(nil, []byte{1, 0})[:33], "beyond the end"},
		"header checksum":           {edit(archive7z(nil, []byte{1, 0}), 33), "the header does not match its checksum"},
		"start checksum":            {edit(archive7z(nil, []byte{1, 0}), 12), "the signature header does not match its checksum"},
		"cut":                       {[]byte(sevenzip.Signature), "the archive ends in it"},
		"not 7z":                    {make([]byte, 40), "signature"},
		"unknown property":          {archive7z(nil, []byte{1, 0x42}), "property 0x42 in the header"},
		"header of headers":         {archive7z(nil, []byte{0x17, 0}), "a packed header of 0 folders"},
		"packed header without end": {archive7z(circularHeader()), "a header packed more than 4 times"},
		"window":                    {archive7z(make([]byte, 20), oneFile(20, 1<<40, lzma, []byte{0x5d, 0, 0, 0, 0x40})), "a window of 1073741824 bytes, limit 67108864"},
		"packed beyond the end":     {archive7z(make([]byte, 20), oneFile(21, 21, copied, nil)), "a packed stream of 0x15 bytes at 0x0, of 0x14"},
		"unpacked beyond packed":    {archive7z(make([]byte, 20), oneFile(20, 1<<62, copied, nil)), "unexpected EOF"},
		"LZMA damaged":              {archive7z(bytes.Repeat([]byte{0xff}, 20), oneFile(20, 1000, lzma, []byte{0x5d, 0, 0, 1, 0})), "LZMA: "},
		"LZMA properties":           {archive7z(make([]byte, 20), oneFile(20, 1000, lzma, []byte{0x5d})), "1 bytes of properties"},
		"LZMA2 properties":          {archive7z(make([]byte, 20), oneFile(20, 1000, []byte{0x21}, []byte{41})), "properties 29"},
		"unknown method":            {archive7z(make([]byte, 20), oneFile(20, 1000, []byte{1, 2, 3, 4}, nil)), "7z method 0x1020304"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := open(test.archive)
			if err == nil {
				var r *sevenzip.Folder
				if r, err = a.Folder(0); err == nil {
					_, err = io.Copy(io.Discard, r)
				}
			}
			if err == nil || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v, want an error with %q", err, test.text)
			}
		})
	}
}

// circularHeader returns a header that refers to a stored header, and the stored
// header, which refers to itself.
func circularHeader() (stored, header []byte) {
	build := func(size uint64) []byte {
		return join([]byte{0x17, 6}, number(0), number(1), []byte{9}, number(size), []byte{0},
			[]byte{7, 0xb}, number(1), []byte{0}, number(1), []byte{1, 0}, []byte{0xc}, number(size), []byte{0, 0})
	}
	h := build(uint64(len(build(0))))
	return h, h
}

func edit(b []byte, at int) []byte {
	b[at] ^= 1
	return b
}

// TestFewBytes opens an archive of 43 bytes that claims 2,000,000,000 files, 240 GB as a list: it
// is an error before anything is allocated for the claim.
func TestFewBytes(t *testing.T) {
	archive := archive7z(nil, []byte{1, 5, 0xf0, 0x00, 0x94, 0x35, 0x77, 0x14, 1, 1, 0})
	if len(archive) != 43 {
		t.Fatalf("%d bytes", len(archive))
	}
	for _, most := range []int{0, 1, 1000, 1 << 20} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := sevenzip.Open(bytes.NewReader(archive), int64(len(archive)), sevenzip.Limits{Files: most, Header: 1 << 20, Window: 64 << 20})
		runtime.ReadMemStats(&after)
		if files := new(sevenzip.FilesError); !errors.As(err, &files) || files.Files != 2_000_000_000 || files.Limit != most {
			t.Errorf("limit %d: %v", most, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 {
			t.Errorf("limit %d: %d bytes were allocated", most, got)
		}
	}
}
