package views

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// Order says which of several open starts a stop ends.
type Order string

const (
	nested Order = "nested" // the last one
	queue  Order = "queue"  // the first one
	single Order = "single" // there is at most one: the stop of a start before another start is lost
)

func (o Order) check() error {
	if o != "" && o != nested && o != queue && o != single {
		return fmt.Errorf("order %q is not %s, %s or %s", string(o), nested, queue, single)
	}
	return nil
}

// pairing pairs starts with their stops, for all views that do.
//
// Its steps are a relation with the columns trace, event_ref, clock_ns, processor, and step: 1 for a start, and -1 for
// a stop. The result has a row for each start, and for each stop without one, with the columns of the steps and
//
//	state       complete; no start; no stop; open at the end, of the order single: nothing of its key came later
//	stop_ref    the event of the stop; NULL if there is none
//	end_ns      its clock_ns
//	stop_NAME   column NAME of the stop, for the carried ones
//	pair_level  of nested: the number of open starts, with this one
//	ambiguous   several starts were open together, and neither a thread nor the order single tells which one a stop ends
//
// The order is that of time, and on one processor of place. The events of different processors at one time are ordered
// by what is possible: first the stops of what began before, then the starts, then the other stops.
type pairing struct {
	steps   string
	key     []string
	order   Order
	carried []string
	within  string // a column of the key is a thread, as nested starts need
}

// sql returns the relation.
func (p *pairing) sql() string {
	by := strings.Join(append([]string{"trace"}, p.key...), ", ")
	levels, one, order := p.leveled(by), "PARTITION BY pair_key, trace, pair_level ORDER BY clock_ns, pair_class, event_ref", cmp.Or(p.order, nested)
	if order == single {
		levels, one = p.unleveled(by), "PARTITION BY pair_key, trace ORDER BY clock_ns, pair_class, event_ref"
	}
	var leads, stops strings.Builder
	for _, c := range p.carried {
		fmt.Fprintf(&leads, ", lead(%s) OVER one AS pair_%[1]s", c)
		fmt.Fprintf(&stops, ",\n  CASE WHEN step = -1 THEN %s WHEN pair_next = -1 THEN pair_%[1]s END AS stop_%[1]s", c)
	}
	orphan, unended := "pair_level = -1", "ELSE 'no stop'"
	if order == single {
		orphan, unended = "step = -1 AND coalesce(pair_last, -1) = -1", "WHEN pair_next = 1 THEN 'no stop' ELSE 'open at the end'"
		leads.WriteString(", lag(step) OVER one AS pair_last")
	}
	ambiguous := "false AS ambiguous"
	if order == queue || order == nested && p.within == "" {
		// The open ones that overlap begin with two starts.
		ambiguous = "step = 1 AND (pair_total - pair_low > 1 OR coalesce(pair_following = 1, false)) AS ambiguous"
	}
	return fmt.Sprintf(`SELECT *, CASE WHEN step = -1 THEN 'no start' WHEN pair_next = -1 THEN 'complete' %s END AS state,
  CASE WHEN step = -1 THEN event_ref WHEN pair_next = -1 THEN pair_next_ref END AS stop_ref, CASE WHEN step = -1 THEN clock_ns WHEN pair_next = -1 THEN pair_next_ns END AS end_ns, %s%s
FROM (
SELECT *, lead(step) OVER one AS pair_next, lead(clock_ns) OVER one AS pair_next_ns, lead(event_ref) OVER one AS pair_next_ref%s
FROM (
%s
) AS pair_levels
WINDOW one AS (%s)
) AS pair_ends
WHERE step = 1 OR %s`, unended, ambiguous, &stops, &leads, levels, one, orphan)
}

// startsOver counts the starts over a window.
const startsOver = "count(CASE step WHEN 1 THEN 1 END) OVER "

// ticks returns the steps with what their ticks have, the rows of one time, and with a number for their key: its least
// event, by which sorts cost less than by the key.
func (p *pairing) ticks(by, more string) string {
	return fmt.Sprintf(`SELECT *, coalesce(min(processor) OVER tick <> max(processor) OVER tick, false) AS pair_tied, min(event_ref) OVER key AS pair_key, %[1]stick AS pair_tick_starts, count(*) OVER tick - %[1]stick AS pair_tick_stops%[2]s
FROM %[3]s AS pair_steps
WINDOW tick AS (PARTITION BY %[4]s ORDER BY clock_ns RANGE BETWEEN CURRENT ROW AND CURRENT ROW), key AS (PARTITION BY %[4]s ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`, startsOver, more, p.steps, by)
}

