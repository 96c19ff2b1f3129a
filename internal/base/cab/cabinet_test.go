package cab_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/base/cab"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const frameSize = 32 << 10 // bytes that a block has at most

// cabinet is a cabinet to make.
type cabinet struct {
	folders []cabFolder
	reserve [3]int // bytes in header, folders and blocks
	next    bool   // another cabinet follows
	noSums  bool
}

type cabFolder struct {
	method uint16
	blocks [][]byte // compressed
	sizes  []int    // uncompressed
	files  []cabFile
	index  uint16 // instead of the folder's own, if not 0
}

type cabFile struct {
	name       string
	attributes uint16
	at, size   int
}

func (c *cabinet) build() []byte {
	le := binary.LittleEndian
	header := make([]byte, 0x24)
	copy(header, cab.Signature)
	header[0x18], header[0x19] = 3, 1
	le.PutUint16(header[0x1a:], uint16(len(c.folders)))
	var flags uint16
	if c.reserve != [3]int{} {
		flags |= 4
		header = le.AppendUint16(header, uint16(c.reserve[0]))
		header = append(header, byte(c.reserve[1]), byte(c.reserve[2]))
		header = append(header, make([]byte, c.reserve[0])...)
	}
	if c.next {
		flags |= 2
		header = append(header, "disk2.cab\x00disk 2\x00"...)
	}
	le.PutUint16(header[0x1e:], flags)
	var files []byte
	count := 0
	for i, f := range c.folders {
		index := uint16(i)
		if f.index != 0 {
			index = f.index
		}
		for _, file := range f.files {
			count++
			files = le.AppendUint32(files, uint32(file.size))
			files = le.AppendUint32(files, uint32(file.at))
			files = le.AppendUint16(files, index)
			files = le.AppendUint16(files, (2024-1980)<<9|5<<5|17)
			files = le.AppendUint16(files, 12<<11|34<<5|56/2)
			files = le.AppendUint16(files, file.attributes)
			files = append(append(files, file.name...), 0)
		}
	}
	folderSize := 8 + c.reserve[1]
	filesAt := len(header) + folderSize*len(c.folders)
	le.PutUint16(header[0x1c:], uint16(count))
	le.PutUint32(header[0x10:], uint32(filesAt))
	var folders, data []byte
	for _, f := range c.folders {
		folders = le.AppendUint32(folders, uint32(filesAt+len(files)+len(data)))
		folders = le.AppendUint16(folders, uint16(len(f.blocks)))
		folders = le.AppendUint16(folders, f.method)
		folders = append(folders, make([]byte, c.reserve[1])...)
		for i, b := range f.blocks {
			data = append(data, c.block(b, f.sizes[i])...)
		}
	}
	out := append(append(append(header, folders...), files...), data...)
	le.PutUint32(out[8:], uint32(len(out)))
	return out
}

func (c *cabinet) block(data []byte, size int) []byte {
	le := binary.LittleEndian
	if len(data) > 38<<10 {
		panic("more than a block may take")
	}
	b := le.AppendUint16(make([]byte, 4), uint16(len(data)))
	b = le.AppendUint16(b, uint16(size))
	reserved := bytes.Repeat([]byte{0xa5}, c.reserve[2])
	if !c.noSums {
		le.PutUint32(b, sum(b[4:], sum(data, 0)))
	}
	return append(append(b, reserved...), data...)
}

func sum(b []byte, sum uint32) uint32 {
	for len(b) >= 4 {
		sum ^= binary.LittleEndian.Uint32(b)
		b = b[4:]
	}
	switch len(b) {
	case 3:
		sum ^= uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
	case 2:
		sum ^= uint32(b[0])<<8 | uint32(b[1])
	case 1:
		sum ^= uint32(b[0])
	}
	return sum
}

// content makes bytes that compress: text, repetitions near and far, calls in x86 code, and noise.
func content(size int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	words := strings.Fields("Microsoft Windows Kernel Process Thread Image DiskIo FileIo Registry TcpIp provider event trace buffer")
	var b []byte
	for len(b) < size {
		switch r.IntN(6) {
		case 0, 1:
			b = append(append(b, words[r.IntN(len(words))]...), ' ')
		case 2:
			if from := len(b) - 1 - r.IntN(1+len(b)); from >= 0 {
				b = append(b, b[from:min(len(b), from+2+r.IntN(300))]...)
			}
		case 3:
			b = append(b, 0xe8)
			b = binary.LittleEndian.AppendUint32(b, uint32(r.IntN(1<<18)-r.IntN(1<<18)))
		case 4:
			b = append(b, bytes.Repeat([]byte{byte(r.IntN(3))}, r.IntN(50))...)
		case 5:
			for range r.IntN(20) {
				b = append(b, byte(r.Uint32()))
			}
		}
	}
	return b[:size]
}

