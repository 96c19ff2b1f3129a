package schema

import (
	"slices"
)

func kernelStackWalk() eventClass {
	return eventClass{
		events: []Event{
			{Name: "Stack", Type: 0x20, Since: 2, Certainty: Verified, Owner: Owner{Process: "stack_process", Thread: "stack_thread"}, Ref: refVistaMOF,
				Doc: "Call stack of the event whose raw time stamp is EventTimeStamp, callee first; user and kernel parts may be two rows. StackProcess and StackThread are that event's.",
				Fields: slices.Concat(stackEventFields, []Field{
					{Name: "stack", Kind: Pointer, Count: Rest, Doc: "Return addresses, innermost first; at most 192."},
				})},
			{Name: "KeyCreate", Type: 0x22, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc:    "A cached call stack was given a key; the key events refer to it.",
				Fields: cachedStackFields},
			{Name: "KeyDelete", Type: 0x23, Since: 2, Certainty: Verified, Ref: refWindows10MOF,
				Doc:    "A cached call stack and its key end; carries the frames of the stack.",
				Fields: cachedStackFields},
			{Name: "KeyRundown", Type: 0x24, Since: 2, Certainty: Verified, Ref: refWindows10MOF,
				Doc:    "One cached call stack still kept at the end of the trace; carries the frames of the stack.",
				Fields: cachedStackFields},
			{Name: "StackKeyKernel", Type: 0x25, Since: 2, Certainty: Verified, Owner: Owner{Process: "stack_process", Thread: "stack_thread"}, Ref: refWindows10MOF,
				Doc:    "Kernel-mode call stack of the event at EventTimeStamp, given as a StackKey into the cached stacks.",
				Fields: stackKeyFields},
			{Name: "StackKeyUser", Type: 0x26, Since: 2, Certainty: Verified, Owner: Owner{Process: "stack_process", Thread: "stack_thread"}, Ref: refWindows10MOF,
				Doc:    "User-mode call stack of the event at EventTimeStamp, given as a StackKey into the cached stacks.",
				Fields: stackKeyFields},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	stackEventFields = []Field{
		{Name: "event_time_stamp", Kind: Ticks, Unit: InTicks, Doc: "Time stamp of the event the stack belongs to; equal to that event's."},
		{Name: "stack_process", Kind: U32, Doc: "Process of the stack."},
		{Name: "stack_thread", Kind: U32, Doc: "Thread of the stack."},
	}
	cachedStackFields = []Field{
		{Name: "stack_key", Kind: Pointer, Doc: "Key the frames stand for; may be reused after the delete."},
		{Name: "stack_frame", Kind: Pointer, Count: Rest, Doc: "Return addresses of the stack, innermost first."},
	}
)

var stackKeyFields = slices.Concat(stackEventFields, []Field{
	{Name: "stack_key", Kind: Pointer, Doc: "Key of the stack; its frames are in the key create, delete or rundown event that follows."},
})
