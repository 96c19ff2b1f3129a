package attribution

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Process is a process, or a record of one.
type Process struct {
	Life
	ID, Parent  uint32
	Session     uint32
	First       decode.Ticks // of the first record
	ExitStatus  uint32       // if Ended
	Flags       uint32
	HasParent   bool
	HasSession  bool
	HasFlags    bool
	HasExit     bool
	Key         uint64 // UniqueProcessKey, an address; 0 if unknown
	Name        string // of the image, without a path
	Path        string // of the image, if the record has it
	CommandLine string
	Package     string
	Application string
	SID         string // its bytes
}

// The bits of Process.Flags (MOF Process_TypeGroup1.Flags).
const processWow64 = 2

// Is32Bit reports whether a process on a 64-bit system is a 32-bit one.
func (p *Process) Is32Bit() (is, known bool) { return p.Flags&processWow64 != 0, p.HasFlags }

func (p *Process) id() id { return id{process: p.ID} }

func (p *Process) seen(t decode.Ticks) {
	p.Life.seen(t)
	p.First = t
}

func (p *Process) equal(o *Process) bool {
	if p.Key != 0 && o.Key != 0 && p.Key != o.Key {
		return false
	}
	return equalIfKnown(p.Name, o.Name) && (!p.HasParent || !o.HasParent || p.Parent == o.Parent)
}

func (p *Process) learn(o *Process) {
	p.First = min(p.First, o.First)
	if !p.HasParent && o.HasParent {
		p.Parent, p.HasParent = o.Parent, true
	}
	if !p.HasSession && o.HasSession {
		p.Session, p.HasSession = o.Session, true
	}
	if !p.HasFlags && o.HasFlags {
		p.Flags, p.HasFlags = o.Flags, true
	}
	if o.HasExit {
		p.ExitStatus, p.HasExit = o.ExitStatus, true
	}
	if p.Key == 0 {
		p.Key = o.Key
	}
	for _, text := range []struct{ to, from *string }{
		{&p.Name, &o.Name}, {&p.Path, &o.Path}, {&p.CommandLine, &o.CommandLine},
		{&p.Package, &o.Package}, {&p.Application, &o.Application}, {&p.SID, &o.SID},
	} {
		if *text.to == "" {
			*text.to = *text.from
		}
	}
}

// equalIfKnown reports whether texts are equal, or one of them is unknown.
func equalIfKnown[T comparable](a, b T) bool {
	var unknown T
	return a == unknown || b == unknown || a == b
}

// Thread is a thread, or a record of one. There may be millions.
type Thread struct {
	Life
	ID, Process  uint32
	Start        uint64 // Win32StartAddr
	SystemStart  uint64 // StartAddr, in versions that have it
	name         uint32 // index in Tables.names; 0 if it has no name
	BasePriority uint8
	HasPriority  bool
}

func (t *Thread) id() id { return id{number: uint64(t.ID)} }

func (t *Thread) equal(o *Thread) bool { return t.Process == o.Process }

func (t *Thread) learn(o *Thread) {
	if t.Start == 0 {
		t.Start = o.Start
	}
	if t.SystemStart == 0 {
		t.SystemStart = o.SystemStart
	}
	if o.name != 0 { // the latest name wins
		t.name = o.name
	}
	if !t.HasPriority {
		t.BasePriority, t.HasPriority = o.BasePriority, o.HasPriority
	}
}

// Image is an image in a process, or a record of one.
type Image struct {
	Life
	Process   uint32
	Checksum  uint32
	TimeStamp uint32
	Base      uint64
	Size      uint64
	Path      string // in the form of Windows, \Device\...
	Debug     int32  // index in Tables.Debug, or -1
	Version   int32  // index in Tables.Versions, or -1
}

func (m *Image) region() region { return region{m.Process, m.Base, m.Size} }

func (m *Image) id() id { return id{process: m.Process, number: m.Base} }

// equal compares only the file names, ignoring case: the paths of one image can differ, because some
// begin with the device.
func (m *Image) equal(o *Image) bool {
	a, b := BaseName(m.Path), BaseName(o.Path)
	return m.Size == o.Size && (a == "" || b == "" || strings.EqualFold(a, b))
}

func (m *Image) learn(o *Image) {
	if m.Path == "" || tellsVolume(o.Path, m.Path) {
		m.Path = o.Path
	}
	if m.Checksum == 0 {
		m.Checksum = o.Checksum
	}
	if m.TimeStamp == 0 {
		m.TimeStamp = o.TimeStamp
	}
}

// File is a file object or file key with its path, or a record of one.
type File struct {
	Life
	Object uint64
	Path   string
	First  int64 // ticks of the first and the last record
	Last   int64
}

func (f *File) seen(t decode.Ticks) {
	f.Life.seen(t)
	f.First, f.Last = t, t
}

func (f *File) id() id { return id{number: f.Object} }

func (f *File) equal(o *File) bool { return equalIfKnown(f.Path, o.Path) }

func (f *File) learn(o *File) {
	if f.Path == "" {
		f.Path = o.Path
	}
	f.First, f.Last = min(f.First, o.First), max(f.Last, o.Last)
}

// DebugInfo identifies the symbols of an image. The merge tools add it.
type DebugInfo struct {
	Process uint32
	Age     uint32
	Base    uint64
	GUID    schema.GUID
	PDB     string
}

// FileVersion is the version resource of an image. The merge tools add it.
type FileVersion struct {
	File    ImageFile
	Version string
	Product string
	Company string
}

// ImageFile identifies the file of an image by its header.
type ImageFile struct{ Size, TimeStamp uint32 }
