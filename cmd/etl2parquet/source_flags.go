package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// sourceFlags are the flags that name inputs and limit the expansion of archives.
type sourceFlags struct {
	list                string
	bytes, window, temp texts.Size
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
	folder := option{flag: "temp-dir", value: &f.tempDir, complete: completeFolders, usage: "`folder` for temporary files; some archives, standard input, s3:// and large traces with stacks need them"}
	limits := []option{
		{flag: "archive-max-bytes", value: &f.bytes, usage: "limit on the expanded size of an archive"},
		{flag: "archive-max-ratio", value: &f.ratio, usage: "limit on expanded size divided by archive size; applies beyond 256MiB"},
		{flag: "archive-max-entries", value: &f.entries, usage: "limit on the files in an archive"},
		{flag: "archive-depth", value: &f.depth, usage: "limit on the nesting of archives: 2 reads an archive in an archive"},
		{flag: "archive-max-window", value: &f.window, usage: "limit on the memory that decompressing a file may need"},
		{flag: "temp-max-bytes", value: &f.temp, usage: "limit on the total size of temporary files"},
	}
	for i := range limits {
		limits[i].within = atLeast(1)
	}
	return slices.Concat(limits, []option{folder}, f.servers.flags())
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
