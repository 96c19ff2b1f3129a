package convert

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

func benchIndex(b *testing.B, path string) (*Index, int64) {
	file, err := os.Open(path)
	if err != nil {
		b.Skipf("SKIPPED: %v", err)
	}
	b.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	f, err := decode.NewFile(file, info.Size())
	if err != nil {
		b.Fatal(err)
	}
	x, err := BuildIndex(context.Background(), f, 2, nil)
	if err != nil {
		b.Fatal(err)
	}
	return x, info.Size()
}

const bigTrace = "/tmp/big/net1g.etl"

func BenchmarkIndex(b *testing.B) {
	x, size := benchIndex(b, bigTrace)
	b.SetBytes(size)
	for b.Loop() {
		if _, err := BuildIndex(context.Background(), x.File, 1, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(x.Events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

func BenchmarkDecode(b *testing.B) {
	x, size := benchIndex(b, bigTrace)
	p := newPlan(x, DefaultMemory, func(int) bool { return true }, slab{firstKey, lastKey})
	ctx := x.rowContext(PayloadUndecoded)
	var g gathered
	var idle slabRows
	take := func(f decode.Family) rowFiller {
		if idle[f] == nil {
			idle[f] = newFiller(f, ctx)
		}
		return idle[f]
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, s := range p.slabs {
			if _, ok, err := g.gather(x, p, s, nil); err != nil || !ok {
				b.Fatal(err, ok)
			}
			g.fillRows(ctx, take)
		}
	}
	b.ReportMetric(float64(x.Events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

func BenchmarkEncode(b *testing.B) {
	x, _ := benchIndex(b, bigTrace)
	p := newPlan(x, DefaultMemory, func(int) bool { return true }, slab{firstKey, lastKey})
	ctx := x.rowContext(PayloadUndecoded)
	var g gathered
	var all []slabRows
	events := 0
	for _, s := range p.slabs[:4] {
		if _, ok, err := g.gather(x, p, s, nil); err != nil || !ok {
			b.Fatal(err, ok)
		}
		events += len(g.entries)
		all = append(all, g.fillRows(ctx, func(f decode.Family) rowFiller { return newFiller(f, ctx) }))
	}
	var files [decode.Families]*parquetFile
	c, _ := codec("zstd")
	for i, t := range schema.HeaderTables() {
		files[i], _ = newParquetFile(io.Discard, t, c)
	}
	for b.Loop() {
		for _, rows := range all {
			for family, filler := range rows {
				if filler == nil {
					continue
				}
				g := files[family].rowGroup()
				if err := g.write(filler.start().batch); err != nil {
					b.Fatal(err)
				}
				g.finish()
				g.commit()
			}
		}
	}
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

func BenchmarkConvert(b *testing.B) {
	_, size := benchIndex(b, bigTrace)
	for _, workers := range []int{1, 2} {
		b.Run("workers="+string(rune('0'+workers)), func(b *testing.B) {
			d, err := OpenDataset(filepath.Join(b.TempDir(), "out"))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(size)
			var events int64
			for b.Loop() {
				r, err := d.Convert(context.Background(), bigTrace, "x", Options{Workers: workers, Memory: DefaultMemory, Force: true})
				if err != nil {
					b.Fatal(err)
				}
				events = r.Events
			}
			b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}
