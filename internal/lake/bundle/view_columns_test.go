package bundle

import (
	"context"
	"iter"
	"maps"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// TestRecordColumns checks that the record has the columns only of tables that differ
// between traces.
func TestRecordColumns(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	d := openDataset(t, root)
	trace := "trace ptr=64 buffersize=65536\nstream\n" + tl("E(A:u8[],Time:u32)", "zero:8") + "\nperfinfo64 hook=0x0524 ver=4 payload=zero:24\n"
	if _, err := convertFile(context.Background(), d, indextest.Write(t, "t.etl", etltest.MustParse(t, trace)), "t", testOptions); err != nil {
		t.Fatal(err)
	}
	r, err := d.Record(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	with := 0
	for _, f := range r.Files {
		if f.Columns == nil {
			continue
		}
		with++
		if want := map[string]string{"a": "LIST<INT32+>", "time": "INT64+", "payload_rest": "BINARY"}; !maps.Equal(f.Columns, want) || f.Table != "events/"+hostileID+"/E" {
			t.Errorf("%s has %v, want %v", f.Table, f.Columns, want)
		}
	}
	if with != 1 {
		t.Errorf("%d files with columns", with)
	}
}

// vanishingStore removes the commit records after listing them.
type vanishingStore struct{ store.Store }

func (s vanishingStore) List(ctx context.Context, folder string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for entry, err := range s.Store.List(ctx, folder) {
			if err == nil && folder == recordsName {
				err = s.Remove(ctx, entry.Name)
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// TestViewsBesideOthers checks that views can be made while another run replaces a record.
func TestViewsBesideOthers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := openDataset(t, folder)
	path := indextest.Write(t, "a.etl", etltest.MustParse(t, "trace ptr=64 buffersize=65536\nstream\n"+tl("E(A:u8)", "zero:8")))
	if _, err := convertFile(t.Context(), d, path, "a", testOptions); err != nil {
		t.Fatal(err)
	}
	if err := views.Write(t.Context(), NewDataset(vanishingStore{preparedFolder(t, folder)}).Dataset); err != nil {
		t.Error(err)
	}
}
