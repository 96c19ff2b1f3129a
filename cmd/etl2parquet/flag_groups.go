package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// letters are the short forms of flags, the same for all commands. Flags that are not here have the
// letter of their option, or none.
var letters = map[string]string{
	"columns": "c", "event": "e", "format": "F", "json": "j", "limit": "n", "long": "l", "provider": "p", "quiet": "q", "table": "t", "workers": "w",
}

// flagGroup is a group of flags in a help text.
type flagGroup struct {
	title string
	flags []string
}

// flagGroups are the groups of flags, in their order. Flags in no group come before them.
var flagGroups = []flagGroup{
	{"Selection", []string{"from", "to", "event", "provider", "process", "level", "keyword", "table", "columns"}},
	{"Logs", []string{"grep", "local", "otlp-endpoint", "otlp-header"}},
	{"Contents of tables", []string{"payload", "messages", "fields", "siblings", "max-tables", "bundle", "compression", "unsigned", "sha256"}},
	{"Names of people and machines", []string{"redact", "redact-key"}},
	{"Descriptions of events", []string{"manifest", "tmf", "catalog"}},
	{"Views", []string{"views"}},
	{"Symbols", []string{"symbols", "symbol-server", "symbol-cache", "symbol-max-bytes"}},
	{"Kept tables", []string{"cache", "cache-size", "no-cache"}},
	{"Several machines", []string{"plan", "shard", "index", "split"}},
	{"Processors and memory", []string{"workers", "memory", "temp-dir", "temp-max-bytes"}},
	{"Inputs and archives", []string{"files-from", "archive-max-bytes", "archive-max-ratio", "archive-max-entries", "archive-depth", "archive-max-window"}},
	{"Servers", []string{"timeout", "s3-endpoint", "s3-region"}},
}

// groupsOf divides the flags of a command. Each group keeps the order of its flags.
func groupsOf(flags *pflag.FlagSet) []flagGroup {
	groups := append([]flagGroup{{title: "Flags"}}, flagGroups...)
	for i := range groups {
		groups[i].flags = nil
	}
	flags.VisitAll(func(f *pflag.Flag) {
		group := slices.IndexFunc(flagGroups, func(g flagGroup) bool { return slices.Contains(g.flags, f.Name) })
		if !f.Hidden {
			groups[group+1].flags = append(groups[group+1].flags, f.Name)
		}
	})
	return slices.DeleteFunc(groups, func(g flagGroup) bool { return len(g.flags) == 0 })
}

// oneDash returns the error for a word such as -event, which would mean -e vent, or nil.
func oneDash(args []string, flags *pflag.FlagSet) error {
	for _, arg := range args {
		if arg == "--" {
			return nil
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && len(name) > 1 && flags.Lookup(name) != nil {
			return usagef("write --%s with two dashes", name)
		}
	}
	return nil
}

// indexOption is the option of commands that read a file of indexes.
func indexOption(path *string) []option {
	return []option{{flag: "index", value: pathValue{path}, complete: completeFiles, usage: "use the index of the trace in this `file`, written by \"etl2parquet splits --index\", instead of reading the whole trace first"}}
}
