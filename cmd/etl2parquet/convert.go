package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/results"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/usage"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/base/version"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/inputs/plan"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
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
func (f *convertFlags) options(common pipeline.Options) (_ *bundle.Options, err error) {
	if common.Selection.Columns, err = fileColumns(common.Selection.Columns); err != nil {
		return nil, err
	}
	if common.Selection.WantsTable(schema.EventsName) {
		return nil, usagef("--table %s: %w", schema.EventsName, bundle.ErrEventsTable)
	}
	common.Fields, common.MaxTables = f.fields.value == jsonFields, f.maxTables
	return &bundle.Options{
		Options: common, Tool: toolVersion(), CreatedBy: version.Creator(toolVersion()),
		Compression: f.compression.value, Unsigned: f.unsigned.value, Force: f.force, SHA256: f.sha256,
	}, nil
}

// conversion is one run of convert, with its output for the user.
type conversion struct {
	*job
	flags      *convertFlags
	out        store.Store
	batch      *batch.Conversion
	results    *results.Table
	report     *batch.Report
	mismatches batch.Mismatches
	problems   problemLog
	last       string // name of the trace that was converted last
}

func (a *app) convert(ctx context.Context, f *convertFlags, args []string) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	r, err := a.begin(ctx, &f.traceFlags)
	if err != nil {
		return err
	}
	defer r.close()
	o, err := f.options(r.Options)
	if err != nil {
		return err
	}
	if err := f.find(r, args); err != nil {
		return err
	}
	c := &conversion{job: r, flags: f}
	if err := checkReplaced("report", f.report, reportBegin); err != nil {
		return err
	}
	if c.report, err = batch.NewReport(f.report, batch.ReportOptions{Tool: toolVersion(), Output: f.output, Message: messageOfInput, Out: a.out}); err != nil {
		return fileError("report", f.report, err)
	}
	defer func() { err = c.closeReport(err) }()
	c.report.Absent(r.Files.Absent)
	c.report.LeftOut(r.Files.LeftOut)
	switch {
	case len(r.Files.Files)+len(r.Files.Absent) == 0: // an empty shard of a plan
		if !f.quiet {
			fmt.Fprintf(a.out, "nothing to do in shard %s\n", f.shard)
		}
		return nil
	case len(r.Files.Files) == 0:
		return answers.ErrAllFailed
	}
	if c.out, err = r.Servers.Store(f.output); err != nil {
		return usagef("-o %s: %w", f.output, err)
	}
	if f.dryRun {
		c.prepare(o, nil)
		return c.list()
	}
	bar := a.err
	if f.quiet && f.progress.value == progress.Auto {
		bar = nil
	}
	c.prepare(o, bar)
	return c.run()
}

// prepare makes the conversion, and the display of its progress on bar unless that is nil.
func (c *conversion) prepare(o *bundle.Options, bar io.Writer) {
	c.bar = progress.New(bar, c.flags.progress.value, len(c.Files.Files), c.Files.Size())
	c.batch = c.NewConversion(o)
	c.batch.Reader.Progress = c.bar.Progress
	c.batch.Bundling = c.flags.bundle.bundling()
	c.batch.Done = func(r *batch.Result) { c.aside(func() { c.done(r) }) }
	c.batch.Warn = func(name string, err error) { c.aside(func() { c.warnOf(name, err) }) }
}

// outputError returns the error of a dataset that cannot be written or read, or else err.
func (c *conversion) outputError(err error) error {
	failed := new(batch.OutputError)
	switch {
	case !errors.As(err, &failed):
		return err
	case errors.Is(err, dataset.ErrOldLayout), errors.As(err, new(*dataset.UnsignedError)):
		return usagef("-o %s: %w", c.flags.output, failed.Err)
	}
	return outputError(c.flags.output, failed.Err)
}

// run converts the inputs, and prints the results.
func (c *conversion) run() error {
	var out io.Writer = c.app.out
	if c.flags.quiet {
		out = io.Discard
	}
	err := c.batch.Run(c.ctx, c.out, func() {
		c.results = results.New(out, c.batch.FileNames(), results.Options{Width: pageWidth(c.app.out), Style: c.app.style(), Next: c.next()})
		c.bar.Start(c.ticker)
	})
	c.bar.End()
	if c.results == nil { // no trace was begun
		return c.outputError(err)
	}
	if !c.flags.quiet {
		c.flags.schemas.tellBeside(c.app, c.Options.Schemas)
	}
	c.reportMissing()
	c.mismatch(c.mismatches.End(err != nil))
	c.warnProblems()
	counts := c.report.Counts()
	switch {
	case errors.Is(err, context.Canceled):
		c.warn("%s done; the same command continues with the others", counted(int64(counts.Traces()), "trace"))
		return err
	case err != nil:
		return c.outputError(err)
	}
	c.results.Summary(&counts)
	if counts.Failed == 0 && counts.Traces() == 0 {
		c.warn("no trace in any of the inputs")
		return answers.ErrAllFailed
	}
	return answers.ResultOf(counts.Traces(), counts.Failed)
}

