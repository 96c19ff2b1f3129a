package remote_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// answer is a server's answer to the request with a number, which counts from 1. The first request
// finds the file.
type answer func(w http.ResponseWriter, r *http.Request, n int64)

// part answers with some bytes of data under a Content-Range.
func part(w http.ResponseWriter, contentRange string, data []byte) {
	w.Header().Set("ETag", `"1"`)
	if contentRange != "" {
		w.Header().Set("Content-Range", contentRange)
	}
	w.WriteHeader(http.StatusPartialContent)
	w.Write(data)
}

// TestLyingServers reads a file from servers that send something other than what they were asked
// for. Either the bytes are right, or there is an error: wrong bytes are never taken.
func TestLyingServers(t *testing.T) {
	const size, first = 5 << 20, 4 << 20 // two ranges
	data := contents(size)
	honest := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", modified, bytes.NewReader(data))
	}
	// later answers the request that finds the file honestly.
	later := func(a answer) answer {
		return func(w http.ResponseWriter, r *http.Request, n int64) {
			if n == 1 {
				honest(w, r)
				return
			}
			a(w, r, n)
		}
	}
	// asked returns the first and the last byte of the requested range.
	asked := func(r *http.Request) (from, to int64) {
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to)
		return from, to
	}
	for name, test := range map[string]struct {
		answer answer
		says   string // in the error; "" if the file is read whole
	}{
		"wrong start": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("bytes %d-%d/%d", from+1, to, size), data[from+1:to])
		}), "other bytes than requested"},
		"wrong end": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to-1, size), data[from:to])
		}), "other bytes than requested"},
		"wrong total": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to, size+1), data[from:to+1])
		}), "changed on the server"},
		"unknown total": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("bytes %d-%d/*", from, to), data[from:to+1])
		}), ""},
		"longer body": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to, size), append(bytes.Clone(data[from:to+1]), 0))
		}), "other bytes than requested"},
		"whole body under the range": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to, size), data)
		}), "other bytes than requested"},
		"longer body in chunks": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to, size), data[from:to+1])
			w.(http.Flusher).Flush()
			io.WriteString(w, "more")
		}), "other bytes than requested"},
		"shorter body": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to, size), data[from:to])
		}), "unexpected EOF (tried 4 times)"},
		"truncated body": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			w.Header().Set("Content-Length", fmt.Sprint(to-from+1))
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to, size), data[from:to])
			panic(http.ErrAbortHandler)
		}), "unexpected EOF (tried 4 times)"},
		"several ranges": {later(func(w http.ResponseWriter, _ *http.Request, _ int64) {
			w.Header().Set("Content-Type", "multipart/byteranges; boundary=x")
			part(w, "", data[:100])
		}), "other bytes than requested"},
		"several ranges under the range": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			w.Header().Set("Content-Type", "multipart/byteranges; boundary=x")
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to, size), data[from:to+1])
		}), "other bytes than requested"},
		"no Content-Range": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, "", data[from:to+1])
		}), "other bytes than requested"},
		"other units": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("items %d-%d/%d", from, to, size), data[from:to+1])
		}), "other bytes than requested"},
		"no units": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			part(w, fmt.Sprintf("%d-%d/%d", from, to, size), data[from:to+1])
		}), "other bytes than requested"},
		"ranges forgotten": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			w.Header().Set("ETag", `"1"`)
			w.Write(data)
		}), "other bytes than requested"},
		"cannot be satisfied": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", first))
			w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
		}), "changed on the server"},
		"changed in the middle": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			r.Header.Del("If-Match")
			if from, _ := asked(r); from > 0 {
				w.Header().Set("ETag", `"2"`)
			} else {
				w.Header().Set("ETag", `"1"`)
			}
			http.ServeContent(w, r, "", modified, bytes.NewReader(data))
		}), "changed on the server"},
		"compressed later": {later(func(w http.ResponseWriter, r *http.Request, _ int64) {
			from, to := asked(r)
			w.Header().Set("Content-Encoding", "gzip")
			part(w, fmt.Sprintf("bytes %d-%d/%d", from, to, size), data[from:to+1])
		}), "changed on the server"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request, n int64) {
			if !strings.HasPrefix(r.URL.Path, "/there") {
				http.Redirect(w, r, "/there", http.StatusFound)
				return
			}
			honest(w, r)
		}, ""},
		"redirects forever": {func(w http.ResponseWriter, r *http.Request, _ int64) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		}, "the server redirects more than 10 times"},
		"redirected elsewhere later": {func(w http.ResponseWriter, r *http.Request, n int64) {
			switch {
			case r.URL.Path == "/other":
				http.ServeContent(w, r, "", modified, bytes.NewReader(data[:first]))
			case n == 1:
				honest(w, r)
			default:
				http.Redirect(w, r, "/other", http.StatusFound)
			}
		}, "changed on the server"},
		"all for one byte": {func(w http.ResponseWriter, r *http.Request, _ int64) {
			part(w, fmt.Sprintf("bytes 0-%d/%d", size-1, size), data)
		}, "other bytes than requested"},
		"another byte than the first": {func(w http.ResponseWriter, r *http.Request, n int64) {
			part(w, fmt.Sprintf("bytes 1-1/%d", size), data[1:2])
		}, "other bytes than requested"},
		"no Content-Range at first": {func(w http.ResponseWriter, r *http.Request, _ int64) {
			part(w, "", data[:1])
		}, "other bytes than requested"},
		"unknown total at first": {func(w http.ResponseWriter, r *http.Request, n int64) {
			if r.Header.Get("Range") == "" {
				honest(w, r)
				return
			}
			part(w, "bytes 0-0/*", data[:1])
		}, ""},
		"ranges ignored": {func(w http.ResponseWriter, r *http.Request, _ int64) { w.Write(data) }, ""},
		"ranges ignored, cut": {func(w http.ResponseWriter, r *http.Request, n int64) {
			w.Header().Set("Content-Length", fmt.Sprint(size))
			w.Write(data[:first])
			panic(http.ErrAbortHandler)
		}, "unexpected EOF"},
		"ranges ignored, changed": {func(w http.ResponseWriter, r *http.Request, n int64) {
			w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
			w.Write(data)
		}, "changed on the server"},
		"ranges ignored, shorter": {func(w http.ResponseWriter, r *http.Request, n int64) {
			w.Header().Set("Content-Length", fmt.Sprint(size-n))
			w.Write(data[:size-n])
		}, "changed on the server"},
		"a part instead of the whole": {func(w http.ResponseWriter, r *http.Request, n int64) {
			if n == 1 {
				w.Write(data)
				return
			}
			part(w, fmt.Sprintf("bytes 0-%d/%d", first-1, size), data[:first])
		}, "other bytes than requested"},
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { test.answer(w, r, requests.Add(1)) }))
			defer s.Close()
			got, err := readEither(t, s.URL+"/a/trace.etl")
			switch {
			case test.says == "" && (err != nil || !bytes.Equal(got, data)):
				t.Errorf("%d bytes, %v", len(got), err)
			case test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)):
				t.Errorf("%d bytes, error %v, want %q", len(got), err, test.says)
			}
		})
	}
}

