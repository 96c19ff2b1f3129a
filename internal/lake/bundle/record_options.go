package bundle

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Option is an option that changes the contents of a trace's tables.
type Option string

// The options, named as in a record.
const (
	OptionPayload     Option = "payload"
	OptionMessages    Option = "messages"
	OptionFields      Option = "fields"
	OptionMaxTables   Option = "max_tables"
	OptionCompression Option = "compression"
	OptionUnsigned    Option = "unsigned"
	OptionFrom        Option = "from"
	OptionTo          Option = "to"
	OptionProviders   Option = "providers"
	OptionEvents      Option = "events"
	OptionProcesses   Option = "processes"
	OptionLevel       Option = "level"
	OptionKeywords    Option = "keywords"
	OptionTables      Option = "tables"
	OptionColumns     Option = "columns"
	OptionNeeds       Option = "needs"     // tables with columns of their own
	OptionManifests   Option = "manifests" // names of description files
	OptionTMF         Option = "tmf"       // names of description files
	OptionCatalogs    Option = "catalogs"  // names of description files
	OptionSymbols     Option = "symbols"   // names of PDBs and images
	OptionRedact      Option = "redact"    // fingerprint of the key
)

// Difference is an option with other values now than when the dataset's trace was
// converted. No value means that the option was, or is, not given.
type Difference struct {
	Option     Option
	Had, Asked []string
}

// DifferentError is the error for a trace that the dataset has with other options:
// converting it again could lose rows, and must be forced.
type DifferentError struct{ Differences []Difference }

func (e *DifferentError) Error() string {
	var options []string
	for _, d := range e.Differences {
		options = append(options, string(d.Option))
	}
	return "it was converted before with other options: " + strings.Join(options, ", ")
}

// selectedNothing reports whether the dataset has no event of a trace because of the
// selection. Its tables without events are complete.
func selectedNothing(r *dataset.Recorded) bool {
	return !r.Options.IsAll() && r.Decoding != nil && r.Decoding.Events == 0
}

// difference compares the options of an earlier conversion with the present ones. A new
// field of RecordOptions needs a row here.
func difference(o, now *dataset.RecordOptions, schemas *catalog.Files) []Difference {
	var list []Difference
	add := func(same bool, option Option, had, asked []string) {
		if !same {
			list = append(list, Difference{option, had, asked})
		}
	}
	value := func(option Option, had, asked string) {
		add(had == asked, option, given(had), given(asked))
	}
	bound := func(option Option, had, asked facts.TimeBound) {
		add(sameBound(had, asked), option, given(had.Text), given(asked.Text))
	}
	patterns := func(option Option, had, asked []string) {
		add(slices.Equal(patternSet(had), patternSet(asked)), option, had, asked)
	}
	tables := func(n int) string { return strconv.Itoa(cmp.Or(n, catalog.DefaultMaxTables)) }

	value(OptionPayload, o.Payload, now.Payload)
	value(OptionMessages, o.Messages, now.Messages)
	value(OptionFields, strconv.FormatBool(o.Fields), strconv.FormatBool(now.Fields))
	value(OptionMaxTables, tables(o.MaxTables), tables(now.MaxTables))
	value(OptionCompression, cmp.Or(o.Compression, parquet.DefaultCompression), cmp.Or(now.Compression, parquet.DefaultCompression))
	value(OptionUnsigned, cmp.Or(o.Unsigned, parquet.DefaultUnsigned), cmp.Or(now.Unsigned, parquet.DefaultUnsigned))
	bound(OptionFrom, o.From, now.From)
	bound(OptionTo, o.To, now.To)
	patterns(OptionProviders, o.Providers, now.Providers)
	patterns(OptionEvents, o.Events, now.Events)
	patterns(OptionProcesses, o.Processes, now.Processes)
	add(sameLevel(o.Level, now.Level), OptionLevel, given(o.Level), given(now.Level))
	patterns(OptionKeywords, o.Keywords, now.Keywords)
	add(slices.Equal(tableSet(o.Tables), tableSet(now.Tables)), OptionTables, o.Tables, now.Tables)
	add(slices.Equal(columnSet(o.Columns), columnSet(now.Columns)), OptionColumns, o.Columns, now.Columns)
	value(OptionRedact, o.Redact, now.Redact)
	add(slices.Equal(needSet(o.Needs), needSet(now.Needs)), OptionNeeds, needSet(o.Needs), needSet(now.Needs))
	return append(list, goneDescriptions(o.Descriptions, now.Descriptions, schemas)...)
}

func given(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// sameBound reports whether two time bounds, as users write them, are equal: 1.5 and
// 1500ms are.
func sameBound(a, b facts.TimeBound) bool {
	a.Text, b.Text = "", ""
	a.At, b.At = a.At.UTC(), b.At.UTC()
	return a == b
}

// sameLevel reports whether two levels, as users write them, are equal: warning and 3 are.
func sameLevel(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	x, err1 := schema.ParseLevel(a)
	y, err2 := schema.ParseLevel(b)
	return err1 == nil && err2 == nil && x == y
}

// patternSet normalizes patterns, so that equal selections are equal lists: order,
// repetitions and case do not matter, nor do the braces of GUIDs.
func patternSet(patterns []string) []string {
	var set []string
	for _, p := range patterns {
		set = append(set, strings.ToLower(schema.WithoutBraces(p)))
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// tableSet is patternSet for tables, which have several names each.
func tableSet(patterns []string) []string {
	var names []string
	for _, p := range patterns {
		if !schema.IsPattern(p) {
			p = schema.ViewName(p)
		}
		names = append(names, p)
	}
	return patternSet(names)
}

// columnSet is patternSet for columns, whose case matters.
func columnSet(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// needSet returns needs as texts, so that equal ones are equal lists.
func needSet(needs []selection.Need) []string {
	var set []string
	for i := range needs {
		set = append(set, schema.ViewName(needs[i].Table)+"("+strings.Join(columnSet(needs[i].Columns), ",")+")")
	}
	return patternSet(set)
}

// goneDescriptions returns the differences made by descriptions that the trace uses and
// that are not given now. A given file is the same description if it has the same
// contents, under any name, or the same name: then it was edited.
func goneDescriptions(d, now *catalog.Descriptions, schemas *catalog.Files) []Difference {
	if d == nil || d.Fingerprint() == now.Fingerprint() {
		return nil
	}
	used, left := slices.Clone(d.Used), schemas.Descriptions()
	for _, same := range []func(a, b catalog.Description) bool{
		func(a, b catalog.Description) bool { return a.Kind == b.Kind && a.Fingerprint == b.Fingerprint },
		func(a, b catalog.Description) bool { return a.Kind == b.Kind && a.Name == b.Name },
	} {
		used = slices.DeleteFunc(used, func(a catalog.Description) bool {
			at := slices.IndexFunc(left, func(b catalog.Description) bool { return same(a, b) })
			if at >= 0 {
				left = slices.Delete(left, at, at+1) // each file stands for one description
			}
			return at >= 0
		})
	}
	var list []Difference
	for _, kind := range []struct {
		catalog.DescriptionKind
		Option
	}{{catalog.ManifestDescription, OptionManifests}, {catalog.TMFDescription, OptionTMF}, {catalog.CatalogDescription, OptionCatalogs}} {
		var names []string
		for _, a := range used {
			if a.Kind == kind.DescriptionKind {
				names = append(names, a.Name)
			}
		}
		if names != nil {
			list = append(list, Difference{Option: kind.Option, Had: names})
		}
	}
	return list
}
