package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/s3"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// impatience is for tests: they retry without a long wait, but do not treat a busy machine
// as a stalled server.
var impatience = remote.Patience{Tries: 12, FirstTries: 2, First: time.Millisecond, Most: 10 * time.Millisecond, Stall: time.Hour}

// ran is the result of a run.
type ran struct {
	status         int
	stdout, stderr string
}

func runImpatient(ctx context.Context, args ...string) ran {
	var stdout, stderr bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &output{Writer: &stdout}, err: &stderr, patience: impatience, ticker: neverTicks}
	status := a.run(ctx, args)
	return ran{status, stdout.String(), stderr.String()}
}

// mustRun runs a command that must succeed, and returns its output.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	r := runImpatient(t.Context(), args...)
	if r.status != exitDone {
		t.Fatalf("%v: exit status %d: %s%s", args, r.status, r.stdout, r.stderr)
	}
	return r.stdout
}

func bucket(t *testing.T, folder string) *s3.Store {
	t.Helper()
	client, err := s3.NewClient(s3.Options{Patience: impatience, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := client.Store(bucketURL(folder), remote.NewCache(t.TempDir(), 1<<30, 4))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func bucketURL(name string) string { return "s3://" + storetest.Bucket + "/" + name }

// putObject puts an object into the bucket.
func putObject(t *testing.T, name, contents string) {
	t.Helper()
	f, err := bucket(t, "").Create(t.Context(), name)
	if err == nil {
		_, err = io.WriteString(f, contents)
	}
	if err == nil {
		_, err = f.Stage(t.Context())
	}
	if err == nil {
		err = f.Publish(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// contentsOf returns the files of a store, and removes the store's name from their text.
func contentsOf(t *testing.T, s store.Store) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for entry, err := range s.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.ReadFile(t.Context(), entry.Name)
		if err != nil {
			t.Fatal(err)
		}
		contents := string(text)
		if entry.Name == "views.sql" {
			_, contents, _ = strings.Cut(contents, "\n\n") // the comment names the store
		}
		found[entry.Name] = strings.ReplaceAll(contents, strings.TrimSuffix(s.URL("x"), "/x"), "OUT")
	}
	return found
}

// withoutInput removes the path and the times of the input from commit records.
func withoutInput(files map[string]string) map[string]string {
	for name, text := range files {
		if strings.HasPrefix(name, "_traces/") {
			files[name] = regexp.MustCompile(`\s+"input(_time)?": "[^"]*",`).ReplaceAllString(text, "")
		}
	}
	return files
}

func sameFiles(t *testing.T, want, got map[string]string) {
	t.Helper()
	for name, text := range want {
		if other, ok := got[name]; !ok || other != text {
			t.Errorf("%s: found %t, %d bytes, want %d\n%.500s", name, ok, len(other), len(text), cmp.Diff(firstPart(text), firstPart(other)))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

func firstPart(text string) string {
	if !strings.HasPrefix(text, "PAR1") {
		return text
	}
	return text[:4]
}

// TestBucket converts from a bucket into a bucket: the dataset has the same bytes as from a
// folder into a folder.
func TestBucket(t *testing.T) {
	testenv.All(t, "MinIO")
	_, uploads := storetest.MinIO(t)
	dir := t.TempDir()
	sample := testenv.ReadFile(t, sampleTrace)
	other := bytes.Clone(sample)
	other[0x98]++ // in the trace header: another trace
	large := largeTrace(sample, 200)
	zipped, err := packed("b.zip", []string{"deep/c.etl", "readme"}, []string{string(large), "no trace"})
	if err != nil {
		t.Fatal(err)
	}
	for name, contents := range map[string]string{"in/a.etl": string(sample), "in/sub/a.etl": string(other), "in/b.zip": string(zipped), "in/notes.txt": "no trace"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		testenv.WriteFile(t, path, contents)
		putObject(t, name, contents)
	}
	t.Chdir(dir)
	temp := t.TempDir()
	local := func(out string) map[string]string { return contentsOf(t, store.NewFolder(filepath.Join(dir, out))) }
	mustRun(t, "convert", "--bundle=never", "in/a.etl", "in/b.zip", "-o", filepath.Join(dir, "local"))
	want := local("local")
	if len(want) < 60 {
		t.Fatalf("only %d files", len(want))
	}

	said := mustRun(t, "convert", "--bundle=never", "in/a.etl", "in/b.zip", "-o", bucketURL("out/local"), "--temp-dir", temp)
	if !strings.Contains(said, "fetch s3://traces/out/local/views.sql") {
		t.Errorf("said %s", said)
	}
	s := bucket(t, "out/local")
	sameFiles(t, want, contentsOf(t, s))
	if text, err := s.ReadFile(t.Context(), "views.sql"); err != nil || !bytes.Contains(text, []byte("ELSE 's3://traces/out/local' END;")) {
		t.Errorf("views: %v", err)
	}

	mustRun(t, "convert", "--bundle=never", bucketURL("in/a.etl"), bucketURL("in/b.zip"), "-o", bucketURL("out/bucket"), "--temp-dir", temp)
	sameFiles(t, withoutInput(want), withoutInput(contentsOf(t, bucket(t, "out/bucket"))))
	mustRun(t, "convert", "--bundle=never", bucketURL("in/a.etl"), bucketURL("in/*.zip"), "-o", filepath.Join(dir, "from"), "--temp-dir", temp)
	sameFiles(t, want, withoutInput(local("from")))

	// Traces that share files, converted and converted again.
	mustRun(t, "convert", "in/a.etl", "in/b.zip", "-o", filepath.Join(dir, "bundled"), "--bundle=256MiB")
	for _, force := range []string{"--force=false", "--force"} {
		mustRun(t, "convert", "in/a.etl", "in/b.zip", "-o", bucketURL("out/bundled"), "--bundle=256MiB", "--temp-dir", temp, force)
		sameFiles(t, local("bundled"), contentsOf(t, bucket(t, "out/bundled")))
	}

	// A folder, whose traces are named by their paths, each on its own: they are of one session.
	said = mustRun(t, "convert", "--bundle=never", bucketURL("in"), "--table", "*_header", "--siblings=off", "-o", bucketURL("out/all"))
	if !strings.Contains(said, "3 traces converted") {
		t.Errorf("said %s", said)
	}
	before := contentsOf(t, bucket(t, "out/all"))
	for _, args := range [][]string{{bucketURL("in/")}, {bucketURL("in/sub/a.etl")}, {bucketURL("in/a.etl"), bucketURL("in/b.zip")}} {
		said = mustRun(t, append([]string{"convert", "--bundle=never", "--table", "*_header", "--siblings=off", "-o", bucketURL("out/all")}, args...)...)
		if !strings.Contains(said, "0 traces converted, ") {
			t.Errorf("%v again: %s", args, said)
		}
	}
	sameFiles(t, before, contentsOf(t, bucket(t, "out/all")))
	said = mustRun(t, "convert", "--bundle=never", "--dry-run", bucketURL("in/"), "--table", "*_header", "--siblings=off", "-o", bucketURL("out/all"))
	if n := strings.Count(said, "skip "); n != 3 {
		t.Errorf("dry run: %s", said)
	}

	// Only changed inputs are converted again.
	putObject(t, "in/a.etl", string(large))
	said = mustRun(t, "convert", "--bundle=never", bucketURL("in/"), "--table", "*_header", "--siblings=off", "-o", bucketURL("out/all"))
	if !strings.Contains(said, "1 trace converted, 2 skipped") {
		t.Errorf("said %s", said)
	}

	// In shards.
	mustRun(t, "plan", bucketURL("in/"), "--shards", "2", "-o", "plan.json")
	for _, shard := range []string{"0/2", "1/2"} {
		mustRun(t, "convert", "--bundle=never", "--plan", "plan.json", "--shard", shard, "--table", "*_header", "--siblings=off", "-o", bucketURL("out/shards"))
	}
	sameFiles(t, contentsOf(t, bucket(t, "out/all")), contentsOf(t, bucket(t, "out/shards")))

	if said := mustRun(t, "info", "--json", bucketURL("in/sub/a.etl")); !strings.Contains(said, `"file":"s3://traces/in/sub/a.etl"`) {
		t.Errorf("info: %.300s", said)
	}
	if n := storetest.Uploads(t, uploads); n != 0 {
		t.Errorf("%d uploads are left", n)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("temporary files: %v, %v", left, err)
	}
}

// outage is a server that becomes unreachable at the n-th request of a kind.
type outage struct {
	kind func(r *http.Request) bool
	n    int32
	seen atomic.Int32
	over atomic.Bool
}

func (o *outage) fault(r *http.Request) int {
	if o.kind(r) {
		o.seen.Add(1)
	}
	if !o.over.Load() && o.seen.Load() >= o.n {
		return storetest.Cut
	}
	return storetest.Pass
}

// TestBucketOutage stops the server while a trace is converted again. The dataset stays
// unchanged, unless the new files were being published: then the trace is not part of it. The
// next run completes the dataset, and removes the leftovers.
func TestBucketOutage(t *testing.T) {
	testenv.All(t, "MinIO")
	address, uploads := storetest.MinIO(t)
	sample := testenv.ReadFile(t, sampleTrace)
	putObject(t, "a.etl", string(largeTrace(sample, 250)))
	convert := []string{"convert", bucketURL("a.etl"), "--table", "*_header", "-o"}
	mustRun(t, append(convert, bucketURL("want"))...)
	want := contentsOf(t, bucket(t, "want"))
	part := func(r *http.Request) bool { return r.Method == http.MethodPut }
	complete := func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Query().Has("uploadId") }
	for name, test := range map[string]struct {
		outage  *outage
		whole   bool // the dataset is whole after the run
		uploads bool // uploads are left
	}{
		"at once":         {&outage{kind: func(*http.Request) bool { return true }, n: 1}, true, false},
		"while read":      {&outage{kind: func(r *http.Request) bool { return r.Header.Get("Range") != "" }, n: 3}, true, false},
		"while written":   {&outage{kind: part, n: 3}, true, true},
		"while published": {&outage{kind: complete, n: 3}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			out := bucketURL("out/" + name)
			mustRun(t, append(convert, out, "--payload", "none")...)
			before := contentsOf(t, bucket(t, "out/"+name))
			args := append(convert, out, "--force", "--s3-endpoint", storetest.Gateway(t, address, test.outage.fault))
			r := runImpatient(t.Context(), append(args, "--progress", "none")...)
			if r.status != exitFailed || !strings.Contains(r.stderr, "the connection was closed (tried ") {
				t.Errorf("exit status %d: %s", r.status, r.stderr)
			}
			if strings.Count(r.stderr, "\n") != 1 || strings.Contains(r.stderr, "\ufffd") || strings.Count(r.stderr, "could not be removed") > 1 {
				t.Errorf("the error is not one line: %s", r.stderr)
			}
			now := contentsOf(t, bucket(t, "out/"+name))
			if test.whole {
				sameFiles(t, before, now)
			} else if _, ok := now["_traces/a.json"]; ok {
				t.Error("an incomplete trace has a record")
			}
			if n := storetest.Uploads(t, uploads); (n > 0) != test.uploads {
				t.Errorf("%d uploads are left", n)
			}
			test.outage.over.Store(true)
			if said := mustRun(t, args...); !strings.Contains(said, "1 trace converted") {
				t.Errorf("said %s", said)
			}
			sameFiles(t, want, contentsOf(t, bucket(t, "out/"+name)))
			if n := storetest.Uploads(t, uploads); n != 0 {
				t.Errorf("the next run leaves %d uploads", n)
			}
		})
	}
}

// TestWeb converts from a web server, with and without ranges, and detects a file that changes.
func TestWeb(t *testing.T) {
	sample := testenv.ReadFile(t, sampleTrace)
	large := largeTrace(sample, 200)
	zipped, err := packed("b.zip", []string{"deep/c.etl"}, []string{string(sample)})
	if err != nil {
		t.Fatal(err)
	}
	served := map[string][]byte{"/x/a.etl": large, "/b.zip": zipped}
	modified := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var changed atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := served[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case r.FormValue("ranges") == "no":
			w.Write(data)
		case changed.Load() && r.Header.Get("Range") != "bytes=0-0":
			http.ServeContent(w, r, "", modified.Add(time.Second), bytes.NewReader(data))
		default:
			http.ServeContent(w, r, "", modified, bytes.NewReader(data))
		}
	}))
	defer s.Close()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, data := range served {
		testenv.WriteFile(t, filepath.Base(name), data)
	}
	local := func(out string) map[string]string {
		return withoutInput(contentsOf(t, store.NewFolder(filepath.Join(dir, out))))
	}
	mustRun(t, "convert", "--bundle=never", "a.etl", "b.zip", "-o", filepath.Join(dir, "local"))
	want := local("local")
	mustRun(t, "convert", "--bundle=never", s.URL+"/x/a.etl?token=hidden", s.URL+"/b.zip", "-o", filepath.Join(dir, "ranges"))
	sameFiles(t, want, local("ranges"))
	for name, text := range contentsOf(t, store.NewFolder(filepath.Join(dir, "ranges"))) {
		if strings.Contains(text, "hidden") {
			t.Errorf("%s has the secret of the address", name)
		}
	}
	if said := mustRun(t, "convert", "--bundle=never", s.URL+"/x/a.etl?token=another", s.URL+"/b.zip", "-o", filepath.Join(dir, "ranges")); !strings.Contains(said, "0 traces converted, 2 skipped") {
		t.Errorf("again: %s", said)
	}
	mustRun(t, "convert", "--bundle=never", s.URL+"/x/a.etl?ranges=no", s.URL+"/b.zip?ranges=no", "-o", filepath.Join(dir, "stream"))
	got := local("stream")
	for name, text := range got { // the name has the parameter, so that the trace has
		if strings.Contains(name, "deep") && want[name] != text {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	changed.Store(true)
	r := runImpatient(t.Context(), "convert", s.URL+"/x/a.etl", s.URL+"/none.etl?sig=hidden", "-o", "changed")
	if want := fmt.Sprintf("etl2parquet: %[1]s/none.etl: the server answered 404 Not Found\netl2parquet: %[1]s/x/a.etl: read at 0x0: it was changed on the server while it was read\n", s.URL); r.status != exitFailed || r.stderr != want {
		t.Errorf("exit status %d, %s, want %s", r.status, r.stderr, want)
	}
}
