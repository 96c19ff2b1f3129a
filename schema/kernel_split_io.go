package schema

var kernelSplitIo = []Event{
	{Class: "SplitIo", Name: "VolMgr", Table: "VolMgr", Certainty: Documented, GUID: classGUID("SplitIo"), Hook: 0x1B20, HasHook: true, Type: 0x20, Since: 2, EnabledBy: "EVENT_TRACE_FLAG_SPLIT_IO",
		Doc: "The volume manager split an I/O: ties the parent IRP to one child IRP.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10); microsoft/perfview kerneltraceeventparser.mof (Vista MOF)",
		Fields: []Field{
			{Name: "parent_irp", Kind: Pointer, Doc: "Address of the request that was split."},
			{Name: "child_irp", Kind: Pointer, Doc: "Address of the part sent to one disk."},
		}},
}
