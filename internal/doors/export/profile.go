package export

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/internal/formats/stacks"
	"github.com/etl2parquet/etl2parquet/schema"
)

// sample is a weighted event with its stack.
type sample struct {
	time      int64 // ns since 1970
	processor int32
	thread    int32 // its number in the interned threads
	stack     int32 // its number in the interned stacks
	weight    int64
	hasStack  bool // the trace has the stack of the event
}

// profile reads the weighted events of traces.
type profile struct {
	*interned
	kind   *kind
	o      *Options
	traces *etl2parquet.Traces

	machines []int32 // by trace; traces of one start of a system have the same
	// intervals has the time between samples of the processor by trace, in ns; 0 if the trace does not
	// record it. timed is false if one of the traces that have samples does not: weights are then counts.
	intervals []int64
	timed     bool

	start        int64 // of the earliest session that says it, ns since 1970; 0 if none does
	events, idle int64 // read, and left out because the processor was idle
	failed       []error
}

// wait is the start of a wait.
type wait struct {
	since  int64
	reason string
}

// reader reads the events of one trace.
type reader struct {
	*profile
	interval int64
	waits    map[int64]wait  // by thread
	stacks   map[int64]int32 // the numbers of the interned ones by id
}

// newProfile prepares to read. It returns a [LackError] if the traces do not have the events.
func newProfile(ctx context.Context, traces *etl2parquet.Traces, o *Options) (*profile, error) {
	k, err := kindOf(o.Of)
	if err != nil {
		return nil, err
	}
	p := &profile{interned: newInterned(), kind: k, o: o, traces: traces, timed: true}
	if err := p.readMachines(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// readMachines reads what each trace says about its system.
func (p *profile) readMachines(ctx context.Context) error {
	boots := make(map[string]int32)
	for i, t := range p.traces.All() {
		key := t.Name()
		err := eachRow(ctx, t, etl2parquet.Scan{}, "traces", func(row *struct {
			Recording string `column:"recording"`
			BootTime  *int64 `column:"boot_time"`
			Start     int64  `column:"start_ns"`
		}) error {
			if row.BootTime != nil {
				key = strconv.FormatInt(*row.BootTime, 10)
			} else if row.Recording != "" {
				key = strings.Clone(row.Recording)
			}
			if row.Start > 0 && (p.start == 0 || row.Start < p.start) {
				p.start = row.Start
			}
			return nil
		})
		if err != nil {
			return inputError(t, err)
		}
		if _, ok := boots[key]; !ok {
			boots[key] = int32(i)
		}
		p.machines = append(p.machines, boots[key])
		interval, err := sampleInterval(ctx, t)
		if err != nil {
			return inputError(t, err)
		}
		p.intervals = append(p.intervals, interval)
		if table, err := t.Table(kinds[0].table); err == nil && table.Rows != 0 && interval == 0 {
			p.timed = false
		}
	}
	return nil
}

// sampleInterval returns the longest interval of the timer, in ns, or 0 if the trace does not record it.
func sampleInterval(ctx context.Context, t *etl2parquet.Trace) (interval int64, err error) {
	const timer, tick = 0, 100
	err = eachRow(ctx, t, etl2parquet.Scan{}, "events/PerfInfo/CollectionStart", func(row *struct {
		Source   int64 `column:"source" null:"-1"`
		Interval int64 `column:"new_interval" null:"-1"`
	}) error {
		if row.Source == timer {
			interval = max(interval, row.Interval*tick)
		}
		return nil
	})
	return interval, err
}

// inputError returns the error of a trace.
func inputError(t *etl2parquet.Trace, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &facts.InputError{Input: t.Input(), Err: err}
}

// unit returns the unit of weights.
func (p *profile) unit() string {
	if p.kind.name == Samples && !p.timed {
		return "count"
	}
	return p.kind.unit
}

// weighted reports whether weights are more than counts.
func (p *profile) weighted() bool { return p.unit() != "count" }

// each calls do for each event, trace by trace, in time order. The sample is valid during the call. An
// error of do ends the reading; an error of a trace ends that trace, and is kept in failed.
func (p *profile) each(ctx context.Context, do func(s *sample) error) error {
	for i, t := range p.traces.All() {
		r := &reader{profile: p, interval: p.intervals[i], waits: make(map[int64]wait)}
		if !p.timed {
			r.interval = 1
		}
		var ended error
		err := r.read(ctx, t, p.machines[i], func(s *sample) error {
			p.events++
			ended = do(s)
			return ended
		})
		if err := p.traceEnded(ctx, t, ended, err); err != nil {
			return err
		}
	}
	return nil
}

// traceEnded keeps the error that ended a trace, and returns the one that ends all traces: of the output,
// which ended has, or of the context.
func (p *profile) traceEnded(ctx context.Context, t *etl2parquet.Trace, ended, err error) error {
	switch {
	case ended != nil:
		return ended
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		p.failed = append(p.failed, inputError(t, err))
	}
	return nil
}

// checkEvents returns the error for traces without events, before anything is written.
func (p *profile) checkEvents(ctx context.Context) error {
	if p.events > 0 || len(p.failed) > 0 {
		return nil
	}
	return p.lack(ctx)
}

// joined returns the errors of single traces.
func (p *profile) joined() error { return errors.Join(p.failed...) }

// read reads the events of a trace. Their stacks are read before them, and joined in time order: both
// tables are sorted by time.
func (r *reader) read(ctx context.Context, t *etl2parquet.Trace, machine int32, do func(s *sample) error) error {
	scan, table := r.o.Scan, r.kind.table
	if table != "" && len(scan.Events) == 0 {
		scan.Events = []string{strings.TrimPrefix(table, schema.EventsFolder)} // the stacks of other events are not needed
	}
	if err := r.readStacks(ctx, t, scan); err != nil {
		return err
	}
	var events *recordbatch.Reader[stacks.Event]
	if table == "" {
		table, events = "stack_events", recordbatch.NewReader[stacks.Event]()
	} else {
		var err error
		if events, err = open[stacks.Event](ctx, t, scan, "stack_events"); err != nil {
			return err
		}
		defer events.Release()
	}
	join := stacks.NewJoin(events)
	err := r.kind.each(ctx, t, r.o.Scan, table, func(row weightedRow) error {
		e := row.event()
		s := &sample{time: e.Time, processor: int32(e.Processor)}
		if id, found := join.Find(e.Time, "", e.Ref); found {
			s.stack, s.hasStack = r.stacks[id], true
		}
		if !row.fill(r, s) {
			return nil
		}
		s.thread = r.thread(machine, e.ProcessID, e.ProcessName, e.ThreadID)
		return do(s)
	})
	return cmp.Or(err, events.Err())
}

// readStacks reads the distinct stacks of the selected events.
func (r *reader) readStacks(ctx context.Context, t *etl2parquet.Trace, scan etl2parquet.Scan) error {
	r.stacks = make(map[int64]int32)
	return eachRow(ctx, t, scan, "stacks", func(row *struct {
		stacks.Stack
		KernelFrames int64    `column:"kernel_frames"`
		Offsets      []uint64 `column:"offsets"`
	}) error {
		stack := int32(noStack)
		for i := len(row.Modules) - 1; i >= 0; i-- {
			stack = r.call(stack, r.frame(frame{
				module: row.Modules[i], function: row.Functions[i], offset: row.Offsets[i], kernel: int64(i) < row.KernelFrames,
			}))
		}
		r.stacks[row.ID] = stack
		return nil
	})
}
