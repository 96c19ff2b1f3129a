// Package manual writes manual pages in the macros of man(7), which groff, mandoc and man read.
//
// cobra's own generator passes texts through Markdown, in which the patterns of our help texts
// ("logs/**/*.etl") mean emphasis.
package manual

import (
	"fmt"
	"io"
	"strings"
)

// Page is the page of a command, in section 1.
type Page struct {
	Name        string // etl2parquet-convert
	Short       string // one line
	Version     string // of the program
	Date        string // of the version, or ""
	Synopsis    string // the usage line
	Description string // paragraphs, divided by empty lines; indented lines stay as they are
	Examples    string // lines, or ""
	Commands    []Item
	Options     []Group
	Sections    []Section
	SeeAlso     []string // other pages of the section
}

// Group is a list of options below a title, which may be empty.
type Group struct {
	Title string
	Items []Item
}

// Item is a term and its explanation.
type Item struct{ Term, Text string }

// Section is a further part of a page: a list.
type Section struct {
	Title string
	Items []Item
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	var b builder
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

// builder collects the lines of a page.
type builder struct{ strings.Builder }

// line adds a macro with its arguments.
func (b *builder) line(macro string, args ...string) {
	b.WriteString(macro)
	for _, arg := range args {
		fmt.Fprintf(b, ` "%s"`, strings.ReplaceAll(escaped(arg), `"`, `\(dq`))
	}
	b.WriteString("\n")
}

func (b *builder) section(title string) { b.line(".SH", title) }

// text adds the lines of a text.
func (b *builder) text(text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = escaped(strings.TrimSuffix(line, "\n"))
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line // no macro
		}
		b.WriteString(line + "\n")
	}
}

// verbatim adds lines that are not filled.
func (b *builder) verbatim(lines string) {
	b.WriteString(".nf\n")
	for line := range strings.Lines(strings.Trim(lines, "\n")) {
		b.WriteString(`\&` + escaped(strings.TrimSuffix(line, "\n")) + "\n")
	}
	b.WriteString(".fi\n")
}

// paragraphs adds the paragraphs of a text.
func (b *builder) paragraphs(text string) {
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
func (b *builder) items(title string, items []Item) {
	if len(items) > 0 {
		b.section(title)
		b.list(items)
	}
}

func (b *builder) list(items []Item) {
	for _, item := range items {
		b.WriteString(".TP\n")
		b.line(".B", item.Term)
		b.text(item.Text)
	}
}

// escaped returns a line in which no letter means anything to troff. Hyphens and quotes stay what
// they are in ASCII, so that examples can be copied from the page.
func escaped(line string) string { return escapes.Replace(line) }

var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)
