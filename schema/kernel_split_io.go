package schema

func kernelSplitIo() eventClass {
	return eventClass{
		events: []Event{
			{Name: "VolMgr", Type: 0x20, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_SPLIT_IO", Ref: refVistaMOF,
				Doc: "The volume manager split an I/O: ties the parent IRP to one child IRP.",
				Fields: []Field{
					{Name: "parent_irp", Kind: Pointer, Doc: "Address of the request that was split."},
					{Name: "child_irp", Kind: Pointer, Doc: "Address of the part sent to one disk."},
				}},
		},
	}
}
