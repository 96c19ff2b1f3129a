package interop_test

import "strings"

// how says what a field of a line is compared with.
type how uint8

const (
	direct   how = iota // a column
	derived             // columns, written as the library does
	raw                 // read by the test from the bytes that nothing given describes: the product does not have it
	beyond              // what the library knows and no description has, such as the names of a number: the product does not have it
	noValue             // ours is NULL or no column, for the payload does not have it; the oracle prints a default
	misread             // the oracle is wrong: what it makes of the bytes, from our columns
	notInRow            // not compared: the payload does not say it
)

func (h how) String() string {
	return [...]string{"fields equal: column", "fields equal: computed", "fields equal: bytes that nothing given describes",
		"fields equal: knowledge of the library", "fields equal: NULL or no column, printed as a default", "fields equal: the oracle misreads, as the bytes show", "fields not compared"}[h]
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

func knows(reason string, text func(*comparison, eventRow) string) rule {
	return rule{how: beyond, reason: reason, text: func(c *comparison, r eventRow, _ *oracleLine) string { return text(c, r) }}
}

// spelled is the rule for a column with names, joined by |, that the library has
// other words for: ours are those of Microsoft's headers.
func spelled(column string, words map[string]string) rule {
	return computed("names of bits, in the library's words", func(_ *comparison, r eventRow) string {
		if v, ok := r[column]; ok && v == nil {
			return "None"
		}
		names := strings.Split(r.text(column), "|")
		for i, name := range names {
			if word, ok := words[name]; ok {
				names[i] = word
			}
		}
		return strings.Join(names, ", ")
	})
}

// file is the rule for the path of the file that an event is about.
var file = rule{how: direct, reason: "file_name", text: func(_ *comparison, r eventRow, _ *oracleLine) string { return r.text("file_name") }}

func misreads(reason string, text func(eventRow) string) rule {
	return rule{how: misread, reason: reason, text: func(_ *comparison, r eventRow, _ *oracleLine) string { return text(r) }}
}

func notCompared(reason string) rule { return rule{how: notInRow, reason: reason} }
