package attribution

import (
	"encoding/binary"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// HeaderIDs returns the process and the thread in the header of an event, or NoID for either.
func HeaderIDs(ev *decode.Event) (process, thread uint32) { return headerIDs(ev) }

// IsStackOnly reports whether events of a kind are read for stacks alone.
func IsStackOnly(family decode.Family, provider schema.GUID, id uint32) bool {
	switch family {
	case decode.FamilySystem, decode.FamilyPerfInfo:
		return id>>8 == stackWalkGroup
	case decode.FamilyEvent:
		for i := range walkEvents {
			if walkEvents[i].provider == provider {
				return useOfCode(codeProviders[:], provider, id).layout == noCode
			}
		}
	}
	return false
}

// FactProcess returns the process that a fact is about, or NoID, and whether the event is its end.
func FactProcess(ev *decode.Event, provider schema.GUID, id uint32, version uint8) (process uint32, ends bool) {
	var literal schema.Literal
	var use hookUse
	switch ev.Family {
	case decode.FamilySystem, decode.FamilyPerfInfo:
		literal, _ = schema.KernelCatalog().Hook(uint16(id), version)
		use = useOfHook(uint16(id))
	case decode.FamilyEventTrace, decode.FamilyInstance:
		literal, _ = schema.KernelCatalog().Type(provider, uint8(id), version)
		use, _ = useOfClass(provider, uint8(id))
	case decode.FamilyEvent:
		return manifestProcessOf(ev, provider, uint16(id))
	}
	if literal.Event == nil {
		return NoID, false
	}
	var owner Owner
	new(Tables).Resolver().Owner(ev, literal.Event, version, NoThread, &owner)
	return owner.Process, use.kind == processRecord && use.source == FromEnd
}

// manifestProcessOf is FactProcess for an event of Microsoft-Windows-Kernel-Process: the process comes
// first, but after the address and the size of an image.
func manifestProcessOf(ev *decode.Event, provider schema.GUID, id uint16) (process uint32, ends bool) {
	if provider != kernelProcess {
		return NoID, false
	}
	payload, at := ev.Payload(), 0
	if kindOfManifest(id) == imageRecord {
		at = 2 * ev.PointerSize()
	}
	if kindOfManifest(id) == nothing || len(payload) < at+4 {
		return NoID, false
	}
	return binary.LittleEndian.Uint32(payload[at:]), id == idProcessStop
}
