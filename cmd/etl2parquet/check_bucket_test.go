package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/s3"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestCheckBucket checks, describes and cleans a dataset in a bucket.
func TestCheckBucket(t *testing.T) {
	testenv.All(t, "MinIO")
	storetest.MinIO(t)
	url := "s3://" + storetest.Bucket + "/out"
	say := func(want int, args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), args, nil, &stdout, &stderr); status != want {
			t.Fatalf("%v: exit status %d, %s%s", args, status, &stdout, &stderr)
		}
		return stdout.String() + stderr.String()
	}
	expect := func(said string, lines ...string) {
		t.Helper()
		for _, line := range lines {
			if !strings.Contains(said, line) {
				t.Errorf("%q is not printed: %s", line, said)
			}
		}
	}
	expect(say(exitFailed, "check", url), "there is no dataset")
	say(exitDone, "convert", sampleTrace, "-o", url, "-q")
	expect(say(exitDone, "check", url), ": whole\n")
	expect(say(exitDone, "describe", url), "1 trace", "thread_cswitch")
	expect(say(exitDone, "describe", url, "thread_cswitch"), "120 rows", "new_thread_id")
	expect(say(exitDone, "clean", url), "0 items")

	bucket := openBucket(t, url)
	const part, stray, foreign = "event_header/sample.parquet", "traces/b.parquet", "mine.txt"
	contents, err := bucket.ReadFile(t.Context(), part)
	if err != nil {
		t.Fatal(err)
	}
	contents[len(contents)/3] ^= 1
	put(t, bucket, part, contents)
	put(t, bucket, stray, contents)
	put(t, bucket, foreign, contents)
	begun, err := bucket.Create(t.Context(), "traces/c.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begun.Stage(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := bucket.Remove(t.Context(), "providers/sample.parquet"); err != nil {
		t.Fatal(err)
	}
	expect(say(exitFailed, "check", url), "error: "+part+": its contents have", "error: "+stray+": it belongs to no", "note: "+foreign,
		"error: providers/sample.parquet: it is not there", "note: traces/c.parquet: incomplete", "3 errors, 2 notes")
	expect(say(exitFailed, "check", url, "--fast"), "2 errors, 2 notes")
	expect(say(exitDone, "clean", url), "kept unfinished upload of traces/c.parquet: removed from 20", "kept file without a record "+stray+": removed from 20", "0 items", "2 items kept")
	expect(say(exitDone, "clean", url, "--older-than", "0s"), "removed file without a record "+stray, "removed unfinished upload of traces/c.parquet")
	say(exitDone, "convert", sampleTrace, "-o", url, "-q", "--force")
	expect(say(exitDone, "check", url), ": whole, 1 note\n")
}

func openBucket(t *testing.T, url string) store.Store {
	t.Helper()
	client, err := s3.NewClient(s3.Options{TempDir: t.TempDir(), Patience: remote.DefaultPatience})
	if err != nil {
		t.Fatal(err)
	}
	s, err := client.Store(url, remote.NewCache(filepath.Join(t.TempDir()), 1<<20, 1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s store.Store, name string, contents []byte) {
	t.Helper()
	f, err := s.Create(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(contents); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Stage(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := f.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
}
