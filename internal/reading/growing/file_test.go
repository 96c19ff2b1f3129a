package growing_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/reading/growing"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const sample = "../../../testdata/sample.etl"

// traces returns the contents of the sample and of real traces that can be followed.
func traces(t *testing.T) map[string][]byte {
	list := map[string][]byte{"sample": testenv.ReadFile(t, sample)}
	for _, name := range []string{"HTTP_Server.etl", "PktMon.etl", "KernelNetwork.etl", "diaghub.kernel.1.etl", "AMSITrace.etl"} {
		if paths, _ := filepath.Glob("../../../../shared/traces/" + name); len(paths) == 1 {
			list[name] = testenv.ReadFile(t, paths[0])
		} else {
			t.Logf("without %s: there is no ../shared/traces", name)
		}
	}
	return list
}

// buffersOf returns the positions of the buffers of a whole trace.
func buffersOf(t *testing.T, trace []byte) []growing.Span {
	t.Helper()
	f := decodetest.Open(t, trace)
	var list []growing.Span
	for i := range f.Buffers() {
		b := f.BufferInfo(i)
		list = append(list, growing.Span{b.Offset, b.Offset + int64(b.Size)})
	}
	return list
}

// follow is a file that grows, and what was said of it.
type follow struct {
	*growing.File
	t    *testing.T
	said []string
}

func newFollow(t *testing.T, path string) *follow {
	f := &follow{t: t}
	f.File = &growing.File{Path: path, Say: func(text string) { f.said = append(f.said, text) }}
	t.Cleanup(func() { f.Close() })
	return f
}

// poll polls, and checks that it gives no error.
func (f *follow) poll() (restarted bool) {
	f.t.Helper()
	restarted, err := f.Poll()
	if err != nil {
		f.t.Fatal(err)
	}
	return restarted
}

func (f *follow) hasSaid(text string) bool { return strings.Contains(strings.Join(f.said, "\n"), text) }

// TestPieces appends traces in random pieces: all buffers are found, each when it is in the file.
func TestPieces(t *testing.T) {
	for name, trace := range traces(t) {
		t.Run(name, func(t *testing.T) {
			r := testenv.Seeded(name)
			want := buffersOf(t, trace)
			path := filepath.Join(t.TempDir(), "x.etl")
			f := newFollow(t, path)
			f.poll() // there is no file yet
			file, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			for at := 0; at < len(trace); {
				n := min(1+r.IntN(len(trace)/10), len(trace)-at)
				if _, err := file.Write(trace[at : at+n]); err != nil {
					t.Fatal(err)
				}
				at += n
				f.poll()
				for _, b := range f.Found() {
					if b.To > int64(at) {
						t.Fatalf("the buffer up to %d is found, and the file has %d bytes", b.To, at)
					}
				}
			}
			f.poll()
			if got := f.Found(); !slices.Equal(got, want) {
				t.Errorf("%d buffers, want %d: %v, %v", len(got), len(want), got, want)
			}
		})
	}
}

// TestZeros writes traces into a file whose space was filled with zeros before, piece by piece: a buffer
// is found only when all of its bytes are there.
func TestZeros(t *testing.T) {
	for name, trace := range traces(t) {
		t.Run(name, func(t *testing.T) {
			r := testenv.Seeded(name)
			want := buffersOf(t, trace)
			path := filepath.Join(t.TempDir(), "x.etl")
			now := make([]byte, len(trace)+1<<16)
			testenv.WriteFile(t, path, now)
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			f := newFollow(t, path)
			checked := 0
			check := func() {
				f.poll()
				list := f.Found()
				for _, b := range list[checked:] {
					if !sameBuffer(now[b.From:b.To], trace[b.From:b.To]) {
						t.Fatalf("the buffer from %#x to %#x is found before it is complete", b.From, b.To)
					}
				}
				checked = len(list)
			}
			check()
			for at := 0; at < len(trace); {
				n := min(1+r.IntN(len(trace)/20), len(trace)-at)
				copy(now[at:], trace[at:at+n])
				if _, err := file.WriteAt(trace[at:at+n], int64(at)); err != nil {
					t.Fatal(err)
				}
				at += n
				check()
			}
			check() // a buffer without fill is complete when it has not changed
			if got := f.Found(); !slices.Equal(got, want) {
				t.Errorf("%d buffers, want %d", len(got), len(want))
			}
		})
	}
}

// sameBuffer reports whether two buffers have the same header and events. The space after them may not
// be filled yet.
func sameBuffer(now, whole []byte) bool {
	h, _ := decode.ParseBufferHeader(whole)
	end := len(whole)
	if !h.Compressed() && int(h.Offset) < end {
		end = int(h.Offset)
	}
	return bytes.Equal(now[:end], whole[:end])
}

