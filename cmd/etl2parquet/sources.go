package main

import (
	"io"
	"os"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// set sets the limits of inputs, and their servers, whose cache gets half of the space for temporary files. It removes
// the temporary files of crashed runs.
func (f *sourceFlags) set(t *answers.Traces, p remote.Patience) error {
	if f.tempDir != "" || temporary.KeepsNames {
		if _, err := temporary.SweepFiles(f.tempDir); err != nil && f.tempDir != "" { // in the system's folder others' files may be unreadable
			return usageError{fileError("temp-dir", f.tempDir, err)}
		}
	}
	limits := archive.Limits{Bytes: int64(f.bytes), Ratio: f.ratio, Entries: f.entries, Depth: f.depth, Window: int64(f.window), Spool: int64(f.temp)}
	t.Archive = archive.Options{Limits: limits, TempDir: f.tempDir, Space: archive.NewSpace(int64(f.temp))}
	var err error
	t.Servers, t.OpenFiles, err = newServers(&f.servers, f.tempDir, int64(f.temp)/2, p)
	return err
}

// listed returns the inputs in the list, of which there must be some if there are no arguments.
func (f *sourceFlags) listed(args []string, stdin io.Reader) (list []string, err error) {
	if f.list != "" {
		if list, err = f.readList(stdin); err != nil {
			return nil, usageError{fileError("files-from", f.list, err)}
		}
	}
	if len(args)+len(list) == 0 {
		return nil, usagef("--files-from %s: it lists no input", f.list)
	}
	return list, nil
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
