package pcapng

import (
	"fmt"
	"io"
	"math"
	"time"
)

// maxInterfaces bounds the interfaces of a file. Packets of further ones share one for each type of
// link.
const maxInterfaces = 1 << 16

// interfaceKey identifies an interface: a place with packets of one type.
type interfaceKey struct {
	trace int
	place place
	link  link
}

// file is a pcapng file.
type file struct {
	to         io.Writer
	names      *names
	writer     *blocks // nil before the first packet
	interfaces map[interfaceKey]int
	packets    int64
}

// write writes a packet, and its interface before if it is new.
func (f *file) write(p *packet) error {
	wire := max(p.wire, p.size)
	if p.link == noLink {
		p.link = linkOf(p.bytes, wire)
	}
	if p.cut && p.wire == 0 {
		wire = max(wire, statedLength(p.link, p.bytes))
	}
	id, name, err := f.interfaceOf(interfaceKey{p.trace, p.place, p.link})
	if err != nil {
		return err
	}
	head := packetHead{in: id, ns: uint64(max(p.time, 0)), wire: uint32(min(wire, math.MaxInt32)), comments: f.comments(p, wire, name)}
	switch p.direction {
	case received:
		head.flags = inbound
	case sent:
		head.flags = outbound
	}
	if p.isKnown && len(f.names.traces) == 1 && p.id.group < 1<<48 {
		number := p.id.group<<16 | uint64(uint16(p.id.number))
		head.id = &number
	}
	f.packets++
	return f.writer.packet(&head, p.bytes)
}

// interfaceOf returns the number of an interface. If it is the name of the shared one, name is what
// the packet's one is called.
func (f *file) interfaceOf(key interfaceKey) (id int, name string, err error) {
	if id, ok := f.interfaces[key]; ok {
		return id, "", nil
	}
	title, about := f.names.describe(key.trace, key.place)
	if len(f.interfaces) >= maxInterfaces {
		name = title
		if key = (interfaceKey{trace: -1, link: key.link}); f.interfaces[key] > 0 {
			return f.interfaces[key], name, nil
		}
		title, about = "more interfaces", ""
	}
	if f.writer == nil {
		f.writer = newBlocks(f.to)
		if err := f.writer.section("etl2parquet"); err != nil {
			return 0, name, err
		}
	}
	id = len(f.interfaces)
	f.interfaces[key] = id
	return id, name, f.writer.addInterface(key.link, title, about)
}

// comments says what else is known about a packet.
func (f *file) comments(p *packet, wire int64, place string) (list []string) {
	add := func(format string, args ...any) { list = append(list, clean(fmt.Sprintf(format, args...), maxComment)) }
	switch {
	case p.name != "" && p.process >= 0:
		add("process: %s (%d)", p.name, p.process)
	case p.process > 0:
		add("process: %d", p.process)
	}
	for _, d := range p.drops {
		name, _ := f.names.describe(p.trace, d.place)
		add("dropped by %s: %s", name, d.why)
	}
	if p.isKnown && p.appearance != 1 {
		add("appearance %d of packet %d.%d", p.appearance, p.id.group, p.id.number)
	}
	if place != "" {
		add("interface: %s", place)
	}
	if p.time < 0 {
		add("time: %s", time.Unix(0, p.time).UTC().Format(time.RFC3339Nano))
	}
	switch {
	case p.damaged:
		add("incomplete: an event of the packet is damaged")
	case p.unfinished:
		add("incomplete: the trace lacks the last fragments of the packet")
	case p.cut:
		add("cut by the capture")
	case p.size > int64(len(p.bytes)):
		add("%d of %d bytes: Wireshark reads no more", len(p.bytes), wire)
	}
	return list
}

func (f *file) flush() error {
	if f.writer == nil {
		return nil
	}
	return f.writer.to.Flush()
}
