package main

import (
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs/plan"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The values of --fields.
const (
	noFields   = "none"
	jsonFields = "json"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	traceFlags
	output      string
	fields      choice
	compression choice
	unsigned    choice
	maxTables   int
	bundle      bundleFlag
	force       bool
	sha256      bool
	quiet       bool
	progress    choice
	dryRun      bool
	report      string
	plan, shard string
}

func (a *app) convertCommand() *cobra.Command {
	f := &convertFlags{
		bundle:      bundleFlag{autoBundle, bundle.DefaultBundleBytes},
		fields:      choice{noFields, []string{noFields, jsonFields}},
		compression: choice{parquet.DefaultCompression, parquet.Compressions},
		unsigned:    choice{parquet.DefaultUnsigned, parquet.UnsignedTypes},
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
			return a.convert(cmd.Context(), f, args)
		},
	}, outputOption(&f.output, "the dataset: a `folder`, made if need be, or s3://bucket/folder (required)", completeFolders), f.content.flags(), []option{
		{flag: "fields", value: &f.fields, usage: "also write decoded payloads into the header tables: json, or none"},
	}, f.schemas.flags(), f.symbols.flags(), []option{
		{flag: "max-tables", value: &f.maxTables, within: &span{1, catalog.MostTables}, usage: "most tables to create for provider events; further payloads go to the column fields as JSON"},
		{flag: "compression", value: &f.compression, usage: "codec of the Parquet files"},
		{flag: "unsigned", value: &f.unsigned, usage: "type of unsigned 64-bit columns: uint64, or int64 with the same bits, for Iceberg, Delta and others that lack the first"},
	}, f.selection.flags(), []option{
		{flag: "table", value: &f.selection.tables, complete: completeTables, usage: "write the tables with a name that matches this `pattern`; repeatable"},
		{flag: "columns", value: (*commaList)(&f.selection.columns), complete: completeColumns, usage: "write only these columns, and trace, of the tables that have one of them: `a,b,c`"},
		{flag: "bundle", value: &f.bundle, usage: "write traces into shared files, each for about this much input: a size; auto, which bundles traces below 16 MiB if there are several; or never"},
	}, f.siblings.flags(", such as x.etl and x.kernel.etl"), []option{
		{flag: "force", value: &f.force, usage: "convert again even if nothing changed, or with other options"},
		{flag: "sha256", value: &f.sha256, usage: "record the SHA-256 of each input, as sha256sum prints it; the default records only its XXH3 hash"},
	}, strictOption(&f.strict, "treat damage in a trace, or a selection that matches nothing, as an error"), f.resources.flags(), []option{
		{flag: "dry-run", value: &f.dryRun, usage: "only list what would be converted"},
		{flag: "plan", value: &f.plan, complete: completeFiles, usage: "convert a shard of this plan `file`, written by the command plan; needs --shard"},
		{flag: "shard", value: &f.shard, usage: "`shard` of the plan to convert: 0/4 is the first of four, 3/4 the last"},
		{flag: "report", value: pathValue{&f.report}, complete: completeFiles, usage: "write the result of each input to this `file`, as JSON; - for standard output, with --quiet"},
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

// find finds the inputs of the command line, or of a shard of a plan.
func (f *convertFlags) find(r *job, args []string) error {
	if f.plan == "" {
		return r.find(args)
	}
	s, err := plan.ParseShard(f.shard)
	if err != nil {
		return usagef("--shard %s: %w", f.shard, err)
	}
	p, err := plan.Read(f.plan)
	if err != nil {
		return usageError{fileError("plan", f.plan, err)}
	}
	if p.Shards != s.Of {
		return usagef("--shard %s: the plan is for %s", f.shard, counted(int64(p.Shards), "shard"))
	}
	urls, err := r.Servers.Find(r.ctx, p.Names(s))
	if err != nil {
		return err
	}
	r.Files = p.Find(s, urls, r.Fail)
	r.limit()
	return nil
}

// check checks the flags that only convert has.
func (f *convertFlags) check() error {
	switch {
	case f.dryRun && f.report != "":
		return usagef("--report lists converted inputs, and --dry-run converts none")
	case f.report == "-" && !f.quiet:
		return usagef("--report - takes standard output: add --quiet")
	}
	return nil
}

// options returns the options of conversions.
func (f *convertFlags) options(of pipeline.Options) (_ *bundle.Options, err error) {
	if of.Selection.Columns, err = fileColumns(of.Selection.Columns); err != nil {
		return nil, err
	}
	if of.Selection.WantsTable(schema.EventsName) {
		return nil, usagef("--table %s: %w", schema.EventsName, bundle.ErrEventsTable)
	}
	of.Fields, of.MaxTables = f.fields.value == jsonFields, f.maxTables
	return &bundle.Options{
		Options: of, Tool: toolVersion(), CreatedBy: version.Creator(toolVersion()),
		Compression: f.compression.value, Unsigned: f.unsigned.value, Force: f.force, SHA256: f.sha256,
	}, nil
}
