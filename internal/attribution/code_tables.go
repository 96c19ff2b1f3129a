package attribution

import (
	"github.com/etl2parquet/etl2parquet/decode"
)

// joinMethods makes the methods and the modules; for near see join. The processes must have
// been joined.
func (t *Tables) joinMethods(methods *list[Method], modules *list[Module], near decode.Ticks) {
	reused := t.reusedProcesses()
	otherProcess := func(process uint32, a, b decode.Ticks) bool {
		if !reused[process] {
			return false
		}
		i, j := t.Process(process, a), t.Process(process, b)
		return i >= 0 && j >= 0 && i != j
	}
	t.Modules = joinUnless(modules, near, func(a, b *Module) bool { return otherProcess(a.Process, a.To, b.From) })
	t.Methods = joinUnless(methods, near, func(a, b *Method) bool { return otherProcess(a.Process, a.To, b.From) })
	files := make([]string, len(t.Modules))
	for i := range t.Modules {
		files[i] = t.Modules[i].file()
	}
	nameless := false
	for i := range t.Methods {
		m := &t.Methods[i]
		if reused[m.Process] {
			t.boundMethod(m)
		}
		if m.module = int32(t.moduleOf(m)); m.module >= 0 {
			m.Module = files[m.module]
		}
		nameless = nameless || m.Name == ""
	}
	if nameless {
		t.nameMethods()
	}
	arrange(t.Methods)
}

// reusedProcesses returns the ids that several processes have.
func (t *Tables) reusedProcesses() map[uint32]bool {
	reused := make(map[uint32]bool)
	for i := range t.Processes {
		if i > 0 && t.Processes[i-1].ID == t.Processes[i].ID {
			reused[t.Processes[i].ID] = true
		}
	}
	return reused
}

// boundMethod ends a method of unknown end with its process, and begins it not before its
// process, where another process has the same id.
func (t *Tables) boundMethod(m *Method) {
	i := t.Process(m.Process, m.first)
	if i < 0 {
		return
	}
	p := &t.Processes[i]
	if i > 0 && t.Processes[i-1].ID == p.ID && !m.Started {
		m.From = min(max(m.From, p.From), m.first)
	}
	if i+1 < len(t.Processes) && t.Processes[i+1].ID == p.ID && !m.Ended {
		m.To = max(min(m.To, p.To), m.From)
	}
}

// moduleOf returns the index of the module that a method is from, or -1.
func (t *Tables) moduleOf(m *Method) int {
	if m.ModuleID == 0 {
		return -1
	}
	at := Module{Process: m.Process, ID: m.ModuleID, context: m.context}
	i := find(len(t.Modules), func(i int) bool {
		order := t.Modules[i].compareID(&at)
		return order < 0 || order == 0 && t.Modules[i].From <= m.first
	})
	if i >= 0 && t.Modules[i].compareID(&at) == 0 && t.Modules[i].holds(m.first) {
		return i
	}
	return -1
}

// methodKey identifies a method of a process, whatever its code.
type methodKey struct {
	process, instance uint32
	id                uint64
}

func (m *Method) key() methodKey { return methodKey{m.Process, uint32(m.Instance), m.ID} }

// nameMethods gives methods without a name that of other code of the same method. If
// such code has several names, the id was reused, and they stay without.
func (t *Tables) nameMethods() {
	named := make(map[methodKey]*Method)
	for i := range t.Methods {
		m := &t.Methods[i]
		if m.Name == "" || m.ID == 0 || m.Runtime != RuntimeCLR {
			continue
		}
		other, has := named[m.key()]
		if has && (other == nil || other.Name != m.Name || other.Namespace != m.Namespace) {
			named[m.key()] = nil
			continue
		}
		named[m.key()] = m
	}
	for i := range t.Methods {
		m := &t.Methods[i]
		if other := named[m.key()]; m.Name == "" && other != nil && m.Runtime == RuntimeCLR {
			m.Namespace, m.Name, m.Signature = other.Namespace, other.Name, other.Signature
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

// methodAnswer is the cached method at an address of a process, in an interval of time.
type methodAnswer struct {
	from, to decode.Ticks
	address  uint64
	size     uint32
	process  uint32
	index    int32
}

const methodSlots = 1 << 10

// Method returns the index in Tables.Methods of the method at an address of a process at
// a time, or -1.
func (r *Resolver) Method(process uint32, address uint64, at decode.Ticks) int {
	a := &r.methods[(uint32(address>>4)^uint32(address>>14)^process*61)%methodSlots]
	if a.process == process && address-a.address < uint64(a.size) && at >= a.from && at <= a.to {
		return int(a.index)
	}
	i := r.t.Method(process, address, at)
	if i >= 0 && r.t.Methods[i].apart {
		m := &r.t.Methods[i]
		*a = methodAnswer{m.From, m.To, m.Address, m.Size, process, int32(i)}
	}
	return i
}
