package schema

var kernelDbgPrint = []Event{
	{Class: "DbgPrint", Name: "DebugPrint", Table: "DebugPrint", Certainty: Documented, GUID: classGUID("DbgPrint"), Hook: 0x0A20, HasHook: true, Type: 0x20, Since: 2, EnabledBy: "EVENT_TRACE_FLAG_DBGPRINT",
		Doc: "One kernel debug message (DbgPrint or DbgPrintEx), with component and level.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10)",
		Fields: []Field{
			{Name: "component", Kind: U32, Doc: "Component that prints: a DPFLTR id."},
			{Name: "level", Kind: U32, Doc: "Importance of the message: 0 error, 1 warning, 2 trace, 3 info; larger values are bit masks."},
			{Name: "message", Kind: Text8, Doc: "Text printed."},
		}},
}
