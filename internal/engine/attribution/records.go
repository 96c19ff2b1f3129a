package attribution

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Records are the facts about processes, threads, images, files, methods and stacks in a
// sequence of buffers. The zero value is empty.
type Records struct {
	processes pile[observed[Process]]
	threads   pile[observed[Thread]]
	images    pile[observed[Image]]
	files     pile[observed[File]]
	methods   methodRecords
	modules   pile[observed[Module]]
	debug     gathered[debugFact]
	infos     pile[imageInfo]
	versions  []FileVersion
	volumes   []Volume
	windows   string          // the folder of Windows
	computer  string          // the name of the computer
	manifest  manifestRecords // of Microsoft-Windows-Kernel-Process

	Without Facts // facts that are left out, because nothing needs them

	pairs    pairings
	stacks   stacks
	noStacks bool // stacks are skipped, and whether the trace has any is not recorded
	known    *Known
}

// OfSibling makes the records leave out stacks, because stack keys belong to one trace.
func (r *Records) OfSibling() { r.noStacks = true }

// manifestRecords are used for what a trace has no kernel events of: see Builder.endTrace.
type manifestRecords struct {
	processes pile[observed[Process]]
	threads   pile[observed[Thread]]
	images    pile[observed[Image]]
}

// imageInfo connects an image to its version, which the image's records lack.
type imageInfo struct {
	process, timeStamp uint32
	base               uint64
	size               uint64
}

// kind is the kind of fact in an event.
type kind uint8

const (
	nothing kind = iota
	processRecord
	threadRecord
	threadName
	imageRecord
	fileRecord
	fileOpen
	imageInfoRecord
	debugRecord
	versionRecord
	volumeRecord
	systemPathsRecord
	computerRecord
)

// hookUse is the kind of fact in a kernel event, and what the event means for a life.
type hookUse struct {
	kind   kind
	source Sources
}

// hookUses is indexed by group and type of the hook. Most groups are nil.
var hookUses = [256]*[256]hookUse{
	0x03: {
		0x01: {processRecord, FromStart},
		0x02: {processRecord, FromEnd},
		0x03: {processRecord, FromRundownStart},
		0x04: {processRecord, FromRundownEnd},
		0x0A: {imageRecord, FromStart},
	},
	0x04: {
		0x00: {fileRecord, 0}, // Name: the file is in use
		0x20: {fileRecord, FromStart},
		0x23: {fileRecord, FromEnd},
		0x24: {fileRecord, FromRundownEnd},
		0x40: {fileOpen, FromStart},
	},
	0x05: {
		0x01: {threadRecord, FromStart},
		0x02: {threadRecord, FromEnd},
		0x03: {threadRecord, FromRundownStart},
		0x04: {threadRecord, FromRundownEnd},
		0x48: {threadName, 0},
	},
	0x0B: {
		0x0A: {computerRecord, 0},
	},
	0x14: {
		0x02: {imageRecord, FromEnd},
		0x03: {imageRecord, FromRundownStart},
		0x04: {imageRecord, FromRundownEnd},
	},
}

// useOfHook returns the use of a hook.
func useOfHook(hook uint16) hookUse {
	if group := hookUses[hook>>8]; group != nil {
		return group[uint8(hook)]
	}
	return hookUse{}
}

// Hook reads a kernel event, if it records a fact.
func (r *Records) Hook(ev *decode.Event, hook uint16, version uint8) {
	if hook>>8 == stackWalkGroup {
		r.stack(ev, hook)
		return
	}
	use := useOfHook(hook)
	if !r.reads(use.kind) {
		return
	}
	tag := tagOf(hook, version, ev)
	f, fresh := r.reading().find(tag, ev.Payload())
	if fresh {
		l := r.known.payloads.recentLayout(tag)
		if l.tag != tag {
			literal, _ := schema.KernelCatalog().Hook(hook, version)
			r.known.payloads.keep(l, tag, literal.Event, version, ev)
		}
		r.read(f, ev, l, use)
	}
	r.add(ev.Time, f)
}

// Share makes the records use a cache. A cache is for one goroutine and one trace: records that
// share it must be made in the order of their buffers, and all must be added to the builder.
func (r *Records) Share(known *Known) {
	if known.debug != nil && known.debug.texts.bytes() > maxKnownBytes {
		known.empty() // it has the worker's numbers of the debug information
		known.debug = new(known.debug.renewed())
	}
	clear(known.pairs[:])
	r.known = known
}

// See records the process and thread in the header of an event.
func (r *Records) See(ev *decode.Event) {
	if r.Without&OwnerFacts == 0 {
		r.pairs.header(&r.reading().pairs, ev)
	}
}

