package schema

func kernelALPC() eventClass {
	return eventClass{
		ref:       refVistaMOF,
		certainty: Documented,
		enabledBy: "EVENT_TRACE_FLAG_ALPC",
		events: []Event{
			{Name: "ALPC-Send-Message", Type: 0x21, Since: 2,
				Doc:    "The header's thread sent an ALPC message; joins to its receipt by MessageID.",
				Fields: []Field{alpcMessageID}},
			{Name: "ALPC-Receive-Message", Type: 0x22, Since: 2,
				Doc:    "The header's thread received an ALPC message; joins to its sending by MessageID.",
				Fields: []Field{alpcMessageID}},
			{Name: "ALPC-Wait-For-Reply", Type: 0x23, Since: 2,
				Doc:    "The header's thread waits for the reply to message MessageID.",
				Fields: []Field{alpcMessageID}},
			{Name: "ALPC-Wait-For-New-Message", Type: 0x24, Since: 2,
				Doc: "The header's thread waits for a new message on an ALPC port.",
				Fields: []Field{
					{Name: "is_server_port", Kind: U32, Doc: "1 if the port is a server's."},
					{Name: "port_name", Kind: Text16, Doc: "Name of the port."},
				}},
			{Name: "ALPC-Unwait", Type: 0x25, Since: 2,
				Doc: "The header's thread stopped waiting on ALPC, with the status.",
				Fields: []Field{
					{Name: "status", Kind: U32, Values: "ntstatus", Doc: "Status with which the wait ended."},
				}},
		},
	}
}

var alpcMessageID = Field{Name: "message_id", Original: "MessageID", Kind: U32, Doc: "Id of the message; joins send and receive."}
