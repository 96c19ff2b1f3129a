package catalog_test

import (
	"bytes"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestKindsOfRealTraces checks that the kind found by a few bytes of an event's header is the kind
// of its key.
func TestKindsOfRealTraces(t *testing.T) {
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		t.Run(indextest.Name(path), func(t *testing.T) {
			t.Parallel()
			testKinds(t, indextest.File(t, path))
		})
	}
}

// TestKindsOfRandomTraces checks the same for events of all families, with and without extended
// items.
func TestKindsOfRandomTraces(t *testing.T) {
	for name, shape := range indextest.Shapes {
		testKinds(t, indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded("kinds "+name), shape)))
	}
}

// testKinds finds each event of a trace by its key, and with a finder that has met those before it.
func testKinds(t *testing.T, x *index.Index) {
	t.Helper()
	finder := catalog.Finder{Catalog: x.Catalog}
	events, listed := int64(0), 0
	indextest.Each(t, x.File, func(i int, _ *decode.Buffer, ev *decode.Event) {
		var key catalog.Key
		x.Catalog.KeyOf(ev, &key)
		found := finder.Find(ev)
		if got, want := int(found.Place), x.Catalog.Place(&key); got != want {
			t.Fatalf("buffer %d, offset %d: kind %d, want %d", i, ev.Offset, got, want)
		}
		if found.Items > 0 {
			listed++
			if want := ev.Raw[decode.EventHeaderSize:ev.PayloadOffset()]; !bytes.Equal(finder.Items(found.Items), want) {
				t.Fatalf("buffer %d, offset %d: items %x, want %x", i, ev.Offset, finder.Items(found.Items), want)
			}
		}
		events++
	})
	if events != x.Events {
		t.Errorf("%d events, want %d", events, x.Events)
	}
	t.Logf("%d events, %d with items that others have, too", events, listed)
}
