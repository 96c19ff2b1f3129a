package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// walked has the content or the error of each visited path.
type walked struct {
	order   []string
	content map[string]string
	errs    map[string]error
}

// visit reads every entry.
func (w *walked) visit(e *archive.Entry, err error) error {
	w.order = append(w.order, e.Path)
	if err == nil {
		var b []byte
		if b, err = readAll(e); err == nil {
			w.content[e.Path] = string(b)
		}
	}
	if err != nil {
		w.errs[e.Path] = err
	}
	return nil
}

// readAll reads to the end, and returns the first MiB.
func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	return b, err
}

func newWalked() *walked {
	return &walked{content: make(map[string]string), errs: make(map[string]error)}
}

func at(name, content string) archive.Input {
	return archive.Input{Name: name, At: strings.NewReader(content), Size: int64(len(content))}
}

// walk walks content twice, with random access and as a stream. It checks that the
// results are equal and that no temporary file is left.
func walk(t *testing.T, name, content string, limits archive.Limits) *walked {
	t.Helper()
	dir := t.TempDir()
	run := func(in archive.Input) *walked {
		w := newWalked()
		if err := archive.Walk(t.Context(), in, archive.Options{Limits: limits, TempDir: dir}, w.visit); err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := run(at(name, content))
	s := run(archive.Input{Name: name, Stream: strings.NewReader(content)})
	errText := cmp.Transformer("text", func(err error) string { return err.Error() })
	if diff := cmp.Diff(w, s, cmp.AllowUnexported(walked{}), errText); diff != "" {
		t.Errorf("random access and a stream differ: %s", diff)
	}
	if left := must(os.ReadDir(dir)); len(left) > 0 {
		t.Errorf("%d temporary files are left", len(left))
	}
	return w
}

func TestFormats(t *testing.T) {
	a, b := named{"a.etl", fixture(t, "testdata/a.etl")}, named{"sub/b.etl", fixture(t, "testdata/b.etl")}
	empty := named{"empty.txt", ""}
	all := []named{a, b, empty}
	two := map[string]string{"a.etl": a.content, "sub/b.etl": b.content, "empty.txt": ""}
	flat := map[string]string{"a.etl": a.content, "b.etl": b.content}
	sub := map[string]string{"a.etl": a.content, "sub/b.etl": b.content}
	one := map[string]string{"a.etl": a.content}
	for _, test := range []struct {
		name, content string
		want          map[string]string // by path below the name
	}{
		{"x.zip", zipped(all...), two},
		{"x.diagsession", zipped(all...), two},
		{"zip by name, tar by content.zip", tarred(all...), two},
		{"x.tar", tarred(all...), two},
		{"x.tar.gz", gzipped(tarred(all...)), two},
		{"x.tgz", gzipped(tarred(all...)), two},
		{"x.tar.zst", zstded(tarred(all...)), two},
		{"x.tar.xz", xzed(tarred(all...)), two},
		{"x.tar.bz2", fixture(t, "testdata/made.tar.bz2"), two},
		{"x.7z", fixture(t, "../../base/sevenzip/testdata/lzma2.7z"), two},
		{"stored.7z", fixture(t, "../../base/sevenzip/testdata/copy.7z"), two},
		{"not solid.7z", fixture(t, "../../base/sevenzip/testdata/lzma.7z"), two},
		{"stored.cab", fixture(t, "../../base/cab/testdata/stored.cab"), flat},
		{"mszip.cab", fixture(t, "../../base/cab/testdata/mszip.cab"), flat},
		{"lzx.cab", fixture(t, "../../base/cab/testdata/lzx.cab"), sub},
		{"bzip2.zip", fixture(t, "testdata/bzip2.zip"), sub},
		{"deflate64.zip", fixture(t, "testdata/deflate64.zip"), one},
		{"xz.zip", fixture(t, "testdata/xz.zip"), one},
		{"zstd.zip", zippedBy(93, a, zstded(a.content), 0, uint64(len(a.content)), crc(a.content)), one},
		{"a.etl.gz", gzipped(a.content), one},
		{"a.etl.zst", zstded(a.content), one},
		{"a.etl.XZ", xzed(a.content), one},
		{"pzstd.zst", "\x50\x2a\x4d\x18\x04\x00\x00\x00size" + zstded(a.content), map[string]string{"pzstd": a.content}},
		{"two members.gz", gzipped(a.content) + gzipped(b.content), map[string]string{"two members": a.content + b.content}},
		{"zip in zip.zip", zipped(named{"in/x.zip", zipped(all...)}, a), map[string]string{
			"in/x.zip/a.etl": a.content, "in/x.zip/sub/b.etl": b.content, "in/x.zip/empty.txt": "", "a.etl": a.content}},
		{"tgz in zip.zip", zipped(named{"x.tgz", gzipped(tarred(b))}, named{"a.etl.zst", zstded(a.content)}), map[string]string{
			"x.tgz/sub/b.etl": b.content, "a.etl.zst/a.etl": a.content}},
		{"cab in tar.tar.zst", zstded(tarred(named{"x.cab", fixture(t, "../../base/cab/testdata/lzx.cab")})), map[string]string{
			"x.cab/a.etl": a.content, "x.cab/sub/b.etl": b.content}},
		{"7z in zip.zip", zipped(named{"x.7z", fixture(t, "../../base/sevenzip/testdata/lzma2.7z")}), map[string]string{
			"x.7z/a.etl": a.content, "x.7z/sub/b.etl": b.content, "x.7z/empty.txt": ""}},
		{"zip in gz.zip.gz", gzipped(zipped(a)), map[string]string{"zip in gz.zip/a.etl": a.content}},
		{"empty.zip", zipped(), map[string]string{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := walk(t, test.name, test.content, archive.Limits{})
			want := make(map[string]string)
			for name, content := range test.want {
				want[test.name+"/"+name] = content
			}
			if diff := cmp.Diff(want, w.content); diff != "" || len(w.errs) > 0 {
				t.Errorf("%s, %v", diff, w.errs)
			}
		})
	}
}

// TestNoArchive walks files that are not archives: the only entry is the file
// itself, with random access if the input has it.
func TestNoArchive(t *testing.T) {
	for _, content := range []string{"", "x", fixture(t, "testdata/a.etl"), "BZh is text", "PK", strings.Repeat("\x00", 1024)} {
		w := walk(t, "dir/a.etl", content, archive.Limits{})
		if diff := cmp.Diff(map[string]string{"dir/a.etl": content}, w.content); diff != "" {
			t.Error(diff)
		}
		in := at("dir/a.etl", content)
		err := archive.Walk(t.Context(), in, archive.Options{TempDir: "not there"}, func(e *archive.Entry, err error) error {
			if err != nil || e.Name != "a.etl" || !strings.HasPrefix(content, string(e.Head)) || len(e.Head) != min(len(content), 4096) {
				t.Errorf("%q: %d bytes of head, %v", e.Name, len(e.Head), err)
			}
			f, err := e.File()
			if err != nil || f.Size() != int64(len(content)) {
				t.Errorf("%v, %v", f, err)
				return err
			}
			return f.Close()
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestEntry(t *testing.T) {
	content := fixture(t, "testdata/b.etl")
	var kept *archive.File
	var left *archive.Entry
	dir := t.TempDir()
	err := archive.Walk(t.Context(), at("x.zip", zipped(named{"sub/b.etl", content}, named{"c.etl", "read in part"})), archive.Options{TempDir: dir},
		func(e *archive.Entry, err error) error {
			if err != nil {
				return err
			}
			left = e
			if e.Name == "c.etl" {
				_, err := e.Read(make([]byte, 4))
				if _, fileErr := e.File(); fileErr == nil {
					t.Error("File succeeds after a partial read")
				}
				return err
			}
			if e.Path != "x.zip/sub/b.etl" || e.Size != int64(len(content)) || !e.ModTime.Equal(modTime) || string(e.Head) != content {
				t.Errorf("%s: %d bytes, %v, head of %d", e.Path, e.Size, e.ModTime, len(e.Head))
			}
			kept, err = e.File()
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := left.Read(make([]byte, 1)); err == nil {
		t.Error("an entry is readable after its visit")
	}
	if _, err := left.File(); err == nil {
		t.Error("File succeeds after the visit of its entry")
	}
	got, err := io.ReadAll(io.NewSectionReader(kept, 0, kept.Size()))
	if err != nil || string(got) != content {
		t.Errorf("the file has %d bytes, %v", len(got), err)
	}
	if err := kept.Close(); err != nil {
		t.Error(err)
	}
	if names := must(os.ReadDir(dir)); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
}

// TestTarFile checks that a tar with random access needs no temporary file for its
// entries, nor for the entries of a tar inside.
func TestTarFile(t *testing.T) {
	a, b := named{"a.etl", fixture(t, "testdata/a.etl")}, named{"b.etl", fixture(t, "testdata/b.etl")}
	content := tarred(a, named{"x.tar", tarred(b)}, named{"x.zip", zipped(named{"in.txt", "read"})}, b)
	got := make(map[string]string)
	err := archive.Walk(t.Context(), at("x", content), archive.Options{TempDir: "not there"}, func(e *archive.Entry, err error) error {
		if err != nil {
			return err
		}
		if e.Name == "in.txt" {
			b, err := io.ReadAll(e)
			got[e.Path] = string(b)
			return err
		}
		f, err := e.File()
		if err != nil {
			return err
		}
		b, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
		got[e.Path] = string(b)
		return errors.Join(err, f.Close())
	})
	want := map[string]string{"x/a.etl": a.content, "x/x.tar/b.etl": b.content, "x/x.zip/in.txt": "read", "x/b.etl": b.content}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
}

// TestVisitError ends a walk by an error of the visitor, and by its context.
func TestVisitError(t *testing.T) {
	in := func() archive.Input { return at("x.zip", zipped(named{"a", "a"}, named{"b", "b"}, named{"c", "c"})) }
	enough := errors.New("enough")
	visits := 0
	err := archive.Walk(t.Context(), in(), archive.Options{}, func(*archive.Entry, error) error {
		if visits++; visits == 2 {
			return enough
		}
		return nil
	})
	if err != enough || visits != 2 {
		t.Errorf("%v after %d visits", err, visits)
	}
	ctx, cancel := context.WithCancel(t.Context())
	visits = 0
	err = archive.Walk(ctx, in(), archive.Options{}, func(*archive.Entry, error) error {
		visits++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || visits != 1 {
		t.Errorf("%v after %d visits", err, visits)
	}
}

// TestDamage damages one part of an archive: all other entries are visited.
func TestDamage(t *testing.T) {
	a, b, c := named{"a.etl", fixture(t, "testdata/a.etl")}, named{"b.etl", fixture(t, "testdata/b.etl")}, named{"c.etl", "c"}
	flip := func(s string, at int) string {
		if at < 0 {
			at += len(s)
		}
		out := []byte(s)
		out[at] ^= 0x10
		return string(out)
	}
	second := zipped(a, b, c)
	inB := strings.Index(second, "b.etl") + 100
	cabinet := fixture(t, "../../base/cab/testdata/stored.cab")
	sevenz := fixture(t, "../../base/sevenzip/testdata/copy.7z")
	for _, test := range []struct {
		name, content string
		good          []string
		errs          map[string]string
	}{
		{"zip entry", flip(second, inB), []string{"x/a.etl", "x/c.etl"}, map[string]string{"x/b.etl": ""}},
		{"zip cut", second[:len(second)-30], nil, map[string]string{"x": "zip: not a valid zip file"}},
		{"gzip checksum", flip(gzipped(a.content), -6), nil, map[string]string{"x/x": "gzip: invalid checksum"}},
		{"gzip cut", gzipped(a.content)[:300], nil, map[string]string{"x/x": "unexpected EOF"}},
		{"tar.gz checksum", flip(gzipped(tarred(a, b)), -6), []string{"x/a.etl", "x/b.etl"}, map[string]string{"x": "gzip: invalid checksum"}},
		{"tar cut in data", tarred(a, b)[:4096], []string{"x/a.etl"}, map[string]string{"x/b.etl": "unexpected EOF"}},
		{"tar cut before data", tarred(a, b)[:512+3072+512], []string{"x/a.etl"}, map[string]string{"x/b.etl": "unexpected EOF"}},
		{"tar cut in header", tarred(a, b)[:512+3072+100], []string{"x/a.etl"}, map[string]string{"x": "unexpected EOF"}},
		{"tar.gz cut", gzipped(tarred(a, b))[:600], nil, map[string]string{"x/a.etl": "unexpected EOF"}},
		{"tar header", flip(tarred(a, b), 512+3072+100), []string{"x/a.etl"}, map[string]string{"x": "archive/tar: invalid tar header"}},
		{"zstd", flip(zstded(a.content), -2), nil, map[string]string{"x/x": "CRC check failed"}},
		{"xz", flip(xzed(a.content), -40), nil, map[string]string{"x/x": "xz: "}},
		{"cab block", flip(cabinet, 400), nil, map[string]string{"x/a.etl": "CFDATA.csum", "x/b.etl": "CFDATA.csum"}},
		{"7z content", flip(sevenz, 32+3000+100), []string{"x/a.etl", "x/empty.txt"}, map[string]string{"x/sub/b.etl": "the content does not match its checksum"}},
		{"7z header", flip(sevenz, -2), nil, map[string]string{"x": "does not match"}},
		{"cab in zip", zipped(a, named{"x.cab", cabinet[:20]}, b), []string{"x/a.etl", "x/b.etl"}, map[string]string{"x/x.cab": "CFHEADER"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := walk(t, "x", test.content, archive.Limits{})
			for _, path := range test.good {
				if _, ok := w.content[path]; !ok {
					t.Errorf("%s is missing", path)
				}
			}
			if len(w.content) != len(test.good) {
				t.Errorf("%d entries are good, want %d", len(w.content), len(test.good))
			}
			for path, want := range test.errs {
				if err := w.errs[path]; err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: got %v, want an error with %q", path, err, want)
				}
			}
			if len(w.errs) != len(test.errs) {
				t.Errorf("errors: %v", w.errs)
			}
		})
	}
}

// TestDamageUnread cuts a tar inside a file that the visitor does not read: the
// error is reported for the tar.
func TestDamageUnread(t *testing.T) {
	a := named{"notes.txt", strings.Repeat("x", 100<<10)}
	cut := tarred(a)[:50<<10]
	var errs []string
	for _, in := range []archive.Input{at("x", cut), {Name: "x", Stream: strings.NewReader(cut)}} {
		err := archive.Walk(t.Context(), in, archive.Options{}, func(e *archive.Entry, err error) error {
			if err != nil {
				errs = append(errs, e.Path+": "+err.Error())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"x: unexpected EOF", "x: unexpected EOF"}; !slices.Equal(errs, want) {
		t.Errorf("errors %q, want %q", errs, want)
	}
}

func TestUnsupported(t *testing.T) {
	for _, test := range []struct{ file, path, want string }{
		{"testdata/encrypted.zip", "x/a.etl", "unsupported operation: encrypted"},
		{"../../base/sevenzip/testdata/ppmd.7z", "x/a.etl", "unsupported operation: PPMd; 1 more files are compressed with it"},
		{"../../base/sevenzip/testdata/encrypted.7z", "x/a.etl", "unsupported operation: encryption; 1 more"},
		{"../../base/sevenzip/testdata/encrypted-header.7z", "x", "unsupported operation: encryption"},
	} {
		t.Run(test.file, func(t *testing.T) {
			err := walk(t, "x", fixture(t, test.file), archive.Limits{}).errs[test.path]
			if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

// TestTraces checks that no real trace is detected as an archive.
func TestTraces(t *testing.T) {
	var all []named
	for _, file := range testenv.SharedFiles(t, "traces/*.etl") {
		all = append(all, named{filepath.Base(file), fixture(t, file)})
		if all[len(all)-1].content == "" {
			t.Errorf("%s is empty", file)
		}
	}
	for name, content := range map[string]string{"x.zip": zipped(all...), "x.tar.zst": zstded(tarred(all...))} {
		n := 0
		err := archive.Walk(t.Context(), at(name, content), archive.Options{TempDir: t.TempDir()}, func(e *archive.Entry, err error) error {
			if err != nil {
				return err
			}
			f, err := e.File()
			if err != nil {
				return err
			}
			got, err := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
			if err != nil || e.Name != all[n].name || !bytes.Equal(got, []byte(all[n].content)) {
				t.Errorf("%s: %d bytes, %v", e.Path, len(got), err)
			}
			n++
			return f.Close()
		})
		if err != nil || n != len(all) {
			t.Errorf("%s: %d of %d traces, %v", name, n, len(all), err)
		}
	}
}

func ExampleWalk() {
	bundle := zipped(named{"logs/boot.etl", "a trace"}, named{"logs/readme.txt", "no trace"}, named{"old.tgz", gzipped(tarred(named{"net.etl", "another"}))})
	in := archive.Input{Name: "bundle.zip", At: strings.NewReader(bundle), Size: int64(len(bundle))}
	err := archive.Walk(context.Background(), in, archive.Options{}, func(e *archive.Entry, err error) error {
		if err != nil {
			fmt.Printf("%s: %v\n", e.Path, err)
			return nil
		}
		if !archive.TraceName(e.Name) {
			return nil
		}
		f, err := e.File()
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Println(e.Path, f.Size())
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// bundle.zip/logs/boot.etl 7
	// bundle.zip/old.tgz/net.etl 7
}
