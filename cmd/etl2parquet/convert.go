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
		fields:      choice{noFields, []string{noFields, jsonFields}},
		compression: choice{parquet.DefaultCompression, parquet.Compressions},
		maxTables:   catalog.DefaultMaxTables,
		progress:    choice{progress.Auto, []string{progress.Auto, progress.Bar, progress.Plain, progress.JSON, progress.None}},
	}
	return newCommand("convert", &cobra.Command{
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
	}, outputOption(&f.output, "the dataset: a `folder`, made if need be, or s3://bucket/folder (required)", completeFolders), f.content.flags(), []option{
		{flag: "fields", value: &f.fields, usage: "also write decoded payloads into the header tables: json, or none"},
	}, f.schemas.flags(), f.symbols.flags(), []option{
		{flag: "max-tables", value: &f.maxTables, usage: "most tables to create for provider events; further payloads go to the column fields as JSON"},
		{flag: "compression", value: &f.compression, usage: "codec of the Parquet files"},
	}, f.selection.flags(), []option{
		{flag: "table", value: &f.selection.tables, complete: completeTables, usage: "write the tables with a name that matches this `pattern`; repeatable"},
		{flag: "columns", value: (*commaList)(&f.selection.columns), usage: "write only these columns, and trace, of the tables that have one of them: `a,b,c`"},
		{flag: "bundle", value: &f.bundle, usage: "write traces into shared files, each for about this much input: a size; auto, which bundles traces below 16 MiB if there are more than 64; or never"},
		{flag: "session", value: &f.session, usage: "share names among traces of one boot that were recorded together, such as x.etl and x.kernel.etl: auto, or off"},
		{flag: "force", value: &f.force, usage: "convert again even if nothing changed, or with other options"},
		{flag: "sha256", value: &f.sha256, usage: "record the SHA-256 of each whole input, as sha256sum prints it; the default records it for inputs up to 4 MiB"},
	}, strictOption(&f.strict, "treat damage in a trace, or a selection that matches nothing, as an error"), f.resources.flags(), []option{
		{flag: "dry-run", value: &f.dryRun, usage: "only list what would be converted"},
		{flag: "plan", value: &f.plan, complete: completeFiles, usage: "convert a shard of this plan `file`, written by the command plan; needs --shard"},
		{flag: "shard", value: &f.shard, usage: "`shard` of the plan to convert: 0/4 is the first of four, 3/4 the last"},
		{flag: "report", value: &f.report, complete: completeFiles, usage: "write the result of each input to this `file`, as JSON"},
	}, f.source.flags(), []option{
		{flag: "quiet,q", value: &f.quiet, usage: "print errors and problems only"},
		{flag: "progress", value: &f.progress, usage: "on standard error: a bar, plain lines, a JSON object a line, or none; auto is a bar on a terminal, else plain"},
	})
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
