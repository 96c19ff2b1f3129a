package schema

import (
	"slices"
	"sync"
)

// KernelClass is an event class of the kernel logger. In a trace its events
// carry a hook id, whose high byte is the group; consumers see the class GUID.
type KernelClass struct {
	Group uint8
	Name  string // as MOF and the tools name it
	GUID  GUID
	Ref   string
}

// Sources of the class table: phnt for the group numbers, the MOF classes in
// Microsoft's ETW documentation and TraceEvent for GUIDs and names.
const (
	refMOF  = "MOF class, learn.microsoft.com/windows/win32/etw/nt-kernel-logger-constants"
	refPHNT = "phnt ntwmi.h, EVENT_TRACE_GROUP_*"
)

var kernelClasses = []KernelClass{
	{0x00, "EventTrace", MustGUID("68fdd900-4a3e-11d1-84f4-0000f80464e3"), refMOF},
	{0x01, "DiskIo", MustGUID("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c"), refMOF},
	{0x02, "PageFault", MustGUID("3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c"), refMOF},
	{0x03, "Process", MustGUID("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"), refMOF},
	{0x04, "FileIo", MustGUID("90cbdc39-4a3e-11d1-84f4-0000f80464e3"), refMOF},
	{0x05, "Thread", MustGUID("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"), refMOF},
	{0x06, "TcpIp", MustGUID("9a280ac0-c8e0-11d1-84e2-00c04fb998a2"), refMOF},
	{0x07, "Job", MustGUID("3282fc76-feed-498e-8aa7-e70f459d430e"), refPHNT},
	{0x08, "UdpIp", MustGUID("bf3a50c5-a9c9-4988-a005-2df0b7c80f80"), refMOF},
	{0x09, "Registry", MustGUID("ae53722e-c863-11d2-8659-00c04fa321a1"), refMOF},
	{0x0A, "DbgPrint", MustGUID("13976d09-a327-438c-950b-7f03192815c7"), refPHNT},
	{0x0B, "SystemConfig", MustGUID("01853a65-418f-4f36-aefc-dc0f1d2fd235"), refMOF},
	{0x0C, "LastBranchRecording", MustGUID("99134383-5248-43fc-834b-529454e75df3"), refPHNT},
	{0x0D, "Wnf", MustGUID("42695762-ea50-497a-9068-5cbbb35e0b95"), refPHNT},
	{0x0E, "Pool", MustGUID("0268a8b6-74fd-4302-9dd0-6e8f1795c0cf"), refPHNT},
	{0x0F, "PerfInfo", MustGUID("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc"), refMOF},
	{0x10, "Heap", MustGUID("222962ab-6180-4b88-a825-346b75f2a24a"), refPHNT},
	{0x11, "Object", MustGUID("89497f50-effe-4440-8cf2-ce6b1cdcaca7"), refMOF},
	{0x12, "Power", MustGUID("e43445e0-0903-48c3-b878-ff0fccebdd04"), refPHNT},
	{0x13, "ModBound", MustGUID("a9152f00-3f58-4bee-92a1-70c7d079d5dd"), refPHNT},
	{0x14, "Image", MustGUID("2cb15d1d-5fc1-11d2-abe1-00a0c911f518"), refMOF},
	{0x15, "Dpc", MustGUID("b2d14872-7c5b-463d-8419-ee9bf7d23e04"), refPHNT},
	{0x16, "Cc", MustGUID("7687a439-f752-45b8-b741-321aec0f8df9"), refPHNT},
	{0x17, "CritSec", MustGUID("3ac66736-cc59-4cff-8115-8df50e39816b"), refPHNT},
	{0x18, "StackWalk", MustGUID("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"), refMOF},
	{0x19, "Ums", MustGUID("9aec974b-5b8e-4118-9b92-3186d8002ce5"), refPHNT},
	{0x1A, "ALPC", MustGUID("45d8cccd-539f-4b72-a8b7-5c683142609a"), refMOF},
	{0x1B, "SplitIo", MustGUID("d837ca92-12b9-44a5-ad6a-3a65b3578aa8"), refMOF},
	{0x1C, "ThreadPool", MustGUID("c861d0e2-a2c1-4d36-9f9c-970bab943a12"), refPHNT},
	{0x1D, "Hypervisor", MustGUID("7f2a405c-69b5-4bf9-a1f5-30e8f1afab5e"), refPHNT},
	{0x1E, "HypervisorX", MustGUID("2ce9a149-effe-42f0-a635-a1d39e26c8f2"), refPHNT},
}

