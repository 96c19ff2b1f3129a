package schema

func kernelCritSec() eventClass {
	return eventClass{
		certainty: Documented,
		natural:   true,
		events: []Event{
			{Name: "Collision", Type: 0x22,
				Doc: "A user-mode critical section was contended: OwningThread holds it, the header's thread wants it.",
				Ref: refStruct + "ETW_CRITSEC_EVENT_COLLISION; microsoft/perfview kerneltraceeventparser.mof",
				Fields: []Field{
					{Name: "lock_count", Kind: U32, Doc: "Lock count of the critical section at the collision; -1 stands for free in old Windows."},
					{Name: "spin_count", Kind: U32, Doc: "Spin count of the critical section: tries before a thread waits."},
					{Name: "owning_thread", Kind: Pointer, Doc: "Thread that holds the critical section."},
					{Name: "address", Kind: Pointer, Doc: "Address of the critical section."},
				}},
			{Name: "Initialize", Type: 0x23,
				Doc: "A user-mode critical section was initialized with a spin count.",
				Ref: refStruct + "ETW_CRITSEC_EVENT_INIT; microsoft/perfview kerneltraceeventparser.mof",
				Fields: []Field{
					{Name: "spin_count", Kind: Pointer, Doc: "Spin count of the critical section: tries before a thread waits."},
					{Name: "address", Kind: Pointer, Doc: "Address of the critical section."},
				}},
		},
	}
}
