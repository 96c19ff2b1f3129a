package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/convert"
)

// leastMemory is enough for a slab and its row groups, whatever the trace.
const leastMemory = 128 << 20

// mostWorkers is far beyond any machine, and no burden yet.
const mostWorkers = 1024

// payloadModes are the words for them, in their order.
var payloadModes = [...]string{
	convert.PayloadUndecoded: "undecoded",
	convert.PayloadAll:       "all",
	convert.PayloadNone:      "none",
}

// convertFlags are the flags of convert.
type convertFlags struct {
	output      string
	workers     int
	memory      size
	payload     choice
	compression choice
	from, to    string
	providers   []string
	events      []string
	tables      []string
	force       bool
	strict      bool
	quiet       bool
}

func (a *app) convertCommand() *cobra.Command {
	f := &convertFlags{
		memory:      convert.DefaultMemory,
		payload:     choice{payloadModes[convert.PayloadUndecoded], payloadModes[:]},
		compression: choice{convert.DefaultCompression, convert.Compressions},
	}
	cmd := &cobra.Command{
		Use:   "convert INPUT... -o DIR",
		Short: "Convert traces into a dataset of Parquet files",
		Long: `Converts traces into a dataset: a folder with a Parquet file per table and
trace, and views.sql, which makes views of them in DuckDB.

An INPUT is a file, a folder (with all .etl files in it and below), or a
pattern. A trace that was converted before and has not changed is skipped. One
that cannot be converted leaves nothing behind and does not stop the others.
What is damaged in a trace, or was lost while it was recorded, is reported and
listed in the table problems; everything else is converted.

A time is RFC 3339, such as 2024-05-31T12:00:00Z, or seconds since the start of
the session, such as 1.5 or 90s; events from --from on and before --to are
taken. Patterns have *, ? and [...]; case does not matter.`,
		Example: `  etl2parquet convert boot.etl -o dataset
  etl2parquet convert traces/ 'more/*.etl' -o dataset
  etl2parquet convert boot.etl -o dataset --from 10 --to 12.5
  etl2parquet convert boot.etl -o dataset --provider 'Microsoft-Windows-Kernel-*' --provider Thread
  etl2parquet convert boot.etl -o dataset --event CSwitch --event 'DiskIo/*'
  etl2parquet convert boot.etl -o dataset --table event_header --payload all`,
		Args:              someInputs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options()
			if err != nil {
				return err
			}
			return a.convert(cmd.Context(), f, o, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "the dataset: a `folder`, made if need be (required)")
	flags.Var(&f.payload, "payload", "payloads to keep: those that are not decoded, all, or none")
	flags.Var(&f.compression, "compression", "of the Parquet files")
	flags.StringVar(&f.from, "from", "", "take events from this `time` on")
	flags.StringVar(&f.to, "to", "", "take events before this `time`")
	flags.StringArrayVar(&f.events, "event", nil, "take events whose name, alone or as provider/event, matches this `pattern`; may be repeated")
	flags.StringArrayVar(&f.providers, "provider", nil, "take events of providers whose name or GUID matches this `pattern`; may be repeated")
	flags.StringArrayVar(&f.tables, "table", nil, "write tables whose name matches this `pattern`; may be repeated")
	flags.BoolVar(&f.force, "force", false, "convert again what was converted before")
	flags.BoolVar(&f.strict, "strict", false, "take damage in a trace for a failure")
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "processors to use")
	flags.Var(&f.memory, "memory", "memory to aim at, 128MiB or more")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print errors and problems only")
	complete := func(flag string, f cobra.CompletionFunc) {
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // the flag is not there
		}
	}
	complete("payload", f.payload.complete)
	complete("compression", f.compression.complete)
	complete("table", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return tableCompletions(), cobra.ShellCompDirectiveNoFileComp
	})
	complete("output", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	for _, flag := range []string{"from", "to", "event", "provider", "workers"} {
		complete(flag, cobra.NoFileCompletions)
	}
	complete("memory", cobra.FixedCompletions([]string{"256MiB", "512MiB", "1GiB", "2GiB", "4GiB"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func someInputs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("no input: name a trace, a folder or a pattern; see %s --help", cmd.CommandPath())
	}
	return nil
}

// completeTraces completes the names of traces, and of folders.
func completeTraces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"etl", "ETL"}, cobra.ShellCompDirectiveFilterFileExt
}

// options checks the flags.
func (f *convertFlags) options() (*convert.Options, error) {
	switch {
	case f.output == "":
		return nil, usagef("no output: say where the dataset is to be with -o DIR")
	case f.workers < 1 || f.workers > mostWorkers:
		return nil, usagef("--workers %d: there must be 1 to %d", f.workers, mostWorkers)
	case f.memory < leastMemory:
		return nil, usagef("--memory %s: it must be %s or more", f.memory.String(), exactSize(leastMemory))
	}
	from, err := convert.ParseTimeBound(f.from)
	if err != nil {
		return nil, usagef("--from: %w", err)
	}
	to, err := convert.ParseTimeBound(f.to)
	if err != nil {
		return nil, usagef("--to: %w", err)
	}
	if from.Set && to.Set && from.Relative == to.Relative && (to.Since < from.Since || to.At.Before(from.At)) {
		return nil, usagef("--to %s is before --from %s", f.to, f.from)
	}
	selection := convert.Selection{From: from, To: to, Providers: f.providers, Events: f.events, Tables: f.tables}
	if err := selection.Validate(); err != nil {
		return nil, usageError{err}
	}
	return &convert.Options{
		Tool: toolVersion(), Workers: f.workers, Memory: int64(f.memory),
		Payload:     convert.PayloadMode(slices.Index(payloadModes[:], f.payload.value)),
		Compression: f.compression.value,
		Selection:   selection, SelectFrom: f.from, SelectTo: f.to,
		Force: f.force, Strict: f.strict,
	}, nil
}

