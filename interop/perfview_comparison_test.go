package interop_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
)

// oracleLine is a line of ../../shared/oracles/perfview: an event with its fields or, in
// the last line, counts of events.
type oracleLine struct {
	perfViewLine
	Fields [][2]string // name, text
	Counts map[string]int
	table  string // the table of the event
}

// eventRow is a row of a table: values as text, null as nil.
type eventRow map[string]*string

func (r eventRow) text(column string) string {
	if v := r[column]; v != nil {
		return *v
	}
	return ""
}

// number returns a number as unsigned. A missing number becomes 0xbad0bad0bad, which fails the
// comparison.
func (r eventRow) number(column string) uint64 {
	if n, err := strconv.ParseInt(r.text(column), 10, 64); err == nil {
		return uint64(n)
	}
	n, err := strconv.ParseUint(r.text(column), 10, 64)
	if err != nil {
		return 0xbad0bad0bad
	}
	return n
}

// place locates rows: in a table of events, or in a header table with a condition.
type place struct {
	Table string `json:"table"`
	Where string `json:"where"`
	View  string `json:"view"` // that has more columns of the events, as "view.column"
}

// rowKey identifies a row by the values of a line.
type rowKey struct {
	place
	US        int64 `json:"us"`
	Processor int64 `json:"processor"`
	Size      int64 `json:"size"`
}

// list requests all rows of a table, with some or all columns.
type list struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

// lookup is a request to the independent reader about a trace.
type lookup struct {
	Trace   string           `json:"trace"`
	Keys    []rowKey         `json:"keys"`
	Filters map[string]place `json:"filters"`
}

// foundTrace is the answer of an independent reader about the tables of a trace.
type foundTrace struct {
	Rows     [][]eventRow // per key
	Counts   map[string]int
	Filtered map[string]int // by the oracle's name of the event
	Types    map[string]map[string]string
	Columns  map[string][]string // in their order
	Lists    [][]eventRow
}

// oracle has the rules for comparing a part of the lines.
type oracle struct {
	covers func(provider string) bool
	place  func(trace, provider, event string) place
	// part has, for events of which the oracle omits some, a condition for the
	// counted ones.
	part  map[string]string
	rules rules
	// value returns a column as PerfView prints it.
	value func(c *comparison, table, column string, r eventRow) string
	// tails has the events that may have bytes beyond their fields, and the reason.
	tails map[string]string
	// own reports whether the oracle should count the events of a table, and
	// leftOut returns the reason if it does not.
	own     func(table string) bool
	leftOut map[string]string
	lists   []list
	views   map[string]string // see place.View, by table
	score   string
}

// oracleTrace is a trace with the expected counts of the oracle.
type oracleTrace struct {
	trace         string
	lines, fields int
}

// run compares the lines and counts of traces.
func (o *oracle) run(t *testing.T, traces []oracleTrace) {
	python := interop.NewPython(t)
	root := realDataset(t)
	lookups := make([]lookup, len(traces))
	lines := make([][]oracleLine, len(traces))
	counts := make([]map[string]int, len(traces))
	for i := range traces {
		l := &lookups[i]
		l.Trace, l.Filters = traces[i].trace, make(map[string]place)
		for _, line := range readLines[oracleLine](t, "perfview/"+l.Trace+".baseline.jsonl") {
			if line.Counts != nil {
				counts[i] = line.Counts
			} else if o.covers(line.Provider) {
				lines[i] = append(lines[i], line)
				at := o.place(l.Trace, line.Provider, line.Event)
				at.View = o.views[at.Table]
				l.Keys = append(l.Keys, rowKey{at, int64(math.Round(*line.MS * 1000)), line.Processor, line.Size})
			}
		}
		for name := range counts[i] {
			provider, event, _ := strings.Cut(name, "/")
			at := o.place(l.Trace, provider, event)
			if condition := o.part[at.Table]; condition != "" {
				at.Where = condition
			}
			if o.covers(provider) && at.Where != "" {
				l.Filters[name] = at
			}
		}
	}
	var answer struct{ Traces []foundTrace }
	python.Run(t, "event_rows.py", map[string]any{"root": root, "traces": lookups, "lists": o.lists}, &answer)
	used := make(map[string]bool)
	done := 0
	for i := range traces {
		t.Run(traces[i].trace, func(t *testing.T) {
			c := newComparison(o, &answer.Traces[i])
			for j := range lines[i] {
				c.line(t, traces[i].trace, &lines[i][j], answer.Traces[i].Rows[j])
			}
			c.report(t, &traces[i])
			c.counts(t, &lookups[i], counts[i])
			for event := range c.tailed {
				used[event] = true
			}
			for table := range c.Counts {
				used[table] = true
			}
			done++
		})
	}
	if done == len(traces) { // -run did not select some of them
		o.checkUsed(t, used)
	}
}

