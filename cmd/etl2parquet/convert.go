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

// What --fields may be.
const (
	noFields   = "none"
	jsonFields = "json"
)

// What --session may be.
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
trace, and views.sql, which makes views of them in DuckDB.

An INPUT is a file, a folder (with all .etl files and archives in it and below),
a pattern ('logs/**/*.etl': ** is any number of folders), s3://bucket/key, a
folder there (s3://bucket/folder/), http(s)://..., or - for standard input. The
dataset can be in a bucket as well. Archives are zip, 7z, cab, tar, gz, zst, xz
and bz2, and those in each other: all traces in them are converted. How far they
may expand is bounded; see the flags. A trace that was converted before and has
not changed is skipped; with another selection or other options it is refused
unless --force is given. One that cannot be converted leaves nothing behind and
does not stop the others. What is damaged in a trace, or was lost while it was
recorded, is reported and listed in the table problems; everything else is
converted.
Many small traces share files (--bundle): those below 16 MiB if there are more
than 64 of them. A trace that the dataset has stays where it is; one that changed
and shares files is converted together with its neighbours.
Traces of one recording, such as x.etl and x.kernel.etl, share what they say about
processes and images (--session).

What the trace itself says of its events is used, and the kernel's events are
known. For others there is --manifest, an instrumentation manifest or, for
classic providers, a MOF file (.mof), and --tmf, the formats of WPP messages:
files, or folders of them.

Events from --from on and before --to are taken. A time is RFC 3339, such as
2024-05-31T12:00:00Z; a date, 2024-05-31, which is its midnight; a time of day,
12:30 or 12:30:05.5, in a trace that lies within one day; or seconds since the
start of the session, such as 1.5 or 90s. Dates and times of day are UTC.

Patterns have *, ? and [...]; case does not matter. A GUID may stand in braces. A
process is an id, whatever process had it at the time, or a name, with or without
.exe; it is the owner of an event, which the column process_id has. A table has several names,
Thread/CSwitch, thread_cswitch and events/Thread/CSwitch, and --table takes any.
--table selects tables and never changes their contents. --columns writes these
columns only, and of the tables that have one of them; the views have the others
too, as NULL. A selection that matches nothing is a warning, with the names that
come nearest.`,
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
	flags.Var(&f.fields, "fields", "also write decoded payloads into the tables of headers: json, or none")
	f.schemas.add(flags)
	f.symbols.add(flags)
	flags.IntVar(&f.maxTables, "max-tables", f.maxTables, "limit on tables for events of providers; payloads beyond it are in the column fields")
	flags.Var(&f.compression, "compression", "codec of the Parquet files")
	f.selection.add(flags)
	flags.StringArrayVar(&f.selection.tables, "table", nil, "write the tables with a name that matches this `pattern`; may be repeated")
	flags.StringSliceVar(&f.selection.columns, "columns", nil, "write these columns, and trace, of the tables that have any: `a,b,c`")
	flags.Var(&f.bundle, "bundle", "have traces share files, those of about so much input each; auto: traces below 16 MiB, if there are more than 64; never")
	flags.Var(&f.session, "session", "share names among traces of one boot that were recorded together, such as x.etl and x.kernel.etl: auto, or off")
	flags.BoolVar(&f.force, "force", false, "convert again even if nothing changed, or with other options")
	flags.BoolVar(&f.sha256, "sha256", false, "note the SHA-256 of each whole input, as sha256sum prints it; without, that of inputs up to 4 MiB")
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
			panic(err) // the flag is not there
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

// checkArgs wants inputs, or a part of a plan.
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

// inputs finds the inputs of the command line, or of a part of a plan.
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
		return nil, usagef("--report is of what was converted, and --dry-run converts nothing")
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
