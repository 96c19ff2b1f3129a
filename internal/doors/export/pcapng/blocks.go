package pcapng

import (
	"bufio"
	"encoding/binary"
	"io"
)

// Types of blocks, and codes of options, of
// https://www.ietf.org/archive/id/draft-ietf-opsawg-pcapng-05.html, sections 3.5, 4.1 to 4.3.
const (
	sectionBlock   = 0x0a0d0d0a
	interfaceBlock = 1
	packetBlock    = 6 // an Enhanced Packet Block

	endOfOptions   = 0
	commentOption  = 1
	userApplOption = 4 // of a section
	nameOption     = 2 // of an interface, as the next two
	aboutOption    = 3
	resolution     = 9
	flagsOption    = 2 // of a packet, as the next
	packetIDOption = 5

	byteOrder   = 0x1a2b3c4d
	nanoseconds = 9 // 10^-9 s
)

// Directions of packets in their flags.
const (
	inbound  = 1
	outbound = 2
)

// blocks writes the blocks of a pcapng file, in little-endian order. Texts must be shorter than 64 KiB.
type blocks struct {
	to    *bufio.Writer
	block []byte // being made
	first int    // its first option; 0 if it has none
}

func newBlocks(to io.Writer) *blocks { return &blocks{to: bufio.NewWriterSize(to, 1<<16)} }

// section writes the block that begins a section of unknown length.
func (b *blocks) section(application string) error {
	b.begin(sectionBlock)
	b.block = binary.LittleEndian.AppendUint32(b.block, byteOrder)
	b.block = append(b.block, 1, 0, 0, 0) // version 1.0
	b.block = append(b.block, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	b.text(userApplOption, application)
	return b.end()
}

// addInterface writes an interface, whose packets have times in ns.
func (b *blocks) addInterface(l link, name, about string) error {
	b.begin(interfaceBlock)
	b.block = append(b.block, byte(l), 0, 0, 0, 0, 0, 0, 0) // no limit on the length of packets
	b.text(nameOption, name)
	b.text(aboutOption, about)
	b.option(resolution, nanoseconds)
	return b.end()
}

// packetHead is what a packet has beside its bytes.
type packetHead struct {
	in       int    // interface
	ns       uint64 // since 1970-01-01 UTC
	wire     uint32 // length, at least that of the bytes
	comments []string
	flags    uint32  // 0: none
	id       *uint64 // nil: none
}

// packet writes a packet.
func (b *blocks) packet(h *packetHead, bytes []byte) error {
	b.begin(packetBlock)
	for _, n := range [...]uint32{uint32(h.in), uint32(h.ns >> 32), uint32(h.ns), uint32(len(bytes)), h.wire} {
		b.block = binary.LittleEndian.AppendUint32(b.block, n)
	}
	b.block = append(b.block, bytes...)
	b.pad()
	for _, c := range h.comments {
		b.option(commentOption, []byte(c)...)
	}
	if h.flags != 0 {
		b.option(flagsOption, binary.LittleEndian.AppendUint32(nil, h.flags)...)
	}
	if h.id != nil {
		b.option(packetIDOption, binary.LittleEndian.AppendUint64(nil, *h.id)...)
	}
	return b.end()
}

// begin begins a block. end writes its length.
func (b *blocks) begin(kind uint32) {
	b.block, b.first = append(binary.LittleEndian.AppendUint32(b.block[:0], kind), 0, 0, 0, 0), 0
}

// text adds an option unless its text is empty.
func (b *blocks) text(code uint16, text string) {
	if text != "" {
		b.option(code, []byte(text)...)
	}
}

// option adds an option, after everything else in the block.
func (b *blocks) option(code uint16, value ...byte) {
	if b.first == 0 {
		b.first = len(b.block)
	}
	b.block = binary.LittleEndian.AppendUint16(b.block, code)
	b.block = binary.LittleEndian.AppendUint16(b.block, uint16(len(value)))
	b.block = append(b.block, value...)
	b.pad()
}

// pad fills the block up to a multiple of 4 bytes.
func (b *blocks) pad() {
	for len(b.block)%4 != 0 {
		b.block = append(b.block, 0)
	}
}

// end writes the block, whose length is its second and its last word.
func (b *blocks) end() error {
	if b.first > 0 {
		b.option(endOfOptions)
	}
	size := uint32(len(b.block) + 4)
	binary.LittleEndian.PutUint32(b.block[4:], size)
	b.block = binary.LittleEndian.AppendUint32(b.block, size)
	_, err := b.to.Write(b.block)
	return err
}
