package schema

func kernelWinSat() eventClass {
	return eventClass{
		ref:       "microsoft/perfview SymbolTraceEventParser/WinSat handling",
		certainty: Verified,
		events: []Event{
			{Name: "WinSPR", Type: 33,
				Doc:    "WinSAT scores of the machine as compressed XML. Added when traces are merged.",
				Fields: winSatFields},
			{Name: "Metrics", Type: 35,
				Doc:    "WinSAT measurements of the machine as compressed XML. Added when traces are merged.",
				Fields: winSatFields},
			{Name: "SystemConfig", Type: 37,
				Doc:    "WinSAT description of the machine as compressed XML. Added when traces are merged.",
				Fields: winSatFields},
		},
	}
}

var winSatFields = []Field{
	{Name: "state", Kind: U32, Doc: "State of the Windows assessment; values not documented."},
	{Name: "uncompressed_length", Kind: U32, Unit: InBytes, Doc: "Length of the text after decompression, as UTF-16 and with its NUL."},
	{Name: "xml", Kind: LZNT1Text16, Length: Rest, Doc: "Results of the assessment, an XML document; compressed in the trace."},
}
