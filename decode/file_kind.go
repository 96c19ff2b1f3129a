package decode

import "bytes"

// FileKind is the kind of a file of buffers.
type FileKind uint8

// The kinds of file.
const (
	FileLog            FileKind = iota // a log file, Windows Vista and later
	FileRealTimeBackup                 // buffers of a real-time session that no consumer has read yet: RtBackup\EtwRT*.etl
	FileOldLog                         // a log file of Windows 2000, XP or Server 2003
)

// String returns the name of the kind, as in the column file_kind.
func (k FileKind) String() string {
	return [...]string{"log file", "real-time backup", "log file before Windows Vista"}[k]
}

// BackupHeaderSize is the size of a [BackupHeader].
const BackupHeaderSize = 0x48

// backupMagic begins a file of a real-time session.
var backupMagic = []byte("RlFs")

// BackupHeader is the start of a file of a real-time session. Buffers follow from Begin on, back to
// back, each truncated to its SavedOffset; no event describes the session. Observed, not
// documented. The words at 0x04 and 0x08 are 1; at 0x40 are the bytes of all buffers.
type BackupHeader struct {
	Time       int64  // 0x10, FILETIME
	Clock      Ticks  // 0x18, the same moment by the clock of the session: FILETIME, or ticks whose frequency is not in the file
	Buffers    uint32 // 0x20
	BufferSize uint32 // 0x24, in memory
	Begin      int64  // 0x28, of the first buffer
	End        int64  // 0x30, of the last buffer; again at 0x38
}

// ParseBackupHeader reads the first [BackupHeaderSize] bytes of a file; ok is false if it is of
// another kind.
func ParseBackupHeader(b []byte) (h BackupHeader, ok bool) {
	if len(b) < BackupHeaderSize || !bytes.HasPrefix(b, backupMagic) {
		return h, false
	}
	return BackupHeader{
		Time:       int64(le.Uint64(b[0x10:])),
		Clock:      int64(le.Uint64(b[0x18:])),
		Buffers:    le.Uint32(b[0x20:]),
		BufferSize: le.Uint32(b[0x24:]),
		Begin:      int64(le.Uint64(b[0x28:])),
		End:        int64(le.Uint64(b[0x30:])),
	}, true
}

// ClockType returns the clock of the session: ClockSystemTime, or 0 if the file does not identify
// the clock.
func (h *BackupHeader) ClockType() ClockType {
	if h.Clock >= filetimeLikely {
		return ClockSystemTime
	}
	return 0
}

// backup reads the header of a file of a real-time session; ok is false if it is of another kind.
func (s *scanner) backup() (ok bool, err error) {
	b, err := s.peek(0, BackupHeaderSize)
	if b == nil || err != nil {
		return false, err
	}
	h, ok := ParseBackupHeader(b)
	if !ok {
		return false, nil
	}
	f := s.f
	f.header = TraceHeader{Kind: FileRealTimeBackup, StartTime: h.Time, EventTicks: h.Clock, ClockType: h.ClockType(),
		BufferSize: h.BufferSize, BuffersWritten: h.Buffers}
	s.cut, s.from = true, BackupHeaderSize
	switch {
	case h.Begin < BackupHeaderSize || h.Begin > f.size || h.Begin != BackupHeaderSize && s.neighbour(BackupHeaderSize):
		s.faultAt(FaultDamage, 0, "position of the first buffer", ErrCorrupt, "%#x; the header ends at %#x, the file at %#x", h.Begin, BackupHeaderSize, f.size)
		return true, nil
	case h.End < h.Begin:
		s.faultAt(FaultDamage, 0, "position of the end", ErrCorrupt, "%#x is before the first buffer at %#x", h.End, h.Begin)
	case h.End > f.size:
		s.faultAt(FaultMissing, 0, "position of the end", ErrTruncated, "%#x, but the file ends at %#x", h.End, f.size)
	}
	s.from = h.Begin
	return true, nil
}

// parse reads a buffer header in the file's form. Its BufferSize is the size in the file.
func (s *scanner) parse(b *[BufferHeaderSize]byte) BufferHeader {
	switch {
	case s.f.header.Kind == FileOldLog:
		return parseOldBufferHeader(b, s.f.header.BufferSize, s.f.header.MinorVersion)
	case s.cut:
		if h := parseBufferHeader(b); h.BufferSize >= h.SavedOffset && !h.Compressed() {
			h.BufferSize = h.SavedOffset
			return h
		}
	}
	return parseBufferHeader(b)
}
