package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// tableNames returns all names of some tables.
func tableNames(tables []*schema.Table) []string {
	var names []string
	for _, t := range tables {
		names = append(names, schema.TableNames(t.Name)...)
	}
	return names
}

// tableCompletions returns the names of tables with what they hold, which
// shells show beside them: of each table the first name that begins as what is
// there already.
func tableCompletions(begun string) []string {
	return completions(schema.Tables(), begun)
}

func completions(tables []*schema.Table, begun string) []string {
	var list []string
	for _, t := range tables {
		names := schema.TableNames(t.Name)
		if i := slices.IndexFunc(names, func(name string) bool { return hasPrefixFold(name, begun) }); i >= 0 {
			doc, _, _ := strings.Cut(t.Doc, ":")
			list = append(list, cobra.CompletionWithDesc(names[i], strings.TrimSuffix(doc, ".")))
		}
	}
	return list
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// viewKind is the kind of a table that is a view; see tableDoc.
const viewKind = "view"

// views returns the views of views.sql that are over tables, as tables.
func views() []*schema.Table {
	var list []*schema.Table
	for _, v := range dataset.Views() {
		list = append(list, &schema.Table{Name: v.Name, Doc: v.Doc, Columns: v.Columns})
	}
	return list
}
