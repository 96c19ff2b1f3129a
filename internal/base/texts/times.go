package texts

import "strings"

// A time is a text such as 2024-05-01 12:00:00.25+00 or 2024-05-01T12:00:00.250000000Z.
const dateLength = len("2024-05-01")

// instant is a time in parts. The zone of a time in UTC is "".
type instant struct {
	date, clock, fraction, zone string
	isUTC                       bool // the text says so
}

// parseTime returns the parts of a time.
func parseTime(text string) (t instant, ok bool) {
	if len(text) < len("2024-05-01 12:00:00") || !isLike(text[:dateLength], "0000-00-00") || text[dateLength] != ' ' && text[dateLength] != 'T' {
		return t, false
	}
	t.date = text[:dateLength]
	rest := text[dateLength+1:]
	if t.clock, rest = rest[:8], rest[8:]; !isLike(t.clock, "00:00:00") {
		return t, false
	}
	if rest != "" && rest[0] == '.' {
		n := 1
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		t.fraction, rest = strings.TrimRight(rest[1:n], "0"), rest[n:]
	}
	if t.zone = rest; rest == "+00" || rest == "Z" {
		t.zone, t.isUTC = "", true
	}
	return t, true
}

// isLike reports whether a text has the length of a form, digits where the form has zeros, and
// elsewhere the same.
func isLike(text, form string) bool {
	if len(text) != len(form) {
		return false
	}
	for i := range len(form) {
		isDigit := text[i] >= '0' && text[i] <= '9'
		if form[i] == '0' && !isDigit || form[i] != '0' && text[i] != form[i] {
			return false
		}
	}
	return true
}

// times is the form of the times in a column.
type times struct {
	fraction int    // digits: as many as the longest fraction of the sample has, in steps of three
	date     string // the date that all have, which is not printed; "" if they differ
}

// learn makes the form long enough for a time.
func (f *times) learn(t *instant) { f.fraction = max(f.fraction, (len(t.fraction)+2)/3*3) }

// text returns the time in this form. A time of another date, or with more digits, is whole, too.
func (f *times) text(t *instant) string {
	text := t.clock
	if t.date != f.date {
		text = t.date + " " + text
	}
	if f.fraction > 0 || t.fraction != "" {
		text += "." + t.fraction + strings.Repeat("0", max(0, f.fraction-len(t.fraction)))
	}
	return text + t.zone
}

// setTimes determines the forms of the times in the sample, and the date that all of them have. A
// single time keeps its date.
func (t *Table) setTimes() {
	t.times = make([]times, len(t.columns))
	date, seen, differ, isUTC := "", 0, false, true
	for i := range t.columns {
		if t.columns[i].Kind != TimeColumn {
			continue
		}
		for _, cells := range t.sample {
			one, ok := parseTime(cells[i].Text)
			switch {
			case cells[i].IsNull:
				continue
			case !ok || seen > 0 && one.date != date:
				differ = true
			}
			t.times[i].learn(&one)
			date, isUTC = one.date, isUTC && one.isUTC
			seen++
		}
	}
	if differ || seen < 2 {
		return
	}
	if t.date = date; isUTC {
		t.date += " UTC"
	}
	for i := range t.times {
		t.times[i].date = date
	}
}

// timed puts the times of a row into the form of their columns.
func (t *Table) timed(cells []TableCell) {
	for i := range cells {
		if t.columns[i].Kind != TimeColumn || cells[i].IsNull {
			continue
		}
		if one, ok := parseTime(cells[i].Text); ok {
			cells[i].Text = t.times[i].text(&one)
		}
	}
}
