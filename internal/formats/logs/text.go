package logs

import (
	"bytes"
	"regexp"
	"strconv"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TextColumns returns the columns that lines of text are made of unless some are chosen.
func TextColumns(t *schema.Table) ([]string, error) {
	if !IsOfEvents(t) {
		return nil, nil
	}
	return columnsOf(t, []part{timeNS, processName, processID, threadID, level, levelName, providerName, providerID, eventName, fields, message, payload}), nil
}

// TextMaker makes a line of each row:
//
//	TIME PROCESS[ID:THREAD] LEVEL PROVIDER/EVENT: TEXT
//
// The text is the message of the event; without one, or if that only lists fields, the fields as
// name=value, or the text alone if that is its only field. The further lines of a text are indented. A part whose columns are not shown
// is left out, and one that the event lacks is "-". Columns that are no parts, and rows that are no
// events, are written as name=value. Control characters are escaped, except tabs.
//
// Several goroutines may use a maker at once.
type TextMaker struct {
	layout *layout
	names  [][]byte // of layout.others, with =
	zone   *time.Location
	keep   *regexp.Regexp
}

// NewTextMaker returns a maker for batches of a table. Times are in a zone; keep, unless it is nil,
// matches the records that are kept.
func NewTextMaker(t *schema.Table, shown []string, zone *time.Location, keep *regexp.Regexp) *TextMaker {
	m := &TextMaker{layout: newLayout(t, shown), zone: zone, keep: keep}
	for _, at := range m.layout.others {
		m.names = append(m.names, append(texts.AppendSafeWord(nil, []byte(t.Columns[at].Name)), '='))
	}
	return m
}

// Append appends the lines of the rows of a batch, and returns the number of rows that are kept and
// the end of each in dst.
func (m *TextMaker) Append(dst []byte, ends []int, b *columns.Batch) ([]byte, []int) {
	e := m.layout.begin(b)
	w := textWriter{times: zoneTimes{zone: m.zone}}
	for row := range b.Rows {
		e.read(row)
		start := len(dst)
		dst = append(w.line(dst, m, e), '\n')
		if m.keep != nil && !m.keep.Match(dst[start:len(dst)-1]) {
			dst = dst[:start]
			continue
		}
		ends = append(ends, len(dst))
	}
	return dst, ends
}

// textWriter writes lines, on one goroutine.
type textWriter struct {
	times zoneTimes
	value []byte
}

func (w *textWriter) line(dst []byte, m *TextMaker, e *event) []byte {
	at := &m.layout.at
	start := len(dst)
	switch {
	case at[timeNS] < 0:
	case e.has[timeNS]:
		dst = append(w.times.append(dst, e.numbers[timeNS]), ' ')
	default: // as in syslog (RFC 5424)
		dst = append(dst, "- "...)
	}
	if at[traceName] >= 0 {
		dst = append(texts.AppendSafeWord(dst, e.texts[traceName]), ' ')
	}
	dst = appendProcess(dst, at, e)
	if at[level] >= 0 || at[levelName] >= 0 {
		dst = append(appendLevel(dst, e), ' ')
	}
	head := len(dst)
	dst = appendComponent(dst, at, e)
	named := len(dst) > head
	if named {
		dst = append(dst, ": "...)
	}
	before := len(dst)
	switch {
	case e.has[message] && len(e.texts[message]) > 0 && !(e.has[fields] && listsFields(e.texts[message])):
		dst = appendLines(dst, e.texts[message])
	case e.has[fields]:
		dst = appendLines(dst, e.texts[fields])
	}
	if e.has[payload] {
		dst = appendPayload(separated(dst, before), e.texts[payload])
	}
	dst = w.others(dst, before, m, e)
	switch {
	case len(dst) > before:
	case named:
		dst = dst[:before-2]
	case len(dst) > start:
		dst = dst[:len(dst)-1]
	}
	return dst
}

// separated appends a space if something was written from a position on.
func separated(dst []byte, from int) []byte {
	if len(dst) > from {
		return append(dst, ' ')
	}
	return dst
}

// others appends the columns that are no parts.
func (w *textWriter) others(dst []byte, from int, m *TextMaker, e *event) []byte {
	for i := range e.others {
		c := &e.others[i]
		if !c.Column.Has(e.row) {
			continue
		}
		dst = append(separated(dst, from), m.names[i]...)
		switch spec := c.Column.Spec; {
		case spec.List || spec.Type == schema.Struct:
			dst = e.writer.Value(dst, c)
		case spec.Type == schema.String:
			dst = texts.AppendSafeWord(dst, c.Bytes(&e.batch.Texts))
		case spec.Type == schema.Binary:
			dst = texts.AppendSafeBytes(dst, c.Bytes(&e.batch.Texts))
		default:
			w.value = e.writer.Value(w.value[:0], c)
			dst = append(dst, bytes.Trim(w.value, `"`)...)
		}
	}
	return dst
}

// appendProcess appends NAME[ID:THREAD] and a space, if any of these is shown.
func appendProcess(dst []byte, at *[parts]int, e *event) []byte {
	if at[processName] < 0 && at[processID] < 0 && at[threadID] < 0 {
		return dst
	}
	if e.has[processName] {
		dst = texts.AppendSafeWord(dst, e.texts[processName])
	}
	if at[processID] < 0 && at[threadID] < 0 {
		return append(dst, ' ')
	}
	dst = append(dst, '[')
	if at[processID] >= 0 {
		dst = appendNumber(dst, e, processID)
	}
	if at[threadID] >= 0 {
		dst = appendNumber(append(dst, ':'), e, threadID)
	}
	return append(dst, "] "...)
}

func appendNumber(dst []byte, e *event, p part) []byte {
	if !e.has[p] {
		return append(dst, '-')
	}
	return strconv.AppendInt(dst, e.numbers[p], 10)
}

// levelWords are the words for levels, by number.
var levelWords = [...]string{1: "critical", 2: "error", 3: "warning", 4: "info", 5: "verbose"}

func appendLevel(dst []byte, e *event) []byte {
	n := e.numbers[level]
	switch {
	case e.has[level] && n == 0:
		return append(dst, '-')
	case e.has[level] && n > 0 && n < int64(len(levelWords)):
		return append(dst, levelWords[n]...)
	case e.has[levelName]:
		return texts.AppendSafeWord(dst, e.texts[levelName])
	case e.has[level]:
		return strconv.AppendInt(dst, n, 10)
	}
	return append(dst, '-')
}

// appendComponent appends PROVIDER/EVENT.
func appendComponent(dst []byte, at *[parts]int, e *event) []byte {
	start := len(dst)
	switch {
	case e.has[providerName]:
		dst = texts.AppendLine(dst, e.texts[providerName])
	case e.has[providerID]:
		dst = append(dst, e.texts[providerID]...)
	}
	if at[eventName] < 0 {
		return dst
	}
	if len(dst) > start {
		dst = append(dst, '/')
	}
	return texts.AppendLine(dst, e.texts[eventName])
}

// appendPayload appends the bytes of an event that nothing describes, or that are kept beside it.
func appendPayload(dst, b []byte) []byte { return texts.AppendSafeBytes(append(dst, "payload="...), b) }

// listsFields reports whether a message of several lines only lists names and values, as those that an
// EventSource makes do: its fields say the same on one line.
func listsFields(message []byte) bool {
	if bytes.IndexByte(message, '\n') < 0 {
		return false
	}
	for line := range bytes.Lines(message) {
		line = bytes.TrimRight(line, "\r\n")
		name, _, ok := bytes.Cut(line, []byte{'='})
		if len(line) > 0 && (!ok || len(name) == 0 || bytes.ContainsAny(name, " \t")) {
			return false
		}
	}
	return true
}

// indent is before the further lines of a text.
const indent = "    "

// appendLines appends a text whose lines end with line feeds, carriage returns or both. Empty lines
// at its end are left out.
func appendLines(dst, text []byte) []byte {
	text = bytes.TrimRight(text, "\r\n")
	for {
		at := bytes.IndexAny(text, "\r\n")
		if at < 0 {
			return texts.AppendSafe(dst, text)
		}
		dst = append(texts.AppendSafe(dst, text[:at]), "\n"+indent...)
		if bytes.HasPrefix(text[at:], []byte("\r\n")) {
			at++
		}
		text = text[at+1:]
	}
}

// zoneTimes writes times in a zone, with 7 digits after the second, or with 9 if the clock of the
// trace has them. Most times are in the same second as the one before, whose text is cached.
type zoneTimes struct {
	zone   *time.Location
	second int64
	text   []byte // of the cached second, up to its fraction
	offset []byte // after the fraction
}

func (z *zoneTimes) append(dst []byte, ns int64) []byte {
	second, rest := ns/1e9, ns%1e9
	if rest < 0 {
		second, rest = second-1, rest+1e9
	}
	if z.text == nil || second != z.second {
		at := time.Unix(second, 0).In(z.zone)
		z.second, z.text, z.offset = second, at.AppendFormat(z.text[:0], "2006-01-02T15:04:05."), at.AppendFormat(z.offset[:0], "Z07:00")
	}
	dst = append(dst, z.text...)
	unit := int64(1e8)
	last := int64(100)
	if rest%100 != 0 {
		last = 1
	}
	for ; unit >= last; unit /= 10 {
		dst = append(dst, byte('0'+rest/unit%10))
	}
	return append(dst, z.offset...)
}
