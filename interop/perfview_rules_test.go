package interop_test

import "strings"

// how is the source of the value with which a field of a line is compared.
type how uint8

const (
	direct   how = iota // a column
	derived             // columns, written as the library does
	raw                 // read by the test from bytes that no description covers: the product does not have it
	beyond              // knowledge of the library that no description has, such as names of numbers: the product does not have it
	noValue             // NULL or no column, because the payload lacks it; the oracle prints a default
	misread             // the oracle is wrong: its misreading of the bytes, computed from our columns
	notInRow            // not compared: the payload does not have it
)

func (h how) String() string {
	return [...]string{"fields equal: column", "fields equal: computed", "fields equal: bytes that nothing given describes",
		"fields equal: knowledge of the library", "fields equal: NULL or no column, printed as a default", "fields equal: the oracle misreads, as the bytes show", "fields not compared"}[h]
}

// outcome is a category for counting fields.
type outcome struct {
	how    how
	reason string
}

// rule computes a field of the oracle from a row.
type rule struct {
	how    how
	reason string
	text   func(*comparison, eventRow, *oracleLine) string
	pick   func(eventRow) rule // if not nil, returns the rule for a row
}

// rules has the rules by event, with or without its provider, or task, and by field. All
// other fields have a column of the same name, except for case and underscores.
type rules map[string]map[string]rule

// column is the rule for a field whose column has another name.
func column(name string) rule {
	return rule{how: direct, reason: "of another name", text: func(c *comparison, r eventRow, l *oracleLine) string { return c.columnText(l, name, r) }}
}

func computed(reason string, text func(*comparison, eventRow) string) rule {
	return rule{how: derived, reason: reason, text: func(c *comparison, r eventRow, _ *oracleLine) string { return text(c, r) }}
}

func knows(reason string, text func(*comparison, eventRow) string) rule {
	return rule{how: beyond, reason: reason, text: func(c *comparison, r eventRow, _ *oracleLine) string { return text(c, r) }}
}

// spelled is the rule for a column of names joined by | for which the library has other
// words: ours are those of Microsoft's headers.
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

// file is the rule for the path of an event's file.
var file = rule{how: direct, reason: "file_name", text: func(_ *comparison, r eventRow, _ *oracleLine) string { return r.text("file_name") }}

func misreads(reason string, text func(eventRow) string) rule {
	return rule{how: misread, reason: reason, text: func(_ *comparison, r eventRow, _ *oracleLine) string { return text(r) }}
}

func notCompared(reason string) rule { return rule{how: notInRow, reason: reason} }
