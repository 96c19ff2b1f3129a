// Package pcapng writes the packets in traces as a pcapng file, which Wireshark reads.
//
//  1. sources lists the events that hold packets, and merge reads them in time order.
//  2. An assembler makes packets of them: it joins the fragments of a packet, leaves out later
//     appearances of a packet, and notes in its first one that the packet was dropped. It holds a
//     bounded number of packets meanwhile.
//  3. A file writes packets in the order in which they begin, and describes each interface before its
//     first packet. The names of interfaces are read before: PktMon logs them at the end.
//
// The events are described by Windows' own manifests, in the built-in catalogue. The format is
// https://ietf-opsawg-wg.github.io/draft-ietf-opsawg-pcap/draft-ietf-opsawg-pcapng.html.
package pcapng
