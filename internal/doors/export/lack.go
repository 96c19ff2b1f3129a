package export

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/schema"
)

// LackError means that the traces do not have the events that an export needs.
type LackError struct {
	Text string // what is missing, what records it, and what the traces have
	// Others are kinds of which the traces have events.
	Others []Kind
}

func (e *LackError) Error() string { return e.Text }

// lacking returns the error for traces without rows of tables, by their names in SQL.
func lacking(ctx context.Context, traces *etl2parquet.Traces, thing string, tables ...string) (*LackError, error) {
	why, busiest, err := recordings(ctx, traces)
	if err != nil {
		return nil, err
	}
	e := &LackError{Text: "no " + thing + ": " + absence.Explain([]absence.Read{{Name: tables[0], Tables: tables}}, why)}
	var has []string
	for i := range kinds {
		k := &kinds[i]
		n := int64(0)
		for _, t := range traces.All() {
			n += k.count(t)
		}
		if k.table != "" && n > 0 {
			e.Others = append(e.Others, k.name)
			has = append(has, texts.Grouped(n)+" "+k.events)
		}
	}
	switch {
	case len(has) > 0:
		e.Text += "; there are " + strings.Join(has, ", ")
	case len(busiest) > 0:
		e.Text += "; most events are of " + strings.Join(busiest, ", ")
	}
	return e, nil
}

// lack explains that there is no event of the kind.
func (p *profile) lack(ctx context.Context) error { return p.lackOf(ctx, string(p.kind.name)) }

// lackOfAll explains that there is nothing that a timeline shows.
func (p *profile) lackOfAll(ctx context.Context) error {
	return p.lackOf(ctx, "events of a timeline, such as "+string(p.kind.name))
}

func (p *profile) lackOf(ctx context.Context, thing string) error {
	if p.idle > 0 {
		return &LackError{Text: fmt.Sprintf("%s, all of idle processors", texts.Counted(p.idle, "sample"))}
	}
	table := "stacks"
	if p.kind.table != "" {
		table = schema.ViewName(p.kind.table)
	}
	e, err := lacking(ctx, p.traces, thing, table)
	if err != nil {
		return err
	}
	return e
}

// count returns the number of events of the kind in a trace, as far as it is known before they are read.
func (k *kind) count(t *etl2parquet.Trace) int64 {
	table, err := t.Table(k.table)
	if err != nil {
		return 0 // the trace does not know the table
	}
	return max(table.Rows, 0)
}

// mostNamed is the number of providers that an explanation names.
const mostNamed = 3

// recordings returns what traces say about their sessions, and the providers with the most events.
func recordings(ctx context.Context, traces *etl2parquet.Traces) (list []absence.Trace, busiest []string, err error) {
	events := make(map[string]int64)
	for _, t := range traces.All() {
		info, err := t.Info(ctx)
		if err != nil {
			return nil, nil, inputError(t, err)
		}
		for i := range info.Providers {
			if p := &info.Providers[i]; p.Name != nil {
				events[*p.Name] += p.Events
			}
		}
		about := absence.Trace{Name: t.Name()}
		if info.EventsLost != nil {
			about.EventsLost, about.BuffersLost = int64(*info.EventsLost), int64(*info.BuffersLost)
		}
		if err := about.AddEvents(info.EventTypes); err != nil {
			return nil, nil, inputError(t, err)
		}
		err = eachRow(ctx, t, etl2parquet.Scan{}, "traces", func(row *struct {
			Flags    []string `column:"enable_flags_text"`
			EndFlags []string `column:"end_enable_flags_text"`
		}) error {
			for _, flags := range [][]string{row.Flags, row.EndFlags} {
				if flags != nil {
					about.AddFlags(flags)
				}
			}
			return nil
		})
		if err != nil {
			return nil, nil, inputError(t, err)
		}
		list = append(list, about)
	}
	names := slices.SortedFunc(maps.Keys(events), func(a, b string) int {
		return cmp.Or(cmp.Compare(events[b], events[a]), strings.Compare(a, b))
	})
	for _, name := range names[:min(len(names), mostNamed)] {
		busiest = append(busiest, fmt.Sprintf("%s (%s)", name, texts.Grouped(events[name])))
	}
	return list, busiest, nil
}