// sparse makes zeros with little else: noise and calls now and then. Its end repeats bytes that are
// nearly a window, 8/9 of the size, before it.
func sparse(size int) []byte {
	const piece = 300
	b := make([]byte, size)
	for at := 100; at < size-2*piece; at += size / 16 {
		copy(b[at:], content(piece + at%7)[:piece])
	}
	copy(b[size-size/9*8-piece+200:], content(piece))
	copy(b[size-piece:], content(piece))
	return b
}

func blockSizes(size int) (sizes []int) {
	for ; size > 0; size -= frameSize {
		sizes = append(sizes, min(size, frameSize))
	}
	return sizes
}

func storedFolder(data []byte) cabFolder {
	f := cabFolder{sizes: blockSizes(len(data))}
	for _, n := range f.sizes {
		f.blocks = append(f.blocks, data[:n])
		data = data[n:]
	}
	return f
}

func mszipFolder(data []byte, sizes []int) cabFolder {
	f := cabFolder{method: 1, sizes: sizes}
	at := 0
	for _, n := range sizes {
		var out bytes.Buffer
		out.WriteString("CK")
		w, err := flate.NewWriterDict(&out, 9, data[max(0, at-frameSize):at])
		if err != nil {
			panic(err)
		}
		if _, err := w.Write(data[at : at+n]); err != nil {
			panic(err)
		}
		if err := w.Close(); err != nil {
			panic(err)
		}
		f.blocks = append(f.blocks, out.Bytes())
		at += n
	}
	return f
}

func (f cabFolder) with(files ...cabFile) cabFolder {
	f.files = files
	return f
}

// sample is a cabinet of one folder, and its content.
type sample struct{ cabinet, data []byte }

// lzxContents returns the contents of the cabinets in testdata/lzx.
func lzxContents() map[string][]byte {
	two, three := content(40_003), content(60_003)
	out := map[string][]byte{"verbatim": two, "aligned": two, "raw": two, "raw-edge": two, "short-blocks": three, "calls": three, "calls-small": two, "long-codes": content(200_003)}
	for bits := 15; bits <= 21; bits++ {
		out[fmt.Sprintf("window-%d", bits)] = sparse(1<<bits + 1<<bits/8)
	}
	return out
}

var samples = sync.OnceValue(func() map[string]sample {
	out := make(map[string]sample)
	add := func(name string, c cabinet, data []byte) {
		for i := range c.folders {
			half := len(data) / 2
			c.folders[i].files = []cabFile{{"a.etl", 0x20, 0, half}, {`sub\b.etl`, 0x20, half, len(data) - half}}
		}
		out[name] = sample{c.build(), data}
	}
	one := func(f cabFolder) cabinet { return cabinet{folders: []cabFolder{f}} }
	data := content(100_003)
	add("stored", one(storedFolder(data)), data)
	add("mszip", one(mszipFolder(data, blockSizes(len(data)))), data)
	add("mszip short blocks", one(mszipFolder(data[:50_000], []int{20_000, 1, 9_999, 20_000})), data[:50_000])
	add("reserved", cabinet{folders: []cabFolder{mszipFolder(data, blockSizes(len(data)))}, reserve: [3]int{20, 3, 5}}, data)
	add("no checksums", cabinet{folders: []cabFolder{storedFolder(data)}, noSums: true}, data)
	for name, data := range lzxContents() {
		b, err := os.ReadFile(filepath.Join("testdata/lzx", name+".cab"))
		if err != nil {
			panic(err)
		}
		out["lzx "+name] = sample{b, data}
	}
	return out
})

// readAll reads the files of a cabinet, folder by folder.
func readAll(b []byte) (map[string][]byte, error) {
	c, err := cab.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	folders := make(map[int][]byte)
	files := make(map[string][]byte)
	for _, f := range c.Files() {
		data, ok := folders[f.Folder]
		if !ok {
			r, err := c.Folder(f.Folder)
			if err != nil {
				return files, err
			}
			if data, err = io.ReadAll(r); err != nil {
				return files, err
			}
			folders[f.Folder] = data
		}
		files[f.Name] = data[f.Offset : f.Offset+f.Size]
	}
	return files, nil
}

