package bundle

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var errBadSector = errors.New("input/output error")

// badSector is a trace with a byte that one pass cannot read.
type badSector struct {
	io.ReaderAt
	at   int64
	pass string
	hit  atomic.Bool
}

func (b *badSector) ReadAt(p []byte, offset int64) (int, error) {
	if b.at < offset || b.at >= offset+int64(len(p)) || passOfCaller() != b.pass {
		return b.ReaderAt.ReadAt(p, offset)
	}
	b.hit.Store(true)
	n, err := b.ReaderAt.ReadAt(p[:b.at-offset], offset)
	return n, errors.Join(err, errBadSector)
}

// The passes over a trace, by the function that reads it.
var passes = []struct{ name, function string }{
	{"scan", "decode.NewFile"}, {"rest", "fileid.(*Hasher)."}, {"index", ".indexChunk"}, {"hash", "bundle.plainHash"}, {"convert", "rows.(*Gathered)."},
}

func passOfCaller() string {
	var calls [32]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(3, calls[:])])
	for {
		frame, more := frames.Next()
		for _, pass := range passes {
			if strings.Contains(frame.Function, pass.function) {
				return pass.name
			}
		}
		if !more {
			return "unknown"
		}
	}
}

// TestReadErrors gives each pass over a trace an unreadable byte: the error has its
// position, no file is half written, and earlier conversions stay. When the byte is
// readable again, the trace converts.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	testenv.RacedElsewhere(t)
	times := testenv.Times(t, 1, 4, 8, 8)
	r := testenv.Seeded("read errors")
	for s, shape := range []string{"in order", "compressed"} {
		data := indextest.RandomTrace(t, r, indextest.Shapes[shape])
		end := int64(len(data))
		data = append(data, make([]byte, fileid.ChunkBytes)...) // behind the buffers, only hashes read
		x := indextest.Data(t, data)
		var headers []int64
		for i := range x.Buffers {
			headers = append(headers, x.File.BufferInfo(i).Offset)
		}
		want := newDataset(t, indextest.Write(t, "a.etl", data))
		hits := make(map[string]int)
		for p, pass := range passes {
			for i := range times {
				in := pipeline.Input{Name: "a.etl", Size: int64(len(data))}
				bad := &badSector{ReaderAt: bytes.NewReader(data), at: r.Int64N(end), pass: pass.name}
				with := testOptions
				switch pass.name {
				case "scan": // reads only the headers of buffers
					bad.at = headers[r.IntN(len(headers))] + r.Int64N(decode.BufferHeaderSize)
				case "rest":
					bad.at = end + r.Int64N(in.Size-end)
				case "hash":
					with.SHA256 = true
				}
				root := filepath.Join(t.TempDir(), "out")
				if (s+p+i)%2 == 1 {
					o := testOptions
					o.Payload = rows.PayloadAll
					convertedEarlier(t, root, indextest.Write(t, "a.etl", data), o)
				}
				d := openDataset(t, root)
				before := sums(testenv.Files(t, root))
				in.Trace = bad
				_, err := d.Convert(context.Background(), in, "t", with)
				if err == nil && bad.hit.Load() {
					t.Errorf("%s, %s: byte %#x is unreadable, but there is no error", shape, pass.name, bad.at)
				}
				if err != nil {
					hits[pass.name]++
					checkReadError(t, err, bad.at)
					if diff := cmp.Diff(before, sums(testenv.Files(t, root))); diff != "" {
						t.Errorf("%s, %s: -before +after %v:\n%s", shape, pass.name, err, diff)
					}
				}
				convertTo(t, root, indextest.Write(t, "a.etl", data), testOptions)
				if diff := cmp.Diff(parts(t, want), parts(t, root)); diff != "" {
					t.Errorf("%s, %s: -undisturbed +again:\n%s", shape, pass.name, diff)
				}
			}
			if hits[pass.name] == 0 {
				t.Errorf("%s: no error in the pass %q", shape, pass.name)
			}
		}
		t.Logf("%s: errors in %v", shape, hits)
	}
}

var readErrorText = regexp.MustCompile(`^read (?:\d+ bytes )?at 0x([0-9a-f]+): input/output error$`)

// checkReadError checks that an error has one line and the position of the read.
func checkReadError(t *testing.T, err error, at int64) {
	t.Helper()
	text := readErrorText.FindStringSubmatch(err.Error())
	if !errors.Is(err, errBadSector) || text == nil {
		t.Errorf("%q has no position of the read", err)
		return
	}
	if from, err := strconv.ParseInt(text[1], 16, 64); err != nil || from > at {
		t.Errorf("%q: the byte is at %#x", text[0], at)
	}
}

// parts returns the sums of a dataset's files, except the records, which name the input.
func parts(t *testing.T, root string) map[string]string {
	t.Helper()
	files := sums(testenv.Files(t, root))
	for name := range files {
		if slices.Contains(strings.Split(name, "/"), recordsName) {
			delete(files, name)
		}
	}
	return files
}
