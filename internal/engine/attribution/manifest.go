package attribution

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// kernelProcess is Microsoft-Windows-Kernel-Process, whose manifest-based events
// contain the same facts as the kernel's events of processes, threads and images.
// Layouts: the provider's manifest (OTRF/OSSEM data dictionaries, read 2026); seen:
// event 1 of versions 0 and 1, 2 of version 1, 3 to 6 of version 0.
var kernelProcess = schema.GUID{0xd6, 0x2c, 0xfb, 0x22, 0x7b, 0x0e, 0x2b, 0x42, 0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16}

const (
	idProcessStart   = 1
	idProcessStop    = 2
	idThreadStart    = 3
	idThreadStop     = 4
	idImageLoad      = 5
	idImageUnload    = 6
	idProcessRundown = 15
)

// kindOfManifest returns the kind of fact in an event of kernelProcess.
func kindOfManifest(id uint16) kind {
	switch id {
	case idProcessStart, idProcessStop, idProcessRundown:
		return processRecord
	case idThreadStart, idThreadStop:
		return threadRecord
	case idImageLoad, idImageUnload:
		return imageRecord
	}
	return nothing
}

// Manifest reads an event of a manifest-based provider, if it records a fact. Only texts have
// variable sizes, so the fields are read in order without a layout. A payload that ends early is
// ignored.
func (r *Records) Manifest(ev *decode.Event, h decode.EventHeader) {
	if le.Uint32(h[0x18:]) != le.Uint32(kernelProcess[:]) || h.ProviderID() != kernelProcess {
		r.codeEvent(ev, h)
		return
	}
	d := h.Descriptor()
	if !r.reads(kindOfManifest(d.ID)) {
		return
	}
	f := fixed{b: ev.Payload(), pointerSize: ev.PointerSize()}
	switch d.ID {
	case idProcessStart:
		r.manifestProcess(ev, &f, FromStart, d.Version >= 3, d.Version >= 1)
	case idProcessRundown:
		r.manifestProcess(ev, &f, FromRundownStart, d.Version >= 1, true)
	case idProcessStop:
		r.manifestStop(ev, &f, d.Version)
	case idThreadStart, idThreadStop:
		r.manifestThread(ev, &f, d.ID == idThreadStop)
	case idImageLoad, idImageUnload:
		r.manifestImage(ev, &f, d.ID == idImageUnload)
	}
}

// manifestProcess reads ProcessStart and ProcessRundown. Both have a newer form with
// sequence numbers and the token; ProcessStart also has a form without flags.
func (r *Records) manifestProcess(ev *decode.Event, f *fixed, source Sources, newer, flags bool) {
	v := Process{Life: Life{Sources: source}, ID: f.u32()}
	if newer {
		f.skip(8) // ProcessSequenceNumber
	}
	f.skip(8) // CreateTime
	v.Parent, v.HasParent = f.u32(), true
	if newer {
		f.skip(8) // ParentProcessSequenceNumber
	}
	v.Session, v.HasSession = f.u32(), true
	if flags {
		f.skip(4) // Flags: they differ from those of the kernel's event
	}
	if newer {
		f.skip(8) // ProcessTokenElevationType, ProcessTokenIsElevated
		f.sid()   // MandatoryLabel
	}
	v.Path = f.text()
	if f.ended {
		return
	}
	v.Name = BaseName(v.Path)
	r.manifest.processes.push(observed[Process]{ev.Time, &fact[Process]{value: v}})
}

func (r *Records) manifestStop(ev *decode.Event, f *fixed, version uint8) {
	v := Process{Life: Life{Sources: FromEnd}, ID: f.u32()}
	if version >= 2 {
		f.skip(8) // ProcessSequenceNumber
	}
	f.skip(16) // CreateTime, ExitTime
	v.ExitStatus, v.HasExit = f.u32(), true
	if !f.ended { // the name at the end is useless: it is cut to 14 characters
		r.manifest.processes.push(observed[Process]{ev.Time, &fact[Process]{value: v}})
	}
}

func (r *Records) manifestThread(ev *decode.Event, f *fixed, stop bool) {
	source := FromStart
	if stop {
		source = FromEnd
	}
	v := Thread{Life: Life{Sources: source}}
	v.Process, v.ID = f.u32(), f.u32()
	f.skip(4 * f.pointerSize) // StackBase, StackLimit, UserStackBase, UserStackLimit
	v.SystemStart, v.Start = f.pointer(), f.pointer()
	if !f.ended {
		r.manifest.threads.push(observed[Thread]{ev.Time, &fact[Thread]{value: v}})
	}
}

func (r *Records) manifestImage(ev *decode.Event, f *fixed, unload bool) {
	source := FromStart
	if unload {
		source = FromEnd
	}
	v := Image{Life: Life{Sources: source}, Base: f.pointer(), Size: f.pointer(), Debug: -1, Version: -1}
	v.Process, v.Checksum, v.TimeStamp = f.u32(), f.u32(), f.u32()
	f.skip(f.pointerSize) // DefaultBase
	v.Path = f.text()
	if !f.ended {
		r.manifest.images.push(observed[Image]{ev.Time, &fact[Image]{value: v}})
	}
}

// BaseName returns a path's last part.
func BaseName(path string) string { return path[strings.LastIndexByte(path, '\\')+1:] }

// fixed reads consecutive fields.
type fixed struct {
	b           []byte
	pointerSize int
	ended       bool // the payload ended inside a field
}

func (f *fixed) cut(n int) []byte {
	if n > len(f.b) {
		f.ended = true
		return nil
	}
	taken := f.b[:n]
	f.b = f.b[n:]
	return taken
}

func (f *fixed) skip(n int) { f.cut(n) }

func (f *fixed) u16() uint16 { return uint16(number(f.cut(2))) }

func (f *fixed) u32() uint32 { return uint32(number(f.cut(4))) }

func (f *fixed) u64() uint64 { return number(f.cut(8)) }

func (f *fixed) pointer() uint64 { return number(f.cut(f.pointerSize)) }

// sid skips a SID.
func (f *fixed) sid() {
	if len(f.b) < 8 {
		f.ended = true
		return
	}
	f.skip(8 + 4*int(f.b[1]))
}

// text reads UTF-16 text up to a NUL or the end.
func (f *fixed) text() string {
	if f.ended {
		return ""
	}
	end := decode.TextEnd(schema.Text16, f.b)
	var scratch [256]byte // of most texts, on the stack
	return string(decode.AppendUTF16(scratch[:0], f.cut(end)))
}
