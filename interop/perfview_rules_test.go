package interop_test

// how says what a field of a line is compared with.
type how uint8

const (
	direct   how = iota // a column
	derived             // computed from columns, as the library does from the payload
	raw                 // read by the test from the bytes that nothing given describes
	noValue             // ours is NULL or no column, for the payload does not have it; the oracle prints a default
	misread             // the oracle is wrong: what it makes of the bytes, from our columns
	notInRow            // not compared: the payload does not say it
)

func (h how) String() string {
	return [...]string{"fields equal: column", "fields equal: computed", "fields equal: bytes that nothing given describes",
		"fields equal: NULL or no column, printed as a default", "fields equal: the oracle misreads, as the bytes show", "fields not compared"}[h]
}

// outcome is a reason to count fields by.
type outcome struct {
	how    how
	reason string
}

// rule is how a field of the oracle follows from a row.
type rule struct {
	how    how
	reason string
	text   func(*comparison, eventRow, *oracleLine) string
	pick   func(eventRow) rule // if there is one, it returns the rule for a row
}

// rules are by event, with or without its provider, or task, and field. All
// other fields have a column of the same name, but for case and underscores.
type rules map[string]map[string]rule

// column is the rule for a field with another name than ours.
func column(name string) rule {
	return rule{how: direct, reason: "of another name", text: func(c *comparison, r eventRow, l *oracleLine) string { return c.columnText(l, name, r) }}
}

func computed(reason string, text func(*comparison, eventRow) string) rule {
	return rule{how: derived, reason: reason, text: func(c *comparison, r eventRow, _ *oracleLine) string { return text(c, r) }}
}

func misreads(reason string, text func(eventRow) string) rule {
	return rule{how: misread, reason: reason, text: func(_ *comparison, r eventRow, _ *oracleLine) string { return text(r) }}
}

func notCompared(reason string) rule { return rule{how: notInRow, reason: reason} }
