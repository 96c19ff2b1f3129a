package report

import (
	"fmt"
	"slices"
	"strings"
)

// colored is the number of processes and providers that have a color of their own.
const colored = 7

const others = "others"

// sampledLane returns the lane of the processors from the samples in a tree.
func (a *axis) sampledLane(t *tree, f *facts) *lane {
	l := &lane{id: "processor", title: "Processor", unit: unitSamples, sql: sqlProcesses}
	if f.interval > 0 && f.processors > 0 {
		l.capacity = float64(a.width) * float64(f.processors) / float64(f.interval)
		l.note = fmt.Sprintf("%s, a sample each %s", plural(f.processors, "processor", "processors"), duration(f.interval))
	}
	bins := make(map[int32]*series)
	for i, p := range t.processTotals() {
		if i < colored {
			bins[p.node] = a.newSeries(l, p.label.name)
		}
	}
	rest := a.newSeries(l, others)
	top := t.topOf()
	for _, c := range t.cells {
		s := bins[top[c.stack]]
		if s == nil {
			s = rest
		}
		s.values[c.bin] += c.count
		s.counts[c.bin] += c.count
		s.total += c.count
		s.events += c.count
	}
	return l
}

// running is the thread that runs on a processor.
type running struct {
	thread, since int64
	process       string
}

// maxProcesses bounds the processes that have bins of their own while context switches are read.
const maxProcesses = 4096

// switchRow is a row of thread_cswitch.
type switchRow struct {
	processRow
	Time      int64 `column:"clock_ns"`
	Processor int64 `column:"processor"`
	NewThread int64 `column:"new_thread_id"`
	OldThread int64 `column:"old_thread_id" null:"-1"`
}

// switchedLane returns the lane of the processors from context switches: who ran how long. It returns nil
// if there are none.
func (s *source) switchedLane(a *axis, f *facts) (*lane, error) {
	all := &lane{unit: unitTime}
	byName := make(map[string]*series)
	type processor struct {
		trace  string
		number int64
	}
	now := make(map[processor]running)
	rest := a.newSeries(&lane{unit: unitTime}, others)
	err := each(s, "thread_cswitch", func(row *switchRow) {
		key := processor{row.Trace, row.Processor}
		last, ok := now[key]
		if ok && row.OldThread == last.thread && last.thread != 0 {
			ran := byName[last.process]
			switch {
			case ran != nil:
			case len(byName) < maxProcesses:
				ran = a.newSeries(all, last.process)
				byName[last.process] = ran
			default:
				ran = rest
			}
			a.spread(ran, last.since, row.Time)
			a.count(ran, last.since)
		}
		if !ok {
			key.trace = strings.Clone(key.trace)
		}
		next := running{thread: row.NewThread, since: row.Time}
		if next.thread != 0 {
			next.process = s.process(&row.processRow)
		}
		now[key] = next
	})
	if err != nil || len(byName) == 0 {
		return nil, err
	}
	l := &lane{id: "processor", title: "Processor", unit: unitTime, sql: sqlSwitches, capacity: float64(a.width) * float64(f.processors)}
	l.note = plural(f.processors, "processor", "processors") + ", by context switches"
	a.takeLargest(l, append(all.series, rest), func(s *series) int64 { return s.total })
	return l, nil
}

// takeLargest adds the series with the largest sizes to a lane, and the sum of the others.
func (a *axis) takeLargest(l *lane, all []*series, size func(*series) int64) {
	slices.SortStableFunc(all, func(x, y *series) int {
		if size(x) != size(y) {
			return int(min(max(size(y)-size(x), -1), 1))
		}
		return strings.Compare(x.name, y.name)
	})
	rest := a.newSeries(&lane{unit: l.unit}, others)
	for i, s := range all {
		if i < colored && s.name != others {
			l.series = append(l.series, s)
			continue
		}
		rest.total += s.total
		rest.events += s.events
		for bin := range s.counts {
			rest.counts[bin] += s.counts[bin]
			if rest.values != nil {
				rest.values[bin] += s.values[bin]
			}
		}
	}
	l.series = append(l.series, rest)
}
