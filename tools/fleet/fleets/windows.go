package fleets

import (
	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// The kinds of events of Windows itself, behind the made ones in Truth.Kinds.
const (
	windowsHeader = iota // the trace header event
	windowsDescription
	windowsComputer
	windowsProcess
	windowsThread
	windowsImage
	windowsProcessStart
	windowsProcessEnd
)

var windowsKinds = []Kind{
	windowsHeader:       {Provider: "EventTrace", Name: "Header"},
	windowsDescription:  {Provider: "EventMetadata", Name: "EventInfo"},
	windowsComputer:     {Provider: "SystemConfig", Name: "CPU"},
	windowsProcess:      {Provider: "Process", Name: "DCStart"},
	windowsThread:       {Provider: "Thread", Name: "DCStart"},
	windowsImage:        {Provider: "Image", Name: "DCStart"},
	windowsProcessStart: {Provider: "Process", Name: "Start"},
	windowsProcessEnd:   {Provider: "Process", Name: "End"},
}

// metadataClass is bbccf6c1-6cd1-48c4-80ff-839482e37671, the class of records about events.
var metadataClass = etltest.GUID{0xc1, 0xf6, 0xcc, 0xbb, 0xd1, 0x6c, 0xc4, 0x48, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71}

const (
	threadsPerProcess = 2
	transientEvents   = 2 // the start and the end of a process during the trace
)

// rundownEvents is the number of events of a rundown: the machine, processes, threads and images.
var rundownEvents = 1 + len(processes)*(2+threadsPerProcess)

// running is a process of a boot.
type running struct {
	process
	id, parent uint32
	key        uint64
}

// thread returns the id of a thread of the process.
func (r *running) thread(i int) uint32 { return r.id + 4 + 4*uint32(i) }

// makeRunning returns the processes of a boot. All traces of a boot agree on them.
func (p *plan) makeRunning(machine, boot int) []running {
	s := newStream(p.options.Seed, "processes", machine, boot)
	list := make([]running, len(processes))
	id := uint32(0)
	for i, process := range processes {
		list[i] = running{process: process, id: id, parent: min(id, 4), key: 0xffff8000_00000000 + uint64(id)<<12}
		if id += 4; i > 0 {
			id += 4 * uint32(s.between(10, 400))
		}
	}
	list[1].parent = 0
	return list
}

// rundown returns what a trace says about its machine and processes when it starts.
func (p *plan) rundown(m *member, list []running) []logged {
	machine := p.machines[m.machine]
	all := []logged{{kind: windowsComputer, event: systemEvent(0x0b0a, 3, computer(machine))}}
	for i := range list {
		r := &list[i]
		all = append(all, logged{kind: windowsProcess, event: r.event(0x0303)})
		for k := range threadsPerProcess {
			all = append(all, logged{kind: windowsThread, event: r.threadEvent(k)})
		}
		all = append(all, logged{kind: windowsImage, event: r.imageEvent()})
	}
	return all
}

func systemEvent(hook, version uint16, payload []byte) etltest.Event {
	return etltest.Event{Kind: etltest.System64, Hook: hook, Version: version, PID: 4, TID: 8, Payload: payload}
}

// computer is the payload of SystemConfig/CPU.
func computer(m Machine) []byte {
	const nameBytes, domainBytes = 2 * 256, 2 * 134
	b := words(nil, m.MHz, uint32(m.Processors), 16384, 4096, 65536)
	b = append(b, padded(m.Name, nameBytes)...)
	b = append(b, padded("MADE", domainBytes)...)
	b = pointers(b, 0, 0x7ffffffeffff)
	b = append(b, 9, 0, 6, 0, 5, 0xa5, 1, 1)
	return words(b, 0)
}

func padded(text string, size int) []byte {
	b := etltest.AppendString16(nil, text)
	return append(b, make([]byte, size-len(b))...)
}

// event is an event of Process with a hook id, version 4.
func (r *running) event(hook uint16) etltest.Event {
	b := pointers(nil, r.key)
	b = words(b, r.id, r.parent, 0, 259)
	b = pointers(b, r.key&0xffffff000)
	b = words(b, 0, 0) // flags; no SID
	b = etltest.AppendString8(b, r.name)
	for _, text := range []string{r.command, "", ""} {
		b = etltest.AppendString16(b, text)
	}
	return systemEvent(hook, 4, b)
}

// threadEvent is Thread/DCStart, version 3.
func (r *running) threadEvent(i int) etltest.Event {
	b := words(nil, r.id, r.thread(i))
	stack := r.key + 0x10000*uint64(1+i)
	b = pointers(b, stack, stack-0x6000, 0, 0, 0xff, 0x7ff600001000, 0)
	b = words(b, 0)
	return systemEvent(0x0503, 3, append(b, 8, 5, 2, 0))
}

// imageEvent is Image/DCStart, version 3.
func (r *running) imageEvent() etltest.Event {
	const size = 0x20000
	b := pointers(nil, 0x7ff600000000, size)
	b = words(b, r.id, 0, 0x5f000000+r.id)
	b = pointers(append(b, 12, 1, 0, 0), 0x7ff600000000)
	b = words(b, 0, 0, 0, 0)
	return systemEvent(0x1403, 3, etltest.AppendString16(b, `\Device\HarddiskVolume1\Made\`+r.name))
}

func words(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = le.AppendUint32(b, v)
	}
	return b
}

func pointers(b []byte, values ...uint64) []byte {
	for _, v := range values {
		b = le.AppendUint64(b, v)
	}
	return b
}
