package etltest

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Payload turns the text form of a payload into bytes, for a trace with the
// default clock. Package documentation lists the types.
func Payload(text string, pointerSize int) ([]byte, error) {
	p := &parser{trace: &Trace{}}
	return p.payload(nil, text, pointerSize)
}

// payload appends items separated by commas: type:value, type*count:value,
// or bare hex.
func (p *parser) payload(dst []byte, v string, pointerSize int) ([]byte, error) {
	if v == "" {
		return dst, nil
	}
	items, err := split(v, ',')
	if err != nil {
		return dst, err
	}
	for _, item := range items {
		name, value, found := strings.Cut(item, ":")
		if !found {
			name, value = "hex", item
		}
		name, times, repeated := strings.Cut(name, "*")
		count := uint64(1)
		if repeated {
			if count, err = number(times, 31); err != nil {
				return dst, err
			}
		}
		write, ok := payloadTypes[name]
		if !ok {
			return dst, fmt.Errorf("unknown payload type %q", name)
		}
		for range count {
			if dst, err = write(p, dst, value, pointerSize); err != nil {
				return dst, fmt.Errorf("%s: %w", name, err)
			}
			if len(dst) > maxSize {
				return dst, fmt.Errorf("more than %#x bytes of payload", maxSize)
			}
		}
	}
	return dst, nil
}

type payloadFunc = func(p *parser, dst []byte, v string, pointerSize int) ([]byte, error)

// payloadTypes holds the types of payload items.
var payloadTypes = map[string]payloadFunc{
	"u8":  integer(1),
	"u16": integer(2),
	"u32": integer(4),
	"u64": integer(8),
	"i8":  integer(1),
	"i16": integer(2),
	"i32": integer(4),
	"i64": integer(8),
	"ptr": func(p *parser, dst []byte, v string, pointerSize int) ([]byte, error) {
		return integer(pointerSize)(p, dst, v, pointerSize)
	},
	"f32": func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		f, err := strconv.ParseFloat(v, 32)
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(f))), err
	},
	"f64": func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		f, err := strconv.ParseFloat(v, 64)
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(f)), err
	},
	"hex": func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		b, err := hexBytes(v)
		return append(dst, b...), err
	},
	"zero": func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		n := 0
		err := setSize(&n, v)
		return zeros(dst, n), err
	},
	"guid": func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		g, err := ParseGUID(v)
		return append(dst, g[:]...), err
	},
	"sid": func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		b, err := SID(v)
		return append(dst, b...), err
	},
	"wbemsid": func(_ *parser, dst []byte, v string, pointerSize int) ([]byte, error) {
		if v == "none" {
			return zeros(dst, 4), nil
		}
		b, err := SID(v)
		user := make([]byte, 2*pointerSize) // TOKEN_USER: a pointer and attributes
		put(user, pointerSize, 0xFFFFB488FC9CDC20)
		return append(append(dst, user...), b...), err
	},
	"str8":    stringOf(AppendString8),
	"str16":   stringOf(AppendString16),
	"chars8":  stringOf(func(dst []byte, s string) []byte { return append(dst, s...) }),
	"chars16": stringOf(appendChars16),
	"cstr8":   counted(stringOf(func(dst []byte, s string) []byte { return append(dst, s...) })),
	"cstr16":  counted(stringOf(appendChars16)),
	"bin": counted(func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		b, err := hexBytes(v)
		return append(dst, b...), err
	}),
	"ticks": func(p *parser, dst []byte, v string, _ int) ([]byte, error) {
		t, err := p.time(v)
		return binary.LittleEndian.AppendUint64(dst, uint64(t)), err
	},
	"filetime": func(p *parser, dst []byte, v string, _ int) ([]byte, error) {
		t, err := p.wallTime(v)
		return binary.LittleEndian.AppendUint64(dst, uint64(FileTime(t))), err
	},
	"systemtime": func(p *parser, dst []byte, v string, _ int) ([]byte, error) {
		t, err := p.wallTime(v)
		return SystemTime{uint16(t.Year()), uint16(t.Month()), uint16(t.Weekday()), uint16(t.Day()), uint16(t.Hour()),
			uint16(t.Minute()), uint16(t.Second()), uint16(t.Nanosecond() / 1e6)}.append(dst), err
	},
	"eventinfo": eventInfoPayload,
	"mapinfo":   mapInfoPayload,
	"port": func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		n, err := number(v, 16)
		return binary.BigEndian.AppendUint16(dst, uint16(n)), err
	},
	"ip": func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		a, err := netip.ParseAddr(v)
		return append(dst, a.AsSlice()...), err
	},
}

// integer writes numbers of size bytes, separated by |.
func integer(size int) payloadFunc {
	return func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		values, err := numbers(v, "|", 8*size)
		for _, n := range values {
			dst = zeros(dst, size)
			put(dst[len(dst)-size:], size, n)
		}
		return dst, err
	}
}

func stringOf(appendTo func(dst []byte, s string) []byte) payloadFunc {
	return func(_ *parser, dst []byte, v string, _ int) ([]byte, error) {
		s, err := unquote(v)
		return appendTo(dst, s), err
	}
}

// counted writes the output of another type after its length in bytes, a u16.
func counted(write payloadFunc) payloadFunc {
	return func(p *parser, dst []byte, v string, pointerSize int) ([]byte, error) {
		at := len(dst)
		dst, err := write(p, append(dst, 0, 0), v, pointerSize)
		if n := len(dst) - at - 2; err == nil && n > 0xFFFF {
			err = errors.New("longer than 65535 bytes")
		}
		put(dst[at:], 2, uint64(len(dst)-at-2)&0xFFFF)
		return dst, err
	}
}

// wallTime reads a date and time, or an offset from the trace's start.
func (p *parser) wallTime(v string) (time.Time, error) {
	if strings.HasPrefix(v, "+") || strings.HasPrefix(v, "-") {
		d, err := duration(v)
		return p.trace.start().Add(p.base + d), err
	}
	return time.Parse(time.RFC3339Nano, v)
}

func hexBytes(v string) ([]byte, error) {
	b, err := hex.DecodeString(v)
	if err != nil {
		return []byte{}, fmt.Errorf("bad hex %q", v)
	}
	return b, nil
}
