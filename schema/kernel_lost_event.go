package schema

var kernelLostEvent = []Event{
	{Class: "LostEvent", Name: "RTLostEvent", Table: "RTLostEvent", Certainty: Documented, GUID: classGUID("LostEvent"), Type: 32,
		Doc: "Events were lost in a real-time session; no payload is documented.",
		Ref: "MicrosoftDocs/win32 desktop-src/ETW/rt-lostevent.md"},
	{Class: "LostEvent", Name: "RTLostBuffer", Table: "RTLostBuffer", Certainty: Documented, GUID: classGUID("LostEvent"), Type: 33,
		Doc: "A buffer was lost in a real-time session; no payload is documented.",
		Ref: "MicrosoftDocs/win32 desktop-src/ETW/rt-lostevent.md"},
	{Class: "LostEvent", Name: "RTLostFile", Table: "RTLostFile", Certainty: Documented, GUID: classGUID("LostEvent"), Type: 34,
		Doc: "A real-time session's backing file was lost; no payload is documented.",
		Ref: "MicrosoftDocs/win32 desktop-src/ETW/rt-lostevent.md"},
}
