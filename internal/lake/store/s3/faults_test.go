package s3_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/s3"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
)

// contents returns bytes that differ everywhere.
func contents(size int) []byte {
	data := make([]byte, size)
	chacha := rand.NewChaCha8(sha256.Sum256([]byte("contents")))
	if _, err := chacha.Read(data); err != nil {
		panic(err)
	}
	return data
}

func create(t *testing.T, s store.Store, name string, data []byte) store.File {
	t.Helper()
	f, err := s.Create(t.Context(), name)
	if err == nil {
		_, err = f.Write(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func write(t *testing.T, s store.Store, name string, data []byte) {
	t.Helper()
	f := create(t, s, name, data)
	_, err := f.Stage(t.Context())
	if err == nil {
		err = f.Publish(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, s store.Store, name string, want []byte) {
	t.Helper()
	if got, err := s.ReadFile(t.Context(), name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s has %d bytes, %v; want %d", name, len(got), err, len(want))
	}
}

const root = "s3://" + storetest.Bucket + "/set"

// TestBadNetwork cuts and stalls connections. A few faults do no harm; a permanent
// fault is an error and leaves the old object.
func TestBadNetwork(t *testing.T) {
	address, uploads := storetest.MinIO(t)
	direct := open(t, s3.Options{}, root)
	proxy := storetest.NewProxy(t, address)
	few, many := impatience, impatience
	few.Tries = 12
	many.Stall, many.Tries = 2*time.Second, math.MaxInt // a busy machine may stall too
	through := func(patience remote.Patience) store.Store {
		return open(t, s3.Options{Endpoint: "http://" + proxy.Address, Patience: patience}, root)
	}
	old, data := []byte("old"), contents(40<<20) // three parts
	for name, test := range map[string]struct {
		patience remote.Patience
		fault    storetest.Fault
		fails    bool
	}{
		"cut at once":        {few, storetest.Fault{Bytes: 0, Times: 3}, false},
		"cut in parts":       {few, storetest.Fault{Bytes: 9 << 20, Times: 6}, false},
		"stalled":            {many, storetest.Fault{Bytes: 5 << 20, Times: 1, Stall: true}, false},
		"always cut":         {few, storetest.Fault{Bytes: 100}, true},
		"always cut in data": {few, storetest.Fault{Bytes: 2 << 20}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := through(test.patience)
			proxy.Fail(nil)
			write(t, s, "a", old)
			if err := s.Prepare(t.Context()); err != nil {
				t.Fatal(err)
			}
			proxy.Fail(&test.fault)
			f := create(t, s, "a", data)
			size, err := f.Stage(t.Context())
			if test.fails != (err != nil) || !test.fails && size != int64(len(data)) {
				t.Fatalf("staged %d bytes, %v", size, err)
			}
			if proxy.Faults() == 0 {
				t.Error("no fault occurred")
			}
			holds(t, direct, "a", old)
			if err != nil {
				if !errors.As(err, new(*remote.TriedError)) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "write "+root+"/a: http://"+proxy.Address) {
					t.Errorf("error %v", err)
				}
				proxy.Fail(nil)
				if err := f.Discard(t.Context()); err != nil {
					t.Error(err)
				}
			} else if err := f.Publish(t.Context()); err != nil {
				t.Error(err)
			} else {
				holds(t, direct, "a", data)
			}
			if n := storetest.Uploads(t, uploads); n != 0 {
				t.Errorf("%d uploads are left", n)
			}
		})
	}
	// Read back, by ranges.
	write(t, direct, "a", data)
	proxy.Fail(&storetest.Fault{Bytes: 7 << 20, Times: 5})
	c, err := through(few).Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, err := io.ReadAll(io.NewSectionReader(c, 0, c.Size())); err != nil || !bytes.Equal(got, data) || proxy.Faults() != 5 {
		t.Errorf("%d bytes, %v after %d faults", len(got), err, proxy.Faults())
	}
}

// TestBadServer lets every request of a kind fail at first: with a 5xx answer, and by
// losing the answer to a completed request.
func TestBadServer(t *testing.T) {
	address, uploads := storetest.MinIO(t)
	data := contents(20 << 20)
	for name, fault := range map[string]int{"busy": 503, "broken": 500, "too many": 429, "answer lost": storetest.Lost, "cut": storetest.Cut} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			seen := make(map[string]bool)
			failed := 0
			s := open(t, s3.Options{Endpoint: storetest.Gateway(t, address, func(r *http.Request) int {
				mu.Lock()
				defer mu.Unlock()
				query := r.URL.Query()
				query.Del("uploadId")
				kind := r.Method + r.URL.Path + "?" + query.Encode() + r.Header.Get("Range")
				if seen[kind] {
					return 0
				}
				seen[kind] = true
				failed++
				return fault
			})}, root)
			if err := s.Prepare(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, data := range [][]byte{data, []byte("small"), nil} {
				write(t, s, "a/b", data)
				holds(t, s, "a/b", data)
			}
			if sizes, err := s.Sizes(t.Context(), "a/b", "none"); err != nil || sizes[0] != 0 || sizes[1] != -1 {
				t.Errorf("sizes %v, %v", sizes, err)
			}
			if folders, err := s.Folders(t.Context(), ""); err != nil || len(folders) != 1 {
				t.Errorf("folders %v, %v", folders, err)
			}
			if err := s.Remove(t.Context(), "a/b", "none"); err != nil {
				t.Error(err)
			}
			if n := storetest.Uploads(t, uploads); n != 0 {
				t.Errorf("%d uploads are left", n)
			}
			if failed < 8 {
				t.Errorf("only %d requests failed", failed)
			}
		})
	}
}

// TestRerun leaves an upload of a killed run: it is a leftover, not a visible file,
// and is gone after the next run has written the same file.
func TestRerun(t *testing.T) {
	_, uploads := storetest.MinIO(t)
	killed := open(t, s3.Options{}, root)
	for _, name := range []string{"a", "b"} {
		if _, err := create(t, killed, name, []byte("half")).Stage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := storetest.Uploads(t, uploads); n != 2 {
		t.Fatalf("%d uploads, want 2", n)
	}
	s := open(t, s3.Options{}, root)
	if err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range s.List(t.Context(), "") {
		t.Error("the upload is visible")
	}
	write(t, s, "a", []byte("whole"))
	holds(t, s, "a", []byte("whole"))
	left, err := s.Leftovers(t.Context())
	if err != nil || len(left) != 1 || left[0].Name != "b" {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestChanged overwrites or removes objects while they are read.
func TestChanged(t *testing.T) {
	storetest.MinIO(t)
	s := open(t, s3.Options{}, root)
	data := contents(48 << 20)
	for name, change := range map[string]func(){
		"same size": func() { write(t, s, "a", append(data[1:len(data):len(data)], 0)) },
		"shorter":   func() { write(t, s, "a", data[:5<<20]) },
		"removed": func() {
			if err := s.Remove(t.Context(), "a"); err != nil {
				t.Error(err)
			}
		},
	} {
		write(t, s, "a", data)
		c, err := s.Open(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		p := make([]byte, 100)
		if _, err := c.ReadAt(p, 0); err != nil || !bytes.Equal(p, data[:100]) {
			t.Errorf("%s: before: %v", name, err)
		}
		change()
		if _, err := c.ReadAt(p, 40<<20); !errors.Is(err, remote.ErrChanged) {
			t.Errorf("%s: error %v", name, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestBrokenUpload checks that uploads that cannot be completed are made again. One
// is aborted by another client. For another, the server denies access, as MinIO does
// when the object's folder was just removed with another object.
func TestBrokenUpload(t *testing.T) {
	address, uploads := storetest.MinIO(t)
	denied := 0
	s := open(t, s3.Options{Endpoint: storetest.Gateway(t, address, func(r *http.Request) int {
		if r.Method == http.MethodPost && r.URL.Query().Has("uploadId") && strings.HasSuffix(r.URL.Path, "/denied") {
			if denied++; denied < 3 {
				return http.StatusForbidden
			}
		}
		return storetest.Pass
	})}, root)
	data := contents(20 << 20)
	for _, name := range []string{"aborted", "denied"} {
		f := create(t, s, name, data)
		if _, err := f.Stage(t.Context()); err != nil {
			t.Fatal(err)
		}
		if name == "aborted" {
			left, err := s.Leftovers(t.Context())
			if err == nil {
				err = s.RemoveLeftovers(t.Context(), left...)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Publish(t.Context()); err != nil {
			t.Error(err)
		}
		holds(t, s, name, data)
	}
	if denied != 3 {
		t.Errorf("access denied %d times", denied-1)
	}
	denied = -10
	f := create(t, s, "denied", nil)
	if _, err := f.Stage(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := f.Publish(t.Context()); err == nil || !strings.Contains(err.Error(), "access to bucket traces is denied") {
		t.Errorf("error %v", err)
	}
	if err := f.Discard(t.Context()); err != nil {
		t.Error(err)
	}
	holds(t, s, "denied", data)
	if n := storetest.Uploads(t, uploads); n != 0 {
		t.Errorf("%d uploads are left", n)
	}
}

// TestInterrupted cancels a context while parts are being sent.
func TestInterrupted(t *testing.T) {
	address, uploads := storetest.MinIO(t)
	ctx, cancel := context.WithCancel(t.Context())
	var parts atomic.Int32
	s := open(t, s3.Options{Endpoint: storetest.Gateway(t, address, func(r *http.Request) int {
		if r.Method == http.MethodPut && parts.Add(1) == 2 {
			cancel()
		}
		return 0
	})}, root)
	f := create(t, s, "a", contents(40<<20))
	if _, err := f.Stage(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := f.Discard(t.Context()); err != nil {
		t.Error(err)
	}
	if n := storetest.Uploads(t, uploads); n != 0 {
		t.Errorf("%d uploads are left", n)
	}
}

// TestErrors checks that refused requests fail at once, with one line that says why.
func TestErrors(t *testing.T) {
	address, _ := storetest.MinIO(t)
	for name, test := range map[string]struct {
		environment map[string]string
		endpoint    string
		url         string
		want        string
	}{
		"no bucket":      {nil, "", "s3://nothing-there/x", "there is no bucket nothing-there at http://" + address},
		"wrong key":      {map[string]string{"AWS_ACCESS_KEY_ID": "absent"}, "", root, "http://" + address + " refuses the credentials: the Access Key Id you provided does not exist in our records"},
		"wrong secret":   {map[string]string{"AWS_SECRET_ACCESS_KEY": "wrong"}, "", root, "refuses the credentials"},
		"no credentials": {map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "HOME": t.TempDir()}, "", root, "access to bucket traces is denied; there are no credentials, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"},
		"no server":      {nil, "http://127.0.0.1:1", root, "http://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused (tried 2 times)"},
		"no TLS":         {nil, "https://" + address, root, "server gave HTTP response to HTTPS client"},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range test.environment {
				t.Setenv(key, value)
			}
			err := open(t, s3.Options{Endpoint: test.endpoint}, test.url).Prepare(t.Context())
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}
