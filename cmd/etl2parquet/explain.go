package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/base/text/nearest"
	"github.com/etl2parquet/etl2parquet/internal/doors/explain"
	"github.com/etl2parquet/etl2parquet/internal/engine/codes"
	"github.com/etl2parquet/etl2parquet/schema"
)

// errUnexplained is the result of explain if a word has no known meaning, after that has been
// printed.
var errUnexplained = errors.New("nothing is known of some words")

func (a *app) explainCommand() *cobra.Command {
	var as string
	var asJSON, asSQL bool
	var f catalogFlags
	cmd := newCommand("explain", &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			if asSQL {
				if len(args) > 0 || asJSON || cmd.Flags().Changed("as") {
					return usagef("--sql prints macros for all status codes; it goes with no word and no other flag")
				}
				return nil
			}
			if len(args) == 0 {
				return usagef("name something to explain; see %s --help", cmd.CommandPath())
			}
			if cmd.Flags().Changed("as") && !explain.HasKind(as) {
				return unknownKind(as)
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			if asSQL {
				_, err := io.WriteString(a.out, codes.Macros())
				return err
			}
			return a.explain(args, &f, as, asJSON)
		},
	}, f.pathFlags(), []option{
		{flag: "as", value: &as, complete: completeWords(kindNames()...), usage: "explain as this `kind` only"},
		{flag: "sql", value: &asSQL, usage: "print DuckDB macros that name status codes"},
	}, jsonOption(&asJSON, "print JSON: an object for one word, an array for several"))
	cmd.Long = strings.Replace(cmd.Long, "{kinds}\n", kindList(), 1)
	return cmd
}

// kindList describes the kinds of reading for the help text.
func kindList() string {
	var text strings.Builder
	g := grid.Grid{Indent: "  "}
	for _, k := range explain.Kinds() {
		g.Add(k[0], k[1])
	}
	g.Print(&text, 80)
	return text.String()
}

func kindNames() []string {
	var names []string
	for _, k := range explain.Kinds() {
		names = append(names, k[0])
	}
	return append(names, explain.ValueKinds()...)
}

func unknownKind(as string) error {
	if similar := nearest.To(as, kindNames()); len(similar) > 0 {
		return usagef("--as: no kind is called %q; %s", as, nearest.DidYouMean(similar))
	}
	return usagef("--as: no kind is called %q; see etl2parquet explain --help", as)
}

func (a *app) explain(words []string, f *catalogFlags, as string, asJSON bool) error {
	if as == "" && len(words) > 1 { // NTSTATUS 0xc0000022
		if kind, ok := explain.StatusSystem(words[0]); ok {
			as, words = kind, words[1:]
		}
	}
	catalogs, err := f.open()
	if err != nil {
		return err
	}
	e := explain.Explainer{Tables: slices.Concat(schema.Tables(), viewTables()), Providers: func(nameOrGUID string) (list []explain.Provider) {
		for _, id := range catalogs.Named(nameOrGUID) {
			list = append(list, explain.Provider{GUID: id, Name: catalogs.NameOf(id), Source: "the catalogue"})
		}
		return list
	}}
	var all []*explain.Explanation
	for _, word := range words { // all of them before anything is printed
		x, err := explainFile(&e, word, as)
		if err != nil {
			return err
		}
		if x == nil {
			if x, err = e.Explain(word, as); err != nil {
				return usageError{err}
			}
		}
		all = append(all, x)
	}
	if asJSON {
		var v any = all
		if len(all) == 1 {
			v = all[0]
		}
		if err := printJSON(a.out, v); err != nil {
			return err
		}
	}
	var result error
	for i, x := range all {
		if len(x.Readings) == 0 {
			a.warn("%s", unexplained(x, as))
			result = errUnexplained
			continue
		}
		if asJSON {
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		if len(all) > 1 {
			fmt.Fprintf(a.out, "%s\n\n", printable(x.Word))
		}
		x.WriteText(a.out, pageWidth(a.out))
	}
	return result
}

// explainFile explains a file by its start. It returns nil for a word that names none.
func explainFile(e *explain.Explainer, word, as string) (*explain.Explanation, error) {
	if as != "" || !strings.ContainsAny(word, `./\`) {
		return nil, nil
	}
	info, err := os.Stat(word)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := os.Open(word)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	head := make([]byte, min(info.Size(), explain.HeadSize))
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, err
	}
	return e.File(word, head, info.Size()), nil
}

// unexplained returns the message for a word without a known meaning.
func unexplained(x *explain.Explanation, as string) string {
	text := fmt.Sprintf("nothing is known of %.80q", x.Word)
	if as != "" {
		text += " as " + as
	}
	if len(x.Nearest) > 0 {
		text += "; " + nearest.DidYouMean(x.Nearest)
	}
	return text
}
