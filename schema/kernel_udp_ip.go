package schema

func kernelUDPIP() eventClass {
	return eventClass{
		ref:       refVistaMOF,
		enabledBy: "EVENT_TRACE_FLAG_NETWORK_TCPIP",
		events: []Event{
			{Name: "Send", Type: 0x0a, Before: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "UDP datagram sent over IPv4, one row per send. Layout of before Windows Vista (versions 0 and 1).",
				Fields: udpBefore2Fields},
			{Name: "SendIPV4", Type: 0x0a, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "UDP datagram sent over IPv4, one row per send. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv4Fields},
			{Name: "Recv", Type: 0x0b, Before: 2, Certainty: Documented, Owner: Owner{Process: "pid"},
				Doc:    "UDP datagram received over IPv4, one row per receive. Layout of before Windows Vista (versions 0 and 1).",
				Fields: udpBefore2Fields},
			{Name: "RecvIPV4", Type: 0x0b, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "UDP datagram received over IPv4, one row per receive. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv4Fields},
			{Name: "Fail", Type: 0x11, Since: 2, Certainty: Documented,
				Doc: "A UDP operation failed; carries protocol and failure code only.",
				Fields: []Field{
					{Name: "proto", Kind: U16, Values: "address_family", Doc: "Protocol that failed: 2 IPv4, 23 IPv6."},
					{Name: "failure_code", Kind: U16, Values: "tcp_fail_code", Doc: "Why it failed: 1 no resources, 2 too many addresses, 3 address exists, 4 invalid address, 5 other, 6 address in time-wait."},
				}},
			{Name: "SendIPV6", Type: 0x1a, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "UDP datagram sent over IPv6, one row per send. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv6Fields},
			{Name: "RecvIPV6", Type: 0x1b, Since: 2, Certainty: Verified, Owner: Owner{Process: "pid"},
				Doc:    "UDP datagram received over IPv6, one row per receive. PID is the owning process, which the header's may not be.",
				Fields: tcpIPv6Fields},
		},
	}
}

var udpBefore2Fields = []Field{
	{Name: "pid", Original: "PID", Kind: U32, Since: 1, Doc: "Process that owns the connection or endpoint."},
	{Name: "size", Original: "size", Kind: U32, Unit: InBytes, Since: 1, Doc: "Size of the data; of the source packet in version 0."},
	{Name: "context", Original: "context", Kind: Pointer, Before: 1, Doc: "Context of the endpoint; by Microsoft's page it identifies the process that made the request."},
	{Name: "saddr", Original: "saddr", Kind: IPv4, Before: 1, Doc: "Source address."},
	{Name: "sport", Original: "sport", Kind: Port, Before: 1, Doc: "Source port."},
	{Name: "size_u16", Original: "size", Kind: U16, Unit: InBytes, Before: 1, Doc: "Size of the data; of the source packet in version 0."},
	{Name: "daddr", Original: "daddr", Kind: IPv4, Doc: "Destination address."},
	{Name: "saddr", Original: "saddr", Kind: IPv4, Since: 1, Doc: "Source address."},
	{Name: "dport", Original: "dport", Kind: Port, Doc: "Destination port."},
	{Name: "sport", Original: "sport", Kind: Port, Since: 1, Doc: "Source port."},
	{Name: "dsize", Original: "dsize", Kind: U16, Unit: InBytes, Before: 1, Doc: "Size of the destination packet."},
}
