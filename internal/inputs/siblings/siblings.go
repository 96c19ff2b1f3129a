package siblings

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// HeadSize is the number of bytes at the start of a trace that Read needs, unless the trace is
// shorter.
const HeadSize = 4 << 10

// Member is a trace that may have siblings.
type Member struct {
	ID   string // a hash of the head: 32 hexadecimal digits
	Size int64  // of the trace, -1 if unknown

	alone      index.Place
	ends       *facts.Ends // nil: not known
	buffers    uint32      // BuffersWritten
	system     system
	processors uint32 // 0 if unknown
	start, end int64  // FILETIME
	ticks      decode.Ticks
	names      [2]string // LoggerName, LogFileName
	legacy     bool      // the start is as exact as clock interrupts
	newFile    bool      // part of a series of files
	stopped    bool      // the end and the losses are known
	lost       [2]uint32 // events and buffers, since the session began
}

// system identifies a boot of a system and a clock.
type system struct {
	boot             int64 // FILETIME
	major, minor     uint8
	build, pointer   uint32
	mhz              uint32
	bias, std, light int32
	clock            decode.ClockType
	frequency        int64 // ticks per second
}

// Read reads the head of a trace: its first HeadSize bytes, or all of it. ok is false if
// the trace can belong to no session.
func Read(head []byte, size int64) (m *Member, ok bool) {
	head = head[:min(len(head), HeadSize)]
	f, err := decode.NewFile(bytes.NewReader(head), int64(len(head)))
	if err != nil {
		return nil, false
	}
	h := f.Header()
	s := system{
		boot: h.BootTime, major: h.MajorVersion, minor: h.MinorVersion, build: h.ProviderVersion, pointer: h.PointerSize, mhz: h.CPUSpeedInMHz,
		bias: h.TimeZone.Bias, std: h.TimeZone.StandardBias, light: h.TimeZone.DaylightBias, clock: h.ClockType, frequency: frequency(h),
	}
	if s.boot <= 0 || s.frequency <= 0 || h.StartTime <= 0 {
		return nil, false
	}
	sum := sha256.Sum256(head)
	m = &Member{
		ID: hex.EncodeToString(sum[:16]), Size: size, alone: index.PlaceOf(h), buffers: h.BuffersWritten, system: s, start: h.StartTime, end: max(h.StartTime, h.EndTime), ticks: h.EventTicks,
		names:   [2]string{h.LoggerName, h.LogFileName},
		newFile: h.NewFile(), stopped: h.Finalised(), lost: [2]uint32{h.EventsLost, h.BuffersLost},
		legacy: h.MajorVersion < 6 || h.MajorVersion == 6 && h.MinorVersion < 2,
	}
	if h.PerProcessor() {
		m.processors = h.NumberOfProcessors
	}
	return m, true
}

// filetimeSecond is a second in units of FILETIME.
const filetimeSecond = 10_000_000

// frequency returns the ticks of the trace's clock per second, or 0 if it is unknown.
func frequency(h *decode.TraceHeader) int64 {
	switch h.ClockType {
	case decode.ClockQPC:
		return h.PerfFreq
	case decode.ClockSystemTime:
		return filetimeSecond
	case decode.ClockCPUCycle:
		return int64(h.CPUSpeedInMHz) * 1_000_000
	}
	return 0
}

// The limits of a match, in units of FILETIME.
const (
	nearby      = 60 * filetimeSecond              // between the end of a trace and the start of the next
	exact       = filetimeSecond / 1_000           // of start times
	legacyExact = filetimeSecond / 50              // the same, before Windows 8
	driftParts  = 2_000                            // the clocks of a system drift apart by less than 1/2000
	longestSpan = 366 * 24 * 3600 * filetimeSecond // beyond it, times are damaged
)

// agree reports whether the clocks of two members show the same ticks at the same time.
func agree(a, b *Member) bool {
	between := b.start - a.start
	if between < -longestSpan || between > longestSpan {
		return false
	}
	ticks := float64(b.ticks) - float64(a.ticks)
	difference := int64(ticks/float64(a.system.frequency)*filetimeSecond) - between
	tolerance := int64(exact)
	if a.legacy {
		tolerance = legacyExact
	}
	return max(difference, -difference) <= tolerance+max(between, -between)/driftParts
}

// MaxMembers bounds the traces of a session. A larger group is more likely a log in many
// files than one recording; its traces have no siblings, as each would read all the others.
const MaxMembers = 32

// Find groups members into sessions, each of two or more, in the order of Compare. It does not
// depend on the order of the members.
func Find(members []*Member) [][]*Member {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, func(a, b *Member) int {
		return cmp.Or(a.system.compare(&b.system), a.Compare(b), cmp.Compare(a.ID, b.ID))
	})
	var sessions [][]*Member
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && sorted[to].system == sorted[from].system {
			to++
		}
		sessions = append(sessions, split(sorted[from:to])...)
		from = to
	}
	return slices.DeleteFunc(sessions, func(s []*Member) bool { n := distinct(s); return n < 2 || n > MaxMembers })
}

// split divides the members of one boot, in order, into sessions.
func split(members []*Member) [][]*Member {
	type group struct {
		members    []*Member
		end        int64
		processors uint32
	}
	var groups []*group
	begun := 0 // the groups before it ended too early for all that follow
	for _, m := range members {
		var in *group
		for at := begun; at < len(groups); at++ {
			g := groups[at]
			switch {
			case g.end+nearby < m.start:
				groups[at], groups[begun] = groups[begun], g
				begun++
			case in == nil && agree(g.members[len(g.members)-1], m) && (g.processors == 0 || m.processors == 0 || g.processors == m.processors):
				in = g
			}
		}
		if in == nil {
			in = new(group)
			groups = append(groups, in)
		}
		in.members = append(in.members, m)
		in.end, in.processors = max(in.end, m.end), max(in.processors, m.processors)
	}
	sessions := make([][]*Member, len(groups))
	for i, g := range groups {
		sessions[i] = g.members
	}
	return sessions
}

// distinct counts the members of a session, in order, without copies.
func distinct(session []*Member) int {
	n := 0
	for i, m := range session {
		if i == 0 || m.Compare(session[i-1]) != 0 {
			n++
		}
	}
	return n
}

// Compare orders the members of a session by their contents, the earliest start first. It
// returns 0 for copies of one trace, even damaged ones: they have the same start, size and
// names.
func (m *Member) Compare(o *Member) int {
	order := cmp.Or(
		cmp.Compare(m.start, o.start), cmp.Compare(m.ticks, o.ticks), cmp.Compare(m.Size, o.Size),
		cmp.Compare(m.names[0], o.names[0]), cmp.Compare(m.names[1], o.names[1]))
	if order == 0 && m.Size < 0 {
		return cmp.Compare(m.ID, o.ID)
	}
	return order
}

func (s *system) compare(o *system) int {
	return cmp.Or(
		cmp.Compare(s.boot, o.boot), cmp.Compare(s.major, o.major), cmp.Compare(s.minor, o.minor), cmp.Compare(s.build, o.build),
		cmp.Compare(s.pointer, o.pointer), cmp.Compare(s.mhz, o.mhz), cmp.Compare(s.bias, o.bias), cmp.Compare(s.std, o.std),
		cmp.Compare(s.light, o.light), cmp.Compare(s.clock, o.clock), cmp.Compare(s.frequency, o.frequency))
}
