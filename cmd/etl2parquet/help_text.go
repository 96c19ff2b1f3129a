package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
)

// helpWidth is the width of a help text. It is the same everywhere, as help is also piped and copied.
const helpWidth = 80

// flagWidth bounds the column of flags. The description of a longer flag begins on the next line.
const flagWidth = 30

// wrapped wraps the paragraphs of a text. It leaves placeholders and indented lines as they are.
func wrapped(text string) string {
	var out strings.Builder
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			out.WriteString("\n")
		}
		if strings.HasPrefix(paragraph, " ") || strings.HasPrefix(paragraph, "{") {
			out.WriteString(paragraph + "\n")
			continue
		}
		out.WriteString(wrap(strings.Join(strings.Fields(paragraph), " "), helpWidth))
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// wrap wraps a line to a width.
func wrap(line string, width int) string {
	var out strings.Builder
	var g grid.Grid
	g.Add(line)
	g.Print(&out, width)
	return out.String()
}

func init() { cobra.AddTemplateFunc("wrapFlags", wrapFlags) }

// wrapsFlags returns a usage template that wraps the descriptions of flags.
func wrapsFlags(template string) string {
	return strings.ReplaceAll(template, ".FlagUsages |", ".FlagUsages | wrapFlags |")
}

// wrapFlags wraps a list of flags with their descriptions, a line each.
func wrapFlags(list string) string {
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
		for line := range strings.Lines(wrap(texts[i], helpWidth-width)) {
			fmt.Fprintf(&out, "%-*s%s", width, flag, line)
			flag = ""
		}
	}
	return out.String()
}
