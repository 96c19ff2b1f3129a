package decode

// PerfInfoHeader is a PERFINFO_TRACE_HEADER (0x10 bytes), the short header of
// frequent kernel events. It has no process and no thread.
type PerfInfoHeader []byte

// PerfInfo returns the header of an event of [FamilyPerfInfo].
func (ev *Event) PerfInfo() PerfInfoHeader { return PerfInfoHeader(ev.Raw[:ev.header]) }

// Version is the event's version: 0x00, low byte.
func (h PerfInfoHeader) Version() uint8 { return h[0x00] }

// HookID is Group<<8 | Type: 0x06.
func (h PerfInfoHeader) HookID() uint16 { return le.Uint16(h[0x06:]) }

// Bits of the Version word of SYSTEM, COMPACT and PERFINFO headers that announce data between the
// header and the payload (phnt; not seen in a trace).
const (
	versionPMCMask  = 0x0700
	versionPMCShift = 8
	versionPEBS     = 0x8000
	counterSize     = 8
)

// Counters are the processor counters between a kernel header and its payload.
type Counters struct {
	HasPEBS bool
	PMC     int    // number of PMC counters
	raw     []byte // PEBS index first, then the counters
}

// HasCounters reports whether the header of an event of [FamilySystem] or
// [FamilyPerfInfo] announces counters.
func (ev *Event) HasCounters() bool { return le.Uint16(ev.Raw)&(versionPMCMask|versionPEBS) != 0 }

// Counters returns the counters of an event of [FamilySystem] or [FamilyPerfInfo]
// that lie inside the event.
func (ev *Event) Counters() Counters {
	version := le.Uint16(ev.Raw)
	c := Counters{
		HasPEBS: version&versionPEBS != 0,
		PMC:     int(version & versionPMCMask >> versionPMCShift),
		raw:     ev.Raw[ev.header:],
	}
	return c
}

func (c Counters) size() int {
	n := c.PMC
	if c.HasPEBS {
		n++
	}
	return n * counterSize
}

// None reports whether there are no counters, or some lie outside the event.
func (c Counters) None() bool {
	n := c.size()
	return n == 0 || n > len(c.raw)
}

// PEBSIndex returns the index of the PEBS record. HasPEBS must be true and None false.
func (c Counters) PEBSIndex() uint64 { return le.Uint64(c.raw) }

// Counter returns PMC counter i, which must be below PMC. None must be false.
func (c Counters) Counter(i int) uint64 {
	if c.HasPEBS {
		i++
	}
	return le.Uint64(c.raw[i*counterSize:])
}