// leveled returns the steps with the level at which each start and its stop are; -1 of a stop without a start. At each
// level starts and stops take turns.
//
// Events that processors tie are sorted with the starts first, by which the number of open ones after them is right;
// pair_before is the number before. Each subquery with windows sorts all steps: those of one sort stand in one.
func (p *pairing) leveled(by string) string {
	level, class := `CASE WHEN step = -1 AND pair_total < pair_low THEN -1
  WHEN NOT pair_tied THEN pair_total - pair_low + CASE step WHEN 1 THEN 0 ELSE 1 END
  WHEN step = 1 THEN pair_before - least(pair_before, pair_tick_stops) + pair_place
  WHEN pair_place <= pair_before THEN pair_before - pair_place + 1
  ELSE pair_tick_starts - (pair_place - pair_before) + 1 END`,
		"CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_place <= pair_before THEN 0 ELSE 2 END"
	if p.order == queue {
		level, class = `CASE WHEN step = 1 THEN pair_starts WHEN pair_total < pair_low THEN -1 ELSE pair_starts - pair_total + pair_low END`, "CASE WHEN NOT pair_tied THEN 0 ELSE -step END"
	}
	following := ""
	if p.order == queue || p.within == "" {
		following = ", lead(step) OVER turns AS pair_following"
	}
	ticks := p.ticks(by, fmt.Sprintf(", %[1]spast AS pair_past_starts, count(*) OVER past - %[1]spast AS pair_past_stops, %[1]splaces AS pair_row_starts, count(*) OVER places - %[1]splaces AS pair_row_stops", startsOver))
	return fmt.Sprintf(`SELECT *, %s AS pair_level, %s AS pair_class
FROM (
SELECT *, pair_before_total - pair_low AS pair_before
FROM (
SELECT *, least(0, coalesce(min(pair_total) OVER past, 0)) AS pair_low%s
FROM (
SELECT *, CASE WHEN pair_tied AND step = -1 THEN pair_before_starts + pair_tick_starts ELSE pair_row_starts END AS pair_starts,
  CASE WHEN NOT pair_tied THEN pair_row_starts - pair_row_stops WHEN step = 1 THEN pair_before_total + pair_place ELSE pair_before_total + pair_tick_starts - pair_place END AS pair_total
FROM (
SELECT *, CASE WHEN step = 1 THEN pair_row_starts - pair_before_starts ELSE pair_row_stops - pair_before_starts + pair_before_total END AS pair_place
FROM (
SELECT *, pair_past_starts - pair_tick_starts AS pair_before_starts, pair_past_starts - pair_tick_starts - pair_past_stops + pair_tick_stops AS pair_before_total
FROM (
%s, past AS (PARTITION BY %[5]s ORDER BY clock_ns RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), places AS (PARTITION BY %[5]s ORDER BY clock_ns, event_ref ROWS UNBOUNDED PRECEDING)
) AS pair_ticks
) AS pair_befores
) AS pair_places
) AS pair_totals
WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref),
  past AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN -step ELSE 0 END, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS pair_lows
) AS pair_opens`, level, class, following, ticks, by)
}

// unleveled returns the steps of single ones. pair_after says what a tick leaves, if that does not depend on what was
// before it: 1 an open start, -1 none. The first stop of a tick that processors tie is its first row.
func (p *pairing) unleveled(by string) string {
	return fmt.Sprintf(`SELECT *, CASE WHEN NOT pair_tied THEN 0 WHEN step = 1 THEN 1 WHEN pair_is_first AND pair_open THEN 0 ELSE 2 END AS pair_class
FROM (
SELECT *, coalesce(lag(clock_ns) OVER turns <> clock_ns, true) AS pair_is_first,
  coalesce(last_value(pair_after IGNORE NULLS) OVER past = 1, false) AS pair_open
FROM (
SELECT *, CASE WHEN NOT pair_tied THEN step WHEN pair_tick_stops = 0 THEN 1 WHEN pair_tick_starts = 0 OR pair_tick_stops > 1 THEN -1 END AS pair_after
FROM (
%s
) AS pair_ticks
) AS pair_known
WINDOW turns AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN step ELSE 0 END, event_ref),
  past AS (PARTITION BY pair_key, trace ORDER BY clock_ns, CASE WHEN pair_tied THEN step ELSE 0 END, event_ref ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
) AS pair_opens`, p.ticks(by, ""))
}

// pairsFound finds, in the SQL of a view, what stands for the pairs of a relation, as in
//
//	/* pairs of steps by process_id, thread_id: nested on thread_id, with status */
var pairsFound = texts.Pattern(`/\* pairs of (\w+) by ([\w, ]+): (\w+)(?: on (\w+))?(?:, with ([\w, ]+))? \*/`)

// expandPairs replaces what stands for pairs in the SQL of a view.
func expandPairs(sql string) (string, error) {
	if !strings.Contains(sql, "/* pairs of ") {
		return sql, nil
	}
	var wrong error
	sql = pairsFound().ReplaceAllStringFunc(sql, func(text string) string {
		m := pairsFound().FindStringSubmatch(text)
		p := pairing{steps: m[1], key: strings.Split(m[2], ", "), order: Order(m[3]), within: m[4]}
		if m[5] != "" {
			p.carried = strings.Split(m[5], ", ")
		}
		if err := p.order.check(); err != nil {
			wrong = err
		}
		if p.within != "" && !slices.Contains(p.key, p.within) {
			wrong = fmt.Errorf("the key of the pairs of %s lacks %s", p.steps, p.within)
		}
		return p.sql()
	})
	if wrong == nil && strings.Contains(sql, "/* pairs of ") {
		wrong = fmt.Errorf("not understood: %s", regexp.MustCompile(`/\* pairs of .*`).FindString(sql))
	}
	return sql, wrong
}
