package export

import (
	"cmp"
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
func (t *timeline) end(key openKey, time int64, args ...arg) error {
	s := t.open[key]
	if s == nil {
		return nil
	}
	delete(t.open, key)
	s.to, s.args = time, append(s.args, args...)
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

// namedRow has the columns of an event that rules and activities need.
type namedRow struct {
	Time        int64  `column:"time_ns" null:"-1"`
	ProcessID   int64  `column:"process_id" null:"-1"`
	ProcessName string `column:"process_name"`
	ThreadID    int64  `column:"thread_id" null:"-1"`
	Provider    string `column:"provider_name"`
	Event       string `column:"event_name"`
}

// rule returns the rule of the event, or nil if it has none.
func (row *namedRow) rule() func(t *timeline, m *moment) error {
	return rules[ruleKey{row.Provider, row.Event}]
}

// read reads the spans of a trace.
func (t *timeline) read(ctx context.Context, trace *etl2parquet.Trace) error {
	err := eachRow(ctx, trace, etl2parquet.Scan{}, "traces", func(row *struct {
		Frequency int64 `column:"perf_freq"`
	}) error {
		if row.Frequency > 0 {
			t.perFreq = 1e9 / float64(row.Frequency)
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
	err = eachRow(ctx, trace, scan, "", func(row *struct {
		namedRow
		Fields string `column:"fields"`
	}) error {
		rule := row.rule()
		if rule == nil {
			return nil
		}
		m := &moment{time: row.Time, process: row.ProcessID, threadID: row.ThreadID, fields: row.Fields}
		m.thread = t.thread(t.machine, row.ProcessID, row.ProcessName, row.ThreadID)
		return rule(t, m)
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
	return eachRow(ctx, trace, t.o.Scan, "event_header", func(row *struct {
		namedRow
		Task     int64  `column:"task" null:"-1"`
		Opcode   int64  `column:"opcode" null:"-1"`
		Activity string `column:"activity_id"`
	}) error {
		if row.Opcode != opcodeStart && row.Opcode != opcodeStop || row.rule() != nil {
			return nil
		}
		key := openKey{category: ofActivity, a: row.Task, text: row.Provider + "\x00" + row.Activity}
		if row.Activity == "" {
			key.b = row.ThreadID
		}
		if row.Opcode == opcodeStop {
			return t.end(key, row.Time)
		}
		name := strings.TrimSuffix(strings.TrimSuffix(row.Event, "/Start"), "Start")
		s := &span{
			from: row.Time, category: ofActivity, name: strings.Clone(cmp.Or(name, row.Event)),
			thread: t.thread(t.machine, row.ProcessID, row.ProcessName, row.ThreadID), args: []arg{{"provider", t.text(row.Provider)}},
		}
		if row.Activity != "" {
			s.args = append(s.args, arg{"activity_id", strings.Clone(row.Activity)})
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