// checkUsed checks that every exception occurs in these traces.
func (o *oracle) checkUsed(t *testing.T, used map[string]bool) {
	for _, exceptions := range []map[string]string{o.tails, o.leftOut, o.part} {
		for name := range exceptions {
			if !used[name] {
				t.Errorf("the exception %s is not needed", name)
			}
		}
	}
}

// comparison is the state of comparing the lines of one trace.
type comparison struct {
	*oracle
	*foundTrace
	by                             map[outcome]int
	used                           map[string]bool // rows, by table and event_ref
	tailed                         map[string]int  // rows with bytes beyond their fields, by event
	found, fields, compared, equal int
	cut                            int // equal fields that the oracle cuts at 20 characters
}

func newComparison(o *oracle, found *foundTrace) *comparison {
	return &comparison{oracle: o, foundTrace: found, by: make(map[outcome]int), used: make(map[string]bool), tailed: make(map[string]int)}
}

// line compares a line with its row: the first row that no earlier line used, because both
// are in the order of time.
func (c *comparison) line(t *testing.T, trace string, l *oracleLine, rows []eventRow) {
	at := fmt.Sprintf("line %d, %s/%s at %.3f ms", l.Line, l.Provider, l.Event, *l.MS)
	l.table = c.place(trace, l.Provider, l.Event).Table
	i := slices.IndexFunc(rows, func(r eventRow) bool { return !c.used[l.table+r.text("event_ref")] })
	if i < 0 {
		t.Errorf("%s: not found in %s (%d rows)", at, l.table, len(rows))
		return
	}
	row := rows[i]
	c.found++
	c.used[l.table+row.text("event_ref")] = true
	if row["payload_rest"] != nil {
		event := l.Provider + "/" + l.Event
		if c.tailed[event]++; c.tails[event] == "" {
			t.Errorf("%s: payload_rest is %s", at, *row["payload_rest"])
		}
	}
	for _, f := range l.Fields {
		c.field(t, at, l, row, f[0], f[1])
	}
}

// field compares a field of a line with its row.
func (c *comparison) field(t *testing.T, at string, l *oracleLine, row eventRow, name, want string) {
	c.fields++
	rule := c.ruleOf(l, name)
	if rule.pick != nil {
		rule = rule.pick(row)
	}
	if rule.how == noValue && row[columnOf(name, row)] != nil {
		t.Errorf("%s: %s has a value", at, name)
	}
	if rule.text == nil {
		c.by[outcome{rule.how, rule.reason}]++
		return
	}
	c.compared++
	if got := shortened(rule.text(c, row, l)); got != want {
		t.Errorf("%s: %s is %q (event_ref %s), want %q", at, name, got, row.text("event_ref"), want)
		return
	}
	c.equal++
	if strings.HasSuffix(want, "...") {
		c.cut++
	}
	if rule.how == direct && strings.HasPrefix(want, "-") && !strings.HasPrefix(row.text(columnOf(name, row)), "-") {
		rule = misreads(name+": unsigned, printed as signed", nil)
	}
	c.by[outcome{rule.how, rule.reason}]++
}

