package otlphttp_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/base/otlphttp"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// impatience retries without a long wait, but does not treat a busy machine as a stalled server.
var impatience = remote.Patience{Tries: 4, FirstTries: 2, First: time.Millisecond, Most: 4 * time.Millisecond, Stall: time.Hour}

// step is an answer to a request.
type step func(w http.ResponseWriter)

func status(code int, body string) step {
	return func(w http.ResponseWriter) {
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// hangUp takes the request, and closes the connection instead of an answer.
func hangUp(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	conn.Close()
}

// raw answers with these bytes, and closes the connection.
func raw(text string) step {
	return func(w http.ResponseWriter) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		io.WriteString(conn, text)
		conn.Close()
	}
}

func after(seconds string, s step) step {
	return func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", seconds)
		s(w)
	}
}

// server answers requests by the steps, and the further ones like the last. It checks that each
// request is a batch, and counts them.
func server(t *testing.T, steps ...step) (address string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zip, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Errorf("the body: %v", err)
			return
		}
		body, err := io.ReadAll(zip)
		if err != nil || string(body) != "{}\n" || r.Method != http.MethodPost || r.URL.Path != "/v1/logs" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Key") != "hidden" {
			t.Errorf("%s %s %q %q, %v", r.Method, r.URL, r.Header, body, err)
		}
		n := requests.Add(1)
		steps[min(int(n), len(steps))-1](w)
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

func newSender(t *testing.T, ctx context.Context, address string, p remote.Patience) *otlphttp.Sender {
	t.Helper()
	url, err := otlphttp.LogsURL(address)
	if err != nil {
		t.Fatal(err)
	}
	s := otlphttp.NewSender(ctx, otlphttp.Options{URL: url, Headers: http.Header{"Key": {"hidden"}}, UserAgent: "test", Patience: p})
	t.Cleanup(s.Close)
	return s
}

// TestSender sends two batches of ten records to servers of all kinds, and compares what is reported.
func TestSender(t *testing.T) {
	ok := status(200, `{"partialSuccess":{}}`)
	for name, test := range map[string]struct {
		steps    []step
		requests int64
		want     otlphttp.Report
		err      string // part of it, at the first batch; "" for none
	}{
		"accepts":              {[]step{ok}, 2, otlphttp.Report{Accepted: 20}, ""},
		"accepts without body": {[]step{status(200, "")}, 2, otlphttp.Report{Accepted: 20}, ""},
		"429 and 503 first":    {[]step{after("0", status(429, "")), status(503, ""), ok}, 4, otlphttp.Report{Accepted: 20}, ""},
		"504 first":            {[]step{status(504, ""), ok}, 3, otlphttp.Report{Accepted: 20, Twice: 10}, ""},
		"502 first":            {[]step{status(502, ""), ok}, 3, otlphttp.Report{Accepted: 20, Twice: 10}, ""},
		"lost answer":          {[]step{hangUp, ok}, 3, otlphttp.Report{Accepted: 20, Twice: 10}, ""},
		"cut head":             {[]step{raw("HTTP/1.1 200 OK\r\nContent-"), ok}, 3, otlphttp.Report{Accepted: 20, Twice: 10}, ""},
		"no HTTP":              {[]step{raw("hello\r\n\r\n"), ok}, 3, otlphttp.Report{Accepted: 20, Twice: 10}, ""},
		"cut body":             {[]step{raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"), ok}, 2, otlphttp.Report{Accepted: 20, Unread: 10}, ""},
		"lying length":         {[]step{raw("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n{}"), ok}, 2, otlphttp.Report{Accepted: 20, Unread: 10}, ""},
		"huge answer":          {[]step{status(200, `{"partialSuccess":{"errorMessage":"`+strings.Repeat("x", 1<<20)+`"}}`), ok}, 2, otlphttp.Report{Accepted: 20, Unread: 10}, ""},
		"partial success": {
			[]step{status(200, `{"partialSuccess":{"rejectedLogRecords":"3","errorMessage":"too old"}}`), ok}, 2,
			otlphttp.Report{Accepted: 17, Refused: 3, Reasons: []string{"too old"}}, "",
		},
		"partial success as a number": {[]step{status(200, `{"partialSuccess":{"rejectedLogRecords":3}}`), ok}, 2, otlphttp.Report{Accepted: 17, Refused: 3}, ""},
		"a warning":                   {[]step{status(200, `{"partialSuccess":{"errorMessage":"slow down"}}`), ok}, 2, otlphttp.Report{Accepted: 20, Reasons: []string{"slow down"}}, ""},
		"refuses more than all":       {[]step{status(200, `{"partialSuccess":{"rejectedLogRecords":"30"}}`), ok}, 2, otlphttp.Report{Accepted: 10, Refused: 10}, ""},
		"400": {
			[]step{status(400, `{"code":3,"message":"bad batch"}`), ok}, 2,
			otlphttp.Report{Accepted: 10, Refused: 10, Reasons: []string{"the server answers 400 Bad Request: bad batch"}}, "",
		},
		"500": {[]step{status(500, ""), ok}, 2, otlphttp.Report{Accepted: 10, Refused: 10, Reasons: []string{"the server answers 500 Internal Server Error"}}, ""},
		"401": {
			[]step{status(401, "")}, 1, otlphttp.Report{Refused: 10}, "401 Unauthorized",
		},
		"redirects": {
			[]step{func(w http.ResponseWriter) {
				w.Header().Set("Location", "https://other.example/v1/logs?token=hidden")
				w.WriteHeader(307)
			}}, 1,
			otlphttp.Report{Refused: 10}, "the server answers 307 Temporary Redirect: it redirects to https://other.example/v1/logs; give that URL",
		},
		"always 503":    {[]step{status(503, "")}, 4, otlphttp.Report{}, "503 Service Unavailable (tried 4 times)"},
		"always closes": {[]step{hangUp}, 4, otlphttp.Report{Unknown: 10}, "tried 4 times"},
	} {
		t.Run(name, func(t *testing.T) {
			address, requests := server(t, test.steps...)
			s := newSender(t, t.Context(), address, impatience)
			err := s.Send([]byte("{}\n"), 10)
			switch {
			case test.err != "":
				if err == nil || !strings.Contains(err.Error(), test.err) || strings.Contains(err.Error(), "hidden") {
					t.Errorf("error %v", err)
				}
			case err != nil:
				t.Error(err)
			default:
				if err := s.Send([]byte("{}\n"), 10); err != nil {
					t.Error(err)
				}
			}
			if diff := cmp.Diff(test.want, s.Report); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if requests.Load() != test.requests {
				t.Errorf("%d requests, want %d", requests.Load(), test.requests)
			}
		})
	}
}

// TestInterrupted ends the sending while the server takes its time: the batch may have arrived.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	address, _ := server(t, func(http.ResponseWriter) {
		stop()
		<-ended // no answer that could come before the sender sees the end of ctx
	})
	s := newSender(t, ctx, address, impatience)
	err := s.Send([]byte("{}\n"), 10)
	close(ended)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if diff := cmp.Diff(otlphttp.Report{Unknown: 10}, s.Report); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := s.Send([]byte("{}\n"), 10); !errors.Is(err, context.Canceled) || s.Report.Unknown != 10 {
		t.Errorf("%v, %+v", err, s.Report)
	}
}

