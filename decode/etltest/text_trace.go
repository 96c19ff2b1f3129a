package etltest

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// traceKeys holds the keys of the trace statement.
var traceKeys = map[string]func(t *Trace, v string) error{
	"ptr": func(t *Trace, v string) error {
		bits, ok := map[string]int{"32": 4, "64": 8}[v]
		t.PointerSize = bits
		return oneOf(ok, "32, 64")
	},
	"clock": func(t *Trace, v string) error {
		clock, ok := map[string]Clock{"qpc": ClockQPC, "system": ClockSystem, "cycles": ClockCycles}[v]
		t.Clock = clock
		return oneOf(ok, "qpc, system, cycles")
	},
	"freq":        func(t *Trace, v string) error { return setPositive(&t.Frequency, v) },
	"mhz":         func(t *Trace, v string) error { return setPositive(&t.MHz, v) },
	"start":       func(t *Trace, v string) error { return setTime(&t.Start, v) },
	"boot":        func(t *Trace, v string) error { return setTime(&t.Boot, v) },
	"end":         func(t *Trace, v string) error { return setTime(&t.End, v) },
	"unfinalised": func(t *Trace, _ string) error { t.Unfinalised = true; return nil },
	"startticks": func(t *Trace, v string) error {
		ticks, err := number(v, 64)
		t.StartTicks = new(int64(ticks))
		return err
	},
	"buffersize":   func(t *Trace, v string) error { return setSize(&t.BufferSize, v) },
	"headersize":   func(t *Trace, v string) error { return setSize(&t.HeaderSize, v) },
	"processors":   func(t *Trace, v string) error { return setPositive(&t.Processors, v) },
	"mode":         setMode,
	"maxsize":      func(t *Trace, v string) error { return setUint(&t.MaximumFileSize, v, 32) },
	"startbuffers": func(t *Trace, v string) error { return setPositive(&t.StartBuffers, v) },
	"eventslost":   func(t *Trace, v string) error { return setUint(&t.EventsLost, v, 32) },
	"bufferslost":  func(t *Trace, v string) error { return setUint(&t.BuffersLost, v, 32) },
	"timerres":     func(t *Trace, v string) error { return setPositive(&t.TimerResolution, v) },
	"name":         func(t *Trace, v string) error { return setText(&t.LoggerName, v) },
	"file":         func(t *Trace, v string) error { return setText(&t.FileName, v) },
	"os":           func(t *Trace, v string) error { return setPair(&t.OS, v) },
	"version":      func(t *Trace, v string) error { return setPair(&t.Version, v) },
	"build":        func(t *Trace, v string) error { return setPositive(&t.Build, v) },
	"logger":       func(t *Trace, v string) error { return setUint(&t.Logger, v, 16) },
	"compressed":   func(t *Trace, v string) error { return setCompression(&t.Compression, v) },
	"seq": func(t *Trace, v string) error {
		seq, err := number(v, 64)
		t.FirstSequence = int64(seq)
		return err
	},
	"noheader": func(t *Trace, _ string) error { t.NoHeader = true; return nil },
	"rtbackup": func(t *Trace, _ string) error { t.RTBackup = true; return nil },
	"old":      func(t *Trace, _ string) error { t.Old = true; return nil },
	"wrap":     func(t *Trace, v string) error { return setPositive(&t.Wrap, v) },
	"truncate": func(t *Trace, v string) error { return setSize(&t.Truncate, v) },
	"slack": func(t *Trace, v string) error {
		size, fill, found := strings.Cut(v, ":")
		if found {
			if err := setUint(&t.SlackFill, fill, 8); err != nil {
				return err
			}
		}
		return setSize(&t.Slack, size)
	},
	"bias":         func(t *Trace, v string) error { return setInt32(&t.TimeZone.Bias, v) },
	"standardbias": func(t *Trace, v string) error { return setInt32(&t.TimeZone.StandardBias, v) },
	"daylightbias": func(t *Trace, v string) error { return setInt32(&t.TimeZone.DaylightBias, v) },
	"standard": func(t *Trace, v string) error {
		return setZone(&t.TimeZone.StandardName, &t.TimeZone.StandardDate, v)
	},
	"daylight": func(t *Trace, v string) error {
		return setZone(&t.TimeZone.DaylightName, &t.TimeZone.DaylightDate, v)
	},
}

// bareKeys stand alone, without a value.
var bareKeys = map[string]bool{"unfinalised": true, "noheader": true, "plain": true, "rtbackup": true, "old": true}

func (p *parser) traceStatement(sets []setting) error {
	for _, s := range sets {
		set, ok := traceKeys[s.key]
		if !ok {
			return fmt.Errorf("trace: unknown key %s", s.key)
		}
		if err := s.check(set(p.trace, s.value)); err != nil {
			return fmt.Errorf("trace %s: %w", s.key, err)
		}
	}
	p.now = p.trace.startTicks()
	return nil
}

