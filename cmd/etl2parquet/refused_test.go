package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestRefusedInputs reads a folder of a bucket whose server refuses the credentials after the list:
// this is printed once, and the server gets no more requests.
func TestRefusedInputs(t *testing.T) {
	var requests atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("list-type") != "" {
			fmt.Fprint(w, "<ListBucketResult><Name>lake</Name>")
			for i := range 7 {
				fmt.Fprintf(w, "<Contents><Key>in/%d.etl</Key><Size>8192</Size><ETag>x</ETag><LastModified>2026-05-01T12:00:00.000Z</LastModified></Contents>", i)
			}
			fmt.Fprint(w, "</ListBucketResult>")
			return
		}
		requests.Add(1)
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, "<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>")
	}))
	defer s.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "tester")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "testing-only")
	for name, args := range map[string][]string{
		"convert": {"convert", "s3://lake/in/", "-o", filepath.Join(t.TempDir(), "out"), "--progress", "none"},
		"info":    {"info", "s3://lake/in/"},
		"cat":     {"cat", "s3://lake/in/"},
	} {
		requests.Store(0)
		r := runImpatient(t.Context(), append(args, "--s3-endpoint", s.URL, "--s3-region", "us-east-1")...)
		want := fmt.Sprintf("etl2parquet: s3://lake/in/0.etl: read at 0x0: %s refuses the credentials: the provided token has expired\n"+
			"etl2parquet: 6 more inputs not read for the same reason: the server refuses the credentials\n", s.URL)
		if r.status != exitFailed || r.stderr != want {
			t.Errorf("%s: exit status %d\n got %s\nwant %s", name, r.status, r.stderr, want)
		}
		if n := requests.Load(); n != 1 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
}

// TestRefusedOutput lets a bucket refuse the credentials while traces are converted into it: the run
// ends, and the traces that were done stay.
func TestRefusedOutput(t *testing.T) {
	address, _ := storetest.MinIO(t)
	sample := testenv.ReadFile(t, sampleTrace)
	folder := t.TempDir()
	for i := range 20 {
		trace := bytes.Clone(sample)
		trace[0x98] += byte(i) // in the trace header: another trace
		testenv.WriteFile(t, filepath.Join(folder, fmt.Sprintf("%02d.etl", i)), trace)
	}
	var parts, refused atomic.Int32
	gateway := storetest.Gateway(t, address, func(r *http.Request) int {
		switch {
		case r.Method == http.MethodPut:
			parts.Add(1)
		case r.Method == http.MethodDelete, r.Method == http.MethodPost && r.URL.Query().Has("delete"):
			return storetest.Pass
		}
		if parts.Load() > 10 {
			refused.Add(1)
			return http.StatusUnauthorized
		}
		return storetest.Pass
	})
	r := runImpatient(t.Context(), "convert", folder, "-o", bucketURL("out"), "--table", "event_header", "--siblings", "off", "--bundle", "never", "--workers", "1", "--progress", "none", "--s3-endpoint", gateway)
	if r.status != exitFailed || !strings.Contains(r.stderr, gateway+" refuses the credentials") || strings.Count(r.stderr, " refuses ") != 2 {
		t.Errorf("exit status %d: %s", r.status, r.stderr)
	}
	if n := refused.Load(); n > 40 {
		t.Errorf("%d requests after the first refusal", n)
	}
}

// TestWaits checks the lines about silent servers: one at a time, and not often.
func TestWaits(t *testing.T) {
	for _, bar := range []bool{false, true} {
		var got []string
		w := &waits{
			line: func(text string) { got = append(got, text) },
			show: func(text string) bool {
				if bar {
					got = append(got, text)
				}
				return bar
			},
		}
		a, b := remote.Wait{Name: "a\x1b.etl", Server: "https://host"}, remote.Wait{Server: "http://other:9000"}
		over := func(w remote.Wait) remote.Wait { w.Over = true; return w }
		for _, wait := range []remote.Wait{a, b, over(a), over(b), over(b)} {
			w.add(wait)
		}
		w.printed = w.printed.Add(-time.Hour)
		w.add(b)
		textA, textB := `waiting for a\u001b.etl from https://host`, "waiting for an answer from http://other:9000"
		want := []string{textA, textB}
		if bar {
			want = []string{textA, textA, textB, "", "", textB}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("bar %t: %q, want %q", bar, got, want)
		}
	}
}
