package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/schema"
)

func tableNames() []string {
	var names []string
	for _, t := range schema.Tables() {
		names = append(names, t.ViewName())
	}
	return names
}

// tableCompletions returns the names of tables with what they hold, which
// shells show beside them.
func tableCompletions() []string {
	return completions(schema.Tables())
}

func completions(tables []*schema.Table) []string {
	var list []string
	for _, t := range tables {
		doc, _, _ := strings.Cut(t.Doc, ":")
		list = append(list, cobra.CompletionWithDesc(t.Name, strings.TrimSuffix(doc, ".")))
	}
	return list
}

// viewKind is the kind of a table that is a view; see tableDoc.
const viewKind = "view"

// views returns the views of views.sql that are over tables, as tables.
func views() []*schema.Table {
	var list []*schema.Table
	for _, v := range convert.Views() {
		list = append(list, &schema.Table{Name: v.Name, Doc: v.Doc, Columns: v.Columns})
	}
	return list
}

func lookupView(name string) (*schema.Table, bool) {
	for _, v := range views() {
		if strings.EqualFold(v.Name, name) {
			return v, true
		}
	}
	return nil, false
}

func viewNames() []string {
	var names []string
	for _, v := range views() {
		names = append(names, v.Name)
	}
	return names
}

func viewDocs() []tableDoc {
	var docs []tableDoc
	for _, v := range views() {
		docs = append(docs, tableDocOf(v, viewKind))
	}
	return docs
}
