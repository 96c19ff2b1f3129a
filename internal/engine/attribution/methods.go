package attribution

import (
	"cmp"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Runtime is the kind of runtime that a method belongs to. The zero value is no runtime.
type Runtime uint8

// The runtimes.
const (
	RuntimeCLR    Runtime = 1 + iota // .NET Framework, .NET
	RuntimeScript                    // Chakra, V8, and others that write their events
)

// String returns the name of the runtime, as in the column runtime.
func (r Runtime) String() string { return [...]string{"", "clr", "script"}[r] }

// Text returns a text.
func (t *Tables) Text(n Text) string { return t.code.at(n) }

// Texts returns the number of texts, which is greater than all of them.
func (t *Tables) Texts() int { return int(t.code.end()) }

// Method is the code of a method that a runtime made or loaded, at an address of a process, or a
// record of one. A method that is compiled several times has several.
//
// A trace can have a million methods. So values that many methods share, or few have, are stored as
// numbers: texts, the origin, the ReJITID.
type Method struct {
	Life
	Address     uint64
	ID          uint64       // of the method in its runtime; 0 if unknown
	first       decode.Ticks // of its first record
	Process     uint32
	Size        uint32
	Namespace   Text // with the class
	Name        Text
	Signature   Text
	Flags       uint32 // their meaning depends on the runtime
	module      int32  // index in Tables.Modules, or -1
	origin      uint32 // index in Tables.origins
	reJIT       uint32 // index in Tables.reJITs plus 1; 0 if unknown
	Instance    uint16 // of the CLR in its process
	Runtime     Runtime
	HasInstance bool
}

// Origin says where a runtime has the code of a method from.
type Origin struct {
	ModuleID uint64 // of its module, or of the source of a script
	context  uint64 // of a script
	Line     uint32 // in the source of a script; 0 if unknown
	Column   uint32
	Range    uint16 // MethodAddressRangeID of a script
}

// Origin returns the origin of a method.
func (t *Tables) Origin(m *Method) *Origin { return &t.origins[m.origin] }

// ReJIT returns the ReJITID of a method.
func (t *Tables) ReJIT(m *Method) (id uint64, known bool) {
	if m.reJIT == 0 {
		return 0, false
	}
	return t.reJITs[m.reJIT-1], true
}

// The bits of Method.Flags of the CLR (MethodFlagsMap of ClrEtwAll.man; for the later ones and the
// tiers, ETW::MethodLog in dotnet/runtime, eventtracebase.h, read 2026).
const (
	methodDynamic   = 0x1
	methodJitted    = 0x8
	methodHelper    = 0x10
	methodTierShift = 7
	methodTierMask  = 0x7
)

// methodFlags are the names of the bits of Method.Flags of the CLR, except the tier.
var methodFlags = [...]struct {
	bit  uint32
	name string
}{
	{methodDynamic, "Dynamic"}, {0x2, "Generic"}, {0x4, "HasSharedGenericCode"}, {methodJitted, "Jitted"}, {methodHelper, "JitHelper"},
	{0x20, "ProfilerRejectedPrecompiledCode"}, {0x40, "ReadyToRunRejectedPrecompiledCode"}, {0x10000000, "ColdSection"},
}

// methodTiers are the names of tiers, as TraceEvent spells them.
var methodTiers = [methodTierMask + 1]string{
	"", "MinOptJitted", "Optimized", "QuickJitted", "OptimizedTier1", "OptimizedTier1OSR", "QuickJittedInstrumented", "OptimizedTier1Instrumented",
}

// FlagNames returns the names of the flags that are set, except the tier.
func (m *Method) FlagNames() (names []string) {
	if m.Runtime != RuntimeCLR {
		return nil
	}
	for _, f := range methodFlags {
		if m.Flags&f.bit != 0 {
			names = append(names, f.name)
		}
	}
	return names
}

// Tier returns how far the CLR optimized the method, or "" if unknown.
func (m *Method) Tier() string {
	if m.Runtime != RuntimeCLR {
		return ""
	}
	return methodTiers[m.Flags>>methodTierShift&methodTierMask]
}

// scriptRanges are the kinds of code of scripts (MethodAddressRangeMap); higher values
// are further loops.
var scriptRanges = [...]string{"", "interpreted", "jitted", "jitted_loop"}

// Kind returns the kind of the code, or "" if unknown. Code of the CLR that is neither
// jitted nor a helper was compiled before: by ReadyToRun or NGEN.
func (t *Tables) Kind(m *Method) string {
	switch {
	case m.Runtime == RuntimeScript:
		return scriptRanges[min(int(t.Origin(m).Range), len(scriptRanges)-1)]
	case m.Flags&methodHelper != 0:
		return "jit_helper"
	case m.Flags&methodDynamic != 0:
		return "dynamic"
	case m.Flags&methodJitted != 0:
		return "jitted"
	}
	return "precompiled"
}

// FullName returns the namespace and class of a method and its name without the signature, or "" if
// the name is unknown. Folded stacks separate frames with semicolons and lines with newlines, so in
// the name a comma or a space replaces them.
func (t *Tables) FullName(m *Method) string {
	if m.Name == 0 {
		return ""
	}
	name := t.Text(m.Name)
	if m.Namespace != 0 {
		name = t.Text(m.Namespace) + "." + name
	}
	if strings.ContainsAny(name, ";\n\r") {
		name = foldable.Replace(name)
	}
	return name
}

var foldable = strings.NewReplacer(";", ",", "\n", " ", "\r", " ")

func (m *Method) seen(t decode.Ticks) {
	m.Life.seen(t)
	m.first = t
}

func (m *Method) id() id { return id{process: m.Process, number: m.Address} }

// equal compares the names only where both records have them: some have none.
func (m *Method) equal(o *Method) bool {
	return m.Size == o.Size && m.ID == o.ID && m.Runtime == o.Runtime && equalIfKnown(m.Name, o.Name) && equalIfKnown(m.Namespace, o.Namespace)
}

func (m *Method) learn(o *Method) {
	if m.Name == 0 {
		m.Namespace, m.Name, m.Signature = o.Namespace, o.Name, o.Signature
	}
	if m.reJIT == 0 {
		m.reJIT = o.reJIT
	}
	if !m.HasInstance {
		m.Instance, m.HasInstance = o.Instance, o.HasInstance
	}
	if m.Tier() == "" {
		m.Flags |= o.Flags & (methodTierMask << methodTierShift)
	}
}

func (m *Method) record() (process uint32, first decode.Ticks) { return m.Process, m.first }

func (m *Method) region() region { return region{m.Process, m.Address, uint64(m.Size)} }

// Module is a module of the CLR, or the source of a script, that methods are from; or a record of
// one.
type Module struct {
	Life
	Process    uint32
	ID         uint64
	File       string // name of the file, or of the source of a script; "" if unknown
	Path       string // of the IL, or the URL of a script
	NativePath string // of the native image
	context    uint64 // of a script
	first      decode.Ticks
}

func (m *Module) seen(t decode.Ticks) {
	m.Life.seen(t)
	m.first = t
}

func (m *Module) record() (process uint32, first decode.Ticks) { return m.Process, m.first }

func (m *Module) id() id { return id{m.Process, m.ID, m.context} }

func (m *Module) equal(o *Module) bool { return equalIfKnown(m.Path, o.Path) }

func (m *Module) learn(o *Module) {
	if m.Path == "" {
		m.Path = o.Path
	}
	if m.NativePath == "" {
		m.NativePath = o.NativePath
	}
}

// ModuleFile returns the file name of the module that a method is from, or "".
func (t *Tables) ModuleFile(m *Method) string {
	if m.module < 0 {
		return ""
	}
	return t.Modules[m.module].File
}

// file returns the file name of the module.
func (m *Module) file() string {
	path := cmp.Or(m.Path, m.NativePath)
	if end := strings.IndexAny(path, "?#"); end > 0 && strings.Contains(path[:end], "://") {
		path = path[:end] // of a URL
	}
	return path[strings.LastIndexAny(path, `\/`)+1:]
}
