package schema

func kernelLastBranchRecording() eventClass {
	return eventClass{
		events: []Event{
			{Name: "Sample", Type: 0x20, Certainty: Uncertain, Natural: true, Owner: Owner{Process: "process_id", Thread: "thread_id"},
				Doc: "Last branch records (from and to addresses) captured for thread ThreadId of ProcessId with a traced event; TimeStamp ties it to that event.",
				Ref: "microsoft/perfview KernelTraceEventParser.cs LastBranchRecordTraceData",
				Fields: []Field{
					{Name: "time_stamp", Kind: Ticks, Unit: InTicks, Doc: "Time stamp of the event the branches belong to."},
					{Name: "process_id", Kind: U32, Doc: "Process that was running."},
					{Name: "thread_id", Kind: U32, Doc: "Thread that was running."},
					{Name: "filters", Kind: U32, Doc: "Kinds of branches that are recorded."},
					{Name: "entries", Count: Rest, Struct: []Field{{Name: "from_address", Original: "From", Kind: Pointer, Doc: "Address the branch was taken at."}, {Name: "to_address", Original: "To", Kind: Pointer, Doc: "Address the branch went to."}, {Name: "reserved", Kind: Pointer, Doc: "Reserved."}}, Doc: "Last branches taken: address From, address To and a reserved word of each."},
				}},
		},
	}
}
