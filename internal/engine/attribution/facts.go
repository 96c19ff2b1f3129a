package attribution

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Facts is a set of kinds of fact that events record.
type Facts uint8

// The kinds of fact. Volumes, the folder of Windows and the name of the computer are always
// read: few events record them.
const (
	OwnerFacts   Facts = 1 << iota // processes and threads
	ImageFacts                     //
	VersionFacts                   // versions and debug information of images
	FileFacts                      //
	MethodFacts                    // and their modules
	StackFacts                     // without them, only whether the trace has stacks is known
	AllFacts     = OwnerFacts | ImageFacts | VersionFacts | FileFacts | MethodFacts | StackFacts
)

// kindFacts maps a kind to the facts that its events record. Kinds without facts here are always
// read.
var kindFacts = [...]Facts{
	processRecord:   OwnerFacts,
	threadRecord:    OwnerFacts,
	threadName:      OwnerFacts,
	imageRecord:     ImageFacts,
	fileRecord:      FileFacts,
	fileOpen:        FileFacts,
	imageInfoRecord: VersionFacts,
	debugRecord:     VersionFacts,
	versionRecord:   VersionFacts,

	volumeRecord:      0,
	systemPathsRecord: 0,
	computerRecord:    0,
}

// reads reports whether events of a kind are read.
func (r *Records) reads(k kind) bool { return k != nothing && kindFacts[k]&r.Without == 0 }

// Reads reports whether events of a kind are read. id is the event id of a provider, the type of a
// class, or a hook. Records need not be given events that they do not read.
func (r *Records) Reads(family decode.Family, provider schema.GUID, id uint32) bool {
	switch family {
	case decode.FamilySystem, decode.FamilyPerfInfo:
		return id>>8 == stackWalkGroup || r.reads(useOfHook(uint16(id)).kind)
	case decode.FamilyEventTrace, decode.FamilyInstance:
		if use, isClass := useOfClass(provider, uint8(id)); isClass {
			return r.reads(use.kind)
		}
		return r.Without&MethodFacts == 0 && useOfCode(codeClasses[:], provider, id).layout != noCode
	case decode.FamilyEvent:
		if provider == kernelProcess {
			return r.reads(kindOfManifest(uint16(id)))
		}
		return r.Without&MethodFacts == 0 && useOfCode(codeProviders[:], provider, id).layout != noCode || r.readsWalk(provider, uint16(id))
	}
	return false
}
