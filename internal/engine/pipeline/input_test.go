package pipeline

import (
	"bytes"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// TestShare checks that a large trace gets all workers and memory, and small ones a share.
func TestShare(t *testing.T) {
	const mib = 1 << 20
	plain := &etltest.Trace{BufferSize: 1 << 20}
	packed := &etltest.Trace{BufferSize: 1 << 20, Compression: etltest.Xpress}
	for _, trace := range []*etltest.Trace{plain, packed} {
		for range 40 {
			b := &etltest.Buffer{}
			for range 16 {
				if err := b.Add(&etltest.Event{Kind: etltest.System64, Hook: 0x524, Payload: make([]byte, 60<<10)}); err != nil {
					t.Fatal(err)
				}
			}
			trace.Buffers = append(trace.Buffers, *b)
		}
	}
	for _, test := range []struct {
		name    string
		trace   []byte
		size    int64 // used if the trace is not read
		inputs  int
		memory  int64
		workers int
		want    int64 // of memory
	}{
		{"no trace", []byte("none"), 0, 1, 512 * mib, 1, memoryPerTrace + 4*memoryPerByte},
		{"20 MiB, alone", nil, 20 * mib, 1, 512 * mib, 1, memoryPerTrace + 20*mib*memoryPerByte},
		{"30 MiB, alone", nil, 30 * mib, 1, 512 * mib, 2, memoryPerTrace + 30*mib*memoryPerByte},
		{"30 MiB, of many", nil, 30 * mib, 1000, 512 * mib, 1, memoryPerTrace + 30*mib*memoryPerByte},
		{"large", nil, 100 * mib, 1000, 512 * mib, 16, 512 * mib},
		{"huge", nil, 1 << 62, 1000, 512 * mib, 16, 512 * mib},
		{"40 MiB", bytesOf(t, plain), 0, 16, 4096 * mib, 2, 0},
		{"40 MiB, alone", bytesOf(t, plain), 0, 1, 4096 * mib, 3, 0},
		{"100 MiB, alone", nil, 100 * mib, 1, 4096 * mib, 8, memoryPerTrace + 100*mib*memoryPerByte},
		{"100 MiB, of three", nil, 100 * mib, 3, 4096 * mib, 5, memoryPerTrace + 100*mib*memoryPerByte},
		{"40 MiB, compressed", bytesOf(t, packed), 0, 16, 4096 * mib, 2, 0},
		{"40 MiB, compressed, alone", bytesOf(t, packed), 0, 1, 4096 * mib, 3, 0},
		{"40 MiB, compressed, and little memory", bytesOf(t, packed), 0, 1000, 256 * mib, 16, 256 * mib},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := &Options{Workers: 16, Memory: test.memory}
			in := Input{Size: test.size, Trace: bytes.NewReader(test.trace)}
			if test.trace != nil {
				in.Size = int64(len(test.trace))
			}
			workers, memory := o.Share(in, test.inputs)
			if workers != test.workers || test.want > 0 && memory != test.want || test.want == 0 && (memory < 350*mib || memory > 480*mib) {
				t.Errorf("%d workers, %d MiB", workers, memory/mib)
			}
		})
	}
}

func bytesOf(t *testing.T, trace *etltest.Trace) []byte {
	t.Helper()
	b, err := trace.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
