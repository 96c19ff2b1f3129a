package s3_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// refuse answers with an error of S3.
func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	if code != "" {
		fmt.Fprintf(w, "<Error><Code>%s</Code><Message>Said by the server.</Message></Error>", code)
	}
}

// TestAnswers counts the requests for an object after answers of each kind: final ones are not asked
// for again, and a refusal of the credentials ends all requests.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		status   int
		code     string
		requests int // for the first of two objects
		second   int // for the second one
		refused  bool
		says     string
	}{
		{400, "InvalidRequest", 1, 1, false, "said by the server"},
		{400, "ExpiredToken", 1, 0, true, "refuses the credentials: said by the server"},
		{403, "InvalidAccessKeyId", 1, 0, true, "refuses the credentials: said by the server"},
		{403, "SignatureDoesNotMatch", 1, 0, true, "refuses the credentials: said by the server"},
		{403, "RequestTimeTooSkewed", 1, 0, true, "refuses the credentials: said by the server"},
		{401, "", 1, 0, true, "refuses the credentials"},
		{403, "AccessDenied", 1, 1, false, "access to bucket bucket is denied"},
		{404, "NoSuchBucket", 1, 1, false, "there is no bucket bucket"},
		{405, "MethodNotAllowed", 1, 1, false, ""},
		{410, "Gone", 1, 1, false, "said by the server"},
		{501, "NotImplemented", 1, 1, false, "says 501: said by the server"},
		{408, "", 4, 4, false, "(tried 4 times)"},
		{429, "", 4, 4, false, "(tried 4 times)"},
		{500, "InternalError", 4, 4, false, "says 500: said by the server (tried 4 times)"},
		{502, "", 4, 4, false, "(tried 4 times)"},
		{503, "SlowDown", 4, 4, false, "says 503: said by the server (tried 4 times)"},
		{504, "", 4, 4, false, "(tried 4 times)"},
	} {
		t.Run(fmt.Sprint(test.status, test.code), func(t *testing.T) {
			var mu sync.Mutex
			requests := 0
			client := fake(t, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				requests++
				mu.Unlock()
				refuse(w, test.status, test.code)
			})
			s, err := client.Store("s3://bucket/set", remote.NewCache(t.TempDir(), 0, 1))
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []int{test.requests, test.second} {
				requests = 0
				_, err := s.ReadFile(t.Context(), fmt.Sprint(i))
				if err == nil || !strings.Contains(err.Error(), test.says) || errors.Is(err, remote.ErrRefused) != test.refused {
					t.Errorf("object %d: error %v, want %q", i, err, test.says)
				}
				if requests != want {
					t.Errorf("object %d: %d requests, want %d", i, requests, want)
				}
			}
		})
	}
}

// TestRefusedHead checks that a refusal whose answer has no body is understood: HEAD requests get
// only a status.
func TestRefusedHead(t *testing.T) {
	client := fake(t, func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusBadRequest, "ExpiredToken") })
	for range 2 {
		if _, err := client.Object(t.Context(), "bucket", "key"); !errors.Is(err, remote.ErrRefused) || !strings.Contains(err.Error(), "said by the server") {
			t.Errorf("error %v", err)
		}
	}
}

// TestRenewedCredentials lets the credentials expire while their source has new ones: the request is
// repeated with these.
func TestRenewedCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "credentials")
	write := func(token string) {
		text := "[default]\naws_access_key_id = tester\naws_secret_access_key = testing-only\naws_session_token = " + token + "\n"
		testenv.WriteFile(t, file, text)
	}
	write("old")
	client := fake(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Amz-Security-Token") != "new" {
			write("new")
			refuse(w, http.StatusBadRequest, "ExpiredToken")
			return
		}
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader("contents"))
	})
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
	s, err := client.Store("s3://bucket/set", remote.NewCache(t.TempDir(), 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.ReadFile(t.Context(), "a"); err != nil || string(got) != "contents" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestLyingBucket reads an object from a server that sends something other than what it was asked
// for: its bytes are never taken.
func TestLyingBucket(t *testing.T) {
	data := contents(5 << 20)
	part := func(first, last, total int, body []byte) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, total))
			w.Header().Set("Content-Length", fmt.Sprint(len(body)))
			w.WriteHeader(http.StatusPartialContent)
			w.Write(body)
		}
	}
	const end = 4<<20 - 1
	for name, test := range map[string]struct {
		answer func(w http.ResponseWriter)
		want   error
	}{
		"wrong start":     {part(1, end+1, len(data), data[1:end+2]), remote.ErrAnswer},
		"wrong end":       {part(0, end-1, len(data), data[:end]), remote.ErrAnswer},
		"wrong total":     {part(0, end, len(data)+1, data[:end+1]), remote.ErrChanged},
		"longer body":     {part(0, end, len(data), data[:end+2]), remote.ErrAnswer},
		"whole body":      {func(w http.ResponseWriter) { w.Write(data) }, remote.ErrAnswer},
		"no range at all": {func(w http.ResponseWriter) { w.WriteHeader(206); w.Write(data[:end+1]) }, remote.ErrAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			client := fake(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("ETag", `"1"`)
				if r.Method == http.MethodHead {
					http.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(data))
					return
				}
				w.Header().Set("Last-Modified", time.Unix(1e9, 0).UTC().Format(http.TimeFormat))
				test.answer(w)
			})
			object, err := client.Object(t.Context(), "bucket", "key")
			if err != nil {
				t.Fatal(err)
			}
			file := object.Open(t.Context(), remote.NewCache(t.TempDir(), 1<<30, 1))
			defer file.Close()
			if n, err := io.ReadFull(io.NewSectionReader(file, 0, 100), make([]byte, 100)); !errors.Is(err, test.want) {
				t.Errorf("%d bytes, error %v, want %v", n, err, test.want)
			}
		})
	}
}
