package export

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// ruleKey is the provider and the name of an event.
type ruleKey struct{ provider, event string }

const (
	clrProvider     = "Microsoft-Windows-DotNETRuntime"
	processProvider = "Microsoft-Windows-Kernel-Process"
	httpProvider    = "Microsoft-Windows-HttpService"
)

// rules make spans and counters of events.
var rules map[ruleKey]func(t *timeline, m *moment) error

func init() {
	rules = map[ruleKey]func(t *timeline, m *moment) error{
		{clrProvider, "GC/SuspendEEStart"}:      beginPause,
		{clrProvider, "GC/RestartEEStop"}:       endPause,
		{clrProvider, "GC/Start"}:               beginGC,
		{clrProvider, "GC/Stop"}:                endGC,
		{clrProvider, "GC/HeapStats"}:           heapSize,
		{clrProvider, "Method/JittingStarted"}:  beginJIT,
		{clrProvider, "Method/LoadVerbose"}:     endJIT,
		{clrProvider, "Contention/Start"}:       beginContention,
		{clrProvider, "Contention/Stop"}:        endContention,
		{httpProvider, "RecvReq"}:               beginRequest,
		{httpProvider, "Deliver"}:               nameRequest,
		{httpProvider, "RecvResp"}:              answerRequest,
		{httpProvider, "FastResp"}:              answerRequest,
		{httpProvider, "SendComplete"}:          endRequest,
		{httpProvider, "FastSend"}:              endRequest,
		{"DiskIo", "Read"}:                      diskTransfer("read"),
		{"DiskIo", "Write"}:                     diskTransfer("write"),
		{"DiskIo", "FlushBuffers"}:              diskTransfer("flush"),
		{"PageFault", "HardFault"}:              hardFault,
		{"Process", "Start"}:                    processEvent("process starts", "image", "image_file_name", "command line", "command_line", "parent process", "parent_id"),
		{"Process", "End"}:                      processEvent("process ends", "exit status", "exit_status"),
		{processProvider, "ProcessStart/Start"}: processEvent("process starts", "process", "process_id", "image", "image_name", "parent process", "parent_process_id"),
		{processProvider, "ProcessStop/Stop"}:   processEvent("process ends", "exit code", "exit_code"),
		{"PerfInfo", "Mark"}:                    mark,
	}
}

// rulePatterns returns patterns of the events that have rules.
func rulePatterns() (list []string) {
	for key := range rules {
		list = append(list, key.provider+"/"+key.event)
	}
	slices.Sort(list)
	return list
}

// parseInt parses a signed or an unsigned integer of 64 bits.
func parseInt(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		var u uint64
		u, err = strconv.ParseUint(text, 10, 64)
		n = int64(u)
	}
	return n, err
}

// pauseKey is the key of a suspension, which ends on the thread where it began.
func pauseKey(m *moment) openKey {
	return openKey{category: ofGC, a: m.process, b: m.threadID, text: "pause"}
}

func beginPause(t *timeline, m *moment) error {
	name := "suspension"
	if reason := m.text("reason_text"); reason != "" {
		name += ": " + reason
	}
	t.restart(pauseKey(m), &span{from: m.time, thread: m.thread, category: ofGC, name: t.text(name)})
	return nil
}

func endPause(t *timeline, m *moment) error { return t.end(pauseKey(m), m.time) }

// gcKey is the key of a collection: a runtime logs its start once for each version of the event.
func gcKey(m *moment) openKey {
	return openKey{category: ofGC, a: m.process, b: m.int("count"), text: "gc " + m.text("clr_instance_id")}
}

func beginGC(t *timeline, m *moment) error {
	s := &span{from: m.time, thread: m.thread, category: ofGC, name: "GC generation " + m.text("depth")}
	s.args = details(m, "number", "count", "reason", "reason_text", "type", "type_text")
	t.begin(gcKey(m), s)
	return nil
}

func endGC(t *timeline, m *moment) error { return t.end(gcKey(m), m.time) }

func heapSize(t *timeline, m *moment) error {
	total := float64(0)
	for _, name := range []string{"generation_size0", "generation_size1", "generation_size2", "generation_size3", "generation_size4"} {
		total += float64(uint64(m.int(name)))
	}
	return t.counter(&counter{m.time, m.thread, "GC heap after collection", "bytes", total})
}

