package schema

func kernelLostEvent() eventClass {
	return eventClass{
		ref:       "MicrosoftDocs/win32 desktop-src/ETW/rt-lostevent.md",
		certainty: Documented,
		events: []Event{
			{Name: "RTLostEvent", Type: 32,
				Doc: "Events were lost in a real-time session; no payload is documented."},
			{Name: "RTLostBuffer", Type: 33,
				Doc: "A buffer was lost in a real-time session; no payload is documented."},
			{Name: "RTLostFile", Type: 34,
				Doc: "A real-time session's backing file was lost; no payload is documented."},
		},
	}
}
