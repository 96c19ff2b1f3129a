package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exitStatuses and variables are the parts of the program's page that no help text has.
var (
	exitStatuses = []manItem{
		{Term: "0", Text: "All is done. Damage in traces, and losses, are reported and do not change the status."},
		{Term: "1", Text: "The run failed."},
		{Term: "2", Text: "The command line is wrong."},
		{Term: "3", Text: "Some inputs failed. The others are done."},
		{Term: "69", Text: "There is no DuckDB for query, or no peer for bench."},
		{Term: "130", Text: "The run was interrupted."},
	}
	variables = []manItem{
		{Term: "ETL2PARQUET_DUCKDB", Text: "The DuckDB program of query, report and mcp. Default: duckdb on the path."},
		{Term: "ETL2PARQUET_CACHE", Text: "The folder of tables that are kept for the next question, or none."},
		{Term: "ETL2PARQUET_CATALOG", Text: "Your own catalogues of providers, separated as in PATH."},
		{Term: "_NT_SYMBOL_PATH", Text: "The symbol path, as debuggers read it."},
		{Term: "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL", Text: "Credentials, region and server of buckets, as Amazon's tools read them."},
	}
)

// manualPage returns the page of a command, without the version.
func manualPage(cmd *cobra.Command) *manPage {
	p := &manPage{
		Name:        pageName(cmd),
		Short:       cmd.Short,
		Synopsis:    cmd.UseLine(),
		Description: cmp.Or(cmd.Long, cmd.Short),
		Examples:    cmd.Example,
	}
	if cmd.HasAvailableSubCommands() {
		p.Synopsis = cmd.CommandPath() + " COMMAND"
	}
	if cmd.HasParent() {
		p.SeeAlso = append(p.SeeAlso, pageName(cmd.Parent()))
	} else {
		p.Sections = []manSection{{Title: "EXIT STATUS", Items: exitStatuses}, {Title: "ENVIRONMENT", Items: variables}}
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			p.Commands = append(p.Commands, manItem{Term: sub.Name(), Text: sub.Short})
			p.SeeAlso = append(p.SeeAlso, pageName(sub))
		}
	}
	for _, group := range groupsOf(cmd.LocalFlags()) {
		g := manGroup{Title: group.title}
		if group.title == "Flags" {
			g.Title = ""
		}
		for _, name := range group.flags {
			g.Items = append(g.Items, optionItem(cmd.LocalFlags().Lookup(name)))
		}
		p.Options = append(p.Options, g)
	}
	return p
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// optionItem returns an option as its help shows it. A default that the machine decides is named, not
// counted.
func optionItem(f *pflag.Flag) manItem {
	shown := *f
	if f.Name == "workers" {
		shown.DefValue = "by the number of processors"
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.AddFlag(&shown)
	term, text, _ := strings.Cut(strings.TrimSpace(flags.FlagUsages()), "   ")
	return manItem{Term: term, Text: strings.TrimSpace(text)}
}
