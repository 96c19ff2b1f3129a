package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/formats"
)

// queryFlags are the flags of query.
type queryFlags struct {
	traceFlags
	file    string
	format  choice
	output  string
	force   bool
	locked  bool
	timing  bool
	values  parameterList
	isShell bool // there is no SQL

	ofTraces []option // which control how traces are read
}

func (a *app) queryCommand() *cobra.Command {
	f := &queryFlags{format: choice{formats.Table.Name, formats.Names(answers.Formats())}}
	f.ofTraces = slices.Concat(f.cache.flags(), withoutLetter(f.selection.flags(), "provider"), f.content.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(), f.siblings.flags(""),
		strictOption(&f.strict, "treat damage in a trace as an error"))
	return newCommand("query", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.query(cmd, f, args) },
	}, []option{
		{flag: "file,f", value: &f.file, complete: completeFiles, usage: "read the SQL from this `file`; - for standard input"},
		{flag: "format", value: &f.format, usage: "`format` of the results: " + f.format.listed() + "; without it, the extension of --output may name it"},
		{flag: "output,o", value: pathValue{&f.output}, complete: completeFiles, usage: "write the results into this `file`"},
		{flag: "force", value: &f.force, usage: "replace the file if it exists"},
		{flag: "parameter,p", value: &f.values, usage: "`name=value` of $name in the SQL: a number, true, false, null or a text; repeatable"},
		{flag: "timing", value: &f.timing, usage: "print where the time went, on standard error"},
		{flag: "locked", value: &f.locked, usage: "run only SELECTs, which read nothing but the inputs and write nothing"},
	}, f.ofTraces, f.resources.flags(), f.source.flags())
}
