package index_test

import (
	"encoding/hex"
	"io"
	"sync/atomic"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// countingReader counts the bytes that are read.
type countingReader struct {
	data  []byte
	bytes atomic.Int64
}

func (r *countingReader) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, r.data[min(at, int64(len(r.data))):])
	r.bytes.Add(int64(n))
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// TestHash hashes traces in the index pass. The hash covers all bytes, and nearly all of them are
// read only once.
func TestHash(t *testing.T) {
	trace := etltest.Trace{BufferSize: 96 << 10} // buffers that lie across chunks
	stream := trace.Stream()
	for i := range 100 {
		e := etltest.Event{Kind: etltest.Event64, Time: int64(i), ID: uint16(i), Payload: make([]byte, 60<<10)}
		e.Payload[i] = byte(i)
		if err := stream.Add(0, &e); err != nil {
			t.Fatal(err)
		}
	}
	stream.Flush()
	data := trace.MustBytes(t)
	damaged := append([]byte{}, data...)
	for i := 5 << 20; i < 5<<20+200<<10; i++ { // some of these look like headers of buffers
		damaged[i] = byte(i)
	}
	for name, data := range map[string][]byte{
		"whole":   data,
		"small":   data[:1<<20],
		"slack":   append(append([]byte{}, data...), make([]byte, 9<<20+5)...), // chunks without buffers
		"cut":     data[:len(data)-1000],
		"damaged": damaged,
	} {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 3} {
				r := &countingReader{data: data}
				f, err := decode.NewFile(r, int64(len(data)))
				if err != nil {
					t.Fatal(err)
				}
				found := r.bytes.Load()
				hash := fileid.NewHash(fileid.XXH3, r, f.Size())
				x, err := index.Build(t.Context(), f, index.Options{Workers: workers, Hash: hash})
				if err != nil {
					t.Fatal(err)
				}
				x.Close() // its temporary file is empty
				if got, want := hash.Sum(), chunksSum(data); got != want {
					t.Errorf("%d workers: %s, want %s", workers, got, want)
				}
				chunks := fileid.Chunks(f.Size())
				if read, most := r.bytes.Load()-found, f.Size()+int64(chunks)*96<<10; read > most {
					t.Errorf("%d workers: %d bytes are read, want at most %d", workers, read, most)
				}
				without, err := index.Build(t.Context(), f, index.Options{Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				without.Close()
				if x.Events != without.Events || len(x.Problems.All()) != len(without.Problems.All()) {
					t.Errorf("%d events, %d without the hash", x.Events, without.Events)
				}
			}
		})
	}
}

// chunksSum is the definition of the hash.
func chunksSum(data []byte) string {
	all := xxh3.New128()
	for len(data) > 0 {
		n := min(len(data), fileid.ChunkBytes)
		sum := xxh3.Hash128(data[:n]).Bytes()
		all.Write(sum[:])
		data = data[n:]
	}
	return hex.EncodeToString(all.Sum(nil))
}
