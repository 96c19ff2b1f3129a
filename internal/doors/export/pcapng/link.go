package pcapng

import "encoding/binary"

// link is the type of a packet's first header, by its number in pcapng:
// https://www.tcpdump.org/linktypes.html.
type link uint8

const (
	noLink   link = 0
	ethernet link = 1
	rawIP    link = 101
	wifi     link = 105
	other    link = 147 // LINKTYPE_USER0: no type describes the bytes
)

// Sizes of headers, and places in them.
const (
	ethernetHeader = 14
	vlanTag        = 4
	ipv4Header     = 20
	ipv6Header     = 40
)

// EtherTypes.
const (
	typeIPv4 = 0x0800
	typeIPv6 = 0x86dd
	typeVLAN = 0x8100
	typeQinQ = 0x88a8
)

// linkOf finds the type of bytes that no event states: those of an IP packet with the length in its
// header, else those of an Ethernet frame with a known or a possible EtherType.
func linkOf(packet []byte, wire int64) link {
	if n := ipLength(packet); n > 0 && n == wire {
		return rawIP
	}
	if len(packet) >= ethernetHeader {
		if t := binary.BigEndian.Uint16(packet[12:]); t >= 0x600 || int64(t)+ethernetHeader <= wire {
			return ethernet
		}
	}
	return other
}

// ipLength returns the length of an IP packet that its header states, or 0 if there is none.
func ipLength(packet []byte) int64 {
	switch {
	case len(packet) >= ipv4Header && packet[0]>>4 == 4 && packet[0]&15 >= 5:
		return int64(binary.BigEndian.Uint16(packet[2:]))
	case len(packet) >= ipv6Header && packet[0]>>4 == 6:
		if n := int64(binary.BigEndian.Uint16(packet[4:])); n > 0 { // 0: a jumbogram
			return ipv6Header + n
		}
	}
	return 0
}

// statedLength returns the length of a packet by its IP header, or 0 if it has none. Packets that
// the network adapter divides have 0 there.
func statedLength(l link, packet []byte) int64 {
	at := int64(0)
	switch l {
	case rawIP:
	case ethernet:
		for at = ethernetHeader; ; at += vlanTag {
			if int64(len(packet)) < at {
				return 0
			}
			t := binary.BigEndian.Uint16(packet[at-2:])
			if t == typeIPv4 || t == typeIPv6 {
				break
			}
			if t != typeVLAN && t != typeQinQ {
				return 0
			}
		}
	default:
		return 0
	}
	if n := ipLength(packet[at:]); n > 0 {
		return at + n
	}
	return 0
}
