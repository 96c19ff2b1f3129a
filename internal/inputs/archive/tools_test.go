package archive_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestTools reads archives of two real traces, made by all programs that are
// installed. OUT is the archive's path.
func TestTools(t *testing.T) {
	dir := t.TempDir()
	want := make(map[string]string)
	for _, name := range []string{"HTTP_Server.etl", "PktMon.etl"} {
		b := must(os.ReadFile(testenv.Shared(t, "traces/"+name)))
		must(0, os.WriteFile(filepath.Join(dir, name), b, 0o600))
		want[name] = string(b)
	}
	for _, command := range []string{
		"7zz a -bd -tzip OUT.zip HTTP_Server.etl PktMon.etl",
		"7zz a -bd -tzip -mm=BZip2 OUT.bzip2.zip HTTP_Server.etl PktMon.etl",
		"7zz a -bd -tzip -mm=Deflate64 OUT.deflate64.zip HTTP_Server.etl PktMon.etl",
		"7zz a -bd -tzip -mm=xz OUT.xz.zip HTTP_Server.etl PktMon.etl",
		"7zz a -bd OUT.7z HTTP_Server.etl PktMon.etl",
		"7zz a -bd -ms=off -m0=LZMA:d=64k OUT.lzma.7z HTTP_Server.etl PktMon.etl",
		"7zz a -bd -m0=BZip2 OUT.bzip2.7z HTTP_Server.etl PktMon.etl",
		"7zz a -bd -m0=Deflate OUT.deflate.7z HTTP_Server.etl PktMon.etl",
		"7zz a -bd -m0=Deflate64 OUT.deflate64.7z HTTP_Server.etl PktMon.etl",
		"zip -q -9 OUT.info.zip HTTP_Server.etl PktMon.etl",
		"python3 -m zipfile -c OUT.python.zip HTTP_Server.etl PktMon.etl",
		"python3 -m tarfile -c OUT.python.tar HTTP_Server.etl PktMon.etl",
		"tar -cf OUT.tar HTTP_Server.etl PktMon.etl",
		"tar -czf OUT.tgz HTTP_Server.etl PktMon.etl",
		"tar --format=v7 -cf OUT.v7.tar HTTP_Server.etl PktMon.etl",
		"tar --format=pax -cjf OUT.tar.bz2 HTTP_Server.etl PktMon.etl",
		"tar --use-compress-program=zstd -cf OUT.tar.zst HTTP_Server.etl PktMon.etl",
		"tar --use-compress-program=pzstd -cf OUT.pzstd.tar.zst HTTP_Server.etl PktMon.etl",
		"tar --use-compress-program=xz -cf OUT.tar.xz HTTP_Server.etl PktMon.etl",
		"gcab -c -n OUT.cab HTTP_Server.etl PktMon.etl",
		"gcab -c -n -z OUT.mszip.cab HTTP_Server.etl PktMon.etl",
	} {
		args := strings.Fields(strings.ReplaceAll(command, "OUT", "made"))
		t.Run(command, func(t *testing.T) {
			c := exec.Command(testenv.Tool(t, args[0]), args[1:]...)
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil {
				testenv.Missing(t, args[0]+" that can do this", "take another version, and what it runs", fmt.Errorf("%w: %.200s", err, out))
			}
			files := must(filepath.Glob(filepath.Join(dir, "made*")))
			if len(files) != 1 {
				t.Fatalf("%d archives", len(files))
			}
			f := must(os.Open(files[0]))
			defer os.Remove(files[0])
			defer f.Close()
			w := newWalked()
			in := archive.Input{Name: "x", At: f, Size: must(f.Stat()).Size()}
			if err := archive.Walk(t.Context(), in, archive.Options{TempDir: dir}, w.visit); err != nil {
				t.Fatal(err)
			}
			got := make(map[string]string)
			for path, content := range w.content {
				got[strings.TrimPrefix(path, "x/")] = content
			}
			if !cmp.Equal(want, got) || len(w.errs) > 0 {
				t.Errorf("entries %v, errors %v", w.order, w.errs)
			}
		})
	}
}

// TestSparseTools reads the four formats in which tar stores sparse files.
func TestSparseTools(t *testing.T) {
	dir := t.TempDir()
	f := must(os.Create(filepath.Join(dir, "a.etl")))
	for _, at := range []int64{0, 300_000, 900_000} {
		must(f.WriteAt([]byte(strings.Repeat("data", 1000)), at))
	}
	must(0, f.Truncate(1_000_000))
	must(0, f.Close())
	want := string(must(os.ReadFile(f.Name())))
	for _, kind := range []string{"--format=gnu", "--sparse-version=0.0", "--sparse-version=0.1", "--sparse-version=1.0"} {
		c := exec.Command(testenv.Tool(t, "tar"), "--format=pax", "--sparse", kind, "-cf", "x.tar", "a.etl")
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			testenv.Missing(t, "GNU tar", "install it", fmt.Errorf("%w: %.200s", err, out))
		}
		made := string(must(os.ReadFile(filepath.Join(dir, "x.tar"))))
		if len(made) > len(want)/2 {
			testenv.Missing(t, "a file system with holes in files", "set TMPDIR to a folder on one", nil)
		}
		w := walk(t, "x", made, archive.Limits{})
		if len(w.errs) > 0 || len(w.content) != 1 || w.content["x/a.etl"] != want {
			t.Errorf("%s: %v, %v", kind, w.order, w.errs)
		}
	}
}
