package schema

func kernelEventMetadata() eventClass {
	return eventClass{
		ref:       "bytes",
		certainty: Verified,
		events: []Event{
			{Name: "EventInfo", Type: 32,
				Doc: "Layout of one manifest event (a TRACE_EVENT_INFO), stored at merge so that the file decodes without its manifest.",
				Fields: []Field{
					{Name: "trace_event_info", Original: "TRACE_EVENT_INFO", Kind: Bytes, Length: Rest, Doc: "Description of an event (TRACE_EVENT_INFO) as bytes; the program uses it to decode events."},
				}},
			{Name: "MapInfo", Type: 33,
				Doc: "One value map of a provider (an EVENT_MAP_INFO), stored at merge so that the file decodes without its manifest.",
				Fields: []Field{
					{Name: "provider_id", Kind: GUIDs, Doc: "Provider the map belongs to."},
					{Name: "event_map_info", Original: "EVENT_MAP_INFO", Kind: Bytes, Length: Rest, Doc: "Names of values (EVENT_MAP_INFO) as bytes; the program uses them."},
				}},
		},
	}
}
