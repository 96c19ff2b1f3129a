package logs

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// errNotEvents is the error of log records of other rows.
var errNotEvents = errors.New("records of logs are made of the table of all events, events")

// OTLPColumns returns the columns of the table of all events that log records are made of.
func OTLPColumns(t *schema.Table) ([]string, error) {
	if t.Name != schema.EventsName {
		return nil, errNotEvents
	}
	return columnsOf(t, []part{
		timeNS, processName, processID, threadID, eventID, eventVersion, level, levelName, task, opcode, keyword, channel,
		providerName, providerID, eventName, activityID, relatedActivityID, fields, message, payload,
	}), nil
}

// OTLPMaker makes a log record of each row of the table of all events, in the JSON form of protocol
// buffers: LogRecord of https://github.com/open-telemetry/opentelemetry-proto, file
// logs/v1/logs.proto. Severity, event name and attributes follow the mapping of ETW in the appendix
// of OpenTelemetry's logs data model: https://github.com/open-telemetry/opentelemetry-specification,
// file specification/logs/data-model-appendix.md.
//
// Several goroutines may use a maker at once.
type OTLPMaker struct{ layout *layout }

// NewOTLPMaker returns a maker for batches of a table with the columns of OTLPColumns.
func NewOTLPMaker(t *schema.Table, shown []string) *OTLPMaker {
	return &OTLPMaker{newLayout(t, shown)}
}

// Record is where a log record is in the text of its batch, and the groups that it belongs to.
type Record struct {
	End      int
	Trace    string // "" if the rows do not have the name of their trace
	Provider string // its name or GUID; "" if neither is known
}

// Append appends the log records of the rows of a batch.
func (m *OTLPMaker) Append(dst []byte, records []Record, b *columns.Batch) ([]byte, []Record) {
	e := m.layout.begin(b)
	names := make(map[string]string) // most texts are used many times
	nameOf := func(p part) string {
		if !e.has[p] {
			return ""
		}
		name, ok := names[string(e.texts[p])]
		if !ok {
			name = string(e.texts[p])
			names[name] = name
		}
		return name
	}
	for row := range b.Rows {
		e.read(row)
		dst = appendRecord(dst, e)
		provider := nameOf(providerName)
		if provider == "" {
			provider = nameOf(providerID)
		}
		records = append(records, Record{len(dst), nameOf(traceName), provider})
	}
	return dst, records
}

// severities are the number and the text of severity by level.
var severities = [...]string{
	0: `,"severityText":"LOG_ALWAYS"`,
	1: `,"severityNumber":21,"severityText":"CRITICAL"`,
	2: `,"severityNumber":17,"severityText":"ERROR"`,
	3: `,"severityNumber":13,"severityText":"WARNING"`,
	4: `,"severityNumber":9,"severityText":"INFO"`,
	5: `,"severityNumber":5,"severityText":"VERBOSE"`,
}

// attributes are the attributes of the header of an event, in their order.
var attributes = []struct {
	part part
	name string
}{
	{providerID, "etw.provider.id"}, {eventID, "etw.event.id"}, {eventVersion, "etw.version"}, {level, "etw.level"}, {opcode, "etw.opcode"},
	{task, "etw.task"}, {keyword, "etw.keywords"}, {channel, "etw.channel"}, {processID, "etw.process.id"}, {threadID, "etw.thread.id"},
	{activityID, "etw.activity.id"}, {relatedActivityID, "etw.related_activity.id"}, {processName, "process.executable.name"}, {payload, "etw.payload"},
}

// attributeStarts are what comes before the values of attributes: in each, after the first, with a
// comma.
var attributeStarts = func() (starts []string) {
	for _, a := range attributes {
		starts = append(starts, `,{"key":"`+a.name+`","value":{`)
	}
	return starts
}()

func appendRecord(dst []byte, e *event) []byte {
	ns := int64(0) // which OpenTelemetry defines as an unknown time
	if e.has[timeNS] {
		ns = e.numbers[timeNS]
	}
	dst = strconv.AppendInt(append(dst, `{"timeUnixNano":"`...), ns, 10)
	dst = append(dst, '"')
	if e.has[level] && e.numbers[level] < int64(len(severities)) {
		dst = append(dst, severities[e.numbers[level]]...)
	}
	if e.has[message] {
		dst = append(texts.AppendJSON(append(dst, `,"body":{"stringValue":`...), e.texts[message]), '}')
	}
	dst = append(dst, `,"attributes":[`...)
	first := len(dst)
	for i := range attributes {
		if p := attributes[i].part; e.has[p] && !e.isUsual(p) {
			start := attributeStarts[i]
			if len(dst) == first {
				start = start[1:]
			}
			dst = append(appendAttribute(append(dst, start...), e, p), "}}"...)
		}
	}
	if list := e.texts[fields]; e.has[fields] && len(list) > len("[]") {
		if len(dst) > first {
			dst = append(dst, ',')
		}
		dst = append(dst, list[1:len(list)-1]...)
	}
	dst = append(dst, ']')
	if e.has[eventName] {
		dst = append(dst, `,"eventName":`...)
		if e.isUnnamed() {
			dst = append(strconv.AppendInt(append(dst, `"etw.`...), e.numbers[eventID], 10), '"')
		} else {
			dst = texts.AppendJSON(dst, e.texts[eventName])
		}
	}
	return append(dst, '}')
}

// channelOfTraceLogging is the channel of all events of TraceLogging.
const channelOfTraceLogging = 11

// isUsual reports whether a number says nothing: no task, and a channel that is none.
func (e *event) isUsual(p part) bool {
	return p == task && e.numbers[p] == 0 || p == channel && (e.numbers[p] == 0 || e.numbers[p] == channelOfTraceLogging)
}

// appendAttribute appends the value of an attribute. A number that int64 does not hold is a text.
func appendAttribute(dst []byte, e *event, p part) []byte {
	switch {
	case p == payload:
		return append(base64.StdEncoding.AppendEncode(append(dst, `"bytesValue":"`...), e.texts[p]), '"')
	case p >= firstText:
		return texts.AppendJSON(append(dst, `"stringValue":`...), e.texts[p])
	case p == keyword && uint64(e.numbers[p]) > math.MaxInt64:
		return append(strconv.AppendUint(append(dst, `"stringValue":"`...), uint64(e.numbers[p]), 10), '"')
	}
	return append(strconv.AppendInt(append(dst, `"intValue":"`...), e.numbers[p], 10), '"')
}
