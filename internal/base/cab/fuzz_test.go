package cab_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/cab"
)

// FuzzOpen reads arbitrary bytes as a cabinet. The number of blocks must bound the output, and
// reading a folder again must give the same bytes.
func FuzzOpen(f *testing.F) {
	// Small seeds: the fuzzer finds more in few bytes. Those with LZX are in testdata/fuzz.
	data := content(600)
	for _, folder := range []cabFolder{
		storedFolder(data),
		mszipFolder(data, []int{300, 300}),
	} {
		files := []cabFile{{"a.etl", 0x20, 0, 300}, {`sub\b.etl`, 0x20, 300, 300}}
		f.Add((&cabinet{folders: []cabFolder{folder.with(files...)}, noSums: true}).build())
		f.Add((&cabinet{folders: []cabFolder{folder.with(files...)}, reserve: [3]int{4, 4, 4}, next: true}).build())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := cab.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			if c != nil {
				t.Error("a cabinet and an error")
			}
			return
		}
		done := make(map[int]bool)
		for _, file := range c.Files() {
			if done[file.Folder] || len(done) == 4 {
				continue
			}
			done[file.Folder] = true
			first, firstErr := readFolder(t, c, file.Folder)
			again, againErr := readFolder(t, c, file.Folder)
			if !bytes.Equal(first, again) || (firstErr == nil) != (againErr == nil) {
				t.Errorf("folder %d read twice: %d bytes, %v; %d bytes, %v", file.Folder, len(first), firstErr, len(again), againErr)
			}
			// A block takes at least eight bytes of the input. Any number of folders may use the
			// same block.
			if most := len(b) / 8 * frameSize; len(first) > most {
				t.Errorf("%d bytes from %d", len(first), len(b))
			}
		}
	})
}

func readFolder(t *testing.T, c *cab.Cabinet, i int) ([]byte, error) {
	r, err := c.Folder(i)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil && !errors.Is(err, cab.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("neither ErrCorrupt nor ErrUnsupported: %v", err)
	}
	if len(b) > 0 && r.Compressed() == 0 {
		t.Error("data without compressed bytes")
	}
	return b, err
}

// FuzzLZX decompresses two frames (its seeds are in testdata/fuzz), and FuzzMSZIP two blocks. Each
// returns exactly the requested number of bytes, or an error.
func FuzzLZX(f *testing.F) {
	f.Fuzz(func(t *testing.T, bits uint8, first, last []byte, size uint16) {
		two(t, 3|uint16(bits&31)<<8, first, last, size)
	})
}

func FuzzMSZIP(f *testing.F) {
	data := append(make([]byte, frameSize), content(500)...)
	blocks := mszipFolder(data, blockSizes(len(data))).blocks
	f.Add(blocks[0], blocks[1], uint16(len(data)-frameSize))
	f.Add([]byte("CK\x03\x00"), blocks[1], uint16(1))
	f.Fuzz(func(t *testing.T, first, last []byte, size uint16) { two(t, 1, first, last, size) })
}

func two(t *testing.T, method uint16, first, last []byte, size uint16) {
	if len(first) > 38<<10 || len(last) > 38<<10 || size == 0 || size > frameSize {
		return
	}
	b := (&cabinet{noSums: true, folders: []cabFolder{{
		method: method,
		blocks: [][]byte{first, last},
		sizes:  []int{frameSize, int(size)},
		files:  []cabFile{{"a", 0, 0, 1}},
	}}}).build()
	c, err := cab.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	out, err := readFolder(t, c, 0)
	switch want := frameSize + int(size); {
	case err == nil && len(out) != want:
		t.Errorf("%d bytes and no error, want %d", len(out), want)
	case err != nil && len(out) != 0 && len(out) != frameSize:
		t.Errorf("%d bytes before %v", len(out), err)
	}
}
