package attribution

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// joinMethods makes the methods and the modules. See join for near and workers. The processes must
// have been joined before.
func (t *Tables) joinMethods(methods *list[Method], modules *list[Module], near decode.Ticks, workers int) {
	reused := t.reusedProcesses()
	ordered.Together(workers,
		func() { t.Methods = joinOfProcesses(t, methods, near, workers, reused) },
		func() {
			t.Modules = joinOfProcesses(t, modules, near, workers, reused)
			for i := range t.Modules {
				t.Modules[i].File = t.Modules[i].file()
			}
		})
	ordered.InParts(len(t.Methods), workers, func(_, from, to int) { t.findModules(t.Methods[from:to]) })
	t.nameMethods(reused)
	arrange(t.Methods)
}

// findModules finds the modules that methods are from.
func (t *Tables) findModules(methods []Method) {
	for i := range methods {
		m := &methods[i]
		if i > 0 && t.sameModule(&methods[i-1], m) {
			m.module = methods[i-1].module
			continue
		}
		m.module = int32(t.moduleOf(m))
	}
}

// reusedProcesses returns the ids that more than one process has.
func (t *Tables) reusedProcesses() map[uint32]bool {
	reused := make(map[uint32]bool)
	for i := range t.Processes {
		if i > 0 && t.Processes[i-1].ID == t.Processes[i].ID {
			reused[t.Processes[i].ID] = true
		}
	}
	return reused
}

// ofProcess is an entity that belongs to a process and ends with it.
type ofProcess[T any] interface {
	entity[T]
	record() (process uint32, first decode.Ticks)
}

// joinOfProcesses joins only records of the same process, also where the id of a process is reused.
func joinOfProcesses[T any, P ofProcess[T]](t *Tables, l *list[T], near decode.Ticks, workers int, reused map[uint32]bool) []T {
	list := joinUnless(l, near, workers, func(a, b P) bool {
		process, at := b.record()
		if !reused[process] {
			return false
		}
		i, j := t.Process(process, a.lived().To), t.Process(process, at)
		return i >= 0 && j >= 0 && i != j
	})
	for i := range list {
		if process, _ := P(&list[i]).record(); reused[process] {
			bound[T, P](t, list, i)
		}
	}
	return list
}

// bound ends an entity of unknown end with its process, and begins one of unknown start
// with its process, if another process has the same id.
func bound[T any, P ofProcess[T]](t *Tables, list []T, n int) {
	m := P(&list[n])
	id, first := m.record()
	i := t.Process(id, first)
	if i < 0 {
		return
	}
	hasOther := func(n int) bool { return n >= 0 && n < len(t.Processes) && t.Processes[n].ID == id }
	// For two entities with one id in one process, join has found the bounds.
	hasSame := func(n int) bool {
		if n < 0 || n >= len(list) || m.id() != P(&list[n]).id() {
			return false
		}
		_, first := P(&list[n]).record()
		return t.Process(id, first) == i
	}
	p, l := &t.Processes[i], m.lived()
	if !l.Started && hasOther(i-1) && !hasSame(n-1) {
		l.From = min(p.From, first)
	}
	if !l.Ended && hasOther(i+1) && !hasSame(n+1) {
		l.To = p.To
	}
	l.To = max(l.To, l.From)
}

// moduleOf returns the index of the module that a method is from, or -1.
func (t *Tables) moduleOf(m *Method) int {
	from := t.Origin(m)
	if from.ModuleID == 0 {
		return -1
	}
	at := id{m.Process, from.ModuleID, from.context}
	i := find(len(t.Modules), func(i int) bool {
		order := t.Modules[i].id().compare(at)
		return order < 0 || order == 0 && t.Modules[i].From <= m.first
	})
	if i >= 0 && t.Modules[i].id() == at && t.Modules[i].holds(m.first) {
		return i
	}
	return -1
}

// sameModule reports whether b is from the module of a, which saves a search.
func (t *Tables) sameModule(a, b *Method) bool {
	if a.module < 0 || a.Process != b.Process {
		return false
	}
	if from, to := t.Origin(a), t.Origin(b); a.origin != b.origin && (from.ModuleID != to.ModuleID || from.context != to.context) {
		return false
	}
	module, next := &t.Modules[a.module], int(a.module)+1
	return module.holds(b.first) && (next == len(t.Modules) || t.Modules[next].id() != module.id() || t.Modules[next].From > b.first)
}

// methodKey identifies a method of a process, independent of its code.
type methodKey struct {
	process, instance uint32
	index             int // of the process, if its id is reused
	id                uint64
}

// methodName is the name that other code of a method gives it.
type methodName struct {
	of      *Method
	several bool
}

// nameMethods gives a method without a name the name that other code of the same method has. If
// that code has several names, the id was reused, and the name stays unknown.
func (t *Tables) nameMethods(reused map[uint32]bool) {
	keyOf := func(m *Method) methodKey {
		k := methodKey{m.Process, uint32(m.Instance), 0, m.ID}
		if reused[m.Process] {
			k.index = t.Process(m.Process, m.first)
		}
		return k
	}
	var nameless []*Method
	names := make(map[methodKey]methodName) // only of nameless code, which is rare
	for i := range t.Methods {
		if m := &t.Methods[i]; m.Name == 0 && m.ID != 0 && m.Runtime == RuntimeCLR {
			nameless, names[keyOf(m)] = append(nameless, m), methodName{}
		}
	}
	for i := range t.Methods {
		m := &t.Methods[i]
		if len(nameless) == 0 || m.Name == 0 || m.Runtime != RuntimeCLR {
			continue
		}
		key := keyOf(m)
		if n, wanted := names[key]; wanted {
			names[key] = methodName{m, n.several || n.of != nil && (n.of.Name != m.Name || n.of.Namespace != m.Namespace)}
		}
	}
	for _, m := range nameless {
		if n := names[keyOf(m)]; n.of != nil && !n.several {
			m.Namespace, m.Name, m.Signature = n.of.Namespace, n.of.Name, n.of.Signature
		}
	}
}

// ModuleOf returns the module that a method is from, or nil.
func (t *Tables) ModuleOf(m *Method) *Module {
	if m.module < 0 {
		return nil
	}
	return &t.Modules[m.module]
}

// methodAnswer is the cached method at an address of a process, in an interval of time. Index -1 is
// a range of addresses without methods, where most frames of native code lie.
type methodAnswer struct {
	from, to decode.Ticks
	address  uint64
	size     uint64
	process  uint32
	index    int32
}

const methodSlots = 1 << 12

// Method returns the index in Tables.Methods of the method at an address of a process at
// a time, or -1.
func (r *Resolver) Method(process uint32, address uint64, at decode.Ticks) int {
	if r.methods == nil {
		return -1
	}
	a := &r.methods[(uint32(address>>4)^uint32(address>>14)^process*61)%methodSlots]
	if a.process == process && address-a.address < a.size && at >= a.from && at <= a.to {
		return int(a.index)
	}
	i := r.t.Method(process, address, at)
	switch {
	case i < 0:
		if from, size := gap(r.t.Methods, process, address); size > 0 {
			*a = methodAnswer{minTicks, maxTicks, from, size, process, -1}
		}
	case r.t.Methods[i].overlap.apart():
		m := &r.t.Methods[i]
		*a = methodAnswer{m.From, m.To, m.Address, uint64(m.Size), process, int32(i)}
	}
	return i
}
