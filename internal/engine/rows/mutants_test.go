package rows_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
)

// mutants are small traces of kinds for which there is no real trace.
var mutants = map[string]string{
	"real-time backup":        "trace rtbackup buffersize=0x400" + mutantBuffers,
	"real-time backup, UTC":   "trace rtbackup clock=system buffersize=0x400" + mutantBuffers,
	"Windows 2000":            "trace old os=5.0 ptr=32 clock=system buffersize=0x400" + mutantBuffers,
	"Windows XP":              "trace old ptr=32 buffersize=0x400" + mutantBuffers,
	"Windows Server 2003":     "trace old os=5.2 buffersize=0x400" + mutantBuffers,
	"circular, wrapped":       "trace mode=circular startbuffers=2 wrap=2 buffersize=0x400" + mutantBuffers + "\nlogfile bufferswritten=100",
	"a file of a series":      "trace mode=newfile|sequential eventslost=41 buffersize=0x400" + mutantBuffers,
	"compact switches":        "trace buffersize=0x400" + mutantBatches,
	"compact switches, LZNT1": "trace buffersize=0x400 compressed=lznt1" + mutantBatches,
}

const (
	mutantBuffers = `
repeat 4 dt=+1s {
	buffer
	repeat 3 dt=+1ms { full32 guid=11111111-2222-3333-4444-555555555555 type=1 ver=2 t=+1s payload=u32:$i }
	system32 hook=0x0524 ver=1 t=+1s payload=u32:8|0,i8:9|0|6|5|7|0|2|1
}`
	mutantBatches = `
buffer cpu=1 type=2
raw payload=ticks:+1ms,u32:4|8|12,u32*13:0,i8:8|9|10,i8*13:0,u16:100*4,u32:2+1*4+2*64+6*512+50*32768,u32:1+4*100000,u32:3+4*1000,u32:2+33*16+31*1024+77*32768
buffer cpu=0
repeat 3 { system64 hook=0x0525 ver=2 t=+5ms payload=ticks:+4ms,u32:4|8|12,u32*13:0,i8:8|9|10,i8*13:0,u32:2+0*4+0*64+5*512+7*32768,u32:2+2*4+1*64+6*512+7*32768 }`
)

// TestMutants changes bytes of traces, and cuts them. Reading whatever opens must not fail.
func TestMutants(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	for name, text := range mutants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trace := etltest.MustParse(t, text)
			readAll(t, trace)
			random := rand.New(rand.NewPCG(1, uint64(len(trace))))
			for range rounds {
				mutant := slices.Clone(trace)
				for range 1 + random.IntN(4) {
					mutant[random.IntN(len(mutant))] = byte(random.Uint32())
				}
				buffer := random.IntN(len(trace)/0x400) * 0x400 // and one in a header
				mutant[buffer+random.IntN(0x80)] ^= byte(1 + random.IntN(255))
				if random.IntN(4) == 0 {
					mutant = mutant[:random.IntN(len(mutant))]
				}
				readAll(t, mutant)
			}
		})
	}
}

// readAll reads a trace if it can be opened.
func readAll(t *testing.T, trace []byte) {
	t.Helper()
	f, err := decode.NewFile(bytes.NewReader(trace), int64(len(trace)))
	if err != nil {
		if !errors.Is(err, decode.ErrNotETL) && !errors.Is(err, decode.ErrUnsupported) {
			t.Fatal(err)
		}
		return
	}
	x := indextest.Of(t, f, nil)
	defer x.Close()
	indextest.Summary(t, x, "mutant.etl")
	fixed.Traces(x, fixed.Source{})
	fixed.Buffers(x, 0, len(x.Buffers))
	n := int(x.CompactSwitches())
	if b, err := fixed.CompactSwitches(x, 0, n); err != nil || b.Rows != n {
		t.Fatalf("%d of %d switches, %v", b.Rows, n, err)
	}
}