// TestFates lets a file end in each way: what it finds, and what it says.
func TestFates(t *testing.T) {
	trace := testenv.ReadFile(t, sample)
	all := buffersOf(t, trace)
	other := bytes.Clone(trace)
	other[decode.BufferHeaderSize+0x20+0x100+8] ^= 1 // in StartTime of its header
	tests := map[string]struct {
		change    func(t *testing.T, path string)
		said      string
		restarted bool
		found     int // at the end, after the sample's buffers were taken
	}{
		"truncated":  {func(t *testing.T, path string) { check(t, os.Truncate(path, 0)) }, "is shorter than before", true, 0},
		"begun anew": {func(t *testing.T, path string) { check(t, os.WriteFile(path, other, 0o666)) }, "was begun anew by another session", true, len(all)},
		"replaced": {func(t *testing.T, path string) {
			check(t, os.WriteFile(path+".new", other, 0o666))
			check(t, os.Rename(path+".new", path))
		}, "is another file now", true, len(all)},
		"removed":          {func(t *testing.T, path string) { check(t, os.Remove(path)) }, "was removed or renamed", true, 0},
		"removed and made": {func(t *testing.T, path string) { check(t, os.Remove(path)); check(t, os.WriteFile(path, other, 0o666)) }, "", true, len(all)},
		"grown after it was renamed": {func(t *testing.T, path string) {
			check(t, os.Rename(path, path+".old"))
		}, "was removed or renamed", true, 0},
		"unchanged": {func(*testing.T, string) {}, "is complete", false, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.etl")
			check(t, os.WriteFile(path, trace, 0o666))
			f := newFollow(t, path)
			for range 2 {
				f.poll()
			}
			if got := f.Found(); !slices.Equal(got, all) {
				t.Fatalf("found %v", got)
			}
			f.Take()
			test.change(t, path)
			restarted := false
			for range 4 {
				restarted = f.poll() || restarted
			}
			if restarted != test.restarted || len(f.Found()) != test.found || !f.hasSaid(test.said) {
				t.Errorf("restarted %v, %d buffers; said %q", restarted, len(f.Found()), f.said)
			}
		})
	}
}

// TestRestOfRenamed checks that buffers written after a file was renamed are found before the new file's.
func TestRestOfRenamed(t *testing.T) {
	trace := testenv.ReadFile(t, sample)
	all := buffersOf(t, trace)
	path := filepath.Join(t.TempDir(), "x.etl")
	half := all[2].To
	check(t, os.WriteFile(path, trace[:half], 0o666))
	f := newFollow(t, path)
	f.poll()
	f.poll()
	check(t, os.Rename(path, path+".old"))
	file, err := os.OpenFile(path+".old", os.O_WRONLY|os.O_APPEND, 0)
	check(t, err)
	_, err = file.Write(trace[half:])
	check(t, errors.Join(err, file.Close()))
	check(t, os.WriteFile(path, trace, 0o666))
	for range 4 {
		if f.poll() {
			t.Fatal("the rest of the old file was not read first")
		}
	}
	if got := f.Found(); !slices.Equal(got, all) {
		t.Errorf("found %v of %v", got, all)
	}
	f.Take()
	restarted := false
	for range 4 {
		restarted = f.poll() || restarted
	}
	if !restarted || !slices.Equal(f.Found(), all) {
		t.Errorf("restarted %v, found %v", restarted, f.Found())
	}
}

// TestRefused checks the files that cannot be followed.
func TestRefused(t *testing.T) {
	circular := bytes.Clone(testenv.ReadFile(t, sample))
	circular[decode.BufferHeaderSize+0x20+0x20] |= 2 // LogFileMode
	for name, test := range map[string]struct {
		contents []byte
		want     error
	}{
		"circular": {circular, growing.ErrCircular},
		"backup":   {append([]byte("RlFs"), make([]byte, 0x100)...), growing.ErrBackup},
		"text":     {bytes.Repeat([]byte("no trace "), 100), decode.ErrNotETL},
	} {
		path := filepath.Join(t.TempDir(), "x.etl")
		check(t, os.WriteFile(path, test.contents, 0o666))
		if _, err := newFollow(t, path).Poll(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDamagedTail checks that a damaged last buffer waits until another follows, or its session stops.
func TestDamagedTail(t *testing.T) {
	trace := bytes.Clone(testenv.ReadFile(t, sample))
	all := buffersOf(t, trace)
	trace[all[1].From+decode.BufferHeaderSize+3] ^= 0xff // the marker of the first event of the second buffer
	path := filepath.Join(t.TempDir(), "x.etl")
	f := newFollow(t, path)
	for _, step := range []struct {
		size int64
		want int
	}{{all[1].To, 1}, {all[2].From + 0x48, 2}, {all[2].To, 3}, {int64(len(trace)), len(all)}} {
		check(t, os.WriteFile(path, trace[:step.size], 0o666))
		for range 3 {
			f.poll()
		}
		if len(f.Found()) != step.want {
			t.Errorf("with %#x bytes: %v, want %d", step.size, f.Found(), step.want)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
