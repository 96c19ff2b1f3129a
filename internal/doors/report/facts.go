package report

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// facts are what the table traces says about the traces.
type facts struct {
	list        []traceFacts
	first, last int64 // ns, of all events
	processors  int64 // of the largest machine
	interval    int64 // between samples, ns; 0 if the traces do not record one, the same for all
	frequencies map[string]int64
}

// traceFacts describe a trace.
type traceFacts struct {
	traceColumns
	first, last int64 // ns since 1970, of the events or else of the session
}

// traceColumns are columns of the table traces.
type traceColumns struct {
	Trace       string `column:"trace"`
	OS          string `column:"os_version"`
	Computer    string `column:"computer_name"`
	Processors  int64  `column:"number_of_processors"`
	MHz         int64  `column:"cpu_speed_mhz"`
	Events      int64  `column:"events"`
	EventsLost  int64  `column:"events_lost"`
	BuffersLost int64  `column:"buffers_lost"`
	Start       int64  `column:"start_ns"`
	Frequency   int64  `column:"perf_freq"`
	Whole       int64  `column:"payloads_whole"`
	InPart      int64  `column:"payloads_in_part"`
	Raw         int64  `column:"payloads_raw"`
	Problems    int64  `column:"problems"`
}

// or returns a number, or another one for NULL.
func or(n *int64, other int64) int64 {
	if n == nil {
		return other
	}
	return *n
}

// facts reads the table traces.
func (s *source) facts() (*facts, error) {
	f := &facts{frequencies: make(map[string]int64)}
	err := each(s, "traces", func(row *struct {
		traceColumns
		FirstEvent *int64 `column:"first_event"` // us since 1970, rounded down
		LastEvent  *int64 `column:"last_event"`
		End        *int64 `column:"end_ns"`
	}) {
		t := traceFacts{row.traceColumns, row.Start, or(row.End, row.Start)}
		if row.FirstEvent != nil {
			t.first, t.last = *row.FirstEvent*1000, or(row.LastEvent, *row.FirstEvent)*1000+999
		}
		t.Trace, t.OS, t.Computer = strings.Clone(row.Trace), strings.Clone(row.OS), strings.Clone(row.Computer)
		f.frequencies[t.Trace] = row.Frequency
		f.list = append(f.list, t)
	})
	if err != nil {
		return nil, err
	}
	for i, t := range f.list {
		if i == 0 {
			f.first, f.last = t.first, t.last
		}
		f.first, f.last = min(f.first, t.first), max(f.last, t.last)
		f.processors = max(f.processors, t.Processors)
	}
	err = s.readInterval(f)
	return f, err
}

// since returns the time from the start of the trace, from which the column seconds counts, to the start of
// the page, in ns: of several traces, which have a start each, and below a millisecond, 0.
func (f *facts) since() int64 {
	if len(f.list) != 1 || f.list[0].Start <= 0 {
		return 0
	}
	ns := f.first - f.list[0].Start
	if ns < int64(time.Millisecond) {
		return 0
	}
	return ns
}

// narrow makes the range of time that of the selected events.
func (s *source) narrow(f *facts) error {
	first, last, isAny := int64(0), int64(0), false
	err := each(s, "events", func(row *clockRow) {
		if !isAny {
			first, isAny = row.Time, true
		}
		last = row.Time
	})
	if isAny {
		f.first, f.last = first, last
	}
	return err
}

const sourceTimer = 0

// readInterval reads the interval between samples.
func (s *source) readInterval(f *facts) error {
	intervals := make(map[string]int64) // by trace
	err := each(s, "perfinfo_collectionstart", func(row *struct {
		Trace    string `column:"trace"`
		Source   int64  `column:"source" null:"-1"`
		Interval int64  `column:"new_interval"`
	}) {
		if row.Source == sourceTimer {
			trace := strings.Clone(row.Trace)
			intervals[trace] = max(intervals[trace], row.Interval*100)
		}
	})
	if err != nil {
		return err
	}
	var list []int64
	for _, interval := range intervals {
		list = append(list, interval)
	}
	if len(list) > 0 && len(list) == len(f.list) && slices.Min(list) == slices.Max(list) {
		f.interval = max(list[0], 0)
	}
	return nil
}

// title names the traces.
func (f *facts) title() string {
	switch len(f.list) {
	case 0:
		return "no traces"
	case 1:
		return clip(cmp.Or(f.list[0].Trace, "trace"))
	}
	return clip(f.list[0].Trace) + " and " + plural(int64(len(f.list)-1), "other trace", "other traces")
}
