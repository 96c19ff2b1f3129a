package etltest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// eventStatement reads an event and writes it. It reads the flags before the
// payload, wherever they stand on the line: they may set its pointer size.
func (p *parser) eventStatement(kind Kind, sets []setting) error {
	e := &Event{Kind: kind, Time: p.now}
	if kind == Message {
		e.Flags = MessageTime | MessageSystemInfo | MessagePointer64
		if p.trace.pointerSize() == 4 {
			e.Flags ^= MessagePointer64 | MessagePointer32
		}
	}
	processor := uint16(0)
	for i := range sets {
		if sets[i].key == "bytes" {
			sets[i].key = "payload"
		}
	}
	rank := func(s setting) int { return slices.Index([]string{"flags", "payload"}, s.key) }
	slices.SortStableFunc(sets, func(a, b setting) int { return rank(a) - rank(b) })
	for _, s := range sets {
		var err error
		if s.key == "cpu" {
			if err = setUint(&processor, s.value, 16); p.target != targetStream {
				err = errors.New("only in a stream; a buffer has one for all its events")
			}
		} else {
			err = p.eventKey(kind, e, s)
		}
		if err = s.check(err); err != nil {
			return fmt.Errorf("%s %s: %w", headerSpecs[kind].name, s.key, err)
		}
	}
	p.now = e.Time
	return p.add(processor, e)
}

// eventKey reads one key of an event.
func (p *parser) eventKey(kind Kind, e *Event, s setting) error {
	if set, ok := commonKeys[s.key]; ok {
		return set(p, e, s.value)
	}
	spec := &headerSpecs[kind]
	if slices.Contains(strings.Fields(spec.keys), s.key) {
		return eventKeyFuncs[s.key](p, e, s.value)
	}
	at, _ := spec.find(s.key)
	return override(&e.Set, s, at.size)
}

type eventKeyFunc = func(p *parser, e *Event, v string) error

// commonKeys holds the keys of all events.
var commonKeys = map[string]eventKeyFunc{
	"t": func(p *parser, e *Event, v string) (err error) {
		e.Time, err = p.time(v)
		return err
	},
	"dt": func(p *parser, e *Event, v string) error {
		d, err := duration(v)
		e.Time = p.now + p.trace.Ticks(d) - p.trace.startTicks()
		return err
	},
	"payload": func(p *parser, e *Event, v string) (err error) {
		if headerSpecs[e.Kind].ptr == 0 && e.Kind != Message {
			return errors.New("unknown key")
		}
		e.Payload, err = p.payload(e.Payload, v, e.pointerSize())
		return err
	},
	"patch": func(_ *parser, e *Event, v string) error { return addPatch(&e.Patch, v) },
	"pad": func(_ *parser, e *Event, v string) (err error) {
		e.Pad, err = hexBytes(v)
		return err
	},
}

