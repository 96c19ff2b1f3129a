package main

import (
	"context"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/spool"
	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// sourceFlags are the flags that name inputs and limit the expansion of archives.
type sourceFlags struct {
	list                string
	bytes, window, temp bytesize.Size
	ratio               int64
	entries, depth      int
	tempDir             string
	servers             serverFlags
}

// flags returns the flags, with the defaults.
func (f *sourceFlags) flags() []option {
	list := option{flag: "files-from", value: &f.list, complete: completeFiles, usage: "also read the inputs listed in this `file`, one path or URL per line; - for standard input"}
	return append([]option{list}, f.limitFlags()...)
}

// limitFlags returns the flags that limit the resources of an input, without those that
// name inputs.
func (f *sourceFlags) limitFlags() []option {
	f.bytes, f.ratio, f.entries, f.depth, f.window, f.temp = 256<<30, 1000, 100_000, 2, 128<<20, 64<<30
	return slices.Concat([]option{
		{flag: "archive-max-bytes", value: &f.bytes, usage: "limit on the expanded size of an archive"},
		{flag: "archive-max-ratio", value: &f.ratio, usage: "limit on expanded size divided by archive size; applies beyond 256MiB"},
		{flag: "archive-max-entries", value: &f.entries, usage: "limit on the files in an archive"},
		{flag: "archive-depth", value: &f.depth, usage: "limit on the nesting of archives: 2 reads an archive in an archive"},
		{flag: "archive-max-window", value: &f.window, usage: "limit on the memory that decompressing a file may need"},
		{flag: "temp-max-bytes", value: &f.temp, usage: "limit on the total size of temporary files"},
		{flag: "temp-dir", value: &f.tempDir, complete: completeFolders, usage: "`folder` for temporary files; some archives, standard input, s3:// and large traces with stacks need them"},
	}, f.servers.flags())
}

// options checks the flags, and removes the temporary files of crashed runs. The cache
// of the servers gets half of the space for temporary files.
func (f *sourceFlags) options(p remote.Patience) (archive.Options, *servers, error) {
	for _, limit := range []struct {
		flag string
		n    int64
	}{
		{"archive-max-bytes", int64(f.bytes)}, {"archive-max-ratio", f.ratio}, {"archive-max-entries", int64(f.entries)},
		{"archive-depth", int64(f.depth)}, {"archive-max-window", int64(f.window)}, {"temp-max-bytes", int64(f.temp)},
	} {
		if limit.n < 1 {
			return archive.Options{}, nil, usagef("--%s %d: it must be 1 or more", limit.flag, limit.n)
		}
	}
	if _, err := spool.Sweep(f.tempDir); err != nil && f.tempDir != "" { // in the system's folder others' files may be unreadable
		return archive.Options{}, nil, usageError{fileError("temp-dir", f.tempDir, err)}
	}
	limits := archive.Limits{Bytes: int64(f.bytes), Ratio: f.ratio, Entries: f.entries, Depth: f.depth, Window: int64(f.window), Spool: int64(f.temp)}
	servers, err := newServers(&f.servers, f.tempDir, int64(f.temp)/2, p)
	return archive.Options{Limits: limits, TempDir: f.tempDir, Space: archive.NewSpace(int64(f.temp))}, servers, err
}

// find finds the inputs named by the arguments and by the list.
func (f *sourceFlags) find(ctx context.Context, args []string, stdin io.Reader, s *servers, fail func(name string, err error)) (*inputs.List, error) {
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
	return inputs.Find(args, list, urls, fail), nil
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

func (f *sourceFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && f.list == "" {
		return usagef("no input: name a trace, a folder or a pattern; see %s --help", cmd.CommandPath())
	}
	for _, arg := range args {
		if arg == inputs.Stdin && f.list == inputs.Stdin {
			return usagef("standard input cannot be both a trace (-) and a list (--files-from -)")
		}
	}
	return nil
}

// completeTraces completes the names of traces, and of folders.
func completeTraces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"etl", "ETL", "zip", "diagsession", "gz", "tgz", "zst", "xz", "bz2", "tar", "7z", "cab"}, cobra.ShellCompDirectiveFilterFileExt
}
