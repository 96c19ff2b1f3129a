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
	// Defaults for events that omit them.
	ref       string
	certainty Certainty
	// The same for all events.
	enabledBy string
	natural   bool
	events    []Event
}

// list returns the complete events of the class of a name.
func (c *eventClass) list(name string) []Event {
	class, ofKernel, ok := findClass(name)
	if !ok {
		panic("no class " + name)
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

// eventClasses are all classes with events, in the order of their tables. To add one, add a row.
var eventClasses = []struct {
	name     string // in kernelClasses or mergeClasses
	literals func() eventClass
}{
	{"EventTrace", kernelEventTrace},
	{"DiskIo", kernelDiskIo},
	{"PageFault", kernelPageFault},
	{"Process", kernelProcess},
	{"Image", kernelImage},
	{"FileIo", kernelFileIo},
	{"Thread", kernelThread},
	{"TcpIp", kernelTCPIP},
	{"Job", kernelJob},
	{"UdpIp", kernelUDPIP},
	{"Registry", kernelRegistry},
	{"DbgPrint", kernelDbgPrint},
	{"SystemConfig", kernelSystemConfig},
	{"LastBranchRecording", kernelLastBranchRecording},
	{"Wnf", kernelWnf},
	{"Pool", kernelPool},
	{"PerfInfo", kernelPerfInfo},
	{"Heap", kernelHeap},
	{"Object", kernelObject},
	{"Power", kernelPower},
	{"Cc", kernelCc},
	{"CritSec", kernelCritSec},
	{"StackWalk", kernelStackWalk},
	{"Ums", kernelUms},
	{"ALPC", kernelALPC},
	{"SplitIo", kernelSplitIo},
	{"ThreadPool", kernelThreadPool},
	{"Hypervisor", kernelHypervisor},
	{"LostEvent", kernelLostEvent},
	{"SysConfig", kernelSysConfig},
	{"ImageID", kernelImageID},
	{"EventMetadata", kernelEventMetadata},
	{"WinSat", kernelWinSat},
}

// Kernel returns the events of the kernel's classes and of those that the
// merge tools write. The caller must not change them.
var Kernel = sync.OnceValue(func() (groups [][]Event) {
	for _, c := range eventClasses {
		class := c.literals()
		groups = append(groups, class.list(c.name))
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