// eventKeyFuncs holds the keys that only some kinds have; headerSpecs lists the keys of each kind.
var eventKeyFuncs = map[string]eventKeyFunc{
	"hook":   func(_ *parser, e *Event, v string) error { return setUint(&e.Hook, v, 16) },
	"ver":    func(_ *parser, e *Event, v string) error { return setUint(&e.Version, v, 16) },
	"pid":    func(_ *parser, e *Event, v string) error { return setUint(&e.PID, v, 32) },
	"tid":    func(_ *parser, e *Event, v string) error { return setUint(&e.TID, v, 32) },
	"kernel": func(_ *parser, e *Event, v string) error { return setUint(&e.KernelTime, v, 32) },
	"user":   func(_ *parser, e *Event, v string) error { return setUint(&e.UserTime, v, 32) },
	"cputime": func(_ *parser, e *Event, v string) error {
		n, err := number(v, 64)
		e.KernelTime, e.UserTime = uint32(n), uint32(n>>32)
		return err
	},
	"guid": func(_ *parser, e *Event, v string) error {
		if e.Kind == Message {
			e.Flags |= MessageGUID
		}
		return setGUID(&e.GUID, v)
	},
	"provider": func(_ *parser, e *Event, v string) error { return setGUID(&e.GUID, v) },
	"type":     func(_ *parser, e *Event, v string) error { return setUint(&e.Opcode, v, 8) },
	"op":       func(_ *parser, e *Event, v string) error { return setUint(&e.Opcode, v, 8) },
	"level":    func(_ *parser, e *Event, v string) error { return setUint(&e.Level, v, 8) },
	"id":       func(_ *parser, e *Event, v string) error { return setUint(&e.ID, v, 16) },
	"number":   func(_ *parser, e *Event, v string) error { return setUint(&e.ID, v, 16) },
	"chan":     func(_ *parser, e *Event, v string) error { return setUint(&e.Channel, v, 8) },
	"task":     func(_ *parser, e *Event, v string) error { return setUint(&e.Task, v, 16) },
	"kw":       func(_ *parser, e *Event, v string) error { return setUint(&e.Keyword, v, 64) },
	"flags":    func(_ *parser, e *Event, v string) error { return setUint(&e.Flags, v, 16) },
	"property": func(_ *parser, e *Event, v string) error { return setUint(&e.Property, v, 16) },
	"activity": func(_ *parser, e *Event, v string) error { return setGUID(&e.Activity, v) },

	"instance":   func(_ *parser, e *Event, v string) error { return setUint(&e.Instance, v, 32) },
	"parent":     func(_ *parser, e *Event, v string) error { return setUint(&e.ParentInstance, v, 32) },
	"parentguid": func(_ *parser, e *Event, v string) error { return setGUID(&e.ParentGUID, v) },

	"ptr": func(_ *parser, e *Event, v string) error {
		e.Flags &^= MessagePointer32 | MessagePointer64
		bits, ok := map[string]uint16{"32": MessagePointer32, "64": MessagePointer64, "none": 0}[v]
		e.Flags |= bits
		return oneOf(ok, "32, 64, none")
	},
	"seq": func(_ *parser, e *Event, v string) error {
		e.Flags |= MessageSequence
		return setUint(&e.Sequence, v, 32)
	},
	"component": func(_ *parser, e *Event, v string) error {
		e.Flags |= MessageComponent
		return setUint(&e.Component, v, 32)
	},
	"perft": func(p *parser, e *Event, v string) (err error) {
		e.Flags = e.Flags&^MessageTime | MessagePerfTime
		e.PerfTime, err = p.time(v)
		return err
	},

	"pebs": func(_ *parser, e *Event, v string) error {
		n, err := number(v, 64)
		if e.Kind == Event32 || e.Kind == Event64 {
			e.item(ItemPEBSIndex, binary.LittleEndian.AppendUint64(nil, n))
		} else {
			e.PEBS = &n
		}
		return err
	},
	"pmc": func(_ *parser, e *Event, v string) error {
		values, err := numbers(v, ",", 64)
		if e.Kind == Event32 || e.Kind == Event64 {
			var data []byte
			for _, n := range values {
				data = binary.LittleEndian.AppendUint64(data, n)
			}
			e.item(ItemPMC, data)
		} else {
			e.PMC = values
		}
		return err
	},

	"related":      typedItem(ItemRelatedActivity, "guid"),
	"sid":          typedItem(ItemSID, "sid"),
	"session":      typedItem(ItemSession, "u32"),
	"psmkey":       payloadItem(ItemPSMKey),
	"eventkey":     typedItem(ItemEventKey, "u64"),
	"startkey":     typedItem(ItemStartKey, "u64"),
	"control":      typedItem(ItemControlGUID, "guid"),
	"qpcdelta":     typedItem(ItemQPCDelta, "i64"),
	"container":    payloadItem(ItemContainer),
	"instanceinfo": payloadItem(ItemInstanceInfo),
	"stack32":      stackItem(ItemStack32, 4),
	"stack64":      stackItem(ItemStack64, 8),
	"stackkey64":   stackItem(ItemStackKey64, 8),
	"stackkey32": func(_ *parser, e *Event, v string) error {
		match, keys, err := matchAnd(v, 32)
		if err == nil && len(keys) != 1 {
			err = fmt.Errorf("%q is not match:key", v)
		}
		e.item(ItemStackKey32, zeros(StackData(4, match, keys...), 4)) // a u32 of padding
		return err
	},
	"schema": func(_ *parser, e *Event, v string) error {
		schema, err := parseSchema(v)
		if err == nil {
			e.item(ItemSchema, schema.Bytes())
		}
		return err
	},
	"traits": func(_ *parser, e *Event, v string) error {
		traits, err := parseTraits(v)
		if err == nil {
			e.item(ItemTraits, traits.Bytes())
		}
		return err
	},
	"rawext": func(_ *parser, e *Event, v string) error {
		parts := strings.Split(v, ":")
		if len(parts) < 2 || len(parts) > 5 {
			return fmt.Errorf("%q is not type:hex[:itemsize[:datasize[:linkage]]]", v)
		}
		item := Item{}
		var err error
		if err = setUint(&item.Type, parts[0], 16); err != nil {
			return err
		}
		if item.Data, err = hexBytes(parts[1]); err != nil {
			return err
		}
		for i, dst := range []**uint16{&item.ItemSize, &item.DataSize, &item.Linkage} {
			if len(parts) > 2+i && parts[2+i] != "" {
				*dst = new(uint16)
				if err = setUint(*dst, parts[2+i], 16); err != nil {
					return err
				}
			}
		}
		e.Items = append(e.Items, item)
		return nil
	},
}

// item appends an extended item; they lie in the order of their keys.
func (e *Event) item(typ ItemType, data []byte) {
	e.Items = append(e.Items, Item{Type: typ, Data: data})
}

// typedItem reads an item that is one value of a payload type.
func typedItem(typ ItemType, kind string) eventKeyFunc {
	return func(p *parser, e *Event, v string) error {
		data, err := p.payload(nil, kind+":"+v, e.pointerSize())
		e.item(typ, data)
		return err
	}
}

// payloadItem reads an item whose bytes are written like a payload.
func payloadItem(typ ItemType) eventKeyFunc {
	return func(p *parser, e *Event, v string) error {
		data, err := p.payload(nil, v, e.pointerSize())
		e.item(typ, data)
		return err
	}
}

// stackItem reads match:address,address.
func stackItem(typ ItemType, ptrSize int) eventKeyFunc {
	return func(_ *parser, e *Event, v string) error {
		match, addresses, err := matchAnd(v, 8*ptrSize)
		e.item(typ, StackData(ptrSize, match, addresses...))
		return err
	}
}

func matchAnd(v string, bits int) (match uint64, values []uint64, err error) {
	head, tail, found := strings.Cut(v, ":")
	if !found {
		return 0, nil, fmt.Errorf("%q is not match:values", v)
	}
	if match, err = number(head, 64); err != nil || tail == "" {
		return match, nil, err
	}
	values, err = numbers(tail, ",", bits)
	return match, values, err
}

func numbers(v, separator string, bits int) ([]uint64, error) {
	var out []uint64
	for s := range strings.SplitSeq(v, separator) {
		n, err := number(s, bits)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func setGUID(dst *GUID, v string) (err error) {
	*dst, err = ParseGUID(v)
	return err
}
