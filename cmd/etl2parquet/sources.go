package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
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

// serverFlags are the flags that locate buckets, and limit how long a server is waited for.
type serverFlags struct {
	endpoint, region string
	timeout          time.Duration
}

// usualTimeout means that --timeout was not given.
const usualTimeout = 0

func (f *serverFlags) flags() []option {
	f.timeout = usualTimeout
	return []option{
		{flag: "timeout", value: &f.timeout, within: atLeast(int64(time.Second)), shown: remote.DefaultPatience.Stall.String(), usage: "`time` in which a server that sends nothing, or less than 1KiB/s, fails"},
		{flag: "s3-endpoint", value: &f.endpoint, usage: "`URL` of the S3 server, if it is not Amazon's; default $AWS_ENDPOINT_URL"},
		{flag: "s3-region", value: &f.region, usage: "`region` of the buckets, if the server does not report it; default $AWS_REGION"},
	}
}

// patienceOf returns the limits on waiting for servers. aside prints beside a progress bar.
func (a *app) patienceOf(f *serverFlags, show func(text string) bool, aside func(print func())) remote.Patience {
	p := a.patience
	if f.timeout != usualTimeout {
		p.Stall = f.timeout
	}
	w := &waits{show: show, line: func(text string) { aside(func() { a.warn("%s", text) }) }}
	p.OnWait = w.add
	return p
}

// newServers returns servers with a cache of this number of bytes in temporary files.
// It fails if the limit on open files is too low for any work.
func newServers(f *serverFlags, temp string, bytes int64, p remote.Patience) (*inputs.Servers, batch.OpenFiles, error) {
	files, err := batch.ShareOpenFiles()
	return inputs.NewServers(inputs.ServerOptions{
		Endpoint: f.endpoint, Region: f.region, TempDir: temp, CacheBytes: bytes, Patience: p,
		Connections: files.Connections, OutputFiles: files.Output,
	}), files, err
}

// waits are the servers that are waited for now.
type waits struct {
	show func(text string) bool // shows the text beside the progress, "" for none; false if there is no bar
	line func(text string)      // prints a line

	mu      sync.Mutex
	now     []remote.Wait
	printed time.Time // when a line was last printed
}

// betweenWaits is the least time between two lines about waiting.
const betweenWaits = 30 * time.Second

// add begins or ends a wait, and shows the one that began first.
func (w *waits) add(wait remote.Wait) {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := wait
	began.Over = false
	if !wait.Over {
		w.now = append(w.now, began)
	} else if i := slices.Index(w.now, began); i >= 0 {
		w.now = slices.Delete(w.now, i, i+1)
	}
	text := ""
	if len(w.now) > 0 {
		text = waitText(w.now[0].Name, w.now[0].Server)
	}
	if w.show(text) || wait.Over || !w.printed.IsZero() && time.Since(w.printed) < betweenWaits {
		return
	}
	w.printed = time.Now()
	w.line(text)
}

// waitText says what a server is waited for; name is "" if that is not a file.
func waitText(name, server string) string {
	if name == "" {
		name = "an answer"
	}
	return fmt.Sprintf("waiting for %s from %s", printable(name), printable(server))
}
