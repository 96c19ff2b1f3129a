package logs

import (
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// Resource describes what recorded a trace.
type Resource struct {
	Host string // the name of the computer; "" if unknown
	Path string // of the trace; "" if unknown
	Name string // of the trace's file
}

// Bounds of a batch: its records, and the bytes from which on it takes no more. Collectors accept
// requests of 20 MiB, and some services of 1 MiB.
const (
	batchRecords = 1000
	batchBytes   = 512 << 10
)

// keptGroups bounds the groups whose memory is used again.
const keptGroups = 16

// Batcher makes batches of log records: LogsData, with the records of a trace in a ResourceLogs, and
// of these the records of a provider in a ScopeLogs. Records keep their order in the group. What is
// in a batch depends on the records alone.
type Batcher struct {
	// ResourceOf returns the resource of a trace by its name.
	ResourceOf func(trace string) Resource
	// Write writes a batch as a line.
	Write func(line []byte, records int) error

	groups  []*scopeGroup
	free    []*scopeGroup // of written batches, for their memory
	byName  map[scopeName]*scopeGroup
	records int
	bytes   int
	line    []byte
}

type scopeName struct{ trace, provider string }

// scopeGroup is the records of a provider in a trace, with a comma after each.
type scopeGroup struct {
	scopeName
	records []byte
}

// Add adds a record, and writes the batch if it is full.
func (b *Batcher) Add(of *Record, text []byte) error {
	name := scopeName{of.Trace, of.Provider}
	g := b.byName[name]
	if g == nil {
		if b.byName == nil {
			b.byName = make(map[scopeName]*scopeGroup)
		}
		if n := len(b.free); n > 0 {
			g, b.free = b.free[n-1], b.free[:n-1]
			g.records = g.records[:0]
		} else {
			g = new(scopeGroup)
		}
		g.scopeName = name
		b.byName[name] = g
		b.groups = append(b.groups, g)
	}
	g.records = append(append(g.records, text...), ',')
	b.records++
	if b.bytes += len(text); b.records < batchRecords && b.bytes < batchBytes {
		return nil
	}
	return b.Flush()
}

// Flush writes the records that wait.
func (b *Batcher) Flush() error {
	if b.records == 0 {
		return nil
	}
	line := append(b.line[:0], `{"resourceLogs":[`...)
	written := make(map[string]bool)
	for _, g := range b.groups {
		if written[g.trace] {
			continue
		}
		written[g.trace] = true
		line = append(b.appendTrace(line, g.trace), ',')
	}
	line = append(line[:len(line)-1], "]}\n"...)
	records := b.records
	b.free = append(b.free[:0], b.groups[:min(len(b.groups), keptGroups)]...)
	b.line, b.records, b.bytes, b.groups = line, 0, 0, b.groups[:0]
	clear(b.byName)
	return b.Write(line, records)
}

// appendTrace appends the ResourceLogs of a trace.
func (b *Batcher) appendTrace(dst []byte, trace string) []byte {
	r := b.ResourceOf(trace)
	dst = append(dst, `{"resource":{"attributes":[{"key":"os.type","value":{"stringValue":"windows"}}`...)
	for _, a := range [...]struct{ name, value string }{{"host.name", r.Host}, {"log.file.path", r.Path}, {"log.file.name", r.Name}} {
		if a.value != "" {
			dst = append(append(append(dst, `,{"key":"`...), a.name...), `","value":{"stringValue":`...)
			dst = append(texts.AppendJSON(dst, []byte(a.value)), "}}"...)
		}
	}
	dst = append(dst, `]},"scopeLogs":[`...)
	for _, g := range b.groups {
		if g.trace != trace {
			continue
		}
		dst = append(dst, '{')
		if g.provider != "" {
			dst = append(texts.AppendJSON(append(dst, `"scope":{"name":`...), []byte(g.provider)), "},"...)
		}
		dst = append(append(dst, `"logRecords":[`...), g.records[:len(g.records)-1]...)
		dst = append(dst, "]},"...)
	}
	return append(dst[:len(dst)-1], "]}"...)
}
