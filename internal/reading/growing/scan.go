package growing

import (
	"errors"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet/decode"
)

// scanBytes bounds what one scan looks at.
const scanBytes = 64 << 20

// tail is the last buffer of the file while it may be incomplete.
type tail struct {
	offset int64
	hash   uint64 // of its bytes at the last scan
}

// scan finds the complete buffers from f.next on.
func (f *File) scan() error {
	if !f.begun {
		return nil
	}
	for {
		more, err := f.scanPart()
		if isWaiting(err) {
			return nil
		}
		if err != nil || !more {
			return err
		}
	}
}

// scanPart finds some buffers, and reports whether there may be more.
func (f *File) scanPart() (more bool, err error) {
	var now scanned
	if now.size = f.size; f.size-f.next < int64(len(now.header)) {
		f.end(nil)
		return false, nil
	}
	if _, err := f.file.ReadAt(now.header[:], f.next); err != nil {
		return false, err
	}
	if !f.seen.pending && now == f.seen || isUnused(now.header[:]) {
		f.seen = now
		f.end(nil)
		return false, nil
	}
	end, err := f.stretch()
	if err != nil {
		return false, err
	}
	list, err := f.list(end)
	if err != nil {
		return false, err
	}
	complete := len(list)
	if complete == 0 && end-f.next >= scanBytes { // nothing of it is a buffer
		f.next = end
		return true, nil
	}
	if complete > 0 {
		isComplete, err := f.isComplete(&list[complete-1], end)
		if err != nil {
			return false, err
		}
		if !isComplete {
			complete--
		}
	}
	begin := f.next
	for _, b := range list[:complete] {
		f.found = append(f.found, b)
		f.next = b.Offset + int64(b.Size)
	}
	f.end(list[complete:])
	now.pending = complete < len(list) || complete == 0
	f.seen = now
	if f.next > begin { // look at the header that is there now
		f.seen = scanned{}
	}
	return f.next > begin && complete == len(list), nil
}

// patience is how many scans find the last buffer of a stopped session incomplete before it says so.
const patience = 20

// end says it when all buffers of a stopped session are found. rest is the buffers that are not
// complete. They wait even then, because a copy of the file may still be under way.
func (f *File) end(rest []decode.BufferInfo) {
	h := &f.container.Header
	if f.closed || !h.Finalised() || f.number+len(f.found)+len(rest) < int(h.BuffersWritten) {
		return
	}
	if len(rest) > 0 {
		if f.waits++; f.waits == patience {
			f.Say(fmt.Sprintf("has a last buffer, at %#x, that is damaged or not all there yet; it waits", rest[0].Offset))
		}
		return
	}
	f.closed = true
	f.Say("is complete: its session was stopped; waiting for another one")
}

// stretch returns where the buffers from f.next on end: at unused space, after scanBytes, or at the end
// of the file. It steps by the sizes in headers. What is there after damage decides the scanner.
func (f *File) stretch() (end int64, err error) {
	var b [decode.BufferHeaderSize]byte
	limit := min(f.size, f.next+scanBytes)
	for offset := f.next; offset < limit; {
		if f.size-offset < int64(len(b)) {
			return f.size, nil
		}
		if _, err := f.file.ReadAt(b[:], offset); err != nil {
			return 0, err
		}
		if isUnused(b[:]) {
			return offset, nil
		}
		h, ok := decode.ParseBufferHeader(b[:])
		if !ok {
			return limit, nil
		}
		if offset += int64(h.BufferSize); offset > limit && offset > f.next+scanBytes {
			return min(offset, f.size), nil
		}
	}
	return limit, nil
}

// list returns the buffers from f.next to end, as the scanner of whole files finds them. The scanner reads
// the header buffer first.
func (f *File) list(end int64) ([]decode.BufferInfo, error) {
	v := &view{head: f.head, file: f.file, from: f.next}
	first := int64(len(f.head))
	if f.next == 0 {
		v.head, first = nil, 0
	}
	opened, err := decode.NewFile(v, first+end-f.next)
	if err != nil {
		return nil, err
	}
	c := opened.Container()
	if c.Header.LogFileMode == f.container.Header.LogFileMode {
		f.container.Format = c.Format
	}
	var list []decode.BufferInfo
	for _, b := range c.Buffers {
		if b.Offset >= first {
			b.Offset += f.next - first
			list = append(list, b)
		}
	}
	return list, nil
}

// isComplete reports whether all of the last buffer has been written.
//
//   - What the file does not have yet is not complete.
//   - Windows fills the space after the events with 0xFF: if that is there, all is.
//   - Otherwise the buffer is complete when its events can be read and it has not changed since the last
//     scan. If they cannot, it is damaged, or still being written: it waits for the buffer after it.
func (f *File) isComplete(b *decode.BufferInfo, end int64) (bool, error) {
	after := b.Offset + int64(b.Size)
	if int64(b.Header.BufferSize) != int64(b.Size) || after > f.size {
		return false, nil
	}
	if after < end { // something follows it
		return true, nil
	}
	data := make([]byte, b.Size)
	if _, err := f.file.ReadAt(data, b.Offset); err != nil {
		return false, err
	}
	whole, err := f.readsWhole(b)
	if err != nil || !whole {
		f.tail = tail{}
		return false, err
	}
	if used := int(b.Header.Offset); !b.Header.Compressed() && used < len(data) && isFilled(data[used:], 0xff) {
		return true, nil
	}
	before := f.tail
	f.tail = tail{b.Offset, xxh3.Hash(data)}
	return before == f.tail, nil
}

// readsWhole reports whether all events of a buffer can be read.
func (f *File) readsWhole(info *decode.BufferInfo) (bool, error) {
	c := f.container
	c.Buffers = []decode.BufferInfo{*info}
	file, err := decode.FileOf(f.file, f.size, &c)
	if err != nil {
		return false, nil
	}
	var b decode.Buffer
	var damage *decode.Error
	if err := file.ReadBuffer(0, &b); err != nil {
		if errors.As(err, &damage) {
			return false, nil
		}
		return false, err
	}
	var ev decode.Event
	for {
		if err := b.Next(&ev); err != nil {
			return errors.Is(err, io.EOF), nil
		}
		if ev.Type == 0 && isFilled(ev.Raw[:4], 0) {
			return false, nil
		}
	}
}

// view is some bytes, and then those of a file from a position on.
type view struct {
	head []byte
	file io.ReaderAt
	from int64
}

// ReadAt implements [io.ReaderAt].
func (v *view) ReadAt(p []byte, offset int64) (n int, err error) {
	if offset < int64(len(v.head)) {
		n = copy(p, v.head[offset:])
		if n == len(p) {
			return n, nil
		}
		offset += int64(n)
	}
	m, err := v.file.ReadAt(p[n:], offset-int64(len(v.head))+v.from)
	return n + m, err
}
