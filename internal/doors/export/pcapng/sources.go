package pcapng

// source is an event that holds a packet, or a fragment of one.
type source struct {
	table   string // of the event
	columns []string
	read    func(r *row, e *event)
}

// commonColumns are columns of all sources.
var commonColumns = []string{"event_ref", "time_ns", "processor", "process_id", "process_name", "thread_id", "keyword"}

// pktmonColumns are columns of PktMon's events with payloads.
var pktmonColumns = []string{
	"dir_tag", "packet_type", "component_id", "edge_id", "drop_reason", "drop_reason_text", "drop_location", "original_payload_size", "payload_payload",
	"pkt_group_id", "pkt_number", "appearance_count", // some of the events lack these
}

// ndisColumns are columns of NDIS-PacketCapture's fragments.
var ndisColumns = []string{"miniport_if_index", "lower_if_index", "fragment_size", "fragment"}

// sources has all events with packets. The messages of PktMon's events say which of them are drops.
var sources = []source{
	{"Microsoft-Windows-PktMon/160", pktmonColumns, pktmon(flow)},
	{"Microsoft-Windows-PktMon/170", pktmonColumns, pktmon(drop)},
	{"Microsoft-Windows-PktMon/200", pktmonColumns, pktmon(flow)},
	{"Microsoft-Windows-PktMon/210", pktmonColumns, pktmon(drop)},
	{"Microsoft-Windows-PktMon/220", pktmonColumns, pktmon(flow)},
	{"Microsoft-Windows-PktMon/230", pktmonColumns, pktmon(drop)},
	{"Microsoft-Windows-PktMon/240", pktmonColumns, pktmon(drop)},
	{"Microsoft-Windows-NDIS-PacketCapture/1001", ndisColumns, ndis},
	{"Microsoft-Windows-NDIS-PacketCapture/1003", append([]string{"source_port_id", "source_port_name", "source_nic_name", "source_nic_type"}, ndisColumns...), vmSwitch},
	{"Microsoft-Windows-Ras-NdisWanPacketCapture/5001", rasColumns, ras(sent)},
	{"Microsoft-Windows-Ras-NdisWanPacketCapture/5002", rasColumns, ras(received)},
}

var rasColumns = []string{"rras_user_name", "fragment_size", "fragment"}

// kind is the kind of an event of PktMon.
type kind uint8

const (
	flow kind = iota // a component shows a packet
	drop             // a component drops a packet
)

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

	at        place
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

func pktmon(k kind) func(*row, *event) {
	return func(r *row, e *event) {
		e.at = place{kind: component, id: r.number("component_id"), sub: r.number("edge_id")}
		switch r.number("dir_tag") { // PKTMON_DIRECTION: In, Out, Rx, Tx
		case 1, 3:
			e.direction = received
		case 2, 4:
			e.direction = sent
		}
		switch r.number("packet_type") { // PKTMON_PACKET_TYPE
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
		e.wire = max(r.number("original_payload_size"), 0)
		if logged, ok := r.bytes("payload_payload"); ok {
			e.bytes = logged
		} else {
			e.damaged = true
		}
		e.starts, e.ends = true, true
		if e.isKnown = r.has("pkt_group_id"); e.isKnown {
			e.packet, e.appearance = packetID{r.unsigned("pkt_group_id"), r.number("pkt_number")}, r.number("appearance_count")
		}
		if k == drop {
			e.dropped = dropText(r)
		}
	}
}

func ndis(r *row, e *event) {
	e.at = place{kind: adapter, id: r.number("miniport_if_index"), sub: r.number("lower_if_index")}
	fragment(r, e)
	keys := r.unsigned("keyword")
	switch {
	case keys&keyNative != 0:
		e.link = wifi
	case keys&(keyWireless|keyTunnel) != 0:
		e.link = rawIP
	case keys&keyEthernet != 0:
		e.link = ethernet
	}
}

func vmSwitch(r *row, e *event) {
	e.at = place{kind: switchPort, id: -1, sub: r.number("source_port_id"), name: r.text("source_nic_name")}
	fragment(r, e)
	e.link = ethernet
}

func ras(d direction) func(*row, *event) {
	return func(r *row, e *event) {
		e.at = place{kind: remoteAccess, id: -1, sub: -1, name: r.text("rras_user_name")}
		fragment(r, e)
		e.direction, e.isFragment, e.starts, e.ends = d, false, true, true
	}
}

// fragment reads what all fragments have.
func fragment(r *row, e *event) {
	keys := r.unsigned("keyword")
	e.isFragment = true
	e.starts, e.ends, e.cut = keys&keyStart != 0, keys&keyEnd != 0, keys&keyTruncated != 0
	switch {
	case keys&keyReceive != 0:
		e.direction = received
	case keys&keySend != 0:
		e.direction = sent
	}
	bytes, ok := r.bytes("fragment")
	e.bytes, e.damaged = bytes, !ok
}