func TestCabinets(t *testing.T) {
	for name, s := range samples() {
		t.Run(name, func(t *testing.T) {
			got, err := readAll(s.cabinet)
			if err != nil {
				t.Fatal(err)
			}
			half := len(s.data) / 2
			if len(got) != 2 || !bytes.Equal(got["a.etl"], s.data[:half]) || !bytes.Equal(got[`sub\b.etl`], s.data[half:]) {
				t.Error("the files differ from the original")
			}
		})
	}
}

// TestCabextract reads the same cabinets with another program.
func TestCabextract(t *testing.T) {
	program := testenv.Tool(t, "cabextract")
	for name, s := range samples() {
		t.Run(name, func(t *testing.T) {
			switch name {
			case "no checksums":
				t.Skip("cabextract requires checksums")
			case "mszip short blocks":
				t.Skip("cabextract assumes that every block but the last is full")
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "x.cab")
			testenv.WriteFile(t, file, s.cabinet)
			out, err := exec.Command(program, "-p", file).Output()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out, s.data) {
				t.Errorf("cabextract reads %d bytes, which differ from the original %d bytes", len(out), len(s.data))
			}
		})
	}
}

func TestTables(t *testing.T) {
	data := content(1000)
	b := (&cabinet{
		folders: []cabFolder{
			storedFolder(data).with(cabFile{"whole.etl", 0x20, 0, 400}, cabFile{"n\xc3\xa4me.etl", 0xa0, 400, 600}),
			{method: 0, index: 0xfffe, files: []cabFile{{"goes on.etl", 0x20, 0, 100_000}}},
		},
		next: true,
	}).build()
	c, err := cab.Open(bytes.NewReader(append(b, "signature"...)), int64(len(b)+9))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2024, 5, 17, 12, 34, 56, 0, time.UTC)
	want := []cab.File{
		{Name: "whole.etl", Size: 400, ModTime: at},
		{Name: "näme.etl", UTF8: true, Offset: 400, Size: 600, ModTime: at},
		{Name: "goes on.etl", Folder: -1, Size: 100_000, ModTime: at},
	}
	if diff := cmp.Diff(want, c.Files()); diff != "" {
		t.Error(diff)
	}
	if _, err := c.Folder(0); err != nil {
		t.Error(err)
	}
	if _, err := c.Folder(-1); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a folder in another cabinet: %v", err)
	}
}