// readEither reads a file by ranges or, if the server has none, as a stream.
func readEither(t *testing.T, address string) ([]byte, error) {
	t.Helper()
	r, err := remote.NewHTTP(impatience, remote.DefaultConnections).Find(t.Context(), address)
	if err != nil {
		return nil, err
	}
	if r.Ranges {
		file := r.Open(t.Context(), remote.NewCache(t.TempDir(), 1<<30, 4))
		defer file.Close()
		return io.ReadAll(io.NewSectionReader(file, 0, r.Size))
	}
	body, err := r.Stream(t.Context())
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(body)
	return got, errors.Join(err, body.Close())
}

// TestCompressedByServer reads from a server that compresses what it sends, although it was asked not
// to: the bytes arrive as they are sent, and readers of archives expand them.
func TestCompressedByServer(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(contents(1 << 20)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, ranges := range []bool{false, true} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			if ranges {
				w.Header().Set("ETag", `"1"`)
				http.ServeContent(w, r, "", modified, bytes.NewReader(packed.Bytes()))
				return
			}
			w.Write(packed.Bytes())
		}))
		got, err := readEither(t, s.URL+"/a/trace.etl")
		if err != nil || !bytes.Equal(got, packed.Bytes()) {
			t.Errorf("ranges %t: %d bytes, %v", ranges, len(got), err)
		}
		s.Close()
	}
}
