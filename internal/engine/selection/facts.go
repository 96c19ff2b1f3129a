package selection

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// ownerColumns are the columns of event tables that say which process and thread an event belongs
// to.
var ownerColumns = []string{"process_id", "thread_id", "id_source", "process_name", "header_process_id", "header_thread_id"}

// codeFacts are the facts needed to locate a code address.
const codeFacts = index.ImageFacts | index.MethodFacts | index.OwnerFacts

// fixedFacts are the facts in the rows of tables that do not hold events. The table problems
// reports exceeded limits on facts of any kind, and the table traces counts them.
var fixedFacts = map[*schema.Table]index.Facts{
	schema.Processes:   index.OwnerFacts,
	schema.Threads:     index.OwnerFacts,
	schema.Images:      index.OwnerFacts | index.ImageFacts | index.VersionFacts,
	schema.Methods:     index.OwnerFacts | index.MethodFacts,
	schema.Files:       index.FileFacts,
	schema.StackEvents: codeFacts | index.StackFacts,
	schema.Stacks:      codeFacts | index.StackFacts,
	schema.Problems:    index.AllFacts,
	schema.Traces:      index.AllFacts,
}

// Facts returns the facts that the rows of the selection may need, for any trace.
func (s *Selection) Facts() (facts index.Facts) {
	if s.Needs == nil && len(s.Tables)+len(s.Columns) == 0 {
		return index.AllFacts
	}
	if len(s.Processes) > 0 {
		facts |= index.OwnerFacts
	}
	for _, t := range append(schema.Tables(), schema.EventsTable()) {
		if wanted := s.Table(t); wanted != nil {
			facts |= factsOfEvents(wanted)
			if t != schema.Traces || slices.ContainsFunc(wanted.Columns, countsFacts) {
				facts |= fixedFacts[t]
			}
			if t == schema.Processes && wanted.Column("image_path") >= 0 {
				facts |= index.ImageFacts
			}
		}
	}
	return facts | s.factsOfOthers()
}

// countsFacts reports whether a column of the table traces counts facts, or what made them incomplete.
// The others are of the trace's header, and of its buffers.
func countsFacts(c schema.Column) bool { return !slices.Contains(factless, c.Name) }

// factless are columns of the table traces that need no facts.
var factless = []string{"trace_name", "file_name", "file_size", "file_kind", "buffers", "events", "first_event", "last_event", "start_time", "end_time", "start_ns", "end_ns", "boot_time",
	"number_of_processors", "enable_flags_text", "end_enable_flags_text", "events_lost", "buffers_lost", "lost_since", "logger_name"}

// factsOfEvents returns the facts in the columns of a table of events.
func factsOfEvents(t *schema.Table) (facts index.Facts) {
	for i := range t.Columns {
		switch c := &t.Columns[i]; {
		case c.LocatesCode:
			facts |= codeFacts
		case c.Name == schema.FileNameColumn && t.NamesFile():
			facts |= index.FileFacts | index.ImageFacts | index.OwnerFacts
		case c.Name == schema.StackIDColumn && t.Name == schema.EventsName:
			facts |= codeFacts | index.StackFacts
		case slices.Contains(ownerColumns, c.Name):
			facts |= index.OwnerFacts
		}
	}
	return facts
}

// factsOfOthers returns the facts in tables that only a trace names: those of events that the trace or
// the user's files describe. Their code addresses are not located.
func (s *Selection) factsOfOthers() (facts index.Facts) {
	needs := s.Needs
	if needs == nil {
		for _, pattern := range s.Tables {
			needs = append(needs, Need{pattern, s.Columns})
		}
		if len(s.Tables) == 0 {
			needs = []Need{{"*", s.Columns}}
		}
	}
	for i := range needs {
		n := &needs[i]
		if slices.ContainsFunc(append(schema.Tables(), schema.EventsTable()), func(t *schema.Table) bool { return t.Named(n.Table) }) {
			continue
		}
		wants := func(name string) bool { return len(n.Columns) == 0 || slices.Contains(n.Columns, name) }
		if slices.ContainsFunc(ownerColumns, wants) {
			facts |= index.OwnerFacts
		}
		if wants(schema.FileNameColumn) {
			facts |= index.FileFacts | index.ImageFacts | index.OwnerFacts
		}
	}
	return facts
}
