package bench

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// sample is a sample of a CPU profile: the functions of its stack, the leaf first, and its time.
type sample struct {
	functions []string
	ns        int64
}

// errProfile is the error for a profile that is none.
var errProfile = errors.New("not a profile of package runtime/pprof")

// parseProfile parses what [runtime/pprof.StartCPUProfile] writes: a compressed message of Protocol Buffers
// (github.com/google/pprof/blob/main/proto/profile.proto). The library of pprof compiles eight regular
// expressions at each start of a program. A sample is [number, ns].
func parseProfile(data []byte) ([]sample, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errProfile, err)
	}
	message, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errProfile, err)
	}
	p := profileTables{lines: make(map[uint64][]uint64), names: make(map[uint64]uint64)}
	if !eachField(message, p.add) {
		return nil, errProfile
	}
	samples := make([]sample, len(p.samples))
	for i := range p.samples {
		if samples[i], err = p.sample(p.samples[i]); err != nil {
			return nil, err
		}
	}
	return samples, nil
}

// The numbers of the fields that are read, by their messages.
const (
	profileSample, profileLocation, profileFunction, profileText = 2, 4, 5, 6

	sampleLocations, sampleValues = 1, 2
	locationID, locationLine      = 1, 4
	lineFunction                  = 1
	functionID, functionName      = 1, 2
)

// profileTables are the parts of a profile.
type profileTables struct {
	samples [][]byte            // as messages
	lines   map[uint64][]uint64 // functions by location, the innermost of inlined ones first
	names   map[uint64]uint64   // of functions: an index in texts
	texts   []string
}

func (p *profileTables) add(f field) bool {
	switch f.number {
	case profileSample:
		p.samples = append(p.samples, f.bytes)
	case profileLocation:
		var id uint64
		var functions []uint64
		ok := eachField(f.bytes, func(f field) bool {
			switch f.number {
			case locationID:
				id = f.value
			case locationLine:
				return eachField(f.bytes, func(f field) bool {
					if f.number == lineFunction {
						functions = append(functions, f.value)
					}
					return true
				})
			}
			return true
		})
		p.lines[id] = functions
		return ok
	case profileFunction:
		var id, name uint64
		ok := eachField(f.bytes, func(f field) bool {
			switch f.number {
			case functionID:
				id = f.value
			case functionName:
				name = f.value
			}
			return true
		})
		p.names[id] = name
		return ok
	case profileText:
		p.texts = append(p.texts, string(f.bytes))
	}
	return true
}

func (p *profileTables) sample(message []byte) (s sample, err error) {
	var values []uint64
	ok := eachField(message, func(f field) bool {
		switch f.number {
		case sampleLocations:
			return f.numbers(func(location uint64) {
				for _, function := range p.lines[location] {
					if name := p.names[function]; name < uint64(len(p.texts)) {
						s.functions = append(s.functions, strings.TrimPrefix(p.texts[name], "github.com/etl2parquet/etl2parquet/"))
					}
				}
			})
		case sampleValues:
			return f.numbers(func(value uint64) { values = append(values, value) })
		}
		return true
	})
	if !ok || len(values) != 2 {
		return s, fmt.Errorf("%w: a sample has %d values", errProfile, len(values))
	}
	s.ns = int64(values[1])
	return s, nil
}

// field is a field of a message: a number, or bytes.
type field struct {
	number uint64
	value  uint64
	bytes  []byte
	packed bool // it has bytes
}

// numbers calls yield with the numbers of a repeated field, and reports whether all are whole.
func (f *field) numbers(yield func(uint64)) bool {
	if !f.packed {
		yield(f.value)
		return true
	}
	for rest := f.bytes; len(rest) > 0; {
		value, n := binary.Uvarint(rest)
		if n <= 0 {
			return false
		}
		yield(value)
		rest = rest[n:]
	}
	return true
}

// eachField calls yield with the fields of a message until it returns false, and reports whether all
// are whole. It knows the two wire types of profiles (protobuf.dev/programming-guides/encoding).
func eachField(message []byte, yield func(field) bool) bool {
	const varint, lengthDelimited = 0, 2
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return false
		}
		f := field{number: tag >> 3, packed: tag&7 == lengthDelimited}
		message = message[n:]
		if tag&7 != varint && !f.packed {
			return false
		}
		if f.value, n = binary.Uvarint(message); n <= 0 {
			return false
		}
		if message = message[n:]; f.packed {
			if f.value > uint64(len(message)) {
				return false
			}
			f.bytes, message = message[:f.value], message[f.value:]
		}
		if !yield(f) {
			return false
		}
	}
	return true
}