func (r *Records) reading() *Known {
	if r.known == nil {
		r.known = new(Known)
	}
	return r.known
}

// add adds the facts of an event.
func (r *Records) add(t decode.Ticks, f *facts) {
	switch {
	case f.image != nil:
		r.images.push(observed[Image]{t, f.image})
	case f.thread != nil:
		r.threads.push(observed[Thread]{t, f.thread})
	case f.file != nil:
		r.files.push(observed[File]{t, f.file})
	case f.module != nil:
		r.modules.push(observed[Module]{t, f.module})
	case f.process != nil:
		r.processes.push(observed[Process]{t, f.process})
	case f.debug != 0:
		r.debug.by = r.known.debug
		r.debug.observations.push(workerObservation{t, f.debug - 1})
	}
}

// read parses the payload of an event into f. Facts without a time become records only when they
// are first read.
func (r *Records) read(f *facts, ev *decode.Event, l *recentLayout, use hookUse) {
	if l.event == nil {
		return
	}
	p := r.known.payloads.read(l, ev)
	switch use.kind {
	case processRecord:
		f.process = p.process(use.source)
	case threadRecord, threadName:
		f.thread = p.thread(use.source)
	case imageRecord:
		f.image = p.image(use.source)
	case fileRecord:
		f.file = p.file(fieldFileName, use.source)
	case fileOpen:
		f.file = p.file(fieldOpenPath, use.source)
	case debugRecord:
		f.debug = r.debugInfo(&p)
	case imageInfoRecord:
		r.imageInfo(&p)
	case versionRecord:
		r.fileVersion(&p)
	case volumeRecord:
		r.volume(&p)
	case systemPathsRecord:
		r.systemPaths(&p)
	case computerRecord:
		r.computerName(&p)
	}
}

const stackWalkGroup = 0x18

// classes are the classes of classic events that record facts.
var (
	processClass = classOf("Process")
	threadClass  = classOf("Thread")
	imageClass   = classOf("Image")
	fileClass    = classOf("FileIo")
	imageIDClass = classOf("ImageID")
	configClass  = classOf("SysConfig")
	systemClass  = classOf("SystemConfig")
)

func classOf(name string) schema.GUID {
	id, ok := schema.ClassGUID(name)
	if !ok {
		panic("no class " + name) // a bug: the names are in package schema
	}
	return id
}

// The types of SysConfig and Image that record facts and do not correspond to hooks.
const (
	typeSystemPaths   = 33
	typeVolumeMapping = 35
	imageLoadType     = schema.HookImageLoad & 0xff
)

// Class reads a classic event, if it records a fact. Old sessions write kernel events with classic
// headers.
func (r *Records) Class(ev *decode.Event, class schema.GUID, id, version uint8) {
	switch use, isClass := useOfClass(class, id); {
	case !isClass:
		r.codeClass(ev, class, id, version)
	case r.reads(use.kind):
		r.classic(ev, class, id, version, use)
	}
}

// useOfClass returns the use of a type of a class. isClass is false if no type of the class records
// a fact.
func useOfClass(class schema.GUID, id uint8) (use hookUse, isClass bool) {
	hook := uint16(id)
	switch class {
	case imageIDClass:
		use.kind = imageIDKinds[id]
	case configClass:
		switch id {
		case typeSystemPaths:
			use.kind = systemPathsRecord
		case typeVolumeMapping:
			use.kind = volumeRecord
		}
	case processClass:
		hook |= 0x0300
	case threadClass:
		hook |= 0x0500
	case imageClass:
		hook |= 0x1400
		if id == imageLoadType {
			hook = schema.HookImageLoad
		}
	case fileClass:
		hook |= 0x0400
	case systemClass:
		hook |= 0x0B00
	default:
		return use, false
	}
	if use.kind == nothing {
		use = useOfHook(hook)
	}
	return use, true
}

// classic reads a classic event that records a fact.
func (r *Records) classic(ev *decode.Event, class schema.GUID, id, version uint8, use hookUse) {
	tag := tagClassic | eventTag(use.kind)<<48 | tagOf(uint16(id), version, ev)
	f, fresh := r.reading().find(tag, ev.Payload())
	if fresh {
		l := r.known.payloads.recentLayout(tag)
		if l.tag != tag {
			literal, _ := schema.KernelCatalog().Type(class, id, version)
			r.known.payloads.keep(l, tag, literal.Event, version, ev)
		}
		r.read(f, ev, l, use)
	}
	r.add(ev.Time, f)
}
