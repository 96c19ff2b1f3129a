package attribution

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// codeLayout is a layout of events about the code of runtimes. Later versions of an
// event only append fields.
type codeLayout uint8

const (
	noCode          codeLayout = iota
	clrMethod                  // MethodLoadUnload: without names
	clrMethodNames             // MethodLoadUnloadVerbose
	clrModule                  // ModuleLoadUnload
	clrDomainModule            // DomainModuleLoadUnload
	scriptMethod               // MethodLoadUnload of Microsoft-JScript
	scriptSource               // SourceLoadUnload of Microsoft-JScript
)

// codeUse is the layout of an event about code, and what the event means for a life.
type codeUse struct {
	layout codeLayout
	source Sources
}

// codeProvider is a provider, or a class, whose events describe code, by event id or type.
type codeProvider struct {
	id   schema.GUID
	uses [256]codeUse
}

// codeProviders are the providers of events about code.
//
// Layouts: ClrEtwAll.man (microsoft/perfview, read 2026) and, for Microsoft-JScript, the
// manifest that Windows prints. Seen: DotNETRuntime 143, 144 of versions 1 and 2, 151 of
// version 1, 152, 153 of version 2; DotNETRuntimeRundown 144, 152 of version 1, 154 of
// version 2. V8 writes events 9 and 41 of Microsoft-JScript as TraceLogging, with the same
// fields (v8/src/diagnostics/etw-jit-win.cc, read 2026).
//
// DomainModuleLoad does not start a life: another domain may have loaded the module before.
var codeProviders = [...]codeProvider{
	{id: schema.MustGUID("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"), uses: [256]codeUse{ // Microsoft-Windows-DotNETRuntime
		137: {clrMethod, FromRundownStart}, 138: {clrMethod, FromRundownEnd}, // of .NET 2
		139: {clrMethodNames, FromRundownStart}, 140: {clrMethodNames, FromRundownEnd},
		141: {clrMethod, FromStart}, 142: {clrMethod, FromEnd},
		143: {clrMethodNames, FromStart}, 144: {clrMethodNames, FromEnd},
		149: {clrModule, FromRundownStart}, 150: {clrModule, FromRundownEnd}, // of .NET 2
		151: {clrDomainModule, 0},
		152: {clrModule, FromStart}, 153: {clrModule, FromEnd},
	}},
	{id: schema.MustGUID("a669021c-c450-4609-a035-5af59af4df18"), uses: [256]codeUse{ // Microsoft-Windows-DotNETRuntimeRundown
		141: {clrMethod, FromRundownStart}, 142: {clrMethod, FromRundownEnd},
		143: {clrMethodNames, FromRundownStart}, 144: {clrMethodNames, FromRundownEnd},
		151: {clrDomainModule, FromRundownStart}, 152: {clrDomainModule, FromRundownEnd},
		153: {clrModule, FromRundownStart}, 154: {clrModule, FromRundownEnd},
	}},
	{id: schema.MustGUID("57277741-3638-4a4b-bdba-0ac6e45da56c"), uses: [256]codeUse{ // Microsoft-JScript: Chakra, V8
		5: {scriptMethod, FromRundownStart}, 6: {scriptMethod, FromRundownEnd},
		9: {scriptMethod, FromStart}, 10: {scriptMethod, FromEnd},
		39: {scriptSource, FromRundownStart}, 40: {scriptSource, FromRundownEnd},
		41: {scriptSource, FromStart}, 42: {scriptSource, FromEnd},
	}},
}

// codeClasses are the same events with classic headers, as runtimes write them on systems
// before Windows Vista: the class is the task of the manifest, the type the opcode. Not seen.
var codeClasses = [...]codeProvider{
	{id: schema.MustGUID("3044f61a-99b0-4c21-b203-d39423c73b00"), uses: [256]codeUse{ // CLRMethod
		33: {clrMethod, FromStart}, 34: {clrMethod, FromEnd},
		35: {clrMethod, FromRundownStart}, 36: {clrMethod, FromRundownEnd},
		37: {clrMethodNames, FromStart}, 38: {clrMethodNames, FromEnd},
		39: {clrMethodNames, FromRundownStart}, 40: {clrMethodNames, FromRundownEnd},
	}},
	{id: schema.MustGUID("d00792da-07b7-40f5-97eb-5d974e054740"), uses: [256]codeUse{ // CLRLoader
		33: {clrModule, FromStart}, 34: {clrModule, FromEnd},
		35: {clrModule, FromRundownStart}, 36: {clrModule, FromRundownEnd},
		45: {clrDomainModule, 0},
	}},
	{id: schema.MustGUID("0bcd91db-f943-454a-a662-6edbcfbb76d2"), uses: [256]codeUse{ // CLRMethodRundown
		35: {clrMethod, FromRundownStart}, 36: {clrMethod, FromRundownEnd},
		39: {clrMethodNames, FromRundownStart}, 40: {clrMethodNames, FromRundownEnd},
	}},
	{id: schema.MustGUID("5a54f4df-d302-4fee-a211-6c2c0c1dcb1a"), uses: [256]codeUse{ // CLRLoaderRundown
		35: {clrModule, FromRundownStart}, 36: {clrModule, FromRundownEnd},
		46: {clrDomainModule, FromRundownStart}, 47: {clrDomainModule, FromRundownEnd},
	}},
}