// TestNoServer checks that records are not counted if no server could take them.
func TestNoServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://user:hidden@" + listener.Addr().String()
	listener.Close()
	s := newSender(t, t.Context(), address, impatience)
	if err := s.Send([]byte("{}\n"), 10); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
	if diff := cmp.Diff(otlphttp.Report{}, s.Report); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSilentServer checks that a server that never answers ends the sending.
func TestSilentServer(t *testing.T) {
	done := make(chan struct{})
	address, _ := server(t, func(http.ResponseWriter) { <-done })
	defer close(done)
	p := impatience
	p.Stall = 50 * time.Millisecond
	s := newSender(t, t.Context(), address, p)
	if err := s.Send([]byte("{}\n"), 10); err == nil || s.Report.Unknown != 10 || s.Report.Accepted != 0 {
		t.Errorf("%v, %+v", err, s.Report)
	}
}

// TestLogsURL checks addresses and the URLs for logs.
func TestLogsURL(t *testing.T) {
	for address, want := range map[string]string{
		"http://localhost:4318":            "http://localhost:4318/v1/logs",
		"https://h/otlp/":                  "https://h/otlp/v1/logs",
		"https://h/v1/logs":                "https://h/v1/logs",
		"https://h/v1/logs/?key=a#b":       "https://h/v1/logs/?key=a",
		"localhost:4318":                   "",
		"ftp://h":                          "",
		"http://":                          "",
		"http://user:hidden@h:port/v1\x7f": "",
	} {
		got, err := otlphttp.LogsURL(address)
		if got != want || (err == nil) != (want != "") || strings.Contains(fmt.Sprint(err), "hidden") {
			t.Errorf("%s: %s, %v, want %s", address, got, err, want)
		}
	}
}

// TestHeaders checks headers from flags and from the environment.
func TestHeaders(t *testing.T) {
	for list, want := range map[string]http.Header{
		"":                             {},
		"a=b, Api-Key = x%20y%2Cz ,":   {"A": {"b"}, "Api-Key": {"x y,z"}},
		"authorization=Basic%20YTpiCg": {"Authorization": {"Basic YTpiCg"}},
		"hidden":                       nil,
		"a b=hidden":                   nil,
		"a=hidden%0d%0ab:c":            nil,
		"a=hidden%zz":                  nil,
	} {
		got := make(http.Header)
		err := otlphttp.AddHeaders(got, list)
		if (err == nil) != (want != nil) || strings.Contains(fmt.Sprint(err), "hidden") || err == nil && !cmp.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", list, got, err, want)
		}
	}
}
