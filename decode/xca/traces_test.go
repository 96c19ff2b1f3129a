package xca_test

import (
	"encoding/binary"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/xca"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// buffer is the payload of a compressed trace buffer and the size of its output.
type buffer struct {
	stream []byte
	size   int
}

// traceBuffers reads the compressed buffers of a shared trace by the chain of BufferSize. It skips
// the test if the traces are missing.
func traceBuffers(t testing.TB, name string) []buffer {
	t.Helper()
	file := testenv.ReadFile(t, testenv.Shared(t, "traces/"+name))
	const header = 0x48 // sizeof(WMI_BUFFER_HEADER)
	var buffers []buffer
	for len(file) >= header {
		size := int(binary.LittleEndian.Uint32(file))          // BufferSize
		saved := int(binary.LittleEndian.Uint32(file[4:]))     // SavedOffset
		flags := binary.LittleEndian.Uint16(file[0x34:])       // BufferFlag
		if size < header || size > len(file) || saved < 0x48 { // the last of a file may be torn
			t.Fatalf("%s: buffer of %#x bytes, %#x saved, %#x left", name, size, saved, len(file))
		}
		if flags&0x40 != 0 {
			buffers = append(buffers, buffer{file[header:size], saved - header})
		}
		file = file[size:]
	}
	if len(buffers) == 0 {
		t.Fatalf("%s: no compressed buffers", name)
	}
	return buffers
}

// TestTraces decodes buffers that Windows compressed. Only the length of the
// output is known, and the reference must give the same bytes.
func TestTraces(t *testing.T) {
	testenv.Sequential(t)
	for _, tt := range []struct {
		name    string
		buffers int
	}{
		{"net.4.5.2.x86.etl", 275},
		{"PktMon.etl", 2},
		{"SelfDescribingSingleEvent.etl", 2},
		{"smallEtlFile.etl", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			buffers := traceBuffers(t, tt.name)
			if len(buffers) != tt.buffers {
				t.Errorf("%d compressed buffers, want %d", len(buffers), tt.buffers)
			}
			for i, b := range buffers {
				got, err := plain.run(t, b.size, b.stream)
				if err != nil || len(got) != b.size {
					t.Errorf("buffer %d: %d of %d bytes, %v", i, len(got), b.size, err)
				}
				checkEvents(t, i, got)
			}
		})
	}
}

// checkEvents walks the events of a buffer by their sizes, which works only if the
// bytes are right: each event has a u16 size at the offset that its marker
// implies, and the last event ends with the buffer.
func checkEvents(t *testing.T, index int, payload []byte) {
	t.Helper()
	for at := 0; at < len(payload); {
		left := payload[at:]
		if len(left) < 8 {
			t.Fatalf("buffer %d: %d bytes after the last event, at %#x", index, len(left), at)
		}
		size := int(binary.LittleEndian.Uint16(left))
		if left[3]&0xC0 == 0xC0 && (left[2] == 1 || left[2] == 2 || left[2] == 3 || left[2] == 4 || left[2] == 0x10 || left[2] == 0x11) {
			size = int(binary.LittleEndian.Uint16(left[4:])) // SYSTEM_TRACE_HEADER, PERFINFO_TRACE_HEADER
		}
		if left[3]&0x80 == 0 || size < 8 || size > len(left) {
			t.Fatalf("buffer %d: no event at %#x: % x", index, at, left[:8])
		}
		at += (size + 7) &^ 7
	}
}

// TestTracesAgain compresses the output of a real trace again, in all formats.
func TestTracesAgain(t *testing.T) {
	buffers := traceBuffers(t, "net.4.5.2.x86.etl")
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			packed, size := 0, 0
			for i := 0; i < len(buffers); i += 8 {
				b := buffers[i]
				in := make([]byte, b.size)
				if _, err := xca.DecodePlain(in, b.stream); err != nil {
					t.Fatal(err)
				}
				stream := f.compress(nil, in)
				packed, size = packed+len(stream), size+len(in)
				got, err := f.run(t, len(in), stream)
				if err != nil || string(got) != string(in) {
					t.Fatalf("buffer %d: %d of %d bytes, %v", i, len(got), len(in), err)
				}
			}
			t.Logf("ratio %.2f", float64(size)/float64(packed))
		})
	}
}
