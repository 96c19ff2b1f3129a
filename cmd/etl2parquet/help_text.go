package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// widestHelp bounds the lines of a help text: longer ones are hard to read.
const widestHelp = 100

// flagWidth bounds the column of flags. The description of a longer flag begins on the next line.
const flagWidth = 30

// helpText writes the help of a command.
type helpText struct {
	w     io.Writer
	width int
	style texts.Style
	cmd   *cobra.Command
}

// help prints the help of a command: a page for --help and the command help, and the main lines for -h.
func (a *app) help(cmd *cobra.Command, _ []string) {
	h := &helpText{a.out, min(pageWidth(a.out), widestHelp), a.style(), cmd}
	isShort := slices.Contains(a.args, "-h") && !slices.Contains(a.args, "--help")
	if isShort && cmd.HasParent() && !cmd.HasAvailableSubCommands() {
		h.short()
		return
	}
	h.long()
}

// short prints the usage, the first examples, and the names of the flags.
func (h *helpText) short() {
	fmt.Fprintf(h.w, "%s\n", h.style.Bold(h.cmd.Short))
	h.usage()
	if lines := strings.Split(strings.Trim(h.cmd.Example, "\n"), "\n"); h.cmd.Example != "" {
		h.title("Examples")
		fmt.Fprintln(h.w, strings.Join(lines[:min(len(lines), shortExamples)], "\n"))
	}
	var g texts.Grid
	for _, group := range groupsOf(h.cmd.LocalFlags()) {
		var names []string
		for _, name := range group.flags {
			if f := h.cmd.LocalFlags().Lookup(name); f.Shorthand != "" {
				name = "-" + f.Shorthand + "/--" + name
			} else {
				name = "--" + name
			}
			names = append(names, name)
		}
		g.Add(group.title+":", strings.Join(names, ", "))
	}
	fmt.Fprintln(h.w)
	g.Print(h.w, h.width)
	h.end(fmt.Sprintf("\"%s --help\" explains them.", h.cmd.CommandPath()))
}

// shortExamples is the number of examples in a short help.
const shortExamples = 4

// long prints all about a command.
func (h *helpText) long() {
	text := h.cmd.Long
	if text == "" {
		text = h.cmd.Short
	}
	fmt.Fprintln(h.w, strings.TrimRight(wrapped(text, h.width), "\n"))
	h.usage()
	if h.cmd.Example != "" {
		h.title("Examples")
		fmt.Fprintln(h.w, strings.Trim(h.cmd.Example, "\n"))
	}
	h.commands()
	for _, group := range groupsOf(h.cmd.LocalFlags()) {
		h.title(group.title)
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.SortFlags = false
		for _, name := range group.flags {
			flags.AddFlag(h.cmd.LocalFlags().Lookup(name))
		}
		fmt.Fprint(h.w, wrapFlags(flags.FlagUsages(), h.width))
	}
	if h.cmd.HasAvailableSubCommands() {
		h.end(fmt.Sprintf("\"%s COMMAND -h\" is short, \"%[1]s COMMAND --help\" explains all flags.", h.cmd.CommandPath()))
	}
}

// end prints a last paragraph.
func (h *helpText) end(text string) { fmt.Fprint(h.w, "\n"+wrap(text, h.width)) }

// title prints a heading.
func (h *helpText) title(text string) { fmt.Fprintf(h.w, "\n%s\n", h.style.Bold(text+":")) }

func (h *helpText) usage() {
	h.title("Usage")
	line := h.cmd.UseLine()
	if h.cmd.HasAvailableSubCommands() {
		line = h.cmd.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(h.w, "  %s\n", line)
}

func (h *helpText) commands() {
	if !h.cmd.HasAvailableSubCommands() {
		return
	}
	h.title("Commands")
	g := texts.Grid{Indent: "  "}
	for _, cmd := range h.cmd.Commands() {
		if cmd.IsAvailableCommand() || cmd.Name() == "help" {
			g.Add(cmd.Name(), cmd.Short)
		}
	}
	g.Print(h.w, h.width)
}

// wrapped wraps the paragraphs of a text. It leaves indented lines as they are.
func wrapped(text string, width int) string {
	var out strings.Builder
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			out.WriteString("\n")
		}
		if strings.HasPrefix(paragraph, " ") || strings.HasPrefix(paragraph, "\t") {
			out.WriteString(paragraph + "\n")
			continue
		}
		out.WriteString(wrap(strings.Join(strings.Fields(paragraph), " "), width))
	}
	return out.String()
}

// wrap wraps a line to a width.
func wrap(line string, width int) string {
	var out strings.Builder
	var g texts.Grid
	g.Add(line)
	g.Print(&out, width)
	return out.String()
}

// wrapFlags wraps a list of flags with their descriptions, a line each.
func wrapFlags(list string, columns int) string {
	const indent, gap = 6, "   " // before a flag without a letter, and after each flag
	var flags, texts []string
	width := 0
	for line := range strings.Lines(list) {
		flag, text, _ := strings.Cut(line[indent:], gap)
		flags, texts = append(flags, line[:indent]+flag), append(texts, strings.TrimSpace(text))
		width = max(width, indent+len(flag)+len(gap))
	}
	width = min(width, flagWidth)
	var out strings.Builder
	for i, flag := range flags {
		if len(flag)+len(gap) > width {
			out.WriteString(flag + "\n")
			flag = ""
		}
		for line := range strings.Lines(wrap(texts[i], columns-width)) {
			fmt.Fprintf(&out, "%-*s%s", width, flag, line)
			flag = ""
		}
	}
	return out.String()
}
