package export

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

// span is something that took time, or happened at one time, in a thread.
type span struct {
	from, to int64 // ns since 1970; equal for what happened at one time
	thread   int32 // its number in the interned threads
	category category
	name     string
	args     []arg
}

// arg is a detail of a span.
type arg struct{ name, value string }

// category is the kind of a span. Spans of one category and process share tracks.
type category int

const (
	ofGC category = iota
	ofJIT
	ofContention
	ofHTTP
	ofDisk
	ofFaults
	ofActivity
	ofProcess
	ofMark
)

// categories are the names of the categories, as timelines show them.
var categories = []string{"GC", "JIT", "Lock contention", "HTTP requests", "Disk", "Hard faults", "Activities", "Process", "Marks"}

// counter is a value of a process that changes over time.
type counter struct {
	time   int64
	thread int32 // of the process
	name   string
	unit   string
	value  float64
}

// timeline reads the spans of a trace.
type timeline struct {
	*profile
	machine int32
	perFreq float64 // ns in a tick of the performance counter; 0 if unknown
	open    map[openKey]*span
	lost    int64 // spans whose start was not kept

	span    func(s *span) error
	counter func(c *counter) error
}

// openKey is what the start of a span has in common with its end.
type openKey struct {
	category category
	a, b     int64
	text     string
}

// mostOpen bounds the spans that have started and not ended, which ends that the session lost leave.
const mostOpen = 1 << 20

// begin keeps the start of a span, unless an equal one has started.
func (t *timeline) begin(key openKey, s *span) {
	if t.open[key] != nil {
		return
	}
	if len(t.open) >= mostOpen {
		t.lost++
		return
	}
	t.open[key] = s
}

// restart keeps the start of a span instead of an earlier one.
func (t *timeline) restart(key openKey, s *span) {
	delete(t.open, key)
	t.begin(key, s)
}

// end ends a span, if its start was kept.
func (t *timeline) end(key openKey, at int64, args ...arg) error {
	s := t.open[key]
	if s == nil {
		return nil
	}
	delete(t.open, key)
	s.to, s.args = at, append(s.args, args...)
	return t.span(s)
}

// eachSpan reads the spans and counters of all traces: each trace by itself, the spans of a category in
// the order in which they end.
func (p *profile) eachSpan(ctx context.Context, onSpan func(s *span) error, onCounter func(c *counter) error) error {
	for i, trace := range p.traces.All() {
		t := &timeline{profile: p, machine: p.machines[i], open: make(map[openKey]*span)}
		var ended error
		t.span = func(s *span) error {
			ended = onSpan(s)
			return ended
		}
		t.counter = func(c *counter) error {
			ended = onCounter(c)
			return ended
		}
		err := t.read(ctx, trace)
		if err := p.traceEnded(ctx, trace, ended, err); err != nil {
			return err
		}
		if t.lost > 0 {
			p.o.note("%s: %d starts without an end were not kept", trace.Input(), t.lost)
		}
	}
	return nil
}

// read reads the spans of a trace.
func (t *timeline) read(ctx context.Context, trace *etl2parquet.Trace) error {
	err := eachRow(ctx, trace, etl2parquet.Scan{}, "traces", []string{"perf_freq"}, func(c *cursor) error {
		if frequency, ok := c.Int(0); ok && frequency > 0 {
			t.perFreq = 1e9 / float64(frequency)
		}
		return nil
	})
	if err != nil {
		return err
	}
	scan := t.o.Scan
	if len(scan.Events) == 0 {
		scan.Events = rulePatterns()
	}
	columns := []string{"time_ns", "process_id", "process_name", "thread_id", "provider_name", "event_name", "fields"}
	err = eachRow(ctx, trace, scan, "", columns, func(c *cursor) error {
		do := rules[ruleKey{c.Text(4), c.Text(5)}]
		if do == nil {
			return nil
		}
		m := &moment{time: c.number(0), process: c.number(1), threadID: c.number(3), fields: c.Text(6)}
		m.thread = t.thread(t.machine, m.process, c.Text(2), m.threadID)
		return do(t, m)
	})
	if err != nil {
		return err
	}
	clear(t.open)
	return t.readActivities(ctx, trace)
}

// Opcodes of starts and stops: https://learn.microsoft.com/windows/win32/wes/eventmanifestschema-opcodetype-complextype.
const opcodeStart, opcodeStop = 1, 2

// readActivities reads what providers mark with the opcodes start and stop, paired by activity id or,
// without one, by thread. Events with rules of their own are left out.
func (t *timeline) readActivities(ctx context.Context, trace *etl2parquet.Trace) error {
	columns := []string{"time_ns", "process_id", "process_name", "thread_id", "provider_name", "event_name", "task", "opcode", "activity_id"}
	return eachRow(ctx, trace, t.o.Scan, "event_header", columns, func(c *cursor) error {
		opcode := c.number(7)
		if opcode != opcodeStart && opcode != opcodeStop || rules[ruleKey{c.Text(4), c.Text(5)}] != nil {
			return nil
		}
		key := openKey{category: ofActivity, a: c.number(6), text: c.Text(4) + "\x00" + c.Text(8)}
		if c.Text(8) == "" {
			key.b = c.number(3)
		}
		at := c.number(0)
		if opcode == opcodeStop {
			return t.end(key, at)
		}
		key.text = strings.Clone(key.text)
		name := strings.TrimSuffix(strings.TrimSuffix(c.Text(5), "/Start"), "Start")
		if name == "" {
			name = c.Text(5)
		}
		s := &span{from: at, category: ofActivity, name: strings.Clone(name), thread: t.thread(t.machine, c.number(1), c.Text(2), c.number(3))}
		s.args = []arg{{"provider", t.text(c.Text(4))}}
		if c.Text(8) != "" {
			s.args = append(s.args, arg{"activity_id", strings.Clone(c.Text(8))})
		}
		t.restart(key, s)
		return nil
	})
}

// moment is an event that a rule takes.
type moment struct {
	time     int64
	process  int64
	threadID int64
	thread   int32
	fields   string // JSON
	values   map[string]any
}

// value returns the value of a field: a text, a json.Number, a bool, or nil.
func (m *moment) value(name string) any {
	if m.values == nil {
		d := json.NewDecoder(strings.NewReader(m.fields))
		d.UseNumber()
		if err := d.Decode(&m.values); err != nil || m.values == nil {
			m.values = make(map[string]any) // an event without decoded fields
		}
	}
	return m.values[name]
}

// text returns a field as text, or "" if the event does not have it.
func (m *moment) text(name string) string {
	switch v := m.value(name).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// int returns a field as an integer, or 0 if the event does not have it. An unsigned one beyond the
// range keeps its bits.
func (m *moment) int(name string) int64 {
	n, err := parseInt(m.text(name))
	if err != nil {
		return 0 // not an integer
	}
	return n
}
