package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet"
)

// facts are what the table traces says about the traces.
type facts struct {
	list        []traceFacts
	first, last int64 // ns, of all events
	processors  int64 // of the largest machine
	interval    int64 // between samples, ns; 0 if the traces do not record one, the same for all
	frequencies map[string]int64
}

// traceFacts describe a trace. Times are in ns since 1970.
type traceFacts struct {
	name, os, computer                       string
	processors, mhz, events, lost, lostParts int64
	start, first, last                       int64
	whole, inPart, raw                       int64
	problems                                 int64
}

// facts reads the table traces.
func (s *source) facts() (*facts, error) {
	f := &facts{frequencies: make(map[string]int64)}
	err := s.each(etl2parquet.Scan{Table: "traces", Columns: []string{
		"os_version", "computer_name", "number_of_processors", "cpu_speed_mhz", "events", "events_lost", "buffers_lost",
		"first_event", "last_event", "start_ns", "end_ns", "perf_freq", "payloads_whole", "payloads_in_part", "payloads_raw", "problems",
	}}, func(r *row) {
		t := traceFacts{
			name: strings.Clone(r.trace()), os: strings.Clone(r.text(0)), computer: strings.Clone(r.text(1)), processors: r.or(2, 0), mhz: r.or(3, 0),
			events: r.or(4, 0), lost: r.or(5, 0), lostParts: r.or(6, 0), whole: r.or(12, 0), inPart: r.or(13, 0), raw: r.or(14, 0), problems: r.or(15, 0),
		}
		t.start = r.or(9, 0)
		if first, ok := r.number(7); ok {
			t.first, t.last = first*1000, r.or(8, first)*1000+999 // the columns are in us, rounded down
		} else {
			t.first = t.start
			t.last = r.or(10, t.first)
		}
		f.frequencies[t.name] = r.or(11, 0)
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
		f.processors = max(f.processors, t.processors)
	}
	err = s.readInterval(f)
	return f, err
}

// since returns the time from the start of the trace, from which the column seconds counts, to the start of
// the page, in ns: of several traces, which have a start each, and below a millisecond, 0.
func (f *facts) since() int64 {
	if len(f.list) != 1 || f.list[0].start <= 0 {
		return 0
	}
	ns := f.first - f.list[0].start
	if ns < int64(time.Millisecond) {
		return 0
	}
	return ns
}

// narrow makes the range of time that of the selected events.
func (s *source) narrow(f *facts) error {
	first, last, any := int64(0), int64(0), false
	err := s.each(etl2parquet.Scan{Table: "events", Columns: []string{"clock_ns"}}, func(r *row) {
		ns := r.or(0, 0)
		if !any {
			first, any = ns, true
		}
		last = ns
	})
	if any {
		f.first, f.last = first, last
	}
	return err
}

// readInterval reads the interval between samples.
func (s *source) readInterval(f *facts) error {
	by := make(map[string]int64)
	err := s.each(etl2parquet.Scan{Table: "perfinfo_collectionstart", Columns: []string{"source", "new_interval"}}, func(r *row) {
		if source, ok := r.number(0); ok && source == 0 {
			trace := strings.Clone(r.trace())
			by[trace] = max(by[trace], r.or(1, 0)*100)
		}
	})
	if err != nil {
		return err
	}
	var list []int64
	for _, interval := range by {
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
		return clip(cmp.Or(f.list[0].name, "trace"))
	}
	return clip(f.list[0].name) + " and " + plural(int64(len(f.list)-1), "other trace", "other traces")
}
