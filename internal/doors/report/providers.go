package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

// kind is a row of event_types.
type kind struct {
	provider, name string
	raw            int64 // payloads that nothing describes
}

// kinds reads the kinds of event.
func (s *source) kinds() (map[traceEvent]kind, error) {
	list := make(map[traceEvent]kind)
	err := s.each(etl2parquet.Scan{Table: "event_types", Columns: []string{"event_kind", "provider_name", "provider_id", "event_name", "payloads_raw", "opcode"}}, func(r *row) {
		opcode := r.or(5, 0)
		s.hasStarts = s.hasStarts || opcode == 1 || opcode == 2
		list[traceEvent{strings.Clone(r.trace()), r.or(0, -1)}] = kind{
			strings.Clone(cmp.Or(r.text(1), r.text(2), unknownProvider)), strings.Clone(r.text(3)), r.or(4, 0),
		}
	})
	return list, err
}

const unknownProvider = "(unknown)"

// levels are the levels of the lane of errors.
var levels = []string{1: "critical", 2: "error", 3: "warning"}

// eventCounts are all events, by provider, kind and level.
type eventCounts struct {
	providers, errors *lane
	byKind            []kindCount // most events first
	total             int64
}

// path returns the event with its provider.
func (k kind) path() string {
	if k.provider == "" {
		return k.name
	}
	return k.provider + "/" + k.name
}

// kindCount is a number of events of a kind and of their errors.
type kindCount struct {
	kind
	events, errors int64
}

// all counts all events.
func (s *source) all(a *axis) (*eventCounts, error) {
	kinds, err := s.kinds()
	if err != nil {
		return nil, err
	}
	c := &eventCounts{
		providers: &lane{id: "providers", title: "Events", unit: unitCount, sql: sqlProviders},
		errors:    &lane{id: "errors", title: "Errors and warnings", unit: unitCount, sql: sqlErrors},
	}
	everything := &lane{unit: unitCount}
	byProvider := make(map[string]*series)
	rest := a.newSeries(&lane{unit: unitCount}, others)
	byLevel := make([]*series, len(levels))
	for level := 1; level < len(levels); level++ {
		byLevel[level] = a.newSeries(c.errors, levels[level])
	}
	type counted struct {
		of             kind
		events, errors int64
		to             *series
	}
	counts := make(map[traceEvent]*counted)
	err = s.each(etl2parquet.Scan{Table: "events", Columns: []string{"clock_ns", "event_kind", "level"}}, func(r *row) {
		ns := r.or(0, 0)
		key := traceEvent{r.trace(), r.or(1, -1)}
		at := counts[key]
		if at == nil {
			key.trace = strings.Clone(key.trace)
			of, ok := kinds[key]
			if !ok {
				of = kind{provider: unknownProvider}
			}
			to := byProvider[of.provider]
			switch {
			case to != nil:
			case len(byProvider) < maxProcesses:
				to = a.newSeries(everything, of.provider)
				byProvider[of.provider] = to
			default:
				to = rest
			}
			at = &counted{of: of, to: to}
			counts[key] = at
		}
		at.events++
		a.count(at.to, ns)
		if level, ok := r.number(2); ok && level > 0 && level < int64(len(levels)) {
			a.count(byLevel[level], ns)
			if level < 3 {
				at.errors++
			}
		}
	})
	if err != nil {
		return nil, err
	}
	a.takeLargest(c.providers, append(everything.series, rest), func(s *series) int64 { return s.events })
	for _, at := range counts {
		c.byKind = append(c.byKind, kindCount{at.of, at.events, at.errors})
		c.total += at.events
	}
	slices.SortFunc(c.byKind, func(a, b kindCount) int {
		return cmp.Or(cmp.Compare(b.events, a.events), strings.Compare(a.provider, b.provider), strings.Compare(a.name, b.name), cmp.Compare(a.errors, b.errors), cmp.Compare(a.raw, b.raw))
	})
	return c, nil
}
