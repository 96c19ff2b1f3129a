package schema

import (
	"slices"
)

func kernelTCPIP() eventClass {
	return eventClass{
		ref:       refVistaMOF,
		enabledBy: "EVENT_TRACE_FLAG_NETWORK_TCPIP",
		events: []Event{
			{Name: "Send", Type: 0x0a, Before: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc: "TCP data sent over IPv4, one row per send. Layout of before Windows Vista (versions 0 and 1).",
				Fields: slices.Concat(tcpBefore2Endpoints, []Field{
					{Name: "startime", Original: "startime", Kind: U32, Since: 1, Doc: "Start of the send request; unit not documented."},
					{Name: "endtime", Original: "endtime", Kind: U32, Since: 1, Doc: "End of the send request; unit not documented."},
					{Name: "connid", Original: "connid", Kind: Pointer, Since: 1, Doc: "Connection id; joins the events of one connection."},
					{Name: "seqnum", Original: "seqnum", Kind: U32, Since: 1, Doc: "Sequence number."},
				})},
			{Name: "SendIPV4", Type: 0x0a, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "TCP data sent over IPv4, one row per send. PID is the owning process, which the header's may not be.",
				Fields: slices.Concat(ipv4Endpoints, tcpSendTimes, tcpSequence)},
			{Name: "Recv", Type: 0x0b, Before: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "TCP data received over IPv4, one row per receive. Layout of before Windows Vista (versions 0 and 1).",
				Fields: tcpBefore2Fields},
			{Name: "RecvIPV4", Type: 0x0b, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "TCP data received over IPv4, one row per receive. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv4Fields},
			{Name: "Connect", Type: 0x0c, Before: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connection was made to a remote IPv4 host. Layout of before Windows Vista (versions 0 and 1).",
				Fields: tcpConnectBefore2Fields},
			{Name: "ConnectIPV4", Type: 0x0c, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connection was made to a remote IPv4 host. PID is the owning process, which the header's may not be.",
				Fields: tcpConnectIPv4Fields},
			{Name: "Disconnect", Type: 0x0d, Before: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connection over IPv4 was closed. Layout of before Windows Vista (versions 0 and 1).",
				Fields: tcpBefore2Fields},
			{Name: "DisconnectIPV4", Type: 0x0d, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connection over IPv4 was closed. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv4Fields},
			{Name: "Retransmit", Type: 0x0e, Before: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "TCP data over IPv4 was sent again. Layout of before Windows Vista (versions 0 and 1).",
				Fields: tcpBefore2Fields},
			{Name: "RetransmitIPV4", Type: 0x0e, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "TCP data over IPv4 was sent again. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv4Fields},
			{Name: "Accept", Type: 0x0f, Before: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "An incoming TCP connection over IPv4 was accepted. Layout of before Windows Vista (versions 0 and 1).",
				Fields: tcpConnectBefore2Fields},
			{Name: "AcceptIPV4", Type: 0x0f, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "An incoming TCP connection over IPv4 was accepted. PID is the owning process, which the header's may not be.",
				Fields: tcpConnectIPv4Fields},
			{Name: "Reconnect", Type: 0x10, Since: 1, Before: 2, Certainty: Uncertain, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connect attempt over IPv4 failed and was tried again. Layout of before Windows Vista (versions 0 and 1).",
				Fields: tcpVersion1Fields},
			{Name: "ReconnectIPV4", Type: 0x10, Since: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connect attempt over IPv4 failed and was tried again. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv4Fields},
			{Name: "Fail", Type: 0x11, Since: 1, Certainty: Documented,
				Doc: "A TCP connection attempt failed; carries protocol and failure code only.",
				Fields: []Field{
					{Name: "proto", Kind: U16, Values: "address_family", Since: 2, Doc: "Protocol that failed: 2 IPv4, 23 IPv6."},
					{Name: "failure_code", Kind: U16, Values: "tcp_fail_code", Since: 2, Doc: "Why it failed: 1 no resources, 2 too many addresses, 3 address exists, 4 invalid address, 5 other, 6 address in time-wait."},
					{Name: "proto_u32", Original: "Proto", Kind: U32, Values: "address_family", Before: 2, Doc: "Protocol that failed: 2 IPv4, 23 IPv6."},
				}},
			{Name: "TCPCopy", Type: 0x12, Since: 1, Before: 2, Certainty: Uncertain, Owner: Owner{Process: "pid"},
				Doc:    "Received TCP data over IPv4 was copied to the receiver's buffer. Layout of before Windows Vista (versions 0 and 1).",
				Fields: tcpVersion1Fields},
			{Name: "TCPCopyIPV4", Type: 0x12, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "Received TCP data over IPv4 was copied to the receiver's buffer. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv4Fields},
			{Name: "ARPCopy", Type: 0x13, Since: 1, Certainty: Uncertain, Owner: Owner{Process: "pid"},
				Doc:    "An ARP copy, version 1 layout only. Not documented beyond its name.",
				Fields: tcpVersion1Fields},
			{Name: "FullACK", Type: 0x14, Since: 1, Certainty: Uncertain, Owner: Owner{Process: "pid"},
				Doc:    "A TCP acknowledgement of all data outstanding, version 1 layout only. Not documented beyond its name.",
				Fields: tcpVersion1Fields},
			{Name: "PartACK", Type: 0x15, Since: 1, Certainty: Uncertain, Owner: Owner{Process: "pid"},
				Doc:    "A TCP acknowledgement of part of the data outstanding, version 1 layout only. Not documented beyond its name.",
				Fields: tcpVersion1Fields},
			{Name: "DupACK", Type: 0x16, Since: 1, Certainty: Uncertain, Owner: Owner{Process: "pid"},
				Doc:    "A duplicate TCP acknowledgement, version 1 layout only. Not documented beyond its name.",
				Fields: tcpVersion1Fields},
			{Name: "SendIPV6", Type: 0x1a, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "TCP data sent over IPv6, one row per send. PID is the owning process, which the header's may not be.",
				Fields: slices.Concat(ipv6Endpoints, tcpSendTimes, tcpSequence)},
			{Name: "RecvIPV6", Type: 0x1b, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "TCP data received over IPv6, one row per receive. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv6Fields},
			{Name: "ConnectIPV6", Type: 0x1c, Since: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connection was made to a remote IPv6 host. PID is the owning process, which the header's may not be.",
				Fields: tcpConnectIPv6Fields},
			{Name: "DisconnectIPV6", Type: 0x1d, Since: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connection over IPv6 was closed. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv6Fields},
			{Name: "RetransmitIPV6", Type: 0x1e, Since: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "TCP data over IPv6 was sent again. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv6Fields},
			{Name: "AcceptIPV6", Type: 0x1f, Since: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "An incoming TCP connection over IPv6 was accepted. PID is the owning process, which the header's may not be.",
				Fields: tcpConnectIPv6Fields},
			{Name: "ReconnectIPV6", Type: 0x20, Since: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "A TCP connect attempt over IPv6 failed and was tried again. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv6Fields},
			{Name: "TCPCopyIPV6", Type: 0x22, Since: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "Received TCP data over IPv6 was copied to the receiver's buffer. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv6Fields},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	// Version 0 has the endpoints before the process, version 1 after it.
	tcpBefore2Endpoints = []Field{
		{Name: "daddr", Original: "daddr", Kind: IPv4, Before: 1, Doc: "Destination address."},
		{Name: "saddr", Original: "saddr", Kind: IPv4, Before: 1, Doc: "Source address."},
		{Name: "dport", Original: "dport", Kind: Port, Before: 1, Doc: "Destination port."},
		{Name: "sport", Original: "sport", Kind: Port, Before: 1, Doc: "Source port."},
		{Name: "size", Original: "size", Kind: U32, Unit: InBytes, Before: 1, Doc: "Size of the data."},
		{Name: "pid", Original: "PID", Kind: U32, Doc: "Process that owns the connection or endpoint."},
		{Name: "size", Original: "size", Kind: U32, Unit: InBytes, Since: 1, Doc: "Size of the data."},
		{Name: "daddr", Original: "daddr", Kind: IPv4, Since: 1, Doc: "Destination address."},
		{Name: "saddr", Original: "saddr", Kind: IPv4, Since: 1, Doc: "Source address."},
		{Name: "dport", Original: "dport", Kind: Port, Since: 1, Doc: "Destination port."},
		{Name: "sport", Original: "sport", Kind: Port, Since: 1, Doc: "Source port."},
	}
	ipv4Endpoints = []Field{
		{Name: "pid", Original: "PID", Kind: U32, Doc: "Process that owns the connection or endpoint."},
		{Name: "size", Original: "size", Kind: U32, Unit: InBytes, Doc: "Size of the data."},
		{Name: "daddr", Original: "daddr", Kind: IPv4, Doc: "Destination address."},
		{Name: "saddr", Original: "saddr", Kind: IPv4, Doc: "Source address."},
		{Name: "dport", Original: "dport", Kind: Port, Doc: "Destination port."},
		{Name: "sport", Original: "sport", Kind: Port, Doc: "Source port."},
	}
	ipv6Endpoints = []Field{
		{Name: "pid", Original: "PID", Kind: U32, Doc: "Process that owns the connection or endpoint."},
		{Name: "size", Original: "size", Kind: U32, Unit: InBytes, Doc: "Size of the data."},
		{Name: "daddr", Original: "daddr", Kind: IPv6, Doc: "Destination address."},
		{Name: "saddr", Original: "saddr", Kind: IPv6, Doc: "Source address."},
		{Name: "dport", Original: "dport", Kind: Port, Doc: "Destination port."},
		{Name: "sport", Original: "sport", Kind: Port, Doc: "Source port."},
	}
	tcpOptions = []Field{
		{Name: "mss", Original: "mss", Kind: U16, Unit: InBytes, Doc: "Maximum segment size of the connection."},
		{Name: "sackopt", Original: "sackopt", Kind: U16, Doc: "Selective acknowledgment option of the TCP header; 0 off."},
		{Name: "tsopt", Original: "tsopt", Kind: U16, Doc: "Time stamp option of the TCP header; 0 off."},
		{Name: "wsopt", Original: "wsopt", Kind: U16, Doc: "Window scale option of the TCP header; 0 off."},
		{Name: "rcvwin", Original: "rcvwin", Kind: U32, Unit: InBytes, Doc: "Receive window."},
		{Name: "rcvwinscale", Original: "rcvwinscale", Kind: I16, Doc: "Scale factor of the receive window: a power of two."},
		{Name: "sndwinscale", Original: "sndwinscale", Kind: I16, Doc: "Scale factor of the send window: a power of two."},
	}
	tcpSendTimes = []Field{
		{Name: "startime", Original: "startime", Kind: U32, Doc: "Start of the send request; unit not documented."},
		{Name: "endtime", Original: "endtime", Kind: U32, Doc: "End of the send request; unit not documented."},
	}
	tcpSequence = []Field{
		{Name: "seqnum", Original: "seqnum", Kind: U32, Doc: "Sequence number."},
		{Name: "connid", Original: "connid", Kind: Pointer, Doc: "Connection id; joins the events of one connection."},
	}
)

var tcpBefore2Fields = slices.Concat(tcpBefore2Endpoints, []Field{
	{Name: "connid", Original: "connid", Kind: Pointer, Since: 1, Doc: "Connection id; joins the events of one connection."},
	{Name: "seqnum", Original: "seqnum", Kind: U32, Since: 1, Doc: "Sequence number."},
})

var tcpConnectBefore2Fields = slices.Concat(tcpBefore2Endpoints, []Field{
	{Name: "mss", Original: "mss", Kind: U16, Unit: InBytes, Since: 1, Doc: "Maximum segment size of the connection."},
	{Name: "sackopt", Original: "sackopt", Kind: U16, Since: 1, Doc: "Selective acknowledgment option of the TCP header; 0 off."},
	{Name: "tsopt", Original: "tsopt", Kind: U16, Since: 1, Doc: "Time stamp option of the TCP header; 0 off."},
	{Name: "wsopt", Original: "wsopt", Kind: U16, Since: 1, Doc: "Window scale option of the TCP header; 0 off."},
	{Name: "rcvwin", Original: "rcvwin", Kind: U32, Unit: InBytes, Since: 1, Doc: "Receive window."},
	{Name: "rcvwinscale", Original: "rcvwinscale", Kind: I16, Since: 1, Doc: "Scale factor of the receive window: a power of two."},
	{Name: "sndwinscale", Original: "sndwinscale", Kind: I16, Since: 1, Doc: "Scale factor of the send window: a power of two."},
	{Name: "connid", Original: "connid", Kind: Pointer, Since: 1, Doc: "Connection id; joins the events of one connection."},
	{Name: "seqnum", Original: "seqnum", Kind: U32, Since: 1, Doc: "Sequence number."},
})

// Events that begin with version 1.
var tcpVersion1Fields = slices.Concat(ipv4Endpoints, []Field{
	{Name: "connid", Original: "connid", Kind: Pointer, Doc: "Connection id; joins the events of one connection."},
	{Name: "seqnum", Original: "seqnum", Kind: U32, Doc: "Sequence number."},
})

// Also used for UDP datagrams.
var tcpIPv4Fields = slices.Concat(ipv4Endpoints, tcpSequence)

// Also used for UDP datagrams.
var tcpIPv6Fields = slices.Concat(ipv6Endpoints, tcpSequence)

var tcpConnectIPv4Fields = slices.Concat(ipv4Endpoints, tcpOptions, tcpSequence)

var tcpConnectIPv6Fields = slices.Concat(ipv6Endpoints, tcpOptions, tcpSequence)