// warnProblems prints the problems of the traces, and where they are listed.
func (c *conversion) warnProblems() {
	where, list := "table problems", problemsSQL
	if !c.batch.Options.Selection.WantsTable("problems") {
		where = c.flags.outputFile("_traces/" + c.last + ".json")
		list = func(string) string { return "see " + c.flags.outputFile("_traces") }
	}
	c.warnAll(c.problems.lines(where, list))
}

// closeReport ends the report of a run that returned the error run, or nil.
func (c *conversion) closeReport(run error) error {
	state := batch.RunFailed
	switch {
	case run == nil, errors.Is(run, answers.ErrSomeFailed), errors.Is(run, answers.ErrAllFailed):
		state = batch.RunComplete
	case errors.Is(run, context.Canceled):
		state = batch.RunInterrupted
	}
	err := c.report.Close(state)
	if err != nil {
		err = fmt.Errorf("--report: %w", err)
	}
	if run == nil {
		return err
	}
	if err != nil {
		c.warn("%v", err)
	}
	return run
}

// done prints a result.
func (c *conversion) done(r *batch.Result) {
	if r.Err != nil {
		c.failInput(r.Name, r.Err)
		c.report.Add(r)
		return
	}
	c.results.Add(r)
	c.report.Add(r)
	if r.Report.Skipped {
		return
	}
	if r.Report.Again != "" && !c.flags.quiet {
		c.warn("%s: converted again: %s", printable(r.Name), printable(r.Report.Again))
	}
	c.problems.add(r.Name, r.Report.Problems)
	c.last = r.Report.Trace
	c.mismatch(c.mismatches.Add(r.Name, r.Report))
}

// warnOf prints an error that fails no trace.
func (c *conversion) warnOf(name string, err error) {
	if name == "" {
		c.warn("%v", err)
		return
	}
	c.warn("%s: %v", printable(name), err)
}

// mismatch prints the parts of the selection that match nothing.
func (c *conversion) mismatch(list []batch.Mismatch) {
	for i := range list {
		c.warn("%s", printable(mismatchLine(&list[i])))
	}
}

// list prints what would be converted, and under which names.
func (c *conversion) list() error {
	found := 0
	err := c.batch.Preview(c.ctx, c.out, func(p *batch.Preview) error {
		if p.Err != nil {
			return outputError(c.flags.output, p.Err)
		}
		size := "-"
		if p.Size >= 0 {
			size = texts.RoundSize(p.Size)
		}
		if p.Action != batch.Refuse {
			found++
		}
		again := ""
		if p.Again != "" {
			again = "  again: " + printable(p.Again)
		}
		fmt.Fprintf(c.app.out, "%-7s  %10s  %s  %s%s\n", p.Action, size, p.Trace, printable(p.Name), again)
		return nil
	})
	if err != nil {
		return c.outputError(err)
	}
	return cmp.Or(c.ctx.Err(), answers.ResultOf(found, c.report.Counts().Failed))
}

// next returns a command line that queries the converted dataset.
func (c *conversion) next() string {
	if inputs.IsBucketURL(c.flags.output) {
		return fmt.Sprintf("fetch %s, and duckdb -init views.sql", texts.ShellWord(c.flags.outputFile("views.sql")))
	}
	return fmt.Sprintf(`%s query %s "SELECT event_name, count(*) FROM events GROUP BY 1"`, c.programName(), texts.ShellWord(c.flags.output))
}

// programName returns the program as a word, or words, of a command line: as the user named it.
func (a *app) programName() string {
	const usual, source = "etl2parquet", "cmd/etl2parquet"
	switch name := filepath.ToSlash(a.program); {
	case strings.Contains(name, "/go-build"): // of go run, which removes it
		if info, err := os.Stat(source); err == nil && info.IsDir() {
			return "go run ./" + source
		}
	case strings.Contains(name, "/"):
		return texts.ShellWord(a.program)
	}
	return usual
}

// fileColumns checks the columns to write into the files of a dataset. Every file has the column
// trace, named or not.
func fileColumns(names []string) ([]string, error) {
	if names == nil {
		return nil, nil
	}
	if err := pipeline.CheckColumns(names); err != nil {
		return nil, usagef("--columns: %w", err)
	}
	others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == schema.TraceColumn.Name })
	if len(others) == 0 {
		return nil, usagef("--columns %s: every file has this column; name others", schema.TraceColumn.Name)
	}
	return others, nil
}
