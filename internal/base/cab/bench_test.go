package cab_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/cab"
)

// BenchmarkFolder reads folders of 40 to 100 KB, in MB of content a second:
//
//	go test -run '^$' -bench . -count 10 ./internal/base/cab | benchstat -
func BenchmarkFolder(b *testing.B) {
	for _, name := range []string{"stored", "mszip", "lzx verbatim", "lzx aligned", "lzx raw"} {
		b.Run(name, func(b *testing.B) {
			s := samples()[name]
			b.SetBytes(int64(len(s.data)))
			b.ReportAllocs()
			for b.Loop() {
				c, err := cab.Open(bytes.NewReader(s.cabinet), int64(len(s.cabinet)))
				if err != nil {
					b.Fatal(err)
				}
				f, err := c.Folder(0)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, f); n != int64(len(s.data)) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}
