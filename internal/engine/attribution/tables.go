package attribution

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// Limits bound the memory of the tables.
type Limits struct {
	Records int   // of each kind except methods and stack keys
	Methods int   // records of methods; 0 means Records
	Files   int   // with a version: each process that loads a file records it again; 0 means Records
	Texts   int64 // bytes; for the texts of processes, threads, images and files, and again for those of modules
	Names   int64 // bytes of the texts of methods; 0 means Texts
	Keys    int   // definitions of stack keys
	Frames  int64 // packed bytes of the frames of stack keys in memory; further frames go to the Overflow
}

// DefaultLimits suffice for a million threads that start and end.
var DefaultLimits = Limits{Records: 3 << 20, Methods: 2 << 20, Files: 512 << 10, Texts: 64 << 20, Names: 128 << 20, Keys: 3 << 20, Frames: 64 << 20}

// Builder combines records into tables. Its methods are for one goroutine.
type Builder struct {
	limits Limits
	Tables

	processes list[Process]
	threads   list[Thread]
	pairs     pairList
	images    list[Image]
	files     list[File]
	methods   methodList
	modules   list[Module]
	debug     list[debugFact]
	infos     pile[imageInfo]
	infoCount int
	versions  map[ImageFile]int32 // in listed
	listed    pile[FileVersion]
	manifest  manifestLists     // of the trace being added
	sibling   Sources           // FromSibling while a sibling is added
	near      decode.Ticks      // see join
	nameAt    map[string]uint32 // in names
	texts     stringPool
	code      stringPool // of modules; a pool of its own, so that other texts do not crowd them out
	ofMethods packedPool // of methods, likewise
}

// manifestLists are used for what a trace has no kernel events of: see endTrace.
type manifestLists struct {
	processes list[Process]
	threads   list[Thread]
	images    list[Image]
	// The records of the kernel's own events in the traces added before.
	processesBefore, threadsBefore, imagesBefore int
}

// NewBuilder returns an empty builder. It calls overflow when frames exceed the limit;
// if overflow is nil, these frames are dropped.
func NewBuilder(limits Limits, overflow func() (Overflow, error)) *Builder {
	b := &Builder{limits: limits, versions: make(map[ImageFile]int32), nameAt: map[string]uint32{"": 0}, texts: newStringPool(limits.Texts), code: newStringPool(limits.Texts)}
	b.ofMethods.limit = cmp.Or(limits.Names, limits.Texts)
	b.names = []string{""}
	b.methods.limit = limits.Methods
	b.Stacks.frames = newFrameStore(limits.Frames, overflow)
	return b
}

// Tables are the processes, threads, images and files of a trace, sorted by id and
// time. They are immutable.
type Tables struct {
	Processes []Process
	Threads   []Thread
	Pairs     []Pair // of threads whose lives are only partly known
	Images    []Image
	Files     []File
	Methods   []Method
	Modules   []Module // that methods are from
	Debug     []DebugInfo
	Versions  []FileVersion
	Volumes   []Volume
	Windows   string // the folder of Windows, such as C:\Windows\; "" if unknown
	Computer  string // the name of the computer; "" if unknown

	Stacks Stacks

	Unlisted int64 // records beyond the limits
	NoText   int64 // texts beyond the limits, dropped

	names   []string // of threads
	code    textList
	origins []Origin // of methods
	reJITs  []uint64 // of methods
	texts   int64    `snapshot:"-"` // bytes of the texts of facts
}

// Sibling begins a sibling of the trace, and Own begins the trace itself. Each ends the trace
// before it. Siblings are added in the order of the traces, which decides which of two facts with
// the same time wins. near is the longest time between the records of one start or end in two
// traces.
func (b *Builder) Sibling(near decode.Ticks) { b.beginTrace(FromSibling, near) }

// Own begins the trace itself; see [Builder.Sibling].
func (b *Builder) Own() { b.beginTrace(0, b.near) }

func (b *Builder) beginTrace(sibling Sources, near decode.Ticks) {
	b.endTrace()
	b.sibling, b.near = sibling, near
}

