package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// tableNames returns all names of tables.
func tableNames(tables []*schema.Table) []string {
	var names []string
	for _, t := range tables {
		names = append(names, schema.TableNames(t.Name)...)
	}
	return names
}

// tableCompletions returns completions for begun: for each table its first name
// with that prefix, and its description for shells that show one.
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

// viewTables returns the views of views.sql as tables.
func viewTables() []*schema.Table {
	var list []*schema.Table
	for _, v := range views.All() {
		list = append(list, &schema.Table{Name: v.Name, Doc: v.Doc, Columns: v.Columns})
	}
	return list
}
