package export

import (
	"context"
	"encoding/binary"
	"errors"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
)

// sorter puts records with the same key together, in the order in which they were added: in memory as
// long as they are few, then on disk. The keys are small numbers.
type sorter struct {
	pool     *temporary.Pool
	disk     *temporary.File // nil until something is written to it
	lists    []keyed
	buffered int // bytes in the buffers of all lists
	most     int // beyond this many, buffers are written to disk
	full     int // bytes of a buffer that is written first
}

// keyed is the records of a key: chunks on disk, and then the rest in memory. Each record follows its
// length.
type keyed struct {
	chunks []chunk
	buffer []byte
}

// chunk is a range of the bytes on disk.
type chunk struct{ offset, size int64 }

func newSorter(dir string) *sorter {
	return &sorter{pool: temporary.NewPool(dir), most: 32 << 20, full: 16 << 10}
}

// close releases the disk space.
func (s *sorter) close() error {
	if s.disk == nil {
		return nil
	}
	return s.disk.Close()
}

// add adds a record.
func (s *sorter) add(key int32, record []byte) error {
	for int(key) >= len(s.lists) {
		s.lists = append(s.lists, keyed{})
	}
	list := &s.lists[key]
	before := len(list.buffer)
	list.buffer = append(binary.AppendUvarint(list.buffer, uint64(len(record))), record...)
	s.buffered += len(list.buffer) - before
	if s.buffered <= s.most {
		return nil
	}
	for i := range s.lists {
		if len(s.lists[i].buffer) >= s.full {
			if err := s.write(&s.lists[i]); err != nil {
				return err
			}
		}
	}
	for i := range s.lists {
		if s.buffered <= s.most/2 {
			break
		}
		if err := s.write(&s.lists[i]); err != nil {
			return err
		}
	}
	return nil
}

// write writes the buffer of a key to disk.
func (s *sorter) write(list *keyed) (err error) {
	if len(list.buffer) == 0 {
		return nil
	}
	if s.disk == nil {
		if s.disk, err = s.pool.Create(); err != nil {
			return err
		}
	}
	offset := s.disk.Size()
	if _, err := s.disk.Write(list.buffer); err != nil {
		return err
	}
	list.chunks = append(list.chunks, chunk{offset, int64(len(list.buffer))})
	s.buffered -= len(list.buffer)
	list.buffer = nil
	return nil
}

// each calls do for the records of a key until it returns an error. The records are valid during the
// call.
func (s *sorter) each(key int32, do func(record []byte) error) error {
	if int(key) >= len(s.lists) {
		return nil
	}
	list := &s.lists[key]
	var bytes []byte
	for _, c := range list.chunks {
		bytes = append(bytes[:0], make([]byte, c.size)...)
		if n, err := s.disk.ReadAt(bytes, c.offset); int64(n) < c.size {
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
		if err := eachRecord(bytes, do); err != nil {
			return err
		}
	}
	return eachRecord(list.buffer, do)
}

func eachRecord(bytes []byte, do func(record []byte) error) error {
	for len(bytes) > 0 {
		size, n := binary.Uvarint(bytes)
		if err := do(bytes[n : n+int(size)]); err != nil {
			return err
		}
		bytes = bytes[n+int(size):]
	}
	return nil
}

// sampleRecord is a sample in a sorter.
type sampleRecord struct {
	time, weight int64
	stack        int32
}

func (r *sampleRecord) append(dst []byte) []byte {
	return binary.AppendUvarint(binary.AppendVarint(binary.AppendVarint(dst, r.time), r.weight), uint64(r.stack))
}

func readSample(record []byte) (r sampleRecord) {
	var n, m int
	r.time, n = binary.Varint(record)
	r.weight, m = binary.Varint(record[n:])
	stack, _ := binary.Uvarint(record[n+m:])
	r.stack = int32(stack)
	return r
}

// perKey is what the samples of a key have together.
type perKey struct {
	key            int32
	events, weight int64
	first, last    int64 // times
	unsorted       bool  // an event is earlier than the one before it, in another trace
}

// sortSamples reads all events into the sorter by a key, and returns the keys that have events.
func (p *profile) sortSamples(ctx context.Context, s *sorter, by func(s *sample) int32) ([]perKey, error) {
	var keys []perKey
	indexes := make(map[int32]int)
	var record []byte
	err := p.each(ctx, func(e *sample) error {
		key := by(e)
		i, ok := indexes[key]
		if !ok {
			i = len(keys)
			indexes[key], keys = i, append(keys, perKey{key: key, first: e.time, last: e.time})
		}
		k := &keys[i]
		k.unsorted = k.unsorted || e.time < k.last
		k.events++
		k.weight += e.weight
		k.first, k.last = min(k.first, e.time), max(k.last, e.time)
		record = (&sampleRecord{e.time, e.weight, e.stack}).append(record[:0])
		return s.add(key, record)
	})
	return keys, err
}
