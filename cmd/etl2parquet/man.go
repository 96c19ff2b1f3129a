package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/internal/base/version"
)

// manCommand writes the manual pages, which packages of the program contain. It is hidden: users have
// "man etl2parquet".
func (a *app) manCommand() *cobra.Command {
	return newCommand("man", &cobra.Command{
		Hidden:            true,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeFolders,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			return writePages(a.rootCommand(), args[0]) // the command that runs has only man below it
		},
	})
}

// writePages writes the pages of a command and of those below it into a folder. The pages depend on the
// program only, not on the machine.
func writePages(cmd *cobra.Command, folder string) error {
	if !cmd.IsAvailableCommand() {
		return nil
	}
	page := manualPage(cmd)
	page.Version, page.Date = version.Of(), version.Date()
	f, err := os.Create(filepath.Join(folder, page.Name+".1"))
	if err != nil {
		return err
	}
	err = page.write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if err := writePages(sub, folder); err != nil {
			return err
		}
	}
	return nil
}

// exitStatuses and variables are the parts of the program's page that no help text has.
var (
	exitStatuses = []manItem{
		{Term: "0", Text: "All is done. Damage in traces, and losses, are reported and do not change the status."},
		{Term: "1", Text: "The run failed."},
		{Term: "2", Text: "The command line is wrong."},
		{Term: "3", Text: "Some inputs failed. The others are done."},
		{Term: "69", Text: "There is no DuckDB for query."},
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

// manPage is the page of a command, in section 1. It is written in the macros of man(7), which groff,
// mandoc and man read: cobra's own generator passes texts through Markdown, in which the patterns of our
// help texts ("logs/**/*.etl") mean emphasis.
type manPage struct {
	Name        string // etl2parquet-convert
	Short       string // one line
	Version     string // of the program
	Date        string // of the version, or ""
	Synopsis    string // the usage line
	Description string // paragraphs, divided by empty lines; indented lines stay as they are
	Examples    string // lines, or ""
	Commands    []manItem
	Options     []manGroup
	Sections    []manSection
	SeeAlso     []string // other pages of the section
}

// manGroup is a list of options below a title, which may be empty.
type manGroup struct {
	Title string
	Items []manItem
}

// manItem is a term and its explanation.
type manItem struct{ Term, Text string }

// manSection is a further part of a page: a list.
type manSection struct {
	Title string
	Items []manItem
}

// write writes the page.
func (p *manPage) write(w io.Writer) error {
	var b manBuilder
	b.line(".TH", strings.ToUpper(p.Name), "1", p.Date, "etl2parquet "+p.Version, "etl2parquet manual")
	b.section("NAME")
	b.text(p.Name + " - " + p.Short)
	b.section("SYNOPSIS")
	b.text(p.Synopsis)
	b.section("DESCRIPTION")
	b.paragraphs(p.Description)
	if p.Examples != "" {
		b.section("EXAMPLES")
		b.verbatim(p.Examples)
	}
	b.items("COMMANDS", p.Commands)
	if len(p.Options) > 0 {
		b.section("OPTIONS")
	}
	for _, g := range p.Options {
		if g.Title != "" {
			b.line(".SS", g.Title)
		}
		b.list(g.Items)
	}
	for _, s := range p.Sections {
		b.items(s.Title, s.Items)
	}
	if len(p.SeeAlso) > 0 {
		b.section("SEE ALSO")
		for i, name := range p.SeeAlso {
			end := ","
			if i == len(p.SeeAlso)-1 {
				end = ""
			}
			b.line(".BR", name, "(1)"+end)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// manBuilder collects the lines of a page.
type manBuilder struct{ strings.Builder }

// line adds a macro with its arguments.
func (b *manBuilder) line(macro string, args ...string) {
	b.WriteString(macro)
	for _, arg := range args {
		fmt.Fprintf(b, ` "%s"`, strings.ReplaceAll(troffText(arg), `"`, `\(dq`))
	}
	b.WriteString("\n")
}

func (b *manBuilder) section(title string) { b.line(".SH", title) }

// text adds the lines of a text.
func (b *manBuilder) text(text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = troffText(strings.TrimSuffix(line, "\n"))
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line // no macro
		}
		b.WriteString(line + "\n")
	}
}

// verbatim adds lines that are not filled.
func (b *manBuilder) verbatim(lines string) {
	b.WriteString(".nf\n")
	for line := range strings.Lines(strings.Trim(lines, "\n")) {
		b.WriteString(`\&` + troffText(strings.TrimSuffix(line, "\n")) + "\n")
	}
	b.WriteString(".fi\n")
}

// paragraphs adds the paragraphs of a text.
func (b *manBuilder) paragraphs(text string) {
	for _, p := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		b.WriteString(".PP\n")
		if strings.HasPrefix(p, " ") || strings.HasPrefix(p, "\t") {
			b.verbatim(p)
		} else {
			b.text(p)
		}
	}
}

// items adds a section with a list, unless it is empty.
func (b *manBuilder) items(title string, items []manItem) {
	if len(items) > 0 {
		b.section(title)
		b.list(items)
	}
}

func (b *manBuilder) list(items []manItem) {
	for _, item := range items {
		b.WriteString(".TP\n")
		b.line(".B", item.Term)
		b.text(item.Text)
	}
}

// troffText returns a line in which no letter means anything to troff. Hyphens and quotes stay what
// they are in ASCII, so that examples can be copied from the page.
func troffText(line string) string { return troffEscapes.Replace(line) }

var troffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)
