package main

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// collector keeps the batches that it is sent, and gives each request the answer of a function by its
// number.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	batches []string
	headers []http.Header
}

func newCollector(t *testing.T, answer func(n int, w http.ResponseWriter)) *collector {
	t.Helper()
	c := new(collector)
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zip, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(zip)
		if err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		c.batches, c.headers = append(c.batches, string(body)), append(c.headers, r.Header)
		n := len(c.batches)
		c.mu.Unlock()
		answer(n, w)
	}))
	t.Cleanup(c.Close)
	return c
}

// TestPost posts the log records of traces: they are those that cat prints, and what became of them is
// reported.
func TestPost(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=hidden%20one,other=x")
	args := []string{"cat", sampleTrace}
	printed := mustRun(t, append(args, "--format", "otlp")...)
	batches := slices.Collect(strings.Lines(printed))
	if len(batches) != 1 {
		t.Fatalf("%d batches", len(batches))
	}
	for _, test := range []struct {
		name   string
		answer func(n int, w http.ResponseWriter)
		status int
		sent   int // batches
		stderr string
	}{
		{"accepts", func(int, http.ResponseWriter) {}, exitDone, 1, "449 log records accepted, 0 refused\n"},
		{"twice", func(n int, w http.ResponseWriter) {
			if n == 1 {
				panic(http.ErrAbortHandler)
			}
		}, exitSomeFailed, 2, "449 log records accepted, 0 refused; 449 of the accepted ones may have arrived twice: the answer to a first request was lost\n"},
		{"refuses some", func(_ int, w http.ResponseWriter) {
			io.WriteString(w, `{"partialSuccess":{"rejectedLogRecords":"8","errorMessage":"too \u001b[31m old"}}`)
		}, exitSomeFailed, 1, "441 log records accepted, 8 refused\netl2parquet: URL/v1/logs: too \\u001b[31m old\n"},
		{"refuses the key", func(_ int, w http.ResponseWriter) { w.WriteHeader(403) }, exitFailed, 1, "0 log records accepted, 449 refused; the rest was not sent\n"},
		{"is never ready", func(_ int, w http.ResponseWriter) { w.WriteHeader(503) }, exitFailed, 12, "0 log records accepted, 0 refused; the rest was not sent\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newCollector(t, test.answer)
			got := runImpatient(t.Context(), append(args, "--otlp-endpoint", c.URL, "--otlp-header", "other=y", "--otlp-header", "other=z")...)
			stderr := strings.ReplaceAll(got.stderr, c.URL, "URL")
			if got.status != test.status || got.stdout != "" || !strings.Contains(stderr, "etl2parquet: URL/v1/logs: "+test.stderr) || strings.Contains(stderr, "hidden") {
				t.Errorf("exit status %d, want %d; %q; %s", got.status, test.status, got.stdout, stderr)
			}
			if len(c.batches) != test.sent || c.batches[0] != batches[0] {
				t.Errorf("%d batches sent, want %d", len(c.batches), test.sent)
			}
			if h := c.headers[0]; h.Get("Api-Key") != "hidden one" || !slices.Equal(h["Other"], []string{"y", "z"}) {
				t.Errorf("headers %q", h)
			}
		})
	}
}

// TestPostInterrupted interrupts the run while a collector takes its time.
func TestPostInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	c := newCollector(t, func(int, http.ResponseWriter) {
		stop()
		<-ended // no answer that could come before the program sees the end of ctx
	})
	got := runImpatient(ctx, "cat", sampleTrace, "--otlp-endpoint", c.URL)
	close(ended)
	if got.status != exitInterrupted || !strings.Contains(got.stderr, "0 log records accepted, 0 refused; 449 may have arrived: the answer was lost; the rest was not sent\n") {
		t.Errorf("exit status %d: %s", got.status, got.stderr)
	}
}

// TestEndpoints checks the flags for collectors.
func TestEndpoints(t *testing.T) {
	c := newCollector(t, func(int, http.ResponseWriter) {})
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	mustRun(t, "cat", sampleTrace, "--otlp-endpoint", "env")
	t.Setenv("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", c.URL+"/v1/logs")
	mustRun(t, "cat", sampleTrace, "--otlp-endpoint", "env")
	if len(c.batches) != 2 {
		t.Errorf("%d batches", len(c.batches))
	}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	t.Setenv("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "")
	for text, args := range map[string][]string{
		"neither $OTEL_EXPORTER_OTLP_ENDPOINT nor":        {"--otlp-endpoint", "env"},
		"--otlp-endpoint: it is not a URL of http":        {"--otlp-endpoint", "localhost:4318"},
		"cannot be combined with --format csv":            {"--otlp-endpoint", c.URL, "--format", "csv"},
		"--otlp-header needs --otlp-endpoint":             {"--otlp-header", "a=b"},
		"write NAME=VALUE":                                {"--otlp-endpoint", c.URL, "--otlp-header", "hidden"},
		"it is made of the table of all events, events":   {"--otlp-endpoint", c.URL, "--table", "processes"},
		"the value of a has characters that headers cann": {"--otlp-endpoint", c.URL, "--otlp-header", "a=hid\nhidden"},
	} {
		got := runImpatient(t.Context(), append([]string{"cat", sampleTrace}, args...)...)
		if got.status == exitDone || !strings.Contains(got.stderr, strings.TrimPrefix(text, "it is ")) {
			t.Errorf("%v: exit status %d: %s", args, got.status, got.stderr)
		}
	}
	if len(c.batches) != 2 {
		t.Errorf("%d batches", len(c.batches))
	}
}
