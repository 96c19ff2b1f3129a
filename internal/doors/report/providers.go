package report

import (
	"cmp"
	"slices"
	"strings"
)

// kind is a row of event_types.
type kind struct {
	provider, name string
	raw            int64 // payloads that nothing describes
}

// kindRow is a row of event_types.
type kindRow struct {
	Trace      string `column:"trace"`
	Number     int64  `column:"event_kind" null:"-1"`
	Provider   string `column:"provider_name"`
	ProviderID string `column:"provider_id"`
	Event      string `column:"event_name"`
	Raw        int64  `column:"payloads_raw"`
	Opcode     int64  `column:"opcode"`
}

// kindKey identifies a kind of event.
type kindKey struct {
	trace  string
	number int64
}

// kinds reads the kinds of event.
func (s *source) kinds() (map[kindKey]kind, error) {
	list := make(map[kindKey]kind)
	err := each(s, "event_types", func(row *kindRow) {
		s.hasStarts = s.hasStarts || row.Opcode == 1 || row.Opcode == 2
		list[kindKey{strings.Clone(row.Trace), row.Number}] = kind{
			strings.Clone(cmp.Or(row.Provider, row.ProviderID, unknownProvider)), strings.Clone(row.Event), row.Raw,
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
		kindCount
		to *series
	}
	counts := make(map[kindKey]*counted)
	err = each(s, "events", func(row *struct {
		Trace string `column:"trace"`
		Time  int64  `column:"clock_ns"`
		Kind  int64  `column:"event_kind" null:"-1"`
		Level int64  `column:"level"`
	}) {
		key := kindKey{row.Trace, row.Kind}
		count := counts[key]
		if count == nil {
			key.trace = strings.Clone(key.trace)
			k, ok := kinds[key]
			if !ok {
				k = kind{provider: unknownProvider}
			}
			to := byProvider[k.provider]
			switch {
			case to != nil:
			case len(byProvider) < maxProcesses:
				to = a.newSeries(everything, k.provider)
				byProvider[k.provider] = to
			default:
				to = rest
			}
			count = &counted{kindCount{kind: k}, to}
			counts[key] = count
		}
		count.events++
		a.count(count.to, row.Time)
		if row.Level > 0 && row.Level < int64(len(levels)) {
			a.count(byLevel[row.Level], row.Time)
			if row.Level < 3 {
				count.errors++
			}
		}
	})
	if err != nil {
		return nil, err
	}
	a.takeLargest(c.providers, append(everything.series, rest), func(s *series) int64 { return s.events })
	for _, count := range counts {
		c.byKind = append(c.byKind, count.kindCount)
		c.total += count.events
	}
	slices.SortFunc(c.byKind, func(a, b kindCount) int {
		return cmp.Or(cmp.Compare(b.events, a.events), strings.Compare(a.provider, b.provider), strings.Compare(a.name, b.name), cmp.Compare(a.errors, b.errors), cmp.Compare(a.raw, b.raw))
	})
	return c, nil
}