// useOfCode returns the use of an event of one of the providers; the zero value means none.
func useOfCode(providers []codeProvider, provider schema.GUID, id uint32) (use codeUse) {
	for i := range providers {
		if id < 256 && providers[i].id == provider {
			return providers[i].uses[id]
		}
	}
	return use
}

// codeEvent reads an event of a provider, if it describes code.
func (r *Records) codeEvent(ev *decode.Event, h decode.EventHeader) {
	if r.Without&MethodFacts != 0 {
		return
	}
	first := le.Uint32(h[0x18:])
	for i := range codeProviders {
		p := &codeProviders[i]
		if first != le.Uint32(p.id[:]) {
			continue
		}
		d := h.Descriptor()
		if use := p.uses[uint8(d.ID)]; use.layout != noCode && d.ID < 256 && h.ProviderID() == p.id {
			r.code(ev, h.ProcessID(), use, d.Version)
		}
		return
	}
}

// codeClass reads a classic event, if it describes code.
func (r *Records) codeClass(ev *decode.Event, class schema.GUID, id, version uint8) {
	if r.Without&MethodFacts != 0 {
		return
	}
	if use := useOfCode(codeClasses[:], class, uint32(id)); use.layout != noCode {
		process, _ := headerIDs(ev)
		r.code(ev, process, use, version)
	}
}

// tagCode distinguishes events about code from hooks and classes.
const tagCode eventTag = 1 << 62

// code reads an event about the code of a process.
func (r *Records) code(ev *decode.Event, process uint32, use codeUse, version uint8) {
	p := codePayload{fixed{b: ev.Payload(), pointerSize: ev.PointerSize()}}
	switch use.layout {
	case clrMethod, clrMethodNames:
		p.clrMethod(r.beginMethod(ev.Time, process, use.source), use.layout == clrMethodNames, version)
	case scriptMethod:
		p.scriptMethod(r.beginMethod(ev.Time, process, use.source))
	default:
		r.codeModule(ev, process, use)
		return
	}
	r.methods.end(p.ended)
}

// codeModule reads an event about a module or a source.
func (r *Records) codeModule(ev *decode.Event, process uint32, use codeUse) {
	tag := tagCode | eventTag(use.source)<<56 | eventTag(use.layout)<<48 | eventTag(ev.PointerSize())<<32 | eventTag(process)
	f, fresh := r.reading().find(tag, ev.Payload())
	if fresh {
		p := codePayload{fixed{b: ev.Payload(), pointerSize: ev.PointerSize()}}
		life := Life{Sources: use.source}
		if use.layout == scriptSource {
			f.module = p.scriptSource(life, process)
		} else {
			f.module = p.clrModule(life, process, use.layout == clrDomainModule)
		}
	}
	r.add(ev.Time, f)
}

// codePayload is the payload of an event about code. One that ends inside a field is ignored.
type codePayload struct{ fixed }

func (p *codePayload) clrMethod(k *knownMethods, names bool, version uint8) {
	v := &k.record
	v.Runtime = RuntimeCLR
	v.ID, v.from.ModuleID = p.u64(), p.u64()
	v.Address = p.address(p.u64())
	v.Size = p.u32()
	p.skip(4) // MethodToken
	v.Flags = p.u32()
	if names {
		v.texts.namespace = k.namespace(&p.fixed)
		v.texts.name, v.texts.signature = k.text(&p.fixed), k.text(&p.fixed)
	}
	if v.Flags&methodHelper != 0 { // has neither: the CLR writes NULL
		v.texts.namespace, v.texts.signature = 0, 0
	}
	if version >= 1 {
		v.Instance, v.HasInstance = p.u16(), true
	}
	if version >= 2 {
		v.reJITID, v.hasReJIT = p.u64(), true
	}
}

func (p *codePayload) clrModule(l Life, process uint32, domain bool) *fact[Module] {
	v := Module{Life: l, Process: process, ID: p.u64()}
	p.skip(8) // AssemblyID
	if domain {
		p.skip(8) // AppDomainID
	}
	p.skip(8) // ModuleFlags, Reserved1
	v.Path, v.NativePath = p.text(), p.text()
	if p.ended {
		return nil
	}
	return &fact[Module]{value: v}
}

func (p *codePayload) scriptMethod(k *knownMethods) {
	v := &k.record
	v.Runtime, v.from.context = RuntimeScript, p.pointer()
	v.Address = p.address(p.pointer())
	v.Size = uint32(min(p.u64(), 1<<32-1))
	v.ID = uint64(p.u32())
	v.Flags = uint32(p.u16())
	v.from.Range = p.u16()
	v.from.ModuleID = p.u64()
	v.from.Line, v.from.Column = p.u32(), p.u32()
	v.texts.name = k.text(&p.fixed)
}

func (p *codePayload) scriptSource(l Life, process uint32) *fact[Module] {
	v := Module{Life: l, Process: process, ID: p.u64(), context: p.pointer()}
	p.skip(4) // SourceFlags
	v.Path = p.text()
	if p.ended {
		return nil
	}
	return &fact[Module]{value: v}
}

// address returns an address of the process. Runtimes may sign-extend the addresses of a 32-bit
// process.
func (p *codePayload) address(a uint64) uint64 {
	if p.pointerSize == 4 {
		return uint64(uint32(a))
	}
	return a
}
