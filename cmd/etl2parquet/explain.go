package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/explain"
	"github.com/etl2parquet/etl2parquet/internal/engine/codes"
)

func (a *app) explainCommand() *cobra.Command {
	o := explain.Options{Note: a.note}
	var asSQL bool
	var f catalogFlags
	cmd := newCommand("explain", &cobra.Command{
		Args: func(cmd *cobra.Command, args []string) error {
			as := cmd.Flags().Changed("as")
			switch {
			case asSQL && (len(args) > 0 || o.JSON || as):
				return usagef("--sql prints macros for all status codes; it goes with no word and no other flag")
			case !asSQL && len(args) == 0:
				return usagef("name something to explain; see %s --help", cmd.CommandPath())
			case as:
				if err := explain.CheckKind(o.As); err != nil {
					return usagef("--as: %w", err)
				}
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			if asSQL {
				_, err := io.WriteString(a.out, codes.Macros())
				return err
			}
			catalogs, err := f.open()
			if err != nil {
				return err
			}
			o.Width = pageWidth(a.out)
			o.Providers = func(nameOrGUID string) (list []explain.Provider) {
				for _, id := range catalogs.Named(nameOrGUID) {
					list = append(list, explain.Provider{GUID: id, Name: catalogs.NameOf(id), Source: "the catalogue"})
				}
				return list
			}
			return explain.Words(a.out, args, o)
		},
	}, f.pathFlags(), []option{
		{flag: "as", value: &o.As, complete: completeWords(explain.KindNames()...), usage: "explain as this `kind` only"},
		{flag: "sql", value: &asSQL, usage: "print DuckDB macros that name status codes"},
	}, jsonOption(&o.JSON, "print a JSON object for each word, one a line"))
	cmd.Long = strings.Replace(cmd.Long, "{kinds}\n", explain.KindList(), 1)
	return cmd
}
