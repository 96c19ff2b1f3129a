package s3_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/s3"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
)

var impatience = remote.Patience{Tries: 4, FirstTries: 2, First: time.Millisecond, Most: 10 * time.Millisecond, Stall: time.Hour}

func open(t *testing.T, o s3.Options, url string) *s3.Store {
	t.Helper()
	if o.Patience.IsZero() {
		o.Patience = impatience
	}
	o.TempDir = t.TempDir()
	client, err := s3.NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := client.Store(url, remote.NewCache(t.TempDir(), 1<<30, 4))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMinIO tests the contract of stores with a real server.
func TestMinIO(t *testing.T) {
	_, uploads := storetest.MinIO(t)
	var n atomic.Int32
	storetest.Run(t, func(t *testing.T) store.Store {
		s := open(t, s3.Options{}, fmt.Sprintf("s3://%s/sets/it's %d", storetest.Bucket, n.Add(1)))
		if err := s.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s
	})
	if n := storetest.Uploads(t, uploads); n != 0 {
		t.Errorf("%d uploads are left", n)
	}
}