// HookImageLoad is written by the Process group and delivered as an event of
// the Image class (format dossier 04, section 1).
const HookImageLoad = 0x030A

// KernelClasses returns the classes in group order. The caller must not
// change them.
func KernelClasses() []KernelClass { return kernelClasses }

// KernelClassOf returns the class of a hook id; ok is false for a group that
// no public source names.
func KernelClassOf(hook uint16) (class *KernelClass, ok bool) {
	group := int(hook >> 8)
	if hook == HookImageLoad {
		group = 0x14
	}
	if group >= len(kernelClasses) {
		return nil, false
	}
	return &kernelClasses[group], true // the table is dense; a test checks that
}

// ProviderName returns the name under which tools show a class or provider whose name is
// not in the trace.
func ProviderName(id GUID) (string, bool) {
	name, ok := providerNames()[id]
	return name, ok
}

// EventMetadataClass is the class of the records in which the merge tools describe events, with the
// types EventInfoType and MapInfoType.
var EventMetadataClass = MustGUID("bbccf6c1-6cd1-48c4-80ff-839482e37671")

// The types of EventMetadataClass.
const (
	EventInfoType = 32 // TRACE_EVENT_INFO
	MapInfoType   = 33 // a GUID and EVENT_MAP_INFO
)

// Classes with a record of the build of Windows, and the types of the records.
var (
	EventTraceClass = MustGUID("68fdd900-4a3e-11d1-84f4-0000f80464e3")
	SysConfigClass  = MustGUID("9b79ee91-b5fd-41c0-a243-4248e266e9d0")
)

const (
	BuildLabType  = 0x42 // of EventTraceClass: recorded by the session, usually with a hook
	BuildInfoType = 32   // of SysConfigClass: added when traces are merged
)

// mergeClasses are written by the tools that merge and relog traces (KernelTraceControl.dll).
var mergeClasses = []KernelClass{
	{0, "ImageID", MustGUID("b3e675d7-2554-4f18-830b-2762732560de"), "TraceEvent, SymbolTraceEventParser"},
	{0, "SysConfig", MustGUID("9b79ee91-b5fd-41c0-a243-4248e266e9d0"), "TraceEvent, KernelTraceControl"},
	{0, "WinSat", MustGUID("ed54dff8-c409-4cf6-bf83-05e1e61a09c4"), "TraceEvent, KernelTraceControl"},
	{0, "EventMetadata", MustGUID("bbccf6c1-6cd1-48c4-80ff-839482e37671"), "TraceEvent, KernelTraceControl"},
	{0, "LostEvent", MustGUID("6a399ae0-4bc6-4de9-870b-3657f8947e7e"), "MOF class RT_LostEvent"},
	{0, "MSNT_SystemTrace", MustGUID("9e814aad-3204-11d2-9a82-006008a86939"), "MOF root class"},
}

var providerNames = sync.OnceValue(func() map[GUID]string {
	names := make(map[GUID]string)
	for _, table := range [][]KernelClass{kernelClasses, mergeClasses} {
		for _, class := range table {
			names[class.GUID] = class.Name
		}
	}
	return names
})

// ClassGUID returns the GUID of a class of the kernel or of the merge tools.
func ClassGUID(name string) (GUID, bool) {
	class, _, ok := findClass(name)
	return class.GUID, ok
}

// findClass returns a class of the kernel or of the merge tools by its name.
func findClass(name string) (class KernelClass, ofKernel, ok bool) {
	named := func(c KernelClass) bool { return c.Name == name }
	if i := slices.IndexFunc(kernelClasses, named); i >= 0 {
		return kernelClasses[i], true, true
	}
	if i := slices.IndexFunc(mergeClasses, named); i >= 0 {
		return mergeClasses[i], false, true
	}
	return KernelClass{}, false, false
}
