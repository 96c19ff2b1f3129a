package main

import (
	"context"
	"io"
	"os"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// options removes the temporary files of crashed runs. The cache
// of the servers gets half of the space for temporary files.
func (f *sourceFlags) options(p remote.Patience) (archive.Options, *servers, error) {
	if f.tempDir != "" || temporary.KeepsNames {
		if _, err := temporary.SweepFiles(f.tempDir); err != nil && f.tempDir != "" { // in the system's folder others' files may be unreadable
			return archive.Options{}, nil, usageError{fileError("temp-dir", f.tempDir, err)}
		}
	}
	limits := archive.Limits{Bytes: int64(f.bytes), Ratio: f.ratio, Entries: f.entries, Depth: f.depth, Window: int64(f.window), Spool: int64(f.temp)}
	servers, err := newServers(&f.servers, f.tempDir, int64(f.temp)/2, p)
	return archive.Options{Limits: limits, TempDir: f.tempDir, Space: archive.NewSpace(int64(f.temp))}, servers, err
}

// find finds the inputs named by the arguments and by the list.
func (f *sourceFlags) find(ctx context.Context, from *reach.Files, args []string, stdin io.Reader, s *servers, fail func(name string, err error)) (*inputs.List, error) {
	var list []string
	if f.list != "" {
		var err error
		if list, err = f.readList(stdin); err != nil {
			return nil, usageError{fileError("files-from", f.list, err)}
		}
	}
	if len(args)+len(list) == 0 {
		return nil, usagef("--files-from %s: it lists no input", f.list)
	}
	urls, err := s.Find(ctx, slices.Concat(args, list))
	if err != nil {
		return nil, err
	}
	return inputs.FindIn(from, args, list, urls, fail), nil
}

func (f *sourceFlags) readList(stdin io.Reader) ([]string, error) {
	if f.list == inputs.Stdin {
		return inputs.ReadList(stdin)
	}
	file, err := os.Open(f.list)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return inputs.ReadList(file)
}