// endTrace adds the facts of manifest-based events for which the trace has no kernel events: of any process or, if
// it has these of some processes, of the others.
func (b *Builder) endTrace() {
	m := &b.manifest
	leaveOut(&m.processes, &b.processes, m.processesBefore)
	b.processes.append(&m.processes)
	takeElse(&b.threads, &m.threads, m.threadsBefore)
	takeElse(&b.images, &m.images, m.imagesBefore)
	*m = manifestLists{processesBefore: b.processes.n, threadsBefore: b.threads.n, imagesBefore: b.images.n}
}

// leaveOut removes the records of the processes of which other has records, but for those that it had before.
func leaveOut(l, other *list[Process], before int) {
	if l.n == 0 {
		return
	}
	known := make(map[uint32]bool)
	for _, run := range other.observations {
		for _, o := range run[min(before, len(run)):] {
			known[other.facts.at(o.fact).ID] = true
		}
		before -= min(before, len(run))
	}
	for i, run := range l.observations {
		l.observations[i] = slices.DeleteFunc(run, func(o observation) bool { return known[l.facts.at(o.fact).ID] })
		l.n -= len(run) - len(l.observations[i])
	}
}

// takeElse adds other to a list that has not grown beyond before.
func takeElse[T any](l, other *list[T], before int) {
	if l.n == before {
		l.append(other)
	}
}

// Add adds the records of the next sequence of buffers, in file order.
func (b *Builder) Add(r *Records) {
	b.processes.add(b, 0, &r.processes, b.keepProcess)
	b.manifest.processes.add(b, b.processes.n, &r.manifest.processes, b.keepProcess)
	b.threads.add(b, 0, &r.threads, b.keepThread)
	b.manifest.threads.add(b, b.manifest.threadsBefore, &r.manifest.threads, b.keepThread)
	b.Unlisted += b.pairs.add(&r.pairs, b.limits.Records)
	b.images.add(b, 0, &r.images, b.keepImage)
	b.manifest.images.add(b, b.manifest.imagesBefore, &r.manifest.images, b.keepImage)
	b.files.add(b, 0, &r.files, b.keepFile)
	b.addMethods(&r.methods)
	b.modules.add(b, 0, &r.modules, b.keepModule)
	b.addDebug(&r.debug)
	b.addVersions(r.versions)
	for _, block := range r.infos.blocks {
		if block = cut(b, b.limits.Records, b.infoCount, block); len(block) > 0 {
			b.infos.blocks, b.infoCount = append(b.infos.blocks, block), b.infoCount+len(block)
		}
	}
	for _, v := range r.volumes {
		if len(b.Volumes) < maxVolumes && !slices.Contains(b.Volumes, v) {
			b.Volumes = append(b.Volumes, v)
		}
	}
	if b.Windows == "" {
		b.Windows = b.texts.share(r.windows)
	}
	if b.Computer == "" {
		b.Computer = b.texts.share(r.computer)
	}
	b.NoText = b.texts.dropped + b.code.dropped + b.ofMethods.dropped
	r.end()
	b.Stacks.add(&r.stacks, &b.limits)
}

// addVersions adds the versions of files that have none. The first version of a file wins.
func (b *Builder) addVersions(versions []FileVersion) {
	for _, v := range versions {
		if _, has := b.versions[v.File]; has {
			continue
		}
		if len(b.versions) >= cmp.Or(b.limits.Files, b.limits.Records) {
			b.Unlisted++
			continue
		}
		b.texts.shareAll(&v.Version, &v.Product, &v.Company)
		b.versions[v.File] = int32(len(b.versions))
		b.listed.push(v)
	}
}

// cut returns the records that the limit still allows.
func cut[T any](b *Builder, limit, have int, records []T) []T {
	room := min(max(limit-have, 0), len(records))
	b.Unlisted += int64(len(records) - room)
	return records[:room]
}

func (b *Builder) keepProcess(p *Process, _ *fact[Process]) {
	p.Sources |= b.sibling
	b.texts.shareAll(&p.Name, &p.Path, &p.CommandLine, &p.Package, &p.Application, &p.SID)
}

