package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// completeFiles completes the names of files, and of folders.
func completeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// completeFolders completes the names of folders.
func completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeTraces completes the names of traces, and of folders.
func completeTraces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"etl", "ETL", "zip", "diagsession", "gz", "tgz", "zst", "xz", "bz2", "tar", "7z", "cab"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeWords completes one of a few words.
func completeWords(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completionTime bounds the reading of a trace for completions.
const completionTime = 2 * time.Second

// traceOf opens the first trace that the line names; nil if there is none, or it takes too long.
func traceOf(args []string) *etl2parquet.Trace {
	for _, path := range args {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		ctx, stop := context.WithTimeout(context.Background(), completionTime)
		defer stop()
		trace, err := etl2parquet.Open(ctx, path, etl2parquet.Options{})
		if err != nil {
			return nil // a shell has no place for the error
		}
		return trace
	}
	return nil
}

// fromTrace returns the words of the trace on the line that begin with begun.
func fromTrace(args []string, begun string, words func(*etl2parquet.Trace) []string) (list []string) {
	trace := traceOf(args)
	if trace == nil {
		return nil
	}
	for _, word := range words(trace) {
		if hasPrefixFold(word, begun) && printable(word) == word {
			list = append(list, word)
		}
	}
	if trace.Close() != nil {
		return nil
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// completeProviders completes the names of providers: of the trace on the line, or else of the built-in
// catalogue.
func completeProviders(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	list := fromTrace(args, begun, func(t *etl2parquet.Trace) (names []string) {
		for _, e := range eventsIn(t) {
			names = append(names, e.Provider)
		}
		return names
	})
	if list == nil {
		list = catalog.ProvidersWith(begun)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeEvents completes the names of events: of the trace on the line, or else after a provider those
// of the built-in catalogue.
func completeEvents(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	list := fromTrace(args, begun, func(t *etl2parquet.Trace) (names []string) {
		for _, e := range eventsIn(t) {
			names = append(names, e.Name, e.Provider+"/"+e.Name)
		}
		return names
	})
	if list == nil {
		list = catalog.EventsWith(begun)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// eventsIn returns the names of the events in a trace.
func eventsIn(t *etl2parquet.Trace) (names []schema.EventNames) {
	info, err := t.Info(context.Background())
	if err != nil {
		return nil
	}
	for i := range info.EventTypes {
		if e := &info.EventTypes[i]; e.ProviderName != nil && e.EventName != nil {
			names = append(names, schema.EventNames{Provider: *e.ProviderName, Name: *e.EventName})
		}
	}
	return names
}

// completeTables completes the names of tables: of the trace on the line, and those that any trace can
// have.
func completeTables(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	known := fromTrace(args, begun, func(t *etl2parquet.Trace) (names []string) {
		for _, table := range t.Tables() {
			if table.Definition.IsPayload() {
				names = append(names, schema.TableNames(table.Name)[1:]...)
			}
		}
		return names
	})
	return append(known, tableCompletions(begun)...), cobra.ShellCompDirectiveNoFileComp
}

// completeColumns completes the last of a list of columns: of the table that the line names.
func completeColumns(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	before, last := "", begun
	if i := strings.LastIndexByte(begun, ','); i >= 0 {
		before, last = begun[:i+1], begun[i+1:]
	}
	var columns []schema.Column
	if flag := cmd.Flags().Lookup("table"); flag == nil || flag.Value.String() == "" || flag.Value.String() == "[]" {
		columns = schema.EventsTable().Columns
	} else if t := tableOnLine(args, strings.Trim(flag.Value.String(), "[]")); t != nil {
		columns = t.Columns
	}
	var list []string
	for i := range columns {
		if name := columns[i].Name; strings.HasPrefix(name, last) {
			doc, _, _ := strings.Cut(columns[i].Doc, ". ")
			list = append(list, cobra.CompletionWithDesc(before+name, printable(doc)))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// tableOnLine returns the table of a name: of the trace on the line, or of any trace; nil if there is
// none.
func tableOnLine(args []string, name string) (table *schema.Table) {
	if trace := traceOf(args); trace != nil {
		t, err := trace.Table(name)
		if err = errors.Join(err, trace.Close()); err == nil {
			return t.Definition
		}
	}
	if found := append(schema.FindTables(name, schema.Tables()), catalog.KnownTables(name, false)...); len(found) == 1 {
		return found[0]
	}
	return nil
}
