package pcapng

import "fmt"

// source is an event that holds a packet, or a fragment of one.
type source struct {
	table string // of the event
	read  func(row *packetRow, e *event)
}

// sources has all events with packets. The messages of PktMon's events say which of them are drops.
var sources = []source{
	{"Microsoft-Windows-PktMon/160", readFlow},
	{"Microsoft-Windows-PktMon/170", readDrop},
	{"Microsoft-Windows-PktMon/200", readFlow},
	{"Microsoft-Windows-PktMon/210", readDrop},
	{"Microsoft-Windows-PktMon/220", readFlow},
	{"Microsoft-Windows-PktMon/230", readDrop},
	{"Microsoft-Windows-PktMon/240", readDrop},
	{"Microsoft-Windows-NDIS-PacketCapture/1001", readAdapter},
	{"Microsoft-Windows-NDIS-PacketCapture/1003", readSwitch},
	{"Microsoft-Windows-Ras-NdisWanPacketCapture/5001", readRemote(sent)},
	{"Microsoft-Windows-Ras-NdisWanPacketCapture/5002", readRemote(received)},
}

// packetRow is a row of a source. Each source has only some of its fields.
type packetRow struct {
	Trace       string `column:"trace"`
	Ref         int64  `column:"event_ref" null:"-1"`
	Time        int64  `column:"time_ns" null:"-1"`
	Processor   int64  `column:"processor" null:"-1"`
	ProcessID   int64  `column:"process_id" null:"-1"`
	ProcessName string `column:"process_name"`
	ThreadID    int64  `column:"thread_id" null:"-1"`
	Keyword     int64  `column:"keyword"`

	// Of PktMon:
	Direction      int64  `column:"dir_tag" null:"-1"`     // PKTMON_DIRECTION: In, Out, Rx, Tx
	PacketType     int64  `column:"packet_type" null:"-1"` // PKTMON_PACKET_TYPE
	Component      int64  `column:"component_id" null:"-1"`
	Edge           int64  `column:"edge_id" null:"-1"`
	DropReason     int64  `column:"drop_reason" null:"-1"`
	DropReasonText string `column:"drop_reason_text"`
	DropLocation   int64  `column:"drop_location"`
	OriginalSize   int64  `column:"original_payload_size"`
	Payload        []byte `column:"payload_payload"`
	Group          *int64 `column:"pkt_group_id"`
	Number         int64  `column:"pkt_number" null:"-1"`
	Appearance     int64  `column:"appearance_count" null:"-1"`

	// Of the others:
	Fragment   []byte `column:"fragment"`
	Miniport   int64  `column:"miniport_if_index" null:"-1"`
	Lower      int64  `column:"lower_if_index" null:"-1"`
	SwitchPort int64  `column:"source_port_id" null:"-1"`
	SwitchCard string `column:"source_nic_name"`
	RemoteUser string `column:"rras_user_name"`
}

// direction is the direction of a packet, as in the flags of its block.
type direction uint8

const (
	unknown direction = iota
	received
	sent
)

// event is an event with a packet or a fragment of one. Texts and bytes share memory with the record
// batch, until the next event is read.
type event struct {
	trace     int
	ref, time int64
	processor int64
	process   int64  // -1 if unknown
	name      string // of the process
	thread    int64

	place     place
	direction direction
	link      link // noLink if only the bytes can tell
	bytes     []byte
	wire      int64 // its length on the wire; 0 if the event does not record it
	damaged   bool  // the event has fewer bytes than it claims

	starts, ends bool // the first and the last fragment of its packet
	cut          bool // the capture left out bytes of the packet
	isFragment   bool // of a capture that splits packets

	packet     packetID // if isKnown
	isKnown    bool     // the event identifies its packet
	appearance int64
	dropped    string // why; "" if it was not
}

// packetID identifies a packet that PktMon shows several times.
type packetID struct {
	group  uint64
	number int64
}

// place is where a packet was captured.
type place struct {
	kind    placeKind
	id, sub int64  // component and edge of PktMon, adapter and layer of NDIS, -1 and a port of a switch
	name    string // of a network card of a switch or a user of a remote access server
}

type placeKind uint8

const (
	component placeKind = iota
	adapter
	switchPort
	remoteAccess
)

// Keywords of NDIS-PacketCapture.
const (
	keyEthernet  = 0x1
	keyWireless  = 0x200
	keyTunnel    = 0x8000
	keyNative    = 0x10000
	keyTruncated = 0x2000000
	keyStart     = 0x40000000
	keyEnd       = 0x80000000
	keySend      = 0x100000000
	keyReceive   = 0x200000000
)

// readFlow reads an event in which a component of PktMon shows a packet.
func readFlow(row *packetRow, e *event) {
	e.place = place{kind: component, id: row.Component, sub: row.Edge}
	switch row.Direction {
	case 1, 3:
		e.direction = received
	case 2, 4:
		e.direction = sent
	}
	switch row.PacketType {
	case 0:
	case 1:
		e.link = ethernet
	case 2:
		e.link = wifi
	case 3:
		e.link = rawIP
	default:
		e.link = other
	}
	e.wire = max(row.OriginalSize, 0)
	e.bytes, e.damaged = row.Payload, row.Payload == nil
	e.starts, e.ends = true, true
	if row.Group != nil {
		e.isKnown, e.packet, e.appearance = true, packetID{uint64(*row.Group), row.Number}, row.Appearance
	}
}

// readDrop reads an event in which a component of PktMon drops a packet.
func readDrop(row *packetRow, e *event) {
	readFlow(row, e)
	e.dropped = row.DropReasonText
	if e.dropped == "" {
		e.dropped = fmt.Sprintf("reason %d", row.DropReason)
	}
	if row.DropLocation > 0 {
		e.dropped += fmt.Sprintf(", location %#x", row.DropLocation)
	}
}

func readAdapter(row *packetRow, e *event) {
	e.place = place{kind: adapter, id: row.Miniport, sub: row.Lower}
	readFragment(row, e)
	switch keys := uint64(row.Keyword); {
	case keys&keyNative != 0:
		e.link = wifi
	case keys&(keyWireless|keyTunnel) != 0:
		e.link = rawIP
	case keys&keyEthernet != 0:
		e.link = ethernet
	}
}

func readSwitch(row *packetRow, e *event) {
	e.place = place{kind: switchPort, id: -1, sub: row.SwitchPort, name: row.SwitchCard}
	readFragment(row, e)
	e.link = ethernet
}

func readRemote(d direction) func(*packetRow, *event) {
	return func(row *packetRow, e *event) {
		e.place = place{kind: remoteAccess, id: -1, sub: -1, name: row.RemoteUser}
		readFragment(row, e)
		e.direction, e.isFragment, e.starts, e.ends = d, false, true, true
	}
}

// readFragment reads what all fragments have.
func readFragment(row *packetRow, e *event) {
	keys := uint64(row.Keyword)
	e.isFragment = true
	e.starts, e.ends, e.cut = keys&keyStart != 0, keys&keyEnd != 0, keys&keyTruncated != 0
	switch {
	case keys&keyReceive != 0:
		e.direction = received
	case keys&keySend != 0:
		e.direction = sent
	}
	e.bytes, e.damaged = row.Fragment, row.Fragment == nil
}