// TestSecondOfSet reads a folder that begins in another cabinet, which cannot be
// read alone, and a folder that is complete.
func TestSecondOfSet(t *testing.T) {
	data := content(1000)
	b := (&cabinet{folders: []cabFolder{
		storedFolder(data[:500]).with(cabFile{"whole.etl", 0x20, 100, 400}),
		{index: 0xfffd, files: []cabFile{{"begins before.etl", 0x20, 0, 100}}},
		storedFolder(data[500:]).with(cabFile{"other.etl", 0x20, 0, 500}),
	}}).build()
	c, err := cab.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Folder(0); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a folder that begins in another cabinet: %v", err)
	}
	r, err := c.Folder(2)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data[500:]) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestErrors(t *testing.T) {
	le := binary.LittleEndian
	good := func() []byte {
		return (&cabinet{folders: []cabFolder{storedFolder(content(1000)).with(cabFile{"a.etl", 0, 0, 1000})}}).build()
	}
	lzx := func(method uint16, blocks ...[]byte) []byte {
		f := cabFolder{method: method, blocks: blocks, sizes: []int{1000}, files: []cabFile{{"a.etl", 0, 0, 1000}}}
		return (&cabinet{folders: []cabFolder{f}}).build()
	}
	const folder, file, block = 0x24, 0x2c, 0x2c + 16 + 6
	for name, test := range map[string]struct {
		cabinet []byte
		cause   error
		text    string
	}{
		"no signature":     {edit(good(), func(b []byte) { b[0] = 'X' }), cab.ErrCorrupt, "CFHEADER.signature"},
		"version":          {edit(good(), func(b []byte) { b[0x19] = 2 }), errors.ErrUnsupported, "cabinet version 2.3"},
		"empty":            {nil, cab.ErrCorrupt, "CFHEADER"},
		"files beyond end": {edit(good(), func(b []byte) { le.PutUint32(b[0x10:], 1<<20) }), cab.ErrCorrupt, "CFHEADER.coffFiles"},
		"many folders":     {edit(good(), func(b []byte) { le.PutUint16(b[0x1a:], 0xffff) }), cab.ErrCorrupt, "CFFOLDER 129: corrupt cabinet: the cabinet ends in it"},
		"many files":       {edit(good(), func(b []byte) { le.PutUint16(b[0x1c:], 0xffff) }), cab.ErrCorrupt, "CFFILE"},
		"folder index":     {edit(good(), func(b []byte) { b[file+8] = 1 }), cab.ErrCorrupt, "CFFILE 0.iFolder: 1 of 1"},
		"long name":        {edit(good(), func(b []byte) { copy(b[file+16:], bytes.Repeat([]byte{'a'}, 300)) }), cab.ErrCorrupt, "szName"},
		"block beyond end": {edit(good(), func(b []byte) { le.PutUint32(b[folder:], 1<<31) }), cab.ErrCorrupt, "beyond the end"},
		"cut":              {good()[:block+500], cab.ErrCorrupt, "block 0"},
		"checksum":         {edit(good(), func(b []byte) { b[block+8+7] ^= 1 }), cab.ErrCorrupt, "CFDATA.csum"},
		"large block":      {edit(good(), func(b []byte) { le.PutUint16(b[block+4:], 0xffff) }), cab.ErrCorrupt, "CFDATA.cbData"},
		"large content":    {edit(good(), func(b []byte) { le.PutUint16(b[block+6:], 0x8001) }), cab.ErrCorrupt, "CFDATA.cbUncomp"},
		"split block":      {edit(good(), func(b []byte) { le.PutUint16(b[block+6:], 0) }), errors.ErrUnsupported, "continues in another cabinet"},
		"stored size":      {lzx(0, make([]byte, 999)), cab.ErrCorrupt, "0x3e8 bytes are stored as 0x3e7"},
		"Quantum":          {lzx(0x1472, nil), errors.ErrUnsupported, "Quantum"},
		"unknown method":   {lzx(7, nil), errors.ErrUnsupported, "compression method 7"},
		"window":           {lzx(3|22<<8, nil), cab.ErrCorrupt, "an LZX window of 2^22 bytes"},
		"no CK":            {lzx(1, []byte("KC")), cab.ErrCorrupt, `without "CK"`},
		"MSZIP cut":        {lzx(1, []byte("CK\x03")), cab.ErrCorrupt, "unexpected EOF"},
		"MSZIP short":      {lzx(1, []byte("CK\x03\x00")), cab.ErrCorrupt, "after 0x0 bytes of 0x3e8"},
		"LZX block type":   {lzx(3|15<<8, []byte{0, 0x70, 0, 0, 0, 0}), cab.ErrCorrupt, "an LZX block of type 7"},
		"LZX empty":        {lzx(3|15<<8, nil), cab.ErrCorrupt, "the data end too soon"},
		"LZX raw cut":      {lzx(3|15<<8, []byte{0, 0x30, 0, 0, 1, 2, 3}), cab.ErrCorrupt, "the data end too soon"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAll(test.cabinet)
			if !errors.Is(err, test.cause) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v, want %v with %q", err, test.cause, test.text)
			}
		})
	}
}

func edit(b []byte, change func([]byte)) []byte {
	change(b)
	return b
}

// TestFixtures reads cabinets made by gcab, and the fixture of other packages' tests.
func TestFixtures(t *testing.T) {
	read := func(name string) []byte {
		return testenv.ReadFile(t, filepath.FromSlash(name))
	}
	a, b := read("../../inputs/archive/testdata/a.etl"), read("../../inputs/archive/testdata/b.etl")
	for name, second := range map[string]string{"stored.cab": "b.etl", "mszip.cab": "b.etl", "lzx.cab": `sub\b.etl`} {
		files, err := readAll(read("testdata/" + name))
		if err != nil || len(files) != 2 || !bytes.Equal(files["a.etl"], a) || !bytes.Equal(files[second], b) {
			t.Errorf("%s: %d files, %v", name, len(files), err)
		}
	}
}
