package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/plan"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The values of --fields.
const (
	noFields   = "none"
	jsonFields = "json"
)

// The values of --session.
const (
	autoSession = "auto"
	noSession   = "off"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	output      string
	resources   resourceFlags
	content     contentFlags
	fields      choice
	compression choice
	schemas     schemaFlags
	symbols     symbolFlags
	maxTables   int
	selection   selectionFlags
	bundle      bundleFlag
	session     choice
	force       bool
	sha256      bool
	strict      bool
	quiet       bool
	progress    choice
	dryRun      bool
	report      string
	plan, shard string
	source      sourceFlags
}

func (a *app) convertCommand() *cobra.Command {
	f := &convertFlags{
		bundle:      bundleFlag{autoBundle, bundle.DefaultBundleBytes},
		session:     choice{autoSession, []string{autoSession, noSession}},
		content:     newContentFlags(),
		fields:      choice{noFields, []string{noFields, jsonFields}},
		compression: choice{parquet.DefaultCompression, parquet.Compressions},
		maxTables:   catalog.DefaultMaxTables,
		progress:    choice{progress.Auto, []string{progress.Auto, progress.Bar, progress.Plain, progress.JSON, progress.None}},
	}
	cmd := &cobra.Command{
		Use:   "convert INPUT... -o DIR",
		Short: "Convert traces into a dataset of Parquet files",
		Long: `Converts traces into a dataset: a folder with a Parquet file per table and
trace, and views.sql, which defines views of them in DuckDB.

An INPUT is a file, a folder (with all .etl files and archives in it and below),
a pattern ('logs/**/*.etl': ** is any number of folders), s3://bucket/key, a
folder there (s3://bucket/folder/), http(s)://..., or - for standard input. The
dataset can be in a bucket as well. Traces inside archives (zip, 7z, cab, tar, gz,
zst, xz and bz2, nested too) are converted. Flags limit how far an archive may
expand. A trace that was converted before and has not changed is skipped; with
another selection or other options it is refused unless --force is given. If a
trace fails, nothing of it is written and the others continue. Damage in a trace,
and losses while it was recorded, are reported and listed in the table problems;
everything else is converted.
Many small traces share files (--bundle): traces below 16 MiB if there are more
than 64 of them. A trace that the dataset has stays where it is; if it changed and
shares files, it is converted together with its neighbours.
Traces of one recording, such as x.etl and x.kernel.etl, share the names of
processes and images (--session).

Events are decoded by the descriptions in the trace, the built-in layouts of kernel
events and the built-in catalogue. --manifest adds instrumentation manifests or,
for classic providers, MOF files (.mof), and --tmf the formats of WPP messages:
files, or folders of them.

--from and --to select events by time, up to but not including --to. A time is RFC
3339, such as 2024-05-31T12:00:00Z; a date, 2024-05-31, which is its midnight; a
time of day, 12:30 or 12:30:05.5, in a trace that lies within one day; or seconds
since the start of the session, such as 1.5 or 90s. Dates and times of day are UTC.

Patterns have *, ? and [...]; case does not matter. Braces around a GUID are
optional. A process is an id, or a name with or without .exe; an id matches every
process that had it. --process selects by the column process_id, the process that an
event belongs to. A table has several names, Thread/CSwitch, thread_cswitch and
events/Thread/CSwitch, and --table takes any of them. --table selects tables and
never changes their contents. --columns writes only these columns, and only tables
that have one of them; in the views the other columns are NULL. A selection that
matches nothing is a warning, with similar names.`,
		Example: `  etl2parquet convert boot.etl -o dataset
  etl2parquet convert traces/ 'more/*.etl' -o dataset
  etl2parquet convert bundle.zip logs.tar.zst -o dataset
  etl2parquet convert s3://bucket/traces/ -o s3://bucket/dataset
  find . -name '*.etl' | etl2parquet convert --files-from - -o dataset --report r.json
  etl2parquet convert boot.etl -o dataset --from 10 --to 12.5
  etl2parquet convert boot.etl -o dataset --provider 'Microsoft-Windows-Kernel-*' --provider Thread
  etl2parquet convert boot.etl -o dataset --event CSwitch --event 'DiskIo/*'
  etl2parquet convert boot.etl -o dataset --process explorer --process 4 --from 12:30 --to 12:35
  etl2parquet convert boot.etl -o dataset --table event_header --payload all
  etl2parquet convert boot.etl -o dataset --table Thread/CSwitch --columns time_ns,new_thread_id
  etl2parquet convert web.etl -o dataset --manifest HttpService.man --fields json`,
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.output == "" {
				return usageError{usage.NoOutput(args)}
			}
			o, err := f.options()
			if err != nil {
				return err
			}
			if o.Schemas, err = f.schemas.open(); err != nil {
				return err
			}
			return a.convert(cmd.Context(), f, o, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addOutput(flags, &f.output, "the dataset: a `folder`, made if need be, or s3://bucket/folder (required)")
	f.content.add(flags)
	flags.Var(&f.fields, "fields", "also write decoded payloads into the header tables: json, or none")
	f.schemas.add(flags)
	f.symbols.add(flags)
	flags.IntVar(&f.maxTables, "max-tables", f.maxTables, "most tables to create for provider events; further payloads go to the column fields as JSON")
	flags.Var(&f.compression, "compression", "codec of the Parquet files")
	f.selection.add(flags)
	flags.StringArrayVar(&f.selection.tables, "table", nil, "write the tables with a name that matches this `pattern`; repeatable")
	flags.StringSliceVar(&f.selection.columns, "columns", nil, "write only these columns, and trace, of the tables that have one of them: `a,b,c`")
	flags.Var(&f.bundle, "bundle", "write traces into shared files, each for about this much input: a size; auto, which bundles traces below 16 MiB if there are more than 64; or never")
	flags.Var(&f.session, "session", "share names among traces of one boot that were recorded together, such as x.etl and x.kernel.etl: auto, or off")
	flags.BoolVar(&f.force, "force", false, "convert again even if nothing changed, or with other options")
	flags.BoolVar(&f.sha256, "sha256", false, "record the SHA-256 of each whole input, as sha256sum prints it; the default records it for inputs up to 4 MiB")
	flags.BoolVar(&f.strict, "strict", false, "treat damage in a trace, or a selection that matches nothing, as an error")
	f.resources.add(flags)
	flags.BoolVar(&f.dryRun, "dry-run", false, "only list what would be converted")
	flags.StringVar(&f.plan, "plan", "", "convert a shard of this plan `file`, written by the command plan; needs --shard")
	flags.StringVar(&f.shard, "shard", "", "`shard` of the plan to convert: 0/4 is the first of four, 3/4 the last")
	flags.StringVar(&f.report, "report", "", "write the result of each input to this `file`, as JSON")
	f.source.add(cmd)
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print errors and problems only")
	flags.Var(&f.progress, "progress", "on standard error: a bar, plain lines, a JSON object a line, or none; auto is a bar on a terminal, else plain")
	complete := func(flag string, f cobra.CompletionFunc) {
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic(err) // there is no such flag
		}
	}
	complete("payload", f.content.payload.complete)
	complete("messages", f.content.messages.complete)
	complete("fields", f.fields.complete)
	complete("progress", f.progress.complete)
	complete("compression", f.compression.complete)
	complete("bundle", f.bundle.complete)
	complete("session", f.session.complete)
	complete("table", func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return tableCompletions(begun), cobra.ShellCompDirectiveNoFileComp
	})
	complete("output", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	for _, flag := range []string{"shard", "from", "to", "event", "provider", "process", "columns", "max-tables", "workers"} {
		complete(flag, cobra.NoFileCompletions)
	}
	complete("memory", cobra.FixedCompletions([]string{"256MiB", "512MiB", "1GiB", "2GiB", "4GiB"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// checkArgs requires inputs, or a shard of a plan.
func (f *convertFlags) checkArgs(cmd *cobra.Command, args []string) error {
	switch {
	case f.plan == "" && f.shard == "":
		return f.source.checkArgs(cmd, args)
	case f.plan == "" || f.shard == "":
		return usagef("--plan and --shard go together")
	case len(args) > 0 || f.source.list != "":
		return usagef("--plan says what the inputs are: there can be no others")
	}
	return nil
}

// inputs finds the inputs of the command line, or of a shard of a plan.
func (f *convertFlags) inputs(ctx context.Context, args []string, stdin io.Reader, servers *servers, fail func(name string, err error)) (*inputs.List, error) {
	if f.plan == "" {
		return f.source.find(ctx, args, stdin, servers, fail)
	}
	s, err := plan.ParseShard(f.shard)
	if err != nil {
		return nil, usagef("--shard %s: %w", f.shard, err)
	}
	p, err := plan.Read(f.plan)
	if err != nil {
		return nil, usageError{fileError("plan", f.plan, err)}
	}
	if p.Shards != s.Of {
		return nil, usagef("--shard %s: the plan is for %s", f.shard, counted(int64(p.Shards), "shard"))
	}
	urls, err := servers.Find(ctx, p.Names(s))
	if err != nil {
		return nil, err
	}
	return p.Find(s, urls, fail), nil
}

// options checks the flags.
func (f *convertFlags) options() (*bundle.Options, error) {
	switch {
	case f.dryRun && f.report != "":
		return nil, usagef("--report lists converted inputs, and --dry-run converts none")
	case f.maxTables < 1 || f.maxTables > catalog.DefaultMaxTables:
		return nil, usagef("--max-tables %d: there must be 1 to %d", f.maxTables, catalog.DefaultMaxTables)
	}
	if err := f.resources.resolve(); err != nil {
		return nil, err
	}
	selection, err := f.selection.parse()
	if err != nil {
		return nil, err
	}
	if selection.Columns, err = fileColumns(selection.Columns); err != nil {
		return nil, err
	}
	if selection.WantsTable(schema.EventsName) {
		return nil, usagef("--table %s: %w", schema.EventsName, bundle.ErrEventsTable)
	}
	o := &bundle.Options{
		Options: pipeline.Options{
			Workers: f.resources.workers, Memory: int64(f.resources.memory), Selection: selection,
			Fields: f.fields.value == jsonFields, MaxTables: f.maxTables, Strict: f.strict, TempDir: f.source.tempDir,
		},
		Tool: toolVersion(), Compression: f.compression.value, Force: f.force, SHA256: f.sha256,
	}
	f.content.set(&o.Options)
	return o, nil
}
