package convert

import (
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
)

// Severity says how much a problem matters.
type Severity string

// The severities of problems.
const (
	Info    Severity = "info"    // worth knowing
	Warning Severity = "warning" // lost before the file was written, or may have been
	Failure Severity = "error"   // in the file, and could not be read
)

// Problem is a row of the table problems. Buffer, FileOffset and Position are
// -1 where they do not apply.
type Problem struct {
	Severity   Severity `json:"severity"`
	Code       string   `json:"code"`
	Count      int64    `json:"count"`
	Buffer     int64    `json:"buffer"`
	FileOffset int64    `json:"file_offset"`
	Position   int64    `json:"position"`
	Field      string   `json:"field,omitempty"`
	Message    string   `json:"message"`
}

// String returns the problem as a line for people.
func (p *Problem) String() string {
	s := fmt.Sprintf("%s: %s", p.Severity, p.Message)
	if p.Field != "" {
		s = fmt.Sprintf("%s: %s: %s", p.Severity, p.Field, p.Message)
	}
	if p.Buffer >= 0 {
		s += fmt.Sprintf(" (buffer %d", p.Buffer)
		if p.FileOffset >= 0 {
			s += fmt.Sprintf(", file offset %#x", p.FileOffset)
		}
		if p.Position >= 0 {
			s += fmt.Sprintf(", position %#x", p.Position)
		}
		s += ")"
	}
	if p.Count > 1 {
		s += fmt.Sprintf(" [%d times]", p.Count)
	}
	return s
}

// problemsPerCode bounds how many problems of one code are listed; the rest is
// only counted.
const problemsPerCode = 200

// Problems is a list of problems, in the order of the file.
type Problems struct {
	list   []Problem
	listed map[string]int
	more   []Problem // per code, what is not listed
}

// All returns the problems; at the end, for each code with too many to list, a
// problem that counts the others.
func (p *Problems) All() []Problem { return append(append([]Problem(nil), p.list...), p.more...) }

// Serious returns how many problems are more than information.
func (p *Problems) Serious() int64 {
	n := int64(0)
	for _, problem := range p.All() {
		if problem.Severity != Info {
			n += problem.Count
		}
	}
	return n
}

// Damaged reports whether something in the file could not be read.
func (p *Problems) Damaged() bool {
	for i := range p.list {
		if p.list[i].Severity == Failure {
			return true
		}
	}
	return false
}

// firstDamage returns the first problem that Damaged counts.
func (p *Problems) firstDamage() string {
	for i := range p.list {
		if p.list[i].Severity == Failure {
			return p.list[i].String()
		}
	}
	return ""
}

func (p *Problems) add(problem Problem) {
	if p.listed == nil {
		p.listed = make(map[string]int)
	}
	if p.listed[problem.Code] < problemsPerCode {
		p.listed[problem.Code]++
		p.list = append(p.list, problem)
		return
	}
	for i := range p.more {
		if p.more[i].Code == problem.Code {
			p.more[i].Count += problem.Count
			return
		}
	}
	p.more = append(p.more, Problem{Severity: problem.Severity, Code: problem.Code, Count: problem.Count,
		Buffer: -1, FileOffset: -1, Position: -1, Message: "more of the same, not listed"})
}

// merge adds the problems of a later part of the file.
func (p *Problems) merge(later *Problems) {
	for _, problem := range later.All() {
		p.add(problem)
	}
}

// trace adds a problem of the trace as a whole.
func (p *Problems) trace(s Severity, code string, count int64, field, format string, args ...any) {
	p.add(Problem{Severity: s, Code: code, Count: count, Buffer: -1, FileOffset: -1, Position: -1, Field: field, Message: fmt.Sprintf(format, args...)})
}

// decode adds an error of package decode; it reports false for an error that
// is not about the contents of the file.
func (p *Problems) decode(code string, err error) bool {
	var e *decode.Error
	if !errors.As(err, &e) {
		return false
	}
	p.add(problemOf(Failure, code, e))
	return true
}

func problemOf(s Severity, code string, e *decode.Error) Problem {
	return Problem{Severity: s, Code: code, Count: 1, Buffer: int64(e.Buffer), FileOffset: e.Offset,
		Position: int64(e.Pos), Field: e.Where, Message: e.Err.Error()}
}

// lostBytes says how much of a buffer a damaged event cost.
func (p *Problems) lostBytes(b *decode.Buffer, start int) {
	last := &p.list[len(p.list)-1]
	if last.Buffer == int64(b.Index) && last.Position == int64(start) {
		last.Message += fmt.Sprintf("; the %d bytes left in the buffer were not read", b.End()-start)
	}
}

// noteIf adds what is wrong with a record of the session about itself.
func (p *Problems) noteIf(b *decode.Buffer, ev *decode.Event, err error) {
	var e *decode.Error
	if !errors.As(err, &e) {
		return
	}
	note := problemOf(Info, "session_record_damaged", e)
	note.Buffer, note.Position = int64(b.Index), int64(ev.Offset)
	p.add(note)
}

