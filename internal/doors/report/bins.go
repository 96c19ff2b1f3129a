package report

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// binsOfPage is the number of bins of the time axis: enough for the pixels of a wide screen, and few
// enough that a page with many stacks is small.
const binsOfPage = 900

// axis divides a range of time into bins of equal width.
type axis struct {
	start, span, width int64 // ns
	bins               int
}

// newAxis returns the axis from one time to another, both in ns and within the axis.
func newAxis(first, last int64) axis {
	span := max(last-first, 0) + 1
	if span <= 0 { // beyond 292 years: damaged times
		span = 1<<63 - 1
	}
	width := (span + binsOfPage - 1) / binsOfPage
	if width <= 0 {
		width = span/binsOfPage + 1
	}
	return axis{start: first, span: span, width: width, bins: int((span-1)/width) + 1}
}

// bin returns the bin of a time. Times outside the axis are in the first or last one.
func (a *axis) bin(ns int64) int {
	if ns <= a.start {
		return 0
	}
	since := ns - a.start
	if since < 0 || since >= a.span {
		return a.bins - 1
	}
	return int(since / a.width)
}

// series is one color of a lane: values and counts by bin, and in total.
type series struct {
	name          string
	total, events int64
	values        []int64 // nil: the counts are the values
	counts        []int64
}

// lane is one row of the time axis.
type lane struct {
	id, title, unit, sql string
	note                 string
	capacity             float64 // what fills a bin; 0: the largest value does
	series               []*series
}

// newSeries adds a series to a lane.
func (a *axis) newSeries(l *lane, name string) *series {
	s := &series{name: name, counts: make([]int64, a.bins)}
	if l.unit != unitCount {
		s.values = make([]int64, a.bins)
	}
	l.series = append(l.series, s)
	return s
}

// Units of lanes.
const (
	unitCount   = "count"
	unitTime    = "ns"
	unitBytes   = "bytes"
	unitSamples = "samples"
)

// count adds an event.
func (a *axis) count(s *series, ns int64) {
	s.counts[a.bin(ns)]++
	s.events++
}

// add adds an event with a value.
func (a *axis) add(s *series, ns, value int64) {
	a.count(s, ns)
	s.values[a.bin(ns)] += value
	s.total += value
}

// spread adds a duration to the bins that it covers. The total has all of it, also what is outside the
// axis.
func (a *axis) spread(s *series, from, to int64) {
	if to <= from {
		return
	}
	s.total += to - from
	from, to = max(from, a.start), min(to, a.start+a.span)
	for bin := a.bin(from); from < to; bin++ {
		end := min(to, a.start+int64(bin+1)*a.width)
		if end <= from { // the last bin of a long axis
			end = to
		}
		s.values[bin] += end - from
		from = end
		if bin == a.bins-1 {
			break
		}
	}
}

// nonZero returns the series that have events or a value.
func (l *lane) nonZero() (list []*series) {
	for _, s := range l.series {
		if s.events != 0 || s.total != 0 {
			list = append(list, s)
		}
	}
	return list
}

// maxText is the length of the longest text of the page, in letters: names of functions and files may
// have thousands.
const maxText = 400

// clip shortens a long text, and makes it valid.
func clip(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxText || utf8.RuneCountInString(s) <= maxText {
		return strings.Clone(s)
	}
	letters := []rune(s)
	return string(letters[:maxText-1]) + "…"
}

// processLabel names a process.
func processLabel(name string, id int64, known bool) string {
	switch {
	case !known && name == "":
		return "unknown process"
	case !known:
		return name
	case name == "":
		return "process " + strconv.FormatInt(id, 10)
	}
	return name + " (" + strconv.FormatInt(id, 10) + ")"
}
