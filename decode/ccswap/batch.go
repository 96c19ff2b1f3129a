// Package ccswap reads batches of context switches in compact form: the payload of hook 0x0525, and
// the data of buffers of type 2.
package ccswap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A batch is a PERFINFO_CCSWAP_BUFFER (public type information of Windows 10 and 11; the layout was
// tested on made-up batches, because no real one was available):
//
//	0x00 i64      FirstTimeStamp, ticks
//	0x08 u32[16]  TidTable
//	0x48 i8[16]   ThreadBasePriority
//	0x58          records, whose low two bits are their form:
//	              0  u16  PERFINFO_CCSWAP_IDLE_SHORT  2 form, 14 TimeDelta
//	              1  u32  PERFINFO_CCSWAP_IDLE        2 form, 30 TimeDelta
//	              2  u32  PERFINFO_CCSWAP_LITE        2 form, 4 OldThreadIdIndex, 3 OldThreadPriInc, 6 OldThreadStateWr, 17 TimeDelta
//	              3  2u32 PERFINFO_CCSWAP             2 form, 30 TimeDelta; 4 OldThreadIdIndex, 6 OldThreadStateWr, 5 OldThreadPriority, 17 NewThreadWaitTime
//
// A TimeDelta is the ticks since the record before, or since FirstTimeStamp.
const (
	threads    = 16
	tidTable   = 0x08
	priorities = 0x48
	HeaderSize = 0x58 // bytes before the first record
)

// The forms of a record.
const (
	idleShort = iota
	idle
	lite
	full
)

// sizes are the bytes of a record, by its form.
var sizes = [...]int{idleShort: 2, idle: 4, lite: 4, full: 8}

// Switch is a context switch. It says which thread was switched out; the thread that was switched
// in is the one that the next record of the batch switches out.
type Switch struct {
	Time        int64  // ticks
	OldThread   uint32 // 0 is the idle thread
	OldPriority int32  // unless IsIdle
	OldStateWr  uint8  // unless IsIdle; the state of the old thread, or what it waits for
	NewWaitTime uint32 // if HasWaitTime
	IsIdle      bool   // the idle thread was switched out; nothing else is known
	HasWaitTime bool
}

// Reader reads the switches of a batch, in the order of time.
type Reader struct {
	batch []byte
	at    int
	time  int64
}

// New returns a reader of a batch.
func New(batch []byte) (*Reader, error) {
	if len(batch) < HeaderSize {
		return nil, fmt.Errorf("a batch of context switches has at least %#x bytes, not %#x", HeaderSize, len(batch))
	}
	return &Reader{batch: batch, at: HeaderSize, time: int64(binary.LittleEndian.Uint64(batch))}, nil
}

// Next reads the next switch. It returns [io.EOF] after the last, and another error for a truncated
// record.
func (r *Reader) Next(s *Switch) error {
	rest := r.batch[r.at:]
	if isPadding(rest) {
		r.at = len(r.batch)
		return io.EOF
	}
	form := rest[0] & 3
	size := sizes[form]
	if size > len(rest) {
		return fmt.Errorf("at %#x of the batch %d bytes are left of a record of %d", r.at, len(rest), size)
	}
	le := binary.LittleEndian
	*s = Switch{}
	var delta uint32
	switch form {
	case idleShort:
		s.IsIdle, delta = true, uint32(le.Uint16(rest)>>2)
	case idle:
		s.IsIdle, delta = true, le.Uint32(rest)>>2
	case lite:
		v := le.Uint32(rest)
		i := v >> 2 & 0xf
		s.OldThread, s.OldPriority = r.thread(i), r.basePriority(i)+int32(v>>6&7)
		s.OldStateWr, delta = uint8(v>>9&0x3f), v>>15
	case full:
		delta = le.Uint32(rest) >> 2
		v := le.Uint32(rest[4:])
		s.OldThread, s.OldStateWr, s.OldPriority = r.thread(v&0xf), uint8(v>>4&0x3f), int32(v>>10&0x1f)
		s.NewWaitTime, s.HasWaitTime = v>>15, true
	}
	r.time += int64(delta)
	r.at += size
	s.Time = r.time
	return nil
}

func (r *Reader) thread(i uint32) uint32 {
	return binary.LittleEndian.Uint32(r.batch[tidTable+4*i:])
}

func (r *Reader) basePriority(i uint32) int32 { return int32(int8(r.batch[priorities+i])) }

// isPadding reports whether the rest of a batch is padding to a multiple of 8 bytes. A record of
// zeros would be a switch from the idle thread at the time of the previous switch.
func isPadding(rest []byte) bool {
	if len(rest) >= 8 {
		return false
	}
	for _, b := range rest {
		if b != 0 {
			return false
		}
	}
	return true
}

// Count returns the number of switches of a batch, up to the first damaged record, and the error
// for that record.
func Count(batch []byte) (n int, err error) {
	r, err := New(batch)
	if err != nil {
		return 0, err
	}
	var s Switch
	for {
		err := r.Next(&s)
		switch {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return n, err
		}
		n++
	}
}
