package pipeline

import (
	"bytes"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go/compress"

	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// memorySink keeps the Parquet files of tables in memory.
type memorySink struct {
	codec compress.Codec
	mu    sync.Mutex
	files map[string]*memoryFile
}

// memoryFile is the file of a table.
type memoryFile struct {
	bytes.Buffer
	*parquet.File
}

func newMemorySink(t testing.TB) *memorySink {
	t.Helper()
	codec, err := parquet.NewCodec("none")
	if err != nil {
		t.Fatal(err)
	}
	return &memorySink{codec: codec, files: make(map[string]*memoryFile)}
}

func (s *memorySink) Table(table *schema.Table) (Writer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := new(memoryFile)
	s.files[table.Name] = f
	var err error
	f.File, err = parquet.NewFile(&f.Buffer, table.WithTrace(), parquet.Options{Codec: s.codec})
	return f, err
}

func (f *memoryFile) Encode(g *Group) (Encoded, error) {
	encoded := new(parquet.RowGroup)
	encoded.Begin(f.File)
	for _, b := range g.Batches {
		b.SetTrace("t")
		if err := encoded.Write(b); err != nil {
			return nil, err
		}
	}
	defer g.Done()
	return encoded, encoded.Finish()
}

// contents finishes the files and returns their bytes by table.
func (s *memorySink) contents(t testing.TB) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for table, f := range s.files {
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		all[table] = f.Buffer.String()
	}
	return all
}