func (b *Builder) keepThread(t *Thread, f *fact[Thread]) {
	t.Sources |= b.sibling
	t.name = b.name(f.text)
}

func (b *Builder) keepImage(m *Image, _ *fact[Image]) {
	m.Sources |= b.sibling
	m.Path = b.texts.share(m.Path)
}

func (b *Builder) keepFile(f *File, _ *fact[File]) {
	f.Sources |= b.sibling
	f.Path = b.texts.share(f.Path)
}

func (b *Builder) keepModule(m *Module, _ *fact[Module]) {
	m.Sources |= b.sibling
	b.code.shareAll(&m.Path, &m.NativePath)
}

// name returns the number of a thread's name.
func (b *Builder) name(s string) uint32 {
	if at, ok := b.nameAt[s]; ok {
		return at
	}
	s = b.texts.share(s)
	if s == "" {
		return 0
	}
	b.nameAt[s] = uint32(len(b.names))
	b.names = append(b.names, s)
	return b.nameAt[s]
}

// Flush completes the overflow and returns its error, if any. Call it before frames are looked up.
func (b *Builder) Flush() error { return b.Stacks.frames.flush() }

// Build returns the tables, made with some workers. The builder must not be used afterwards.
func (b *Builder) Build(workers int) *Tables {
	b.endTrace()
	t := b.Tables
	t.code, t.texts = b.ofMethods.close(), b.texts.bytes+b.code.bytes
	t.origins, t.reJITs = b.methods.origins.values, b.methods.reJITs.values
	if len(b.versions) > 0 {
		t.Versions = concat(workers, []pile[FileVersion]{b.listed})
	}
	if b.images.n == 0 { // merged kernel traces without images can have half a million
		b.debug, b.infos = list[debugFact]{}, pile[imageInfo]{}
	}
	var debug sortedDebug
	var infos []imageInfo
	ordered.Together(workers,
		func() {
			t.Processes = join(&b.processes, b.near, workers)
			b.methods.translate(workers)
			t.joinMethods(&b.methods.list, &b.modules, b.near, workers)
		},
		func() { debug.observations, debug.ends = b.debug.sorted((*debugFact).id) },
		func() { t.Images = join(&b.images, b.near, workers) },
		func() { infos = sortedInfos(b.infos, workers) },
		func() { t.Stacks.build(workers) },
		func() { t.Files = join(&b.files, 0, workers) },
		func() { t.Threads = join(&b.threads, b.near, workers) },
	)
	t.Pairs = b.pairs.join(&t)
	t.joinImages(infos, b, debug)
	t.joinPaths()
	return &t
}

// sortedDebug is the debug information of images, by address and time.
type sortedDebug struct {
	observations []observation
	ends         []int
}

func sortedInfos(list pile[imageInfo], workers int) []imageInfo {
	infos := concat(workers, []pile[imageInfo]{list})
	slices.SortStableFunc(infos, func(a, b imageInfo) int {
		return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.base, b.base))
	})
	return infos
}

// joinImages adds the records of the merge tools to the images.
func (t *Tables) joinImages(infos []imageInfo, b *Builder, debug sortedDebug) {
	arrange(t.Images)
	for i := range t.Images {
		m := &t.Images[i]
		alone := (i == 0 || m.id() != t.Images[i-1].id()) && (i+1 == len(t.Images) || m.id() != t.Images[i+1].id())
		m.Debug = t.debugOf(b, debug.observations, debug.ends, m, alone)
		stamp, ok := m.TimeStamp, m.TimeStamp != 0
		if !ok {
			stamp, ok = stampOf(infos, m)
		}
		if version, has := b.versions[ImageFile{uint32(m.Size), stamp}]; ok && has {
			m.Version = version
		}
	}
}

