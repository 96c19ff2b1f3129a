package session

import (
	"encoding/binary"
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
)

// The layout of EVENT_TRACE_PROFILE_COUNTER_INFORMATION, the same for 32-bit
// and 64-bit Windows (sizeof is 0x18, for one source and padding):
//
//	0x00 u32   EventTraceInformationClass
//	0x04       padding, any value
//	0x08 u64   TraceHandle
//	0x10 u32[] ProfileSource, to the end of the buffer
//
// Programs pass it to NtSetSystemInformation(SystemPerformanceTraceInformation) since Windows 8; it
// is not part of a trace file. Microsoft does not document it, but disclosed it in NTETW.H of the
// Windows 10 and 1511 WDKs. The offsets, the two classes and the rules for the length are from
// Geoff Chappell's "EVENT_TRACE_PROFILE_COUNTER_INFORMATION". No blob has been observed.
const (
	profileCounterHandle  = 0x08
	profileCounterSources = 0x10
)

// ProfileCounterClass is the EVENT_TRACE_INFORMATION_CLASS of a
// ProfileCounterInformation. The enumeration has more values; each selects
// another structure.
type ProfileCounterClass uint32

const (
	// ProfileConfigClass sets the sources that are sampled:
	// EventTraceProfileConfigInformation.
	ProfileConfigClass ProfileCounterClass = 0x0C
	// ProfileCounterListClass sets the counters that are attached to
	// events: EventTraceProfileCounterListInformation.
	ProfileCounterListClass ProfileCounterClass = 0x0F
)

// String returns Microsoft's name of the class.
func (c ProfileCounterClass) String() string {
	switch c {
	case ProfileConfigClass:
		return "EventTraceProfileConfigInformation"
	case ProfileCounterListClass:
		return "EventTraceProfileCounterListInformation"
	}
	return fmt.Sprintf("ProfileCounterClass(%d)", uint32(c))
}

// ProfileSource is a KPROFILE_SOURCE: what a profile interrupt or a counter
// counts. Values past ProfileMaximum depend on the processor.
type ProfileSource uint32

// profileSourceNames is KPROFILE_SOURCE by value, unchanged since Windows NT
// 3.51. Documented: wdm.h of the WDK, and Geoff Chappell's "KPROFILE_SOURCE".
var profileSourceNames = [...]string{
	0x00: "ProfileTime",
	0x01: "ProfileAlignmentFixup",
	0x02: "ProfileTotalIssues",
	0x03: "ProfilePipelineDry",
	0x04: "ProfileLoadInstructions",
	0x05: "ProfilePipelineFrozen",
	0x06: "ProfileBranchInstructions",
	0x07: "ProfileTotalNonissues",
	0x08: "ProfileDcacheMisses",
	0x09: "ProfileIcacheMisses",
	0x0A: "ProfileCacheMisses",
	0x0B: "ProfileBranchMispredictions",
	0x0C: "ProfileStoreInstructions",
	0x0D: "ProfileFpInstructions",
	0x0E: "ProfileIntegerInstructions",
	0x0F: "Profile2Issue",
	0x10: "Profile3Issue",
	0x11: "Profile4Issue",
	0x12: "ProfileSpecialInstructions",
	0x13: "ProfileTotalCycles",
	0x14: "ProfileIcacheIssues",
	0x15: "ProfileDcacheAccesses",
	0x16: "ProfileMemoryBarrierCycles",
	0x17: "ProfileLoadLinkedIssues",
	0x18: "ProfileMaximum",
}

// String returns Microsoft's name of the source, or "ProfileSource(25)" for
// one that depends on the processor.
func (s ProfileSource) String() string {
	if uint64(s) < uint64(len(profileSourceNames)) {
		return profileSourceNames[s]
	}
	return fmt.Sprintf("ProfileSource(%d)", uint32(s))
}

// ProfileCounterInformation is an EVENT_TRACE_PROFILE_COUNTER_INFORMATION,
// which for ProfileConfigClass is also called
// EVENT_TRACE_PROFILE_CONFIG_INFORMATION.
type ProfileCounterInformation struct {
	Class       ProfileCounterClass // 0x00
	TraceHandle uint64              // 0x08, identifies the session
	// Sources (0x10) fill the buffer; ProfileCounterListClass has at least one. If a
	// caller passed sizeof for one source, the padding counts as a second source, for
	// Windows too. The slice belongs to the caller.
	Sources []ProfileSource
}

// KernelLoggerID is the LoggerID that selects the NT Kernel Logger.
const KernelLoggerID = 0xFFFF

// LoggerID returns the part of TraceHandle that Windows uses: the number of
// the session, or KernelLoggerID.
func (p *ProfileCounterInformation) LoggerID() uint16 { return uint16(p.TraceHandle) }

// ParseProfileCounterInformation reads an EVENT_TRACE_PROFILE_COUNTER_INFORMATION that fills blob.
// Like Windows it rejects a length that cuts off a source, and a counter list without sources. It
// does not limit the number of sources: Windows accepts 4, since 1703 8, and since 1903 as many as
// the HAL allows. Errors are of type *Error, with the position in blob.
func ParseProfileCounterInformation(blob []byte) (*ProfileCounterInformation, error) {
	const where = "EVENT_TRACE_PROFILE_COUNTER_INFORMATION"
	if len(blob) < profileCounterSources {
		return nil, decode.BlobError(0, where, decode.ErrTruncated,
			"%#x bytes, at least %#x are needed", len(blob), profileCounterSources)
	}
	class := ProfileCounterClass(binary.LittleEndian.Uint32(blob))
	if class != ProfileConfigClass && class != ProfileCounterListClass {
		return nil, decode.BlobError(0, where+".EventTraceInformationClass", decode.ErrUnsupported,
			"class %#x has a different structure", uint32(class))
	}
	sources := blob[profileCounterSources:]
	if cut := len(sources) % 4; cut != 0 {
		return nil, decode.BlobError(len(blob)-cut, where+".ProfileSource", decode.ErrTruncated,
			"%d of the 4 bytes of the last source", cut)
	}
	if len(sources) == 0 && class == ProfileCounterListClass {
		return nil, decode.BlobError(profileCounterSources, where+".ProfileSource", decode.ErrCorrupt,
			"the counter list is empty")
	}
	p := &ProfileCounterInformation{
		Class:       class,
		TraceHandle: binary.LittleEndian.Uint64(blob[profileCounterHandle:]),
		Sources:     make([]ProfileSource, 0, len(sources)/4),
	}
	for ; len(sources) > 0; sources = sources[4:] {
		p.Sources = append(p.Sources, ProfileSource(binary.LittleEndian.Uint32(sources)))
	}
	return p, nil
}
