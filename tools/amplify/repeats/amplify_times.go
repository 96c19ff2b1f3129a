package repeats

import "github.com/etl2parquet/etl2parquet/decode"

// unit is the unit of a shifted field.
type unit uint8

const (
	unitTicks    unit = iota // of the trace's clock
	unitFiletime             // 100 ns
	unitCounter              // of the performance counter, if it is not the trace's clock
	unitSequence             // buffers
	units        = iota
)

// shifts are the increases of the fields of each unit.
type shifts [units]int64

// shifted is an i64 that grows from repeat to repeat.
type shifted struct {
	at   uint32
	unit unit
}

// flushUnit returns the unit of the time in a buffer's header: the clock's, or FILETIME if a
// relogger wrote it.
func (a *amplifier) flushUnit(t int64) unit {
	isFiletime := t >= filetimeLikely
	switch {
	case isFiletime == (a.file.Header().ClockType == decode.ClockSystemTime):
		return unitTicks
	case isFiletime:
		return unitFiletime
	}
	return unitCounter
}

// appendTimes adds the positions of an event's times.
func appendTimes(fields []shifted, ev *decode.Event) []shifted {
	if at := timeAt(ev); at != 0 {
		u := unitTicks
		if !ev.Timed { // a message with a time that is not on the trace's clock
			u = unitCounter
		}
		fields = append(fields, shifted{uint32(ev.Offset + at), u})
	}
	if beginsWithTime(ev) {
		fields = append(fields, shifted{uint32(ev.Offset + ev.PayloadOffset()), unitTicks})
	}
	return fields
}

// timeAt returns the position of an event's time, or 0. Package decode has the same tables,
// unexported; a test compares the two.
func timeAt(ev *decode.Event) int {
	switch ev.Family {
	case decode.FamilyPerfInfo:
		return 0x08
	case decode.FamilyMessage:
		return messageTimeAt(ev.Message().Flags())
	case decode.FamilyOther:
		if !ev.Timed {
			return 0
		}
	}
	return 0x10
}

func messageTimeAt(flags decode.MessageFlags) int {
	if flags&(decode.MessageTimestamp|decode.MessagePerformanceTimestamp) == 0 {
		return 0
	}
	at := 8
	if flags&decode.MessageSequence != 0 {
		at += 4
	}
	switch {
	case flags&decode.MessageGUID != 0:
		at += 16
	case flags&decode.MessageComponentID != 0:
		at += 4
	}
	return at
}

// payloadTimes lists the kernel events whose payload begins with a time on the trace's
// clock: the time of the event that a stack belongs to, or the start of the activity that
// ends with the event. Source: the format dossier, kernel-events.json, type wintime; stacks
// were checked on traces.
var payloadTimes = []struct {
	first, last uint16 // hooks
	version     uint8  // the first version with the time
}{
	{0x0220, 0x0220, 2}, // HardFault.InitialTime
	{0x0462, 0x0463, 3}, // FileIo PreOpCompletion, PostOpCompletion
	{0x090a, 0x091d, 2}, // Registry
	{0x0c20, 0x0c20, 0}, // LastBranchRecording.TimeStamp
	{0x0f32, 0x0f32, 2}, // ISR-MSI
	{0x0f42, 0x0f42, 2}, // ThreadedDPC
	{0x0f43, 0x0f45, 1}, // ISR, DPC, TimerDPC
	{0x0f46, 0x0f46, 2}, // IOTimer
	{0x0f5f, 0x0f5f, 1}, // ISR-PASS
	{0x1820, 0x1820, 0}, // StackWalk.EventTimeStamp
	{0x1825, 0x1826, 0}, // StackKeyKernel, StackKeyUser
}

// beginsWithTime reports whether the payload begins with a time of the clock.
func beginsWithTime(ev *decode.Event) bool {
	var known bool
	switch ev.Family {
	case decode.FamilySystem:
		known = hasPayloadTime(ev.System().HookID(), ev.System().Version())
	case decode.FamilyPerfInfo:
		known = hasPayloadTime(ev.PerfInfo().HookID(), ev.PerfInfo().Version())
	}
	return known && len(ev.Payload()) >= 8
}

func hasPayloadTime(hook uint16, version uint8) bool {
	for _, p := range payloadTimes {
		if hook >= p.first && hook <= p.last {
			return version >= p.version
		}
	}
	return false
}
