package schema

var kernelWinSat = []Event{
	{Class: "WinSat", Name: "WinSPR", Table: "WinSPR", Certainty: Verified, GUID: classGUID("WinSat"), Type: 33,
		Doc: "WinSAT scores of the machine as compressed XML. Added when traces are merged.",
		Ref: "microsoft/perfview SymbolTraceEventParser/WinSat handling",
		Fields: []Field{
			{Name: "state", Kind: U32, Doc: "State of the Windows assessment; values not documented."},
			{Name: "uncompressed_length", Kind: U32, Unit: InBytes, Doc: "Length of the text after decompression, as UTF-16 and with its NUL."},
			{Name: "xml", Kind: LZNT1Text16, Length: Rest, Doc: "Results of the assessment, an XML document; compressed in the trace."},
		}},
	{Class: "WinSat", Name: "Metrics", Table: "Metrics", Certainty: Verified, GUID: classGUID("WinSat"), Type: 35,
		Doc: "WinSAT measurements of the machine as compressed XML. Added when traces are merged.",
		Ref: "microsoft/perfview SymbolTraceEventParser/WinSat handling",
		Fields: []Field{
			{Name: "state", Kind: U32, Doc: "State of the Windows assessment; values not documented."},
			{Name: "uncompressed_length", Kind: U32, Unit: InBytes, Doc: "Length of the text after decompression, as UTF-16 and with its NUL."},
			{Name: "xml", Kind: LZNT1Text16, Length: Rest, Doc: "Results of the assessment, an XML document; compressed in the trace."},
		}},
	{Class: "WinSat", Name: "SystemConfig", Table: "SystemConfig", Certainty: Verified, GUID: classGUID("WinSat"), Type: 37,
		Doc: "WinSAT description of the machine as compressed XML. Added when traces are merged.",
		Ref: "microsoft/perfview SymbolTraceEventParser/WinSat handling",
		Fields: []Field{
			{Name: "state", Kind: U32, Doc: "State of the Windows assessment; values not documented."},
			{Name: "uncompressed_length", Kind: U32, Unit: InBytes, Doc: "Length of the text after decompression, as UTF-16 and with its NUL."},
			{Name: "xml", Kind: LZNT1Text16, Length: Rest, Doc: "Results of the assessment, an XML document; compressed in the trace."},
		}},
}
