package main

import (
	"fmt"
	"io"
	"strings"
)

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
