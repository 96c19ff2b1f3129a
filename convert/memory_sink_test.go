package convert

import (
	"bytes"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// memorySink keeps the files of tables in memory.
type memorySink struct {
	parquetSink
	mu    sync.Mutex
	files map[string]*memoryFile
}

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
	s := &memorySink{files: make(map[string]*memoryFile)}
	s.trace = "t"
	s.create = func(table *schema.Table) (*parquet.File, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		f := new(memoryFile)
		s.files[table.Name] = f
		var err error
		f.File, err = parquet.NewFile(&f.Buffer, table.WithTrace(), codec)
		return f.File, err
	}
	return s
}

// contents finishes the files and returns their bytes by table.
func (s *memorySink) contents(t testing.TB) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	for table, f := range s.files {
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		all[table] = f.Bytes()
	}
	return all
}
