package schema

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Sources of the layouts.
const (
	refWindows10MOF = "fox-it/dissect.etl (MOF dump of Windows 10)"
	refVistaMOF     = refWindows10MOF + "; microsoft/perfview kerneltraceeventparser.mof (Vista MOF)"
	refStruct       = "winsiderss/systeminformer phnt/include/ntwmi.h " // the structure's name follows
)

// eventClass is an event class of the kernel or of the merge tools, with the literals of
// its events. A literal omits the values that its class determines: Class, GUID and HasHook always,
// Hook unless the hook is in another class's group, and Table unless the table and the
// event have different names.
type eventClass struct {
	name string // in kernelClasses or mergeClasses
	// Defaults for events that omit them.
	ref       string
	certainty Certainty
	// The same for all events.
	enabledBy string
	natural   bool
	events    []Event
}

// list returns the complete events.
func (c *eventClass) list() []Event {
	class, ofKernel, ok := findClass(c.name)
	if !ok {
		panic("no class " + c.name)
	}
	events := slices.Clone(c.events)
	for i := range events {
		e := &events[i]
		e.Class, e.GUID = class.Name, class.GUID
		e.Table = cmp.Or(e.Table, defaultTable(e.Name))
		e.Ref, e.Certainty = cmp.Or(e.Ref, c.ref), cmp.Or(e.Certainty, c.certainty)
		e.EnabledBy, e.Natural = cmp.Or(e.EnabledBy, c.enabledBy), e.Natural || c.natural
		if ofKernel {
			e.HasHook, e.Hook = true, cmp.Or(e.Hook, uint16(class.Group)<<8|uint16(e.Type))
		}
	}
	return events
}

// defaultTable returns the name of an event's table if the literal gives none.
func defaultTable(event string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return '_'
		}
		return r
	}, event)
}

// eventClasses are all classes with events. To add one, add a row.
var eventClasses = []*eventClass{
	&kernelEventTrace, &kernelDiskIo, &kernelPageFault, &kernelProcess, &kernelImage, &kernelFileIo, &kernelThread, &kernelTCPIP, &kernelJob,
	&kernelUDPIP, &kernelRegistry, &kernelDbgPrint, &kernelSystemConfig, &kernelLastBranchRecording, &kernelWnf, &kernelPool, &kernelPerfInfo,
	&kernelHeap, &kernelObject, &kernelPower, &kernelCc, &kernelCritSec, &kernelStackWalk, &kernelUms, &kernelALPC, &kernelSplitIo,
	&kernelThreadPool, &kernelHypervisor, &kernelLostEvent, &kernelSysConfig, &kernelImageID, &kernelEventMetadata, &kernelWinSat,
}

// Kernel returns the events of the kernel's classes and of those that the
// merge tools write. The caller must not change them.
var Kernel = sync.OnceValue(func() (groups [][]Event) {
	for _, c := range eventClasses {
		groups = append(groups, c.list())
	}
	return groups
})

// KernelCatalog returns the catalog of [Kernel].
var KernelCatalog = sync.OnceValue(func() *Catalog {
	c, err := NewCatalog(Kernel()...)
	if err != nil {
		panic(err) // the literals are wrong; a test checks them
	}
	return c
})
