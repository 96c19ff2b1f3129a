package attribution_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
)

// memoryFile is an overflow in memory.
type memoryFile struct {
	data []byte
	full bool // writes fail
	gone bool // reads fail
}

func (f *memoryFile) Write(b []byte) (int, error) {
	if f.full {
		return 0, errors.New("no room")
	}
	f.data = append(f.data, b...)
	return len(b), nil
}

func (f *memoryFile) ReadAt(b []byte, at int64) (int, error) {
	if f.gone {
		return 0, io.ErrUnexpectedEOF
	}
	return bytes.NewReader(f.data).ReadAt(b, at)
}

// TestOverflow checks that frames in the overflow equal those in memory, and that a read error is
// reported, not taken for an undefined stack.
func TestOverflow(t *testing.T) {
	header := etltest.Trace{}
	data := header.MustBytes(t)
	file := decodetest.Open(t, data)
	const keys, hookKeyRundown = 300, 0x1824
	framesOf := func(key int) []uint64 {
		return []uint64{0xfffff80000000000 + uint64(key), uint64(key) * 0x10001, 1 << 63, 0, uint64(key)}[:key%6]
	}
	build := func(limit int64, overflow func() (attribution.Overflow, error)) (*attribution.Tables, error) {
		b := attribution.NewBuilder(attribution.Limits{Keys: keys, Frames: limit}, overflow)
		for run := range 3 {
			var records attribution.Records
			records.Begin(run)
			for key := run; key < keys; key += 3 {
				payload := binary.LittleEndian.AppendUint64(nil, uint64(key))
				for _, frame := range framesOf(key) {
					payload = binary.LittleEndian.AppendUint64(payload, frame)
				}
				records.Hook(eventOf(file, hookKeyRundown, true, int64(key), payload), hookKeyRundown, 2)
			}
			b.Add(&records)
		}
		err := b.Flush()
		return b.Build(2), err
	}
	for _, limit := range []int64{0, 1, 100, 2000, 1 << 20} {
		overflow := new(memoryFile)
		tables, err := build(limit, func() (attribution.Overflow, error) { return overflow, nil })
		if err != nil || tables.Stacks.NoRoom != 0 || (len(overflow.data) > 0) != (limit <= 2000) {
			t.Fatalf("limit %d: %v, %d without room, %d bytes beyond", limit, err, tables.Stacks.NoRoom, len(overflow.data))
		}
		for key := range keys {
			got, ok, err := tables.Stacks.Frames(uint64(key), 0, []uint64{7})
			if err != nil || !ok || !slices.Equal(got[1:], framesOf(key)) {
				t.Fatalf("limit %d, key %d: %x, %v, %v", limit, key, got, ok, err)
			}
		}
		overflow.gone = true
		if got, ok, err := tables.Stacks.Frames(keys-1, 0, nil); limit <= 2000 && (ok || len(got) > 0 || !errors.Is(err, io.ErrUnexpectedEOF)) {
			t.Errorf("limit %d: %x, %v, %v", limit, got, ok, err)
		}
	}
	if tables, err := build(100, nil); err != nil || tables.Stacks.NoRoom == 0 {
		t.Errorf("without an overflow: %v, %d without room", err, tables.Stacks.NoRoom)
	}
	for _, create := range []func() (attribution.Overflow, error){
		func() (attribution.Overflow, error) { return &memoryFile{full: true}, nil },
		func() (attribution.Overflow, error) { return nil, errors.New("no file") },
	} {
		if _, err := build(100, create); err == nil {
			t.Error("no error")
		}
	}
}
