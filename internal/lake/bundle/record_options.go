package bundle

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
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
	OptionFrom        Option = "from"
	OptionTo          Option = "to"
	OptionProviders   Option = "providers"
	OptionEvents      Option = "events"
	OptionProcesses   Option = "processes"
	OptionTables      Option = "tables"
	OptionColumns     Option = "columns"
	OptionManifests   Option = "manifests" // descriptions, by the names of their files
	OptionTMF         Option = "tmf"       // the same
	OptionCatalogs    Option = "catalogs"  // the same
	OptionSymbols     Option = "symbols"   // by the names of PDBs and images
)

// Difference is an option that a trace in the dataset was not converted with as
// it is asked for now. No value means that the option was, or is, not given.
type Difference struct {
	Option     Option
	Had, Asked []string
}

// DifferentError is the error of a trace that is in the dataset, converted with
// other options: to convert it again could lose rows, and has to be forced.
type DifferentError struct{ Differences []Difference }

func (e *DifferentError) Error() string {
	var options []string
	for _, d := range e.Differences {
		options = append(options, string(d.Option))
	}
	return "it was converted before with other options: " + strings.Join(options, ", ")
}

// selectedNothing reports whether the dataset has no event of a trace, because
// of what was selected. Its tables without events are whole.
func selectedNothing(r *dataset.Recorded) bool {
	o := &r.Options
	selects := o.From != "" || o.To != "" || len(o.Providers)+len(o.Events)+len(o.Processes) > 0
	return selects && r.Decoding != nil && r.Decoding.Events == 0
}

// difference compares what a trace was converted with and what is asked for. A new
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
	bound := func(option Option, had, asked string) {
		add(sameBound(had, asked), option, given(had), given(asked))
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
	bound(OptionFrom, o.From, now.From)
	bound(OptionTo, o.To, now.To)
	patterns(OptionProviders, o.Providers, now.Providers)
	patterns(OptionEvents, o.Events, now.Events)
	patterns(OptionProcesses, o.Processes, now.Processes)
	add(slices.Equal(tableSet(o.Tables), tableSet(now.Tables)), OptionTables, o.Tables, now.Tables)
	add(slices.Equal(columnSet(o.Columns), columnSet(now.Columns)), OptionColumns, o.Columns, now.Columns)
	return append(list, goneDescriptions(o.Descriptions, now.Descriptions, schemas)...)
}

func given(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// sameBound reports whether two ends of a time range, as users write them, are
// one: 1.5 is 1500ms.
func sameBound(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := index.ParseTimeBound(a)
	y, err2 := index.ParseTimeBound(b)
	if err1 != nil || err2 != nil {
		return false
	}
	for _, bound := range []*index.TimeBound{&x, &y} {
		bound.Text = ""
		if bound.At != (time.Time{}) {
			bound.At = bound.At.UTC()
		}
	}
	return x == y
}

// patternSet returns patterns in a form that is the same for patterns that
// select the same: their order, repetitions and case do not matter, nor do the
// braces of GUIDs.
func patternSet(patterns []string) []string {
	var set []string
	for _, p := range patterns {
		set = append(set, strings.ToLower(schema.WithoutBraces(p)))
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// tableSet is patternSet for tables, each of which has several names.
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

// goneDescriptions returns the differences that descriptions make which the trace uses and
// which are not given now. A file stays the same description by its contents,
// whatever it is called now, or else by its name: then it was edited.
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
				left = slices.Delete(left, at, at+1) // it stands for one
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
