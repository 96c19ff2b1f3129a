package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// impatience is for tests: they retry without a long wait, but do not treat a busy machine as a
// stalled server.
var impatience = remote.Patience{Tries: 4, FirstTries: 2, First: time.Millisecond, Most: 4 * time.Millisecond, Stall: time.Hour}

var modified = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// server serves data, unless wrong answers a request itself.
func server(t *testing.T, data []byte, etag string, wrong func(w http.ResponseWriter, r *http.Request, request int64) bool) string {
	t.Helper()
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wrong != nil && wrong(w, r, requests.Add(1)) {
			return
		}
		if etag != "" {
			w.Header().Set("ETag", etag)
		}
		http.ServeContent(w, r, "", modified, bytes.NewReader(data))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/a/trace.etl"
}

func readAll(t *testing.T, address string, patience remote.Patience) ([]byte, error) {
	t.Helper()
	r, err := remote.NewHTTP(patience, remote.DefaultConnections).Find(t.Context(), address)
	if err != nil {
		return nil, err
	}
	file := r.Open(t.Context(), remote.NewCache(t.TempDir(), 1<<30, 4))
	defer file.Close()
	return io.ReadAll(io.NewSectionReader(file, 0, r.Size))
}

func TestHTTP(t *testing.T) {
	data := contents(9<<20 + 7)
	for _, etag := range []string{`"strong"`, `W/"weak"`, ""} {
		address := server(t, data, etag, nil)
		r, err := remote.NewHTTP(impatience, remote.DefaultConnections).Find(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Ranges || r.Size != int64(len(data)) || !r.ModTime.Equal(modified) {
			t.Errorf("found %+v", r)
		}
		if got, err := readAll(t, address, impatience); err != nil || !bytes.Equal(got, data) {
			t.Errorf("etag %s: %d bytes, %v", etag, len(got), err)
		}
	}
	if got, err := readAll(t, server(t, nil, "", nil), impatience); err != nil || len(got) > 0 {
		t.Errorf("an empty file: %d bytes, %v", len(got), err)
	}
}

// TestHTTPFaults sends wrong answers: some faults are temporary, others are errors.
func TestHTTPFaults(t *testing.T) {
	data := contents(6 << 20)
	status := func(status int, requests ...int64) func(http.ResponseWriter, *http.Request, int64) bool {
		return func(w http.ResponseWriter, _ *http.Request, request int64) bool {
			for _, n := range requests {
				if n == request || n == 0 && request > 1 {
					w.WriteHeader(status)
					return true
				}
			}
			return false
		}
	}
	other := func(change func(h http.Header)) func(http.ResponseWriter, *http.Request, int64) bool {
		return func(w http.ResponseWriter, r *http.Request, request int64) bool {
			if request == 1 {
				return false
			}
			r.Header.Del("If-Match") // like a server that does not know the header
			r.Header.Del("If-Unmodified-Since")
			change(w.Header())
			http.ServeContent(w, r, "", modified, bytes.NewReader(data[:5<<20]))
			return true
		}
	}
	for name, test := range map[string]struct {
		wrong func(w http.ResponseWriter, r *http.Request, request int64) bool
		want  error  // nil: the fault is temporary
		says  string // in the error
	}{
		"busy at first":   {status(503, 1, 2), nil, ""},
		"busy later":      {status(429, 2, 4, 5), nil, ""},
		"always busy":     {status(503, 0), remote.StatusError(503), "the server answered 503 Service Unavailable (tried 4 times)"},
		"forbidden":       {status(403, 1), remote.StatusError(403), "the server answered 403 Forbidden"},
		"missing":         {status(404, 1), remote.StatusError(404), "404 Not Found"},
		"expired link":    {status(403, 0), remote.StatusError(403), "403 Forbidden"},
		"other contents":  {status(412, 0), remote.ErrChanged, ""},
		"shorter":         {status(416, 0), remote.ErrChanged, ""},
		"another etag":    {other(func(h http.Header) { h.Set("ETag", `"2"`) }), remote.ErrChanged, ""},
		"no etag":         {other(func(http.Header) {}), remote.ErrChanged, ""},
		"another size":    {other(func(h http.Header) { h.Set("ETag", `"1"`) }), remote.ErrChanged, ""},
		"no range at all": {status(200, 0), remote.ErrChanged, ""},
		"connection cut": {func(w http.ResponseWriter, r *http.Request, request int64) bool {
			if request != 2 && request != 3 {
				return false
			}
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", 4<<20-1, len(data)))
			w.Header().Set("Content-Length", fmt.Sprint(4<<20))
			w.WriteHeader(206)
			w.Write(data[:1<<20])
			panic(http.ErrAbortHandler)
		}, nil, ""},
		"another range": {func(w http.ResponseWriter, r *http.Request, request int64) bool {
			if request == 1 {
				return false
			}
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes 1-%d/%d", 4<<20, len(data)))
			w.WriteHeader(206)
			return true
		}, nil, "other bytes than requested"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readAll(t, server(t, data, `"1"`, test.wrong), impatience)
			if test.want == nil && test.says == "" {
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%d bytes, %v", len(got), err)
				}
				return
			}
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %v %q", err, test.want, test.says)
			}
		})
	}
}

func TestHTTPNobodyThere(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	_, err := remote.NewHTTP(impatience, remote.DefaultConnections).Find(t.Context(), s.URL+"/x?token=hidden")
	if err == nil || !strings.Contains(err.Error(), "refused") || !strings.Contains(err.Error(), "(tried 2 times)") || strings.Contains(err.Error(), "hidden") {
		t.Errorf("error %v", err)
	}
	if _, err := remote.NewHTTP(impatience, remote.DefaultConnections).Find(t.Context(), "http://a b/"); err == nil || strings.Contains(err.Error(), "a b/") {
		t.Errorf("error %v", err)
	}
}

// TestHTTPStream reads from a server without ranges.
func TestHTTPStream(t *testing.T) {
	data := contents(1 << 20)
	address := server(t, nil, "", func(w http.ResponseWriter, _ *http.Request, request int64) bool {
		if request == 2 {
			w.WriteHeader(http.StatusBadGateway)
			return true
		}
		w.Write(data)
		return true
	})
	r, err := remote.NewHTTP(impatience, remote.DefaultConnections).Find(t.Context(), address)
	if err != nil || r.Ranges {
		t.Fatal(r, err)
	}
	body, err := r.Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if got, err := io.ReadAll(body); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestHTTPCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	address := server(t, nil, "", func(w http.ResponseWriter, _ *http.Request, _ int64) bool {
		cancel()
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	if _, err := remote.NewHTTP(impatience, remote.DefaultConnections).Find(ctx, address); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestName(t *testing.T) {
	for address, want := range map[string]string{
		"https://h/a/b.etl":                                   "https://h/a/b.etl",
		"https://u:p@h:8/b.etl#top":                           "https://h:8/b.etl",
		"https://h/b.etl?X-Amz-Signature=1&X-Amz-Date=2&id=7": "https://h/b.etl?id=7",
		"https://h/b.zip?sv=1&sig=x%2Bs&se=2030":              "https://h/b.zip",
		"http://h/%zz?token=1":                                "http://h/%zz",
	} {
		if got := remote.Name(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