// check reports a missing or surplus value, or else the key's own error.
func (s *setting) check(err error) error {
	switch {
	case s.bare && !bareKeys[s.key]:
		return errors.New("no value")
	case !s.bare && bareKeys[s.key]:
		return errors.New("takes no value")
	}
	return err
}

func (p *parser) logfileStatement(sets []setting) error {
	for _, s := range sets {
		size := 0
		for _, f := range logfileFields {
			if f.name == s.key {
				size = f.place(p.trace.pointerSize() == 8).size
			}
		}
		if err := override(&p.trace.Logfile, s, size); err != nil {
			return fmt.Errorf("logfile %s: %w", s.key, err)
		}
	}
	return nil
}

// headerEventStatement reads the header of the trace header event.
func (p *parser) headerEventStatement(sets []setting) error {
	e := &p.trace.HeaderEvent
	kind := System32
	if p.trace.pointerSize() == 8 {
		kind = System64
	}
	for _, s := range sets {
		var err error
		switch s.key {
		case "kind":
			e.Kind = 0
			for k := System32; int(k) < len(headerSpecs); k++ {
				if headerSpecs[k].name == s.value {
					e.Kind, kind = k, k
				}
			}
			err = oneOf(e.Kind != 0, "the kinds of event")
		case "t", "dt", "payload", "ver":
			err = errors.New("unknown key")
		default:
			err = p.eventKey(kind, e, s)
		}
		if err = s.check(err); err != nil {
			return fmt.Errorf("headerevent %s: %w", s.key, err)
		}
	}
	return nil
}

// bufferKeys holds the keys of the buffer and header statements. Those in
// dataKeys do not apply to the header buffer.
var bufferKeys = map[string]func(p *parser, b *Buffer, v string) error{
	"cpu":    func(_ *parser, b *Buffer, v string) error { return setUint(&b.Processor, v, 16) },
	"logger": func(_ *parser, b *Buffer, v string) error { return setUint(&b.Logger, v, 16) },
	"seq": func(_ *parser, b *Buffer, v string) error {
		seq, err := number(v, 64)
		b.Sequence = int64(seq)
		return err
	},
	"t": func(p *parser, b *Buffer, v string) (err error) {
		b.Time, err = p.time(v)
		return err
	},
	"flags": func(_ *parser, b *Buffer, v string) error { return setUint(&b.Flags, v, 16) },
	"type":  func(_ *parser, b *Buffer, v string) error { return setUint(&b.Type, v, 16) },
	"state": func(_ *parser, b *Buffer, v string) error { return setUint(&b.State, v, 32) },
	"size":  func(_ *parser, b *Buffer, v string) error { return setSize(&b.Size, v) },
	"slack": func(_ *parser, b *Buffer, v string) error {
		b.Fill = new(byte)
		return setUint(b.Fill, v, 8)
	},
	"compressed": func(_ *parser, b *Buffer, v string) error { return setCompression(&b.Compression, v) },
	"plain":      func(_ *parser, b *Buffer, _ string) error { b.Plain = true; return nil },
	"stream": func(p *parser, b *Buffer, v string) (err error) {
		b.Stream, err = p.payload([]byte{}, v, p.trace.pointerSize())
		return err
	},
	"patch": func(_ *parser, b *Buffer, v string) error { return addPatch(&b.Patch, v) },
}

var dataKeys = map[string]bool{"compressed": true, "plain": true, "stream": true}

func (p *parser) bufferStatement(b *Buffer, target int, sets []setting) error {
	p.target = target
	for _, s := range sets {
		set, ok := bufferKeys[s.key]
		var err error
		if ok && (target != targetHeader || !dataKeys[s.key]) {
			err = s.check(set(p, b, s.value))
		} else {
			err = override(&b.Set, s, fieldsOf(p.trace)[s.key].size)
		}
		if err != nil {
			return fmt.Errorf("buffer %s: %w", s.key, err)
		}
	}
	return nil
}

// bytesStatement puts bytes between buffers, or after the last.
func (p *parser) bytesStatement(sets []setting) error {
	if err := p.endStream(); err != nil {
		return err
	}
	b := Buffer{Verbatim: []byte{}}
	for _, s := range sets {
		if s.key != "payload" {
			return fmt.Errorf("bytes %s: unknown key", s.key)
		}
		var err error
		if b.Verbatim, err = p.payload(b.Verbatim, s.value, p.trace.pointerSize()); err != nil {
			return fmt.Errorf("bytes %s: %w", s.key, err)
		}
	}
	p.trace.Buffers = append(p.trace.Buffers, b)
	return nil
}