// selects reports whether the flags ask for less than all events.
func (f *convertFlags) selects() bool {
	return f.from != "" || f.to != "" || len(f.providers) > 0 || len(f.events) > 0 || len(f.tables) > 0
}

// limit holds the process to what the flags ask for, until restore.
func (f *convertFlags) limit() (restore func()) {
	processors := runtime.GOMAXPROCS(f.workers)
	memory := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(memory, int64(f.memory)/5*4)) // what is not the Go heap needs some too
	return func() {
		runtime.GOMAXPROCS(processors)
		debug.SetMemoryLimit(memory)
	}
}

// conversion is one run of convert.
type conversion struct {
	app      *app
	flags    *convertFlags
	options  *convert.Options
	dataset  *convert.Dataset
	progress *progress
	results  *results
	failed   int
}

func (a *app) convert(ctx context.Context, f *convertFlags, o *convert.Options, args []string) error {
	in := findInputs(args, func(name string, err error) { a.complain("%s: %v", name, err) })
	if len(in.files) == 0 {
		return errAllFailed
	}
	defer f.limit()()
	made := missingFolders(filepath.Join(f.output, "_traces"))
	d, err := convert.OpenDataset(f.output)
	if err != nil {
		removeEmpty(made)
		return outputError(f.output, err)
	}
	names, err := traceNames(d, in.files)
	if err != nil {
		return outputError(f.output, err)
	}
	c := &conversion{app: a, flags: f, options: o, dataset: d, failed: in.failed}
	var bar, results io.Writer = a.err, a.out
	if f.quiet {
		bar, results = nil, io.Discard
	}
	c.progress = newProgress(bar, len(in.files), in.size())
	c.results = newResults(results, names)
	c.progress.start()
	c.each(ctx, in.files, names)
	c.progress.done()
	if c.results.traces() == 0 {
		removeEmpty(made)
	} else if err := d.WriteViews(); err != nil {
		return outputError(f.output, err)
	}
	if ctx.Err() == nil {
		c.results.summary(c.failed, filepath.Join(f.output, "views.sql"))
	} else {
		a.complain("%d of %s done; the same command goes on with the others", c.results.traces(), counted(int64(len(in.files)), "trace"))
	}
	return resultOf(ctx, c.results.traces(), c.failed)
}

// each converts one input after the other.
func (c *conversion) each(ctx context.Context, files []input, names []string) {
	for i := range files {
		if ctx.Err() != nil {
			return
		}
		o := *c.options
		o.Progress = c.progress.next(files[i].size)
		begin := time.Now()
		report, err := c.dataset.Convert(ctx, files[i].path, names[i], o)
		if err == nil && report.Skipped && o.Strict && worst(report.Problems) == convert.Failure {
			err = convert.ErrStrict // it was converted without --strict
		}
		c.progress.finish(err == nil && report.Skipped)
		if err != nil && ctx.Err() != nil {
			return
		}
		c.progress.aside(func() { c.tell(&files[i], report, err, time.Since(begin)) })
	}
}

// tell prints what came of one input.
func (c *conversion) tell(in *input, report *convert.Report, err error, took time.Duration) {
	if err != nil {
		c.failed++
		c.app.complain("%s: %s", in.name, printable(inputError(in.path, err)))
		return
	}
	c.results.add(report, in.size, took)
	if report.Skipped {
		return
	}
	where := "table problems"
	if !c.options.Selection.WantsTable("problems") {
		where = filepath.Join(c.flags.output, "_traces", report.Trace+".json")
	}
	for _, line := range problemLines(report.Problems, where) {
		c.app.complain("%s: %s", in.name, line)
	}
	if report.Rows == 0 && report.Events > 0 && c.flags.selects() && c.wantsEvents() {
		c.app.complain("%s: none of its %s is selected", in.name, counted(report.Events, "event"))
	}
}

// wantsEvents reports whether any table of events is selected.
func (c *conversion) wantsEvents() bool {
	return slices.ContainsFunc(headerTableNames(), c.options.Selection.WantsTable)
}

// outputError words an error of the dataset as a whole.
func outputError(output string, err error) error {
	var file *fs.PathError
	if errors.As(err, &file) && file.Path == output {
		return fmt.Errorf("cannot write to %s: %w", output, file.Err)
	}
	return fmt.Errorf("cannot write to %s: %w", output, err)
}

// missingFolders returns those of a folder and its parents that are not there,
// the innermost first.
func missingFolders(folder string) []string {
	var missing []string
	for {
		if _, err := os.Lstat(folder); err == nil {
			return missing
		}
		missing = append(missing, folder)
		parent := filepath.Dir(folder)
		if parent == folder {
			return missing
		}
		folder = parent
	}
}

// removeEmpty removes folders that were made and are not used after all.
func removeEmpty(folders []string) {
	for _, folder := range folders {
		if os.Remove(folder) != nil {
			return // it is not empty, or was never made
		}
	}
}
