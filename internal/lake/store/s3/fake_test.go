package s3_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/s3"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
)

// fake serves one object without MinIO, so that its tests run everywhere.
func fake(t *testing.T, handler http.HandlerFunc) *s3.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "tester")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "testing-only")
	client, err := s3.NewClient(s3.Options{Endpoint: server.URL, Region: "us-east-1", Patience: impatience, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// TestObject reads an object by ranges from a server that is sometimes busy, and an
// object that changes.
func TestObject(t *testing.T) {
	data := contents(9 << 20)
	var requests atomic.Int64
	var etag atomic.Value
	etag.Store(`"first"`)
	client := fake(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/bucket/in/a.etl" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if requests.Add(1)%3 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("ETag", etag.Load().(string))
		http.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(data))
	})
	if _, err := client.Object(t.Context(), "bucket", "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	object, err := client.Object(t.Context(), "bucket", "in/a.etl")
	if err != nil {
		t.Fatal(err)
	}
	if object.Size != int64(len(data)) || !object.ModTime.Equal(time.Unix(1e9, 0)) || object.URL() != "s3://bucket/in/a.etl" {
		t.Errorf("%+v", object)
	}
	file := object.Open(t.Context(), remote.NewCache(t.TempDir(), 1<<30, 2))
	if got, err := io.ReadAll(io.NewSectionReader(file, 0, object.Size)); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	etag.Store(`"second"`)
	file = object.Open(t.Context(), remote.NewCache(t.TempDir(), 1<<30, 2))
	defer file.Close()
	if _, err := file.ReadAt(make([]byte, 10), 0); !errors.Is(err, remote.ErrChanged) {
		t.Errorf("error %v", err)
	}
}

// TestLeftoversOfMinIO lists leftovers from a server that finds uploads only by whole
// keys, and that also lists uploads that no longer exist.
func TestLeftoversOfMinIO(t *testing.T) {
	client := fake(t, func(w http.ResponseWriter, r *http.Request) {
		upload := func(key string) string {
			return fmt.Sprintf("<Upload><Key>%s</Key><UploadId>id</UploadId><Initiated>2026-05-01T12:00:00.000Z</Initiated></Upload>", key)
		}
		list := ""
		switch prefix := r.URL.Query().Get("prefix"); prefix {
		case "":
			list = upload("set/a") + upload("set/gone") + upload("other/b")
		case "set/a":
			list = upload("set/a")
		}
		fmt.Fprintf(w, "<ListMultipartUploadsResult><Bucket>bucket</Bucket>%s</ListMultipartUploadsResult>", list)
	})
	s, err := client.Store("s3://bucket/set", remote.NewCache(t.TempDir(), 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	left, err := s.Leftovers(t.Context())
	if err != nil || len(left) != 1 || left[0].Name != "a" || left[0].Time.IsZero() {
		t.Errorf("left over: %+v, %v", left, err)
	}
}

// TestBusyServer checks that requests to a busy server end at last, with a clear error.
func TestBusyServer(t *testing.T) {
	client := fake(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, "<Error><Code>SlowDown</Code><Message>Please\nreduce your request rate.</Message></Error>")
	})
	s, err := client.Store("s3://"+storetest.Bucket, remote.NewCache(t.TempDir(), 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.ReadFile(t.Context(), "a")
	if err == nil || !strings.HasSuffix(err.Error(), " says 503: please reduce your request rate (tried 4 times)") {
		t.Errorf("error %v", err)
	}
}
