package bench

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/decode"
)

// pieceBytes is how much of a trace, uncompressed, is in memory at a time.
const pieceBytes = 64 << 20

// readBytes is how much of the file is read by one call.
const readBytes = 256 << 10

// piece is a run of buffers that follow one another in the file, in memory.
type piece struct {
	from, to int   // buffers
	start    int64 // offset in the file
	data     []byte
}

// ReadAt reads from memory, and so makes the piece the file of its buffers.
func (p *piece) ReadAt(b []byte, at int64) (int, error) {
	if at < p.start || at-p.start > int64(len(p.data)) {
		return 0, fmt.Errorf("offset %#x is not in memory: %w", at, io.ErrUnexpectedEOF)
	}
	n := copy(b, p.data[at-p.start:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// bufferStages measures what does not need the index: reading, hashing, unpacking, walking.
type bufferStages struct {
	input   io.ReaderAt
	size    int64
	file    *decode.File // reads from memory
	memory  *piece
	buffers []decode.Buffer // unpacked
	workers []int
	ledger  *ledger
	walked  atomic.Int64 // events of all walks, so that no walk is left out by the compiler
}

// newBufferStages opens a trace for measurements. The file of the result reads from the
// piece in memory, once the container has been read.
func newBufferStages(in io.ReaderAt, size int64, workers []int, l *ledger) (*bufferStages, error) {
	s := &bufferStages{input: in, size: size, memory: new(piece), workers: workers, ledger: l}
	source := &switchable{ReaderAt: in}
	var err error
	if s.file, err = decode.NewFile(source, size); err != nil {
		return nil, err
	}
	source.ReaderAt = s.memory
	return s, nil
}

// switchable is a source that is exchanged.
type switchable struct{ io.ReaderAt }

// round measures all pieces once.
func (s *bufferStages) round(ctx context.Context) error {
	if err := s.readAll(ctx); err != nil {
		return err
	}
	if err := s.hashAll(ctx); err != nil {
		return err
	}
	for from := 0; from < s.file.Buffers(); from = s.memory.to {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.load(from); err != nil {
			return err
		}
		for _, n := range s.workers {
			for _, stage := range []struct {
				name Stage
				of   func(i int) error
			}{{Unpack, s.unpack}, {Walk, s.walk}} {
				cost, err := measure(n, func() error { return share(n, len(s.buffers), stage.of) })
				if err != nil {
					return err
				}
				s.ledger.add(stage.name, n, cost)
			}
		}
	}
	return nil
}

// readAll reads the file from start to end, with the workers side by side in it.
func (s *bufferStages) readAll(ctx context.Context) error {
	pieces := int((s.size + readBytes - 1) / readBytes)
	for _, n := range s.workers {
		rooms := make(chan []byte, n)
		for range n {
			rooms <- make([]byte, readBytes)
		}
		cost, err := measure(n, func() error {
			return share(n, pieces, func(i int) error {
				room := <-rooms
				defer func() { rooms <- room }()
				at := int64(i) * readBytes
				return errors.Join(ctx.Err(), fill(s.input, room[:min(readBytes, s.size-at)], at))
			})
		})
		if err != nil {
			return err
		}
		s.ledger.add(Read, n, cost)
	}
	return nil
}

// hashAll hashes the file, whose pieces are read before the time begins. One hash cannot be
// shared out, so that it is measured for one worker.
func (s *bufferStages) hashAll(ctx context.Context) error {
	sum := sha256.New()
	room := make([]byte, min(16*readBytes, s.size))
	for at := int64(0); at < s.size; at += int64(len(room)) {
		data := room[:min(int64(len(room)), s.size-at)]
		if err := errors.Join(ctx.Err(), fill(s.input, data, at)); err != nil {
			return err
		}
		cost, err := measure(1, func() error { _, err := sum.Write(data); return err })
		if err != nil {
			return err
		}
		s.ledger.add(Hash, 1, cost)
	}
	return nil
}

// load reads the next piece into memory.
func (s *bufferStages) load(from int) error {
	p := s.memory
	p.from, p.to = from, from
	p.start = s.file.BufferInfo(from).Offset
	end := p.start
	for bytes := int64(0); p.to < s.file.Buffers() && bytes < pieceBytes; p.to++ {
		info := s.file.BufferInfo(p.to)
		if p.to > from && (info.Offset < p.start || info.Offset-p.start > pieceBytes) {
			break // not in the order of the file, or after a gap
		}
		bytes += max(info.UncompressedSize(), int64(info.Size))
		end = max(end, info.Offset+int64(info.Size))
	}
	n := int(min(end, s.size) - p.start)
	if cap(p.data) < n {
		p.data = make([]byte, n)
	}
	p.data = p.data[:n]
	if more := p.to - p.from - cap(s.buffers); more > 0 {
		s.buffers = append(s.buffers[:cap(s.buffers)], make([]decode.Buffer, more)...)
	}
	s.buffers = s.buffers[:p.to-p.from]
	return fill(s.input, p.data, p.start)
}

// unpack makes one of the buffers. What is damaged ends it, as it does in a conversion.
func (s *bufferStages) unpack(i int) error {
	err := s.file.ReadBuffer(s.memory.from+i, &s.buffers[i])
	if damage := new(decode.Error); errors.As(err, &damage) {
		return nil
	}
	return err
}

// walk goes through the events of a buffer.
func (s *bufferStages) walk(i int) error {
	b := &s.buffers[i]
	b.Rewind()
	var ev decode.Event
	n := int64(0)
	for b.Next(&ev) == nil { // damage ends a buffer, as the end does
		n++
	}
	s.walked.Add(n)
	return nil
}

// fill reads a part of the input.
func fill(r io.ReaderAt, b []byte, at int64) error {
	if n, err := r.ReadAt(b, at); n < len(b) {
		return fmt.Errorf("read at %#x: %w", at, errors.Join(err, io.ErrUnexpectedEOF))
	}
	return nil
}

// share does n pieces of work with a number of workers.
func share(workers, n int, do func(i int) error) error {
	var next atomic.Int64
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[w] = do(i)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
