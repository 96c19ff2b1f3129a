//go:build unix

package inputs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestPipe reads a trace through a named pipe, as standard input is read.
func TestPipe(t *testing.T) {
	trace := testenv.ReadFile(t, sampleTrace)
	path := filepath.Join(t.TempDir(), "pipe.etl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	in := Find([]string{path}, nil, nil, func(name string, err error) { t.Errorf("%s: %v", name, err) })
	if len(in.Files) != 1 || !in.Files[0].IsPipe() || !in.Files[0].IsStream() || in.Files[0].IsStdin() || in.Files[0].Size != -1 {
		t.Fatalf("found %+v", in.Files)
	}
	wrote := make(chan error, 1)
	go func() { wrote <- os.WriteFile(path, trace, 0) }()
	r := &Reader{Progress: NewProgress(1, 0), Fail: func(_ *File, name string, err error) { t.Errorf("%s: %v", name, err) }}
	visited := 0
	r.Visit = func(tr *Trace) error {
		visited++
		if err := tr.Open(); err != nil {
			return err
		}
		got, err := io.ReadAll(io.NewSectionReader(tr.Contents, 0, tr.Size))
		if !bytes.Equal(got, trace) {
			t.Errorf("%d bytes, want %d", len(got), len(trace))
		}
		return errors.Join(err, tr.Close())
	}
	if err := r.Each(t.Context(), in.Files); err != nil {
		t.Fatal(err)
	}
	if err := <-wrote; err != nil || visited != 1 {
		t.Errorf("%d traces, %v", visited, err)
	}
}

// TestPipeInterrupted ends while no program writes into the pipe, before and after one has opened it.
func TestPipeInterrupted(t *testing.T) {
	for _, opened := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		in := Find([]string{path}, nil, nil, func(name string, err error) { t.Errorf("%s: %v", name, err) })
		ctx, cancel := context.WithCancel(t.Context())
		r := &Reader{Progress: NewProgress(1, 0), Fail: func(*File, string, error) {}, Visit: func(tr *Trace) error { return tr.Close() }}
		if opened {
			go func() {
				writer, err := os.OpenFile(path, os.O_WRONLY, 0)
				if err != nil {
					t.Error(err)
				}
				t.Cleanup(func() { writer.Close() })
				cancel()
			}()
		} else {
			cancel()
		}
		if err := r.Each(ctx, in.Files); !errors.Is(err, context.Canceled) {
			t.Errorf("opened %t: error %v", opened, err)
		}
	}
}

// TestSpecialFiles checks that sockets and devices are refused, and that none of a folder is opened.
func TestSpecialFiles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	listener, err := net.Listen("unix", "socket.etl")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := syscall.Mkfifo("pipe.etl", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/null", "null.etl"); err != nil {
		t.Fatal(err)
	}
	var failed []string
	Find([]string{"socket.etl", "null.etl"}, nil, nil, func(name string, err error) { failed = append(failed, name+": "+err.Error()) })
	want := "socket.etl: a socket, and not a file or a pipe: connect it to standard input, and name -\n" +
		"null.etl: a device, and not a file or a pipe: connect it to standard input, and name -"
	if got := strings.Join(failed, "\n"); got != want {
		t.Errorf("failed\n%s\nwant\n%s", got, want)
	}
	testenv.WriteFile(t, "a.etl", "trace")
	if err := os.Symlink(sampleTrace, "link.etl.old"); err != nil {
		t.Fatal(err)
	}
	in := Find([]string{"."}, nil, nil, func(name string, err error) { t.Errorf("%s: %v", name, err) })
	if got, want := in.LeftOut.String(), "4 files left out: link.etl.old (a link), null.etl (a device), pipe.etl (a named pipe) and 1 more"; got != want || len(in.Files) != 1 {
		t.Errorf("%d files, %s, want %s", len(in.Files), got, want)
	}
}
