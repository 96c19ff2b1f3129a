package views

import (
	"fmt"
	"strings"
)

// Merge says when rows of several sources tell one thing: their keys are equal, and they are near in time. Of each
// source a thing has one row at most.
type Merge struct {
	Key      []string // expressions over the columns of the view; a row in which one is NULL is alone
	By       string   // an expression for the time in ns; "" means clock_ns
	WithinMS int64    `toml:"within_ms"`
}

func (m *Merge) check(v *View) error {
	if len(m.Key) == 0 || m.WithinMS <= 0 {
		return fmt.Errorf("%s/%s: merge needs a key and within_ms", v.Name, viewFileName)
	}
	for _, e := range append([]string{m.by()}, m.Key...) {
		names, err := namesIn(e)
		if err != nil {
			return fmt.Errorf("%s/%s: merge: %w", v.Name, viewFileName, err)
		}
		for _, n := range names {
			if !v.hasColumn(n.name) {
				return fmt.Errorf("%s/%s: merge: the view has no column %s", v.Name, viewFileName, n.name)
			}
		}
	}
	for _, name := range []string{sourceColumn, "event_ref"} {
		if !v.hasColumn(name) {
			return fmt.Errorf("%s/%s: a view that merges needs the column %s", v.Name, viewFileName, name)
		}
	}
	return nil
}

func (m *Merge) by() string {
	if m.By == "" {
		return "clock_ns"
	}
	return m.By
}

// sourceColumn is the column of a view with the names of its sources.
const sourceColumn = "source"

// sql returns the rows of sources, of which each SELECT has the columns of the view and source_rank, with one row for
// each thing: the values of the best source that has them.
//
// The rows of each source, from the best to the last, join the nearest row that no better one has; of several that
// would join one, the nearest does.
func (m *Merge) sql(v *View, rows []string) string {
	var keys, notNull, by []string
	for i, k := range m.Key {
		keys = append(keys, fmt.Sprintf("%s AS merge_key_%d", k, i))
		notNull = append(notNull, fmt.Sprintf("merge_key_%d IS NOT NULL", i))
		by = append(by, fmt.Sprintf("merge_key_%d", i))
	}
	partition := "PARTITION BY trace, " + strings.Join(by, ", ")
	var b strings.Builder
	fmt.Fprintf(&b, `WITH placed AS (
SELECT *, row_number() OVER (%s ORDER BY merge_ns, source_rank, event_ref) AS merge_place
FROM (
SELECT *, %s AS merge_ns, %s
FROM (
%s
) AS merge_sources
) AS merge_keys
),
merged_1 AS (SELECT *, CASE source_rank WHEN 1 THEN merge_place END AS merge_group FROM placed)`, partition, m.by(), strings.Join(keys, ", "), strings.Join(rows, "\nUNION ALL\n"))
	for rank := 2; rank <= len(rows); rank++ {
		fmt.Fprintf(&b, `,
near_%[1]d AS (
SELECT *, CASE WHEN source_rank = %[1]d AND %[2]s THEN
    CASE WHEN merge_ns - before_ns <= %[3]d AND (after_ns IS NULL OR merge_ns - before_ns <= after_ns - merge_ns) THEN before_place WHEN after_ns - merge_ns <= %[3]d THEN after_place END
  END AS merge_near, least(coalesce(merge_ns - before_ns, %[3]d), coalesce(after_ns - merge_ns, %[3]d)) AS merge_distance
FROM (
SELECT *, max(CASE WHEN merge_group = merge_place THEN merge_place END) OVER before AS before_place, max(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER before AS before_ns,
  min(CASE WHEN merge_group = merge_place THEN merge_place END) OVER after AS after_place, min(CASE WHEN merge_group = merge_place THEN merge_ns END) OVER after AS after_ns
FROM merged_%[4]d
WINDOW before AS (%[5]s ORDER BY merge_place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), after AS (%[5]s ORDER BY merge_place ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
) AS merge_found
),
merged_%[1]d AS (
SELECT %[6]s, source_rank, merge_ns, %[7]s, merge_place,
  CASE WHEN source_rank <> %[1]d THEN merge_group WHEN merge_near IS NOT NULL AND row_number() OVER (%[5]s, merge_near ORDER BY merge_distance, merge_place) = 1 THEN merge_near ELSE merge_place END AS merge_group
FROM near_%[1]d
)`, rank, strings.Join(notNull, " AND "), m.WithinMS*1e6, rank-1, partition, strings.Join(v.columnNames(), ", "), strings.Join(by, ", "))
	}
	columns := []string{"trace"}
	for _, name := range v.columnNames()[1:] {
		switch name {
		case sourceColumn:
			columns = append(columns, "string_agg(source, ', ' ORDER BY source) AS source")
		default:
			columns = append(columns, fmt.Sprintf("min_by(%[1]s, source_rank) FILTER (WHERE %[1]s IS NOT NULL) AS %[1]s", name))
		}
	}
	fmt.Fprintf(&b, "\nSELECT %s\nFROM merged_%d\nGROUP BY trace, %s, merge_group", strings.Join(columns, ", "), len(rows), strings.Join(by, ", "))
	return b.String()
}

// columnNames returns the names of the columns, with trace.
func (v *View) columnNames() []string {
	names := []string{"trace"}
	for i := range v.Columns {
		names = append(names, v.Columns[i].Name)
	}
	return names
}
