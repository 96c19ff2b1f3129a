package schema

var kernelStackWalk = []Event{
	{Class: "StackWalk", Name: "Stack", Table: "Stack", Certainty: Verified, GUID: classGUID("StackWalk"), Hook: 0x1820, HasHook: true, Type: 0x20, Since: 2, Owner: Owner{Process: "stack_process", Thread: "stack_thread"},
		Doc: "Call stack of the event whose raw time stamp is EventTimeStamp, callee first; user and kernel parts may be two rows. StackProcess and StackThread are that event's.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10); microsoft/perfview kerneltraceeventparser.mof (Vista MOF)",
		Fields: []Field{
			{Name: "event_time_stamp", Kind: Ticks, Unit: InTicks, Doc: "Time stamp of the event the stack belongs to; equal to that event's."},
			{Name: "stack_process", Kind: U32, Doc: "Process of the stack."},
			{Name: "stack_thread", Kind: U32, Doc: "Thread of the stack."},
			{Name: "stack", Kind: Pointer, Count: Rest, Doc: "Return addresses, innermost first; at most 192."},
		}},
	{Class: "StackWalk", Name: "KeyCreate", Table: "KeyCreate", Certainty: Documented, GUID: classGUID("StackWalk"), Hook: 0x1822, HasHook: true, Type: 0x22, Since: 2,
		Doc: "A cached call stack was given a key; the key events refer to it.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10)",
		Fields: []Field{
			{Name: "stack_key", Kind: Pointer, Doc: "Key the frames stand for; may be reused after the delete."},
			{Name: "stack_frame", Kind: Pointer, Count: Rest, Doc: "Return addresses of the stack, innermost first."},
		}},
	{Class: "StackWalk", Name: "KeyDelete", Table: "KeyDelete", Certainty: Verified, GUID: classGUID("StackWalk"), Hook: 0x1823, HasHook: true, Type: 0x23, Since: 2,
		Doc: "A cached call stack and its key end; carries the frames of the stack.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10)",
		Fields: []Field{
			{Name: "stack_key", Kind: Pointer, Doc: "Key the frames stand for; may be reused after the delete."},
			{Name: "stack_frame", Kind: Pointer, Count: Rest, Doc: "Return addresses of the stack, innermost first."},
		}},
	{Class: "StackWalk", Name: "KeyRundown", Table: "KeyRundown", Certainty: Verified, GUID: classGUID("StackWalk"), Hook: 0x1824, HasHook: true, Type: 0x24, Since: 2,
		Doc: "One cached call stack still kept at the end of the trace; carries the frames of the stack.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10)",
		Fields: []Field{
			{Name: "stack_key", Kind: Pointer, Doc: "Key the frames stand for; may be reused after the delete."},
			{Name: "stack_frame", Kind: Pointer, Count: Rest, Doc: "Return addresses of the stack, innermost first."},
		}},
	{Class: "StackWalk", Name: "StackKeyKernel", Table: "StackKeyKernel", Certainty: Verified, GUID: classGUID("StackWalk"), Hook: 0x1825, HasHook: true, Type: 0x25, Since: 2, Owner: Owner{Process: "stack_process", Thread: "stack_thread"},
		Doc: "Kernel-mode call stack of the event at EventTimeStamp, given as a StackKey into the cached stacks.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10)",
		Fields: []Field{
			{Name: "event_time_stamp", Kind: Ticks, Unit: InTicks, Doc: "Time stamp of the event the stack belongs to; equal to that event's."},
			{Name: "stack_process", Kind: U32, Doc: "Process of the stack."},
			{Name: "stack_thread", Kind: U32, Doc: "Thread of the stack."},
			{Name: "stack_key", Kind: Pointer, Doc: "Key of the stack; its frames are in the key create, delete or rundown event that follows."},
		}},
	{Class: "StackWalk", Name: "StackKeyUser", Table: "StackKeyUser", Certainty: Verified, GUID: classGUID("StackWalk"), Hook: 0x1826, HasHook: true, Type: 0x26, Since: 2, Owner: Owner{Process: "stack_process", Thread: "stack_thread"},
		Doc: "User-mode call stack of the event at EventTimeStamp, given as a StackKey into the cached stacks.",
		Ref: "fox-it/dissect.etl (MOF dump of Windows 10)",
		Fields: []Field{
			{Name: "event_time_stamp", Kind: Ticks, Unit: InTicks, Doc: "Time stamp of the event the stack belongs to; equal to that event's."},
			{Name: "stack_process", Kind: U32, Doc: "Process of the stack."},
			{Name: "stack_thread", Kind: U32, Doc: "Thread of the stack."},
			{Name: "stack_key", Kind: Pointer, Doc: "Key of the stack; its frames are in the key create, delete or rundown event that follows."},
		}},
}
