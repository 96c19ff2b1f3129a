package decode_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// BenchmarkWalk steps over the 168 298 events of net.4.5.2.x86.etl. In next, the decompressed
// buffers are in memory; read includes ReadBuffer from a file in memory. MB count the decompressed
// events.
//
//	go test -run '^$' -bench Walk -count 10 ./decode | tee new.txt; benchstat old.txt new.txt
func BenchmarkWalk(b *testing.B) {
	file := testenv.ReadFile(b, testenv.Shared(b, "traces/net.4.5.2.x86.etl"))
	f := decodetest.Open(b, file)
	buffers := make([]decode.Buffer, f.Buffers())
	var size int64
	for i := range buffers {
		if err := f.ReadBuffer(i, &buffers[i]); err != nil {
			b.Fatal(err)
		}
		size += int64(buffers[i].End())
	}
	walk := func(b *testing.B, buffer *decode.Buffer) (n int) {
		var ev decode.Event
		for {
			if err := buffer.Next(&ev); err != nil {
				if !errors.Is(err, io.EOF) {
					b.Fatal(err)
				}
				return n
			}
			n++
		}
	}
	report := func(b *testing.B, events int) {
		b.SetBytes(size)
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
	}
	b.Run("next", func(b *testing.B) {
		b.ReportAllocs()
		events := 0
		for b.Loop() {
			for i := range buffers {
				buffers[i].Rewind()
				events += walk(b, &buffers[i])
			}
		}
		report(b, events)
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		events := 0
		var buffer decode.Buffer
		for b.Loop() {
			for i := range f.Buffers() {
				if err := f.ReadBuffer(i, &buffer); err != nil {
					b.Fatal(err)
				}
				events += walk(b, &buffer)
			}
		}
		report(b, events)
	})
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := decode.NewFile(bytes.NewReader(file), int64(len(file))); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkUnixNano converts ticks.
func BenchmarkUnixNano(b *testing.B) {
	for name, freq := range map[string]int64{"10MHz": 10_000_000, "ACPI": 3_579_545} {
		b.Run(name, func(b *testing.B) {
			c := decode.NewClock(decode.ClockQPC, 1000, y2024, freq, 0)
			var sum int64
			for tick := decode.Ticks(1000); b.Loop(); tick += 77777 {
				sum += c.UnixNano(tick)
			}
			if sum == 0 {
				b.Fatal("no time")
			}
		})
	}
}