// override reads a field to spoil; size 0 means an unknown field.
func override(fields *Fields, s setting, size int) error {
	if size == 0 {
		return errors.New("unknown key")
	}
	v, err := number(s.value, 8*size)
	if err != nil {
		return err
	}
	if *fields == nil {
		*fields = Fields{}
	}
	(*fields)[s.key] = v
	return nil
}

// modes names the bits of LogFileMode.
var modes = map[string]uint32{
	"none": 0, "sequential": ModeSequential, "circular": ModeCircular, "append": ModeAppend,
	"newfile": ModeNewFile, "preallocate": ModePreallocate, "realtime": ModeRealTime,
	"buffering": ModeBuffering, "private": ModePrivate, "kbytes": ModeKBytes,
	"globalsequence": ModeGlobalSequence, "localsequence": ModeLocalSequence, "relog": ModeRelog,
	"privateinproc": ModePrivateInProc, "systemlogger": ModeSystemLogger,
	"compressed": ModeCompressed, "independent": ModeIndependent, "noperprocessor": ModeNoPerProcessor,
}

func setMode(t *Trace, v string) error {
	t.Mode = 0
	for name := range strings.SplitSeq(v, "|") {
		bit, ok := modes[name]
		if !ok {
			if err := setUint(&bit, name, 32); err != nil {
				return err
			}
		}
		t.Mode |= bit
	}
	return nil
}

func setCompression(dst *Compression, v string) error {
	c, ok := map[string]Compression{"none": Uncompressed, "lznt1": LZNT1, "xpress": Xpress, "huffman": XpressHuffman}[v]
	*dst = c
	return oneOf(ok, "none, lznt1, xpress, huffman")
}

// setPair reads two bytes with a dot between.
func setPair(dst *[2]uint8, v string) error {
	a, b, found := strings.Cut(v, ".")
	if !found {
		return fmt.Errorf("%q is not two numbers with a dot", v)
	}
	if err := setUint(&dst[0], a, 8); err != nil {
		return err
	}
	return setUint(&dst[1], b, 8)
}

// setZone reads a name and the start of its time: a day of the week in the
// POSIX notation, or a date.
func setZone(name *string, date *SystemTime, v string) error {
	quoted, rest, found := v, "", false
	if i := strings.LastIndexByte(v, '"'); i >= 0 {
		quoted = v[:i+1]
		rest, found = strings.CutPrefix(v[i+1:], "@")
		if rest != "" && !found {
			return fmt.Errorf("unexpected %q", rest)
		}
	} else {
		quoted, rest, found = strings.Cut(v, "@")
	}
	if err := setText(name, quoted); err != nil || !found {
		return err
	}
	var month, week, day, hour uint16
	if n, err := fmt.Sscanf(rest, "M%d.%d.%d/%d", &month, &week, &day, &hour); n == 4 && err == nil {
		*date = SystemTime{0, month, day, week, hour}
		return nil
	}
	t, err := time.Parse("2006-01-02T15:04:05", rest)
	if err != nil {
		return fmt.Errorf("%q is neither like M10.5.0/3 nor like 2024-10-27T03:00:00", rest)
	}
	*date = SystemTime{uint16(t.Year()), uint16(t.Month()), uint16(t.Weekday()), uint16(t.Day()),
		uint16(t.Hour()), uint16(t.Minute()), uint16(t.Second())}
	return nil
}

func setText(dst *string, v string) (err error) {
	*dst, err = unquote(v)
	return err
}

func setTime(dst *time.Time, v string) (err error) {
	*dst, err = time.Parse(time.RFC3339Nano, v)
	return err
}

func setInt32(dst *int32, v string) error {
	n, err := number(v, 32)
	*dst = int32(n)
	return err
}

// setPositive reads a number that takes effect only if it is not zero.
func setPositive[T int | int64 | uint32](dst *T, v string) error {
	n, err := number(v, 63)
	*dst = T(n)
	if err == nil && (*dst <= 0 || uint64(*dst) != n) {
		err = fmt.Errorf("%s is out of range; logfile fields can be any", v)
	}
	return err
}

// maxSize bounds the sizes that a text can ask for.
const maxSize = 1 << 28

func setSize(dst *int, v string) error {
	n, err := number(v, 63)
	if err == nil && n > maxSize {
		err = fmt.Errorf("%s is more than %#x bytes", v, maxSize)
	}
	*dst = int(n)
	return err
}

// addPatch reads offset:hex.
func addPatch(patches *[]Patch, v string) error {
	at, data, found := strings.Cut(v, ":")
	if !found {
		return fmt.Errorf("%q is not offset:hex", v)
	}
	offset, err := number(at, 31)
	if err != nil {
		return err
	}
	b, err := hexBytes(data)
	*patches = append(*patches, Patch{int(offset), b})
	return err
}

func oneOf(ok bool, names string) error {
	if ok {
		return nil
	}
	return errors.New("must be one of " + names)
}
