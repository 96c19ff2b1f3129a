package schema

var kernelALPC = []Event{
	{Class: "ALPC", Name: "ALPC-Send-Message", Table: "ALPC_Send_Message", Certainty: Documented, GUID: classGUID("ALPC"), Hook: 0x1A21, HasHook: true, Type: 0x21, Since: 2, EnabledBy: "EVENT_TRACE_FLAG_ALPC",
		Doc: "The header's thread sent an ALPC message; joins to its receipt by MessageID.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10); microsoft/perfview kerneltraceeventparser.mof (Vista MOF)",
		Fields: []Field{
			{Name: "message_id", Original: "MessageID", Kind: U32, Doc: "Id of the message; joins send and receive."},
		}},
	{Class: "ALPC", Name: "ALPC-Receive-Message", Table: "ALPC_Receive_Message", Certainty: Documented, GUID: classGUID("ALPC"), Hook: 0x1A22, HasHook: true, Type: 0x22, Since: 2, EnabledBy: "EVENT_TRACE_FLAG_ALPC",
		Doc: "The header's thread received an ALPC message; joins to its sending by MessageID.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10); microsoft/perfview kerneltraceeventparser.mof (Vista MOF)",
		Fields: []Field{
			{Name: "message_id", Original: "MessageID", Kind: U32, Doc: "Id of the message; joins send and receive."},
		}},
	{Class: "ALPC", Name: "ALPC-Wait-For-Reply", Table: "ALPC_Wait_For_Reply", Certainty: Documented, GUID: classGUID("ALPC"), Hook: 0x1A23, HasHook: true, Type: 0x23, Since: 2, EnabledBy: "EVENT_TRACE_FLAG_ALPC",
		Doc: "The header's thread waits for the reply to message MessageID.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10); microsoft/perfview kerneltraceeventparser.mof (Vista MOF)",
		Fields: []Field{
			{Name: "message_id", Original: "MessageID", Kind: U32, Doc: "Id of the message; joins send and receive."},
		}},
	{Class: "ALPC", Name: "ALPC-Wait-For-New-Message", Table: "ALPC_Wait_For_New_Message", Certainty: Documented, GUID: classGUID("ALPC"), Hook: 0x1A24, HasHook: true, Type: 0x24, Since: 2, EnabledBy: "EVENT_TRACE_FLAG_ALPC",
		Doc: "The header's thread waits for a new message on an ALPC port.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10); microsoft/perfview kerneltraceeventparser.mof (Vista MOF)",
		Fields: []Field{
			{Name: "is_server_port", Kind: U32, Doc: "1 if the port is a server's."},
			{Name: "port_name", Kind: Text16, Doc: "Name of the port."},
		}},
	{Class: "ALPC", Name: "ALPC-Unwait", Table: "ALPC_Unwait", Certainty: Documented, GUID: classGUID("ALPC"), Hook: 0x1A25, HasHook: true, Type: 0x25, Since: 2, EnabledBy: "EVENT_TRACE_FLAG_ALPC",
		Doc: "The header's thread stopped waiting on ALPC, with the status.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10); microsoft/perfview kerneltraceeventparser.mof (Vista MOF)",
		Fields: []Field{
			{Name: "status", Kind: U32, Values: "ntstatus", Doc: "Status with which the wait ended."},
		}},
}