func jitKey(m *moment) openKey {
	return openKey{category: ofJIT, a: m.threadID, b: m.int("method_id"), text: strconv.FormatInt(m.process, 10)}
}

func beginJIT(t *timeline, m *moment) error {
	name := m.text("method_name")
	if space := m.text("method_namespace"); space != "" {
		name = space + "." + name
	}
	t.restart(jitKey(m), &span{from: m.time, thread: m.thread, category: ofJIT, name: cmp.Or(name, "method"), args: details(m, "bytes of IL", "method_il_size", "signature", "method_signature")})
	return nil
}

func endJIT(t *timeline, m *moment) error {
	return t.end(jitKey(m), m.time, details(m, "bytes of code", "method_size")...)
}

func contentionKey(m *moment) openKey {
	return openKey{category: ofContention, a: m.process, b: m.threadID, text: m.text("clr_instance_id")}
}

func beginContention(t *timeline, m *moment) error {
	t.restart(contentionKey(m), &span{from: m.time, thread: m.thread, category: ofContention, name: "lock contention"})
	return nil
}

func endContention(t *timeline, m *moment) error { return t.end(contentionKey(m), m.time) }

func requestKey(m *moment) openKey { return openKey{category: ofHTTP, a: m.int("request_id")} }

func beginRequest(t *timeline, m *moment) error {
	t.restart(requestKey(m), &span{from: m.time, thread: m.thread, category: ofHTTP, name: "request", args: details(m, "remote address", "remote_addr")})
	return nil
}

func nameRequest(t *timeline, m *moment) error {
	if s := t.open[requestKey(m)]; s != nil && m.text("url") != "" {
		s.name = m.text("url")
		s.args = append(s.args, details(m, "queue", "request_queue_name")...)
	}
	return nil
}

func answerRequest(t *timeline, m *moment) error {
	if s := t.open[requestKey(m)]; s != nil {
		s.thread = m.thread // of the process that answers
		if verb := m.text("verb"); verb != "" {
			s.name = verb + " " + s.name
		}
	}
	return nil
}

func endRequest(t *timeline, m *moment) error {
	return t.end(requestKey(m), m.time, details(m, "status", "http_status")...)
}

// diskTransfer is a transfer that is complete, with the time that it took.
func diskTransfer(operation string) func(t *timeline, m *moment) error {
	return func(t *timeline, m *moment) error {
		took := int64(float64(uint64(m.int("high_res_response_time"))) * t.perFreq)
		if took < 0 || took > m.time {
			took = 0 // damaged
		}
		name := operation
		if file := m.text("file_name"); file != "" {
			name += " " + file[strings.LastIndexByte(file, '\\')+1:]
		}
		return t.span(&span{from: m.time - took, to: m.time, thread: m.thread, category: ofDisk, name: name, args: details(m, "file", "file_name", "bytes", "transfer_size", "disk", "disk_number", "offset", "byte_offset", "priority", "irp_priority_text")})
	}
}

func hardFault(t *timeline, m *moment) error {
	from := m.int("initial_time_ns")
	if from <= 0 || from > m.time {
		from = m.time
	}
	return t.span(&span{from: from, to: m.time, thread: m.thread, category: ofFaults, name: "hard fault", args: details(m, "bytes", "byte_count", "address", "virtual_address", "file", "file_name")})
}

// processEvent is the start or the end of a process, with fields as details.
func processEvent(name string, fields ...string) func(t *timeline, m *moment) error {
	return func(t *timeline, m *moment) error {
		return t.span(&span{from: m.time, to: m.time, thread: m.thread, category: ofProcess, name: name, args: details(m, fields...)})
	}
}

func mark(t *timeline, m *moment) error {
	return t.span(&span{from: m.time, to: m.time, thread: m.thread, category: ofMark, name: cmp.Or(m.text("message"), "mark")})
}

// details returns the fields that an event has as details: pairs of a label and the name of a field.
func details(m *moment, pairs ...string) (list []arg) {
	for i := 0; i < len(pairs); i += 2 {
		if value := m.text(pairs[i+1]); value != "" {
			list = append(list, arg{pairs[i], value})
		}
	}
	return list
}
