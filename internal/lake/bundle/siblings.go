package bundle

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// siblingRecords returns the entries of siblings in a record.
func siblingRecords(of []pipeline.Sibling) []dataset.SiblingRecord {
	var list []dataset.SiblingRecord
	for _, s := range of {
		list = append(list, dataset.SiblingRecord{Name: s.Name, Size: s.Size, ID: s.ID})
	}
	return list
}

// placeRecord returns the entry of a trace's place in a record.
func placeRecord(p *index.Place) *index.Place {
	if !p.Others {
		return nil
	}
	return &index.Place{Session: p.Session, File: p.File, Recording: p.Recording, Earlier: p.Earlier}
}

// placeChange describes how the present place of a trace differs from its earlier one, as siblingChange does. A
// place that is lost because traces are missing from the inputs is no change.
func placeChange(had, now *index.Place) string {
	switch {
	case now == nil:
		return ""
	case had == nil:
		had = new(index.Place)
	}
	switch {
	case now.Earlier.Known && now.Earlier != had.Earlier:
		return "the file before it in its session is among the inputs"
	case now.Session != had.Session || now.File != had.File:
		return "other files of its session are among the inputs"
	case now.Recording != had.Recording:
		return "other traces of its recording are among the inputs"
	}
	return ""
}

// siblingChange describes how the present siblings of a trace differ from its earlier ones, as a
// clause for messages such as "a.etl was added to its siblings", or returns "". Siblings that are
// missing from the inputs are not by themselves a change: converting the trace without them would
// lose names.
func siblingChange(had, now []dataset.SiblingRecord) string {
	is := func(s dataset.SiblingRecord) func(dataset.SiblingRecord) bool {
		return func(o dataset.SiblingRecord) bool { return o == s }
	}
	gone, added := without(had, now, is), without(now, had, is)
	named := func(s dataset.SiblingRecord) func(dataset.SiblingRecord) bool {
		return func(o dataset.SiblingRecord) bool { return o.Name == s.Name }
	}
	removed, fresh := without(gone, added, named), without(added, gone, named)
	changed := without(added, fresh, named)
	if len(fresh)+len(changed) == 0 {
		return ""
	}
	var parts []string
	for _, part := range []struct {
		siblings  []dataset.SiblingRecord
		one, many string
	}{
		{fresh, "was added to its siblings", "were added to its siblings"},
		{changed, "was changed among its siblings", "were changed among its siblings"},
		{removed, "is no longer among the inputs", "are no longer among the inputs"},
	} {
		switch len(part.siblings) {
		case 0:
		case 1:
			parts = append(parts, part.siblings[0].Name+" "+part.one)
		default:
			parts = append(parts, listedNames(part.siblings)+" "+part.many)
		}
	}
	return strings.Join(parts, "; ")
}

// without returns the siblings in list that have no counterpart in others.
func without(list, others []dataset.SiblingRecord, counterpart func(dataset.SiblingRecord) func(dataset.SiblingRecord) bool) []dataset.SiblingRecord {
	return slices.DeleteFunc(slices.Clone(list), func(s dataset.SiblingRecord) bool { return slices.ContainsFunc(others, counterpart(s)) })
}

// listedNames returns the first names as text.
func listedNames(of []dataset.SiblingRecord) string {
	var names []string
	for _, s := range of[:min(len(of), namedSiblings)] {
		names = append(names, s.Name)
	}
	text := strings.Join(names, ", ")
	if len(of) > namedSiblings {
		text += " and others"
	}
	return text
}

// namedSiblings bounds the siblings that a message names.
const namedSiblings = 3
