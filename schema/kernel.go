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
var eventClasses = []*lazyClass{
	{name: "EventTrace", literals: kernelEventTrace},
	{name: "DiskIo", literals: kernelDiskIo},
	{name: "PageFault", literals: kernelPageFault},
	{name: "Process", literals: kernelProcess},
	{name: "Image", literals: kernelImage},
	{name: "FileIo", literals: kernelFileIo},
	{name: "Thread", literals: kernelThread},
	{name: "TcpIp", literals: kernelTCPIP},
	{name: "Job", literals: kernelJob},
	{name: "UdpIp", literals: kernelUDPIP},
	{name: "Registry", literals: kernelRegistry},
	{name: "DbgPrint", literals: kernelDbgPrint},
	{name: "SystemConfig", literals: kernelSystemConfig},
	{name: "LastBranchRecording", literals: kernelLastBranchRecording},
	{name: "Wnf", literals: kernelWnf},
	{name: "Pool", literals: kernelPool},
	{name: "PerfInfo", literals: kernelPerfInfo},
	{name: "Heap", literals: kernelHeap},
	{name: "Object", literals: kernelObject},
	{name: "Power", literals: kernelPower},
	{name: "Cc", literals: kernelCc},
	{name: "CritSec", literals: kernelCritSec},
	{name: "StackWalk", literals: kernelStackWalk},
	{name: "Ums", literals: kernelUms},
	{name: "ALPC", literals: kernelALPC},
	{name: "SplitIo", literals: kernelSplitIo},
	{name: "ThreadPool", literals: kernelThreadPool},
	{name: "Hypervisor", literals: kernelHypervisor},
	{name: "LostEvent", literals: kernelLostEvent},
	{name: "SysConfig", literals: kernelSysConfig},
	{name: "ImageID", literals: kernelImageID},
	{name: "EventMetadata", literals: kernelEventMetadata},
	{name: "WinSat", literals: kernelWinSat},
}

// Kernel returns the events of the kernel's classes and of those that the
// merge tools write. The caller must not change them.
var Kernel = sync.OnceValue(func() (groups [][]Event) {
	for _, c := range eventClasses {
		groups = append(groups, c.events())
	}
	return groups
})

// KernelCatalog returns the catalog of [Kernel]. Its tables are static data; the events of a class, and the
// columns of the fields of a table, are listed when the first of them is needed: a small trace has events
// of one or two classes, and making all of them took a tenth of the time of its conversion.
var KernelCatalog = sync.OnceValue(func() *Catalog {
	c := &Catalog{tables: make([]*EventTable, len(kernelTableData)), isKernel: true}
	for i := range kernelTableData {
		c.tables[i] = &kernelTableData[i]
	}
	return c
})

// lazyClass is a class whose events, and the catalog of them, are made when they are first needed.
type lazyClass struct {
	name     string // in kernelClasses or mergeClasses
	literals func() eventClass

	listed, made sync.Once
	list         []Event  // after listed
	layouts      *Catalog // of the events, with tables of kernelTableData; after made
}

// events returns the complete events.
func (c *lazyClass) events() []Event {
	c.listed.Do(func() {
		literals := c.literals()
		c.list = literals.list(c.name)
	})
	return c.list
}

// catalog returns the catalog of the events.
func (c *lazyClass) catalog() *Catalog {
	c.made.Do(func() {
		var err error
		if c.layouts, err = newCatalog(c.events()); err != nil {
			panic(err) // the literals are wrong; a test checks them
		}
		c.layouts.useTables(kernelTableData[kernelTablesOf(c.name):])
	})
	return c.layouts
}

// kernelTablesOf returns the index of the first table of a class in kernelTableData. It reads the
// tables in place: another goroutine may just give its layouts to one of another class.
func kernelTablesOf(class string) int {
	for i := range kernelTableData {
		if kernelTableData[i].Class == class {
			return i
		}
	}
	return 0
}

// useTables gives the events of c to ready, which begins with the tables of c, and makes c use them
// in place of its own.
func (c *Catalog) useTables(ready []EventTable) {
	for i, made := range c.tables {
		if i >= len(ready) || ready[i].Table.Name != made.Table.Name {
			panic("kernel_tables.go is not up to date: run go test ./schema -run Kernel -update")
		}
		ready[i].literals = made.literals
		c.tables[i] = &ready[i]
	}
	replace := func(tables tablesOfKey) {
		for i, made := range tables {
			tables[i] = &ready[made.Number]
		}
	}
	for _, tables := range c.types {
		replace(tables)
	}
	for _, group := range c.hooks {
		for i := 0; group != nil && i < len(group); i++ {
			replace(group[i])
		}
	}
}

// classesByName are the classes of eventClasses.
var classesByName = sync.OnceValue(func() map[string]*lazyClass {
	byName := make(map[string]*lazyClass, len(eventClasses))
	for _, c := range eventClasses {
		byName[c.name] = c
	}
	return byName
})

// kernelCatalogOf returns the catalog of the class of a name; ok is false if it has no known events.
func kernelCatalogOf(class string) (catalog *Catalog, ok bool) {
	c := classesByName()[class]
	if c == nil {
		return nil, false
	}
	return c.catalog(), true
}