// faultCodes are the severity and code of each kind of fault.
var faultCodes = [...]struct {
	severity Severity
	code     string
}{
	decode.FaultDamage:  {Failure, "container_damaged"},
	decode.FaultSlack:   {Info, "unused_space"},
	decode.FaultMissing: {Failure, "file_truncated"},
}

// container adds what is wrong with the file around its buffers.
func (p *Problems) container(f *decode.File) {
	faults, more := f.Faults()
	for _, fault := range faults {
		kind := faultCodes[fault.Kind]
		p.add(problemOf(kind.severity, kind.code, fault.Err))
	}
	if more > 0 {
		p.trace(Failure, "container_damaged", int64(more), "", "more of the same, not listed")
	}
}

// losses adds what the trace says was lost, and what its numbers imply.
func (p *Problems) losses(x *Index) {
	h := x.File.Header()
	if h.EventsLost > 0 {
		p.trace(Warning, "events_lost", int64(h.EventsLost), "TRACE_LOGFILE_HEADER.EventsLost", "the session lost events while it recorded")
	}
	if h.BuffersLost > 0 {
		p.trace(Warning, "buffers_lost", int64(h.BuffersLost), "TRACE_LOGFILE_HEADER.BuffersLost", "the session lost buffers while it recorded")
	}
	for i := range x.Buffers {
		info := x.File.BufferInfo(i)
		if lost := info.Header.BufferFlag & (decode.BufferEventsLost | decode.BufferBufferLost); lost != 0 && !info.Damaged {
			p.add(Problem{Severity: Warning, Code: "buffer_reports_loss", Count: 1, Buffer: int64(i), FileOffset: info.Offset, Position: -1,
				Field: "WMI_BUFFER_HEADER.BufferFlag", Message: fmt.Sprintf("events or buffers were lost before this buffer (%v)", decode.BufferFlagNames(uint16(lost)))})
		}
	}
	if found := int64(x.File.Buffers()); int64(h.BuffersWritten) > found {
		p.trace(Warning, "buffers_missing", int64(h.BuffersWritten)-found, "TRACE_LOGFILE_HEADER.BuffersWritten", "the session wrote %d buffers, the file has %d", h.BuffersWritten, found)
	}
	if !h.Finalised() {
		p.trace(Info, "not_finalised", 1, "TRACE_LOGFILE_HEADER.EndTime", "the session was not stopped: end time, lost events and buffers are not known")
	}
	if h.ClockType < decode.ClockQPC || h.ClockType > decode.ClockCPUCycle {
		p.trace(Warning, "clock_unknown", 1, "TRACE_LOGFILE_HEADER.ReservedFlags", "clock type %d is none that is known; times may be wrong", uint32(h.ClockType))
	}
	if x.UnlistedEvents > 0 {
		p.trace(Warning, "event_types_limit", x.UnlistedEvents, "", "event_types and providers have the first %d kinds of event only", maxEventTypes)
	}
}

// packedSwitches adds what the packed form of context switches costs.
func (p *Problems) packedSwitches(batches int64) {
	if batches > 0 {
		p.trace(Info, "context_switches_packed", batches, "",
			"batches of context switches are in a packed form and kept as they are; which thread runs is not known on their processors")
	}
}

// attribution adds what the tables of processes and the like have no room for.
func (p *Problems) attribution(t *attribution.Tables) {
	if t.Unlisted > 0 {
		p.trace(Warning, "attribution_limit", t.Unlisted, "", "records of processes, threads, images or files are beyond the first %d of each", attribution.DefaultLimits.Records)
	}
	if t.NoText > 0 {
		p.trace(Warning, "attribution_text_limit", t.NoText, "", "names of processes, threads, images or files are beyond the first %d bytes", attribution.DefaultLimits.Texts)
	}
	if t.Stacks.NoRoom > 0 {
		p.trace(Warning, "stack_keys_limit", t.Stacks.NoRoom, "", "definitions of stack keys, or events with parts of one stack, are beyond the first %d, or what --memory allows for", attribution.DefaultLimits.Keys)
	}
}

// stackCounts count the stacks that are not whole.
type stackCounts struct{ unmatched, unresolved, omitted int64 }

func (c *stackCounts) add(p *stackParts) {
	c.unmatched += p.unmatched
	c.unresolved += p.missing
	c.omitted += p.omitted
}

// stacks adds the stacks that are not whole.
func (p *Problems) stacks(c *stackCounts) {
	if c.unmatched > 0 {
		p.trace(Info, "stacks_unmatched", c.unmatched, "", "stacks of events that are not in the trace: the table stacks has them without event_ref")
	}
	if c.unresolved > 0 {
		p.trace(Info, "stack_keys_unresolved", c.unresolved, "", "parts of stacks have keys that the trace does not explain")
	}
	if c.omitted > 0 {
		p.trace(Warning, "stacks_limit", c.omitted, "", "parts of stacks are left out: events of one time have more than there is memory for")
	}
}
