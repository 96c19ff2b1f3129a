package schema

func kernelDbgPrint() eventClass {
	return eventClass{
		events: []Event{
			{Name: "DebugPrint", Type: 0x20, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DBGPRINT", Ref: refWindows10MOF,
				Doc: "One kernel debug message (DbgPrint or DbgPrintEx), with component and level.",
				Fields: []Field{
					{Name: "component", Kind: U32, Doc: "Component that prints: a DPFLTR id."},
					{Name: "level", Kind: U32, Doc: "Importance of the message: 0 error, 1 warning, 2 trace, 3 info; larger values are bit masks."},
					{Name: "message", Kind: Text8, Doc: "Text printed."},
				}},
		},
	}
}
