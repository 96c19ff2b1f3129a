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
	cmd := &cobra.Command{
		Use:   "explain WORD|HEX|FILE...",
		Short: "Explain hooks, GUIDs, flags, configuration blobs and what kind of trace a file is",
		Long: `Explains a number, GUID or name found in a registry, a dump, a trace or in
documentation: a hook id, a GUID, a word of flags or the name of a flag, the bytes
that configure a session, the first 8 bytes of an event. All possible meanings are
printed; --as picks one. If a word with a . or a path separator is a file, its
first bytes are explained.

Numbers are decimal, or hexadecimal: 0x0524, 0524h. Bytes are two hexadecimal
digits each, in their order: 020002c068002405, "02 00 02 c0 ...", hex:02,00,... of
a .reg file; or words of memory, "0x80ff0078 0x00020005".

` + kindList() + `
The tables of values behind columns that end in _text are kinds, too: --as
wait_reason, --as timer_source. "explain NTSTATUS 0xc0000022" means --as ntstatus;
HRESULT and WIN32 work the same way.

--sql prints macros for DuckDB: hresult_name, ntstatus_name, win32_error_name.

Exit status: 1 if nothing is known of a word, 2 if it is malformed.`,
		Example: `  etl2parquet explain 0x0524
  etl2parquet explain 3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c
  etl2parquet explain EVENT_TRACE_FLAG_CSWITCH PERF_POOL CSwitch
  etl2parquet explain --as enable-flags 0x80ff0078
  etl2parquet explain NTSTATUS 0xc0000034
  etl2parquet explain 020002c068002405 --json
  etl2parquet explain --sql > codes.sql`,
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
	}
	f.addPaths(cmd)
	cmd.Flags().StringVar(&as, "as", "", "explain as this `kind` only")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: an object for one word, an array for several")
	cmd.Flags().BoolVar(&asSQL, "sql", false, "print DuckDB macros that name status codes")
	_ = cmd.RegisterFlagCompletionFunc("as", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return kindNames(), cobra.ShellCompDirectiveNoFileComp
	}) // no error: the flag exists
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