// report prints the results for the lines.
func (c *comparison) report(t *testing.T, want *oracleTrace) {
	t.Logf("SCORE lines found in the table of their event %d/%d", c.found, want.lines)
	byHow := make(map[how]int)
	for k, n := range c.by {
		byHow[k.how] += n
	}
	t.Logf("SCORE %sfields equal %d/%d compared, of %d (%d that the oracle cuts at 20 characters)", c.score, c.equal, c.compared, c.fields, c.cut)
	t.Logf("SCORE %sfields equal from columns and views: %d; without a value, printed as a default: %d; not in the product: %d from bytes kept raw, %d that the library knows",
		c.score, byHow[direct]+byHow[derived]+byHow[misread], byHow[noValue], byHow[raw], byHow[beyond])
	for _, k := range slices.SortedFunc(maps.Keys(c.by), func(a, b outcome) int {
		return strings.Compare(a.how.String()+a.reason, b.how.String()+b.reason)
	}) {
		t.Logf("SCORE %v: %4d %s", k.how, c.by[k], k.reason)
	}
	for _, event := range slices.Sorted(maps.Keys(c.tailed)) {
		t.Logf("SCORE lines with bytes beyond the fields: %d of %s (%s)", c.tailed[event], event, c.tails[event])
	}
	if c.found != want.lines || c.fields != want.fields {
		t.Errorf("%d lines with %d fields, want %d with %d", c.found, c.fields, want.lines, want.fields)
	}
}

// counts compares the number of events of each kind.
func (c *comparison) counts(t *testing.T, l *lookup, want map[string]int) {
	var compared, equal int
	seen := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		provider, event, _ := strings.Cut(name, "/")
		if !c.covers(provider) {
			continue
		}
		at := c.place(l.Trace, provider, event)
		seen[at.Table] = true
		got := c.Counts[at.Table]
		if filter, ok := l.Filters[name]; ok {
			if got = c.Filtered[name]; at.Where == "" {
				t.Logf("SCORE events: of the %d of %s the oracle counts those with %s", c.Counts[at.Table], at.Table, filter.Where)
			} else {
				t.Logf("SCORE events not described: %d of %s, in %s", got, name, at.Table)
			}
		}
		compared++
		if got == want[name] {
			equal++
		} else {
			t.Errorf("%s: %d rows, want %d of %s", at.Table, got, want[name], name)
		}
	}
	t.Logf("SCORE %scounts equal %d/%d", c.score, equal, compared)
	for _, table := range slices.Sorted(maps.Keys(c.Counts)) {
		if seen[table] || !c.own(table) {
			continue
		}
		reason := c.leftOut[table]
		if reason == "" {
			t.Errorf("%s: %d rows, but the oracle counts none", table, c.Counts[table])
			continue
		}
		t.Logf("SCORE counts left out by the oracle: %6d %s (%s)", c.Counts[table], table, reason)
	}
}

func (o *oracle) ruleOf(l *oracleLine, field string) rule {
	task, _, _ := strings.Cut(l.Event, "/")
	for _, event := range []string{l.Provider + "/" + l.Event, l.Event, task, l.Provider} {
		if rule, ok := o.rules[event][field]; ok {
			return rule
		}
	}
	rule := column(field)
	rule.reason = "of the same name"
	return rule
}

// folded returns a name without case, underscores and the prefix that distinguishes it
// from common columns.
func folded(name string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "payload_"), "_", ""))
}

var commonColumn = func() map[string]bool {
	names := make(map[string]bool)
	for _, column := range slices.Concat(schema.CommonColumns(), schema.EventColumns()) {
		names[column.Name] = true
	}
	return names
}()

// columnOf returns the column of a field, "" if there is not exactly one.
func columnOf(name string, r eventRow) string {
	if _, ok := r["payload_"+name]; ok && slices.ContainsFunc(schema.EventColumns(), func(c schema.Column) bool { return c.Name == name }) {
		return "payload_" + name // the plain name is the header's
	}
	_, hasMessage := r["payload_"+schema.MessageColumn] // then the plain name is not the field's
	if _, ok := r[name]; ok && (name != schema.MessageColumn || !hasMessage) {
		return name
	}
	found := ""
	for column := range r {
		if folded(column) != folded(name) || commonColumn[column] || column == schema.MessageColumn && hasMessage {
			continue
		}
		if found != "" {
			return ""
		}
		found = column
	}
	return found
}

// columnText returns the value of a column as the oracle prints it.
func (c *comparison) columnText(l *oracleLine, name string, r eventRow) string {
	column := columnOf(name, r)
	if column == "" {
		return "no column, or several"
	}
	if r[column] == nil {
		return "null"
	}
	return c.value(c, l.table, column, r)
}