// debugOf returns the index of the debug information for an image: recorded for its address and, if
// other images had this address at other times, for its time.
func (t *Tables) debugOf(b *Builder, observations []observation, ends []int, m *Image, alone bool) int32 {
	debug := &b.debug
	idOf := func(i int) id { return debug.facts.at(observations[ends[i]-1].fact).id() }
	i := sort.Search(len(ends), func(i int) bool { return idOf(i).compare(m.id()) >= 0 })
	if i == len(ends) || idOf(i) != m.id() {
		return -1
	}
	from := 0
	if i > 0 {
		from = ends[i-1]
	}
	records, at := observations[from:ends[i]], 0
	if !alone {
		at = sort.Search(len(records), func(i int) bool { return records[i].time >= m.From })
		if at == len(records) || records[at].time > m.To {
			return -1
		}
	}
	fact := records[at].fact
	d := debug.facts.at(fact)
	if d.index == 0 {
		info := DebugInfo{Process: d.process, Age: d.age, Base: d.base, GUID: d.guid}
		if pdb := debug.of[fact/factBlock].text(d.pdb); pdb != 0 {
			info.PDB = b.texts.at(pdb)
		}
		t.Debug = append(t.Debug, info)
		d.index = uint32(len(t.Debug))
	}
	return int32(d.index - 1)
}

// stampOf returns the time stamp of an image whose own records lack it.
func stampOf(infos []imageInfo, m *Image) (uint32, bool) {
	i := sort.Search(len(infos), func(i int) bool {
		return cmp.Or(cmp.Compare(infos[i].process, m.Process), cmp.Compare(infos[i].base, m.Base)) >= 0
	})
	for ; i < len(infos) && infos[i].process == m.Process && infos[i].base == m.Base; i++ {
		if infos[i].size == m.Size {
			return infos[i].timeStamp, true
		}
	}
	return 0, false
}

// ThreadName returns the latest name of a thread, or "".
func (t *Tables) ThreadName(thread *Thread) string { return t.names[thread.name] }

// find returns the index of the last element for which before is true, or -1. If before compares id
// and time, that is the entity with an id at a time.
func find(n int, before func(i int) bool) int {
	return sort.Search(n, func(i int) bool { return !before(i) }) - 1
}

// Process returns the index of the process that has an id at a time, or -1.
func (t *Tables) Process(id uint32, at decode.Ticks) int {
	i := find(len(t.Processes), func(i int) bool {
		p := &t.Processes[i]
		return p.ID < id || p.ID == id && p.From <= at
	})
	if i < 0 || t.Processes[i].ID != id || !t.Processes[i].holds(at) {
		return -1
	}
	return i
}

// Thread returns the index of the thread that has an id at a time, or -1.
func (t *Tables) Thread(id uint32, at decode.Ticks) int {
	i := find(len(t.Threads), func(i int) bool {
		p := &t.Threads[i]
		return p.ID < id || p.ID == id && p.From <= at
	})
	if i < 0 || t.Threads[i].ID != id || !t.Threads[i].holds(at) {
		return -1
	}
	return i
}

// threadsOf returns the threads that have an id, by time.
func (t *Tables) threadsOf(id uint32) []Thread {
	from := find(len(t.Threads), func(i int) bool { return t.Threads[i].ID < id }) + 1
	to := from
	for to < len(t.Threads) && t.Threads[to].ID == id {
		to++
	}
	return t.Threads[from:to]
}

// File returns the index of the file of a file object or key at a time, or -1.
func (t *Tables) File(object uint64, at decode.Ticks) int {
	i := find(len(t.Files), func(i int) bool {
		f := &t.Files[i]
		return f.Object < object || f.Object == object && f.From <= at
	})
	if i < 0 || t.Files[i].Object != object || !t.Files[i].holds(at) {
		return -1
	}
	return i
}

// Image returns the index of the image that is at an address of a process at a
// time, or -1.
func (t *Tables) Image(process uint32, address uint64, at decode.Ticks) int {
	return placed(t.Images, process, address, at)
}

// Method returns the index of the method that is at an address of a process at a time,
// or -1.
func (t *Tables) Method(process uint32, address uint64, at decode.Ticks) int {
	return placed(t.Methods, process, address, at)
}
