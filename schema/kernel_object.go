package schema

func kernelObject() eventClass {
	return eventClass{
		ref:       refWindows10MOF,
		certainty: Documented,
		events: []Event{
			{Name: "CreateHandle", Type: 0x20, Since: 2, EnabledBy: "PERF_OB_HANDLE",
				Doc:    "A handle to a kernel object was created in the header's process; the high bit of Handle marks a kernel handle.",
				Fields: handleFields},
			{Name: "CloseHandle", Type: 0x21, Since: 2, EnabledBy: "PERF_OB_HANDLE",
				Doc:    "A handle was closed in the header's process.",
				Fields: handleFields},
			{Name: "DuplicateHandle", Type: 0x22, Since: 2, EnabledBy: "PERF_OB_HANDLE",
				Doc: "A handle was duplicated into TargetProcessId; later versions append the source process id.",
				Fields: []Field{
					{Name: "object", Kind: Pointer, Doc: "Address of the object; joins the events of one object."},
					{Name: "source_handle", Kind: U32, Doc: "Handle that is duplicated."},
					{Name: "target_handle", Kind: U32, Doc: "New handle in the target process."},
					{Name: "target_process_id", Kind: U32, Doc: "Process that gets the new handle."},
					{Name: "object_type", Kind: U16, Doc: "Number of the object's type; the TypeDCStart and TypeDCEnd events name it."},
				}},
			{Name: "TypeDCStart", Type: 0x24, Since: 2, EnabledBy: "PERF_OB_HANDLE",
				Doc:    "One object type number and its name, listed when the trace starts.",
				Fields: objectTypeFields},
			{Name: "TypeDCEnd", Type: 0x25, Since: 2, EnabledBy: "PERF_OB_HANDLE",
				Doc:    "One object type number and its name, listed when the trace ends.",
				Fields: objectTypeFields},
			{Name: "HandleDCStart", Type: 0x26, Since: 2, EnabledBy: "PERF_OB_HANDLE", Owner: Owner{Process: "process_id"},
				Doc:    "One handle of ProcessId open when the trace starts.",
				Fields: handleRundownFields},
			{Name: "HandleDCEnd", Type: 0x27, Since: 2, EnabledBy: "PERF_OB_HANDLE", Owner: Owner{Process: "process_id"},
				Doc:    "One handle of ProcessId open when the trace ends.",
				Fields: handleRundownFields},
			{Name: "CreateObject", Type: 0x30, Since: 2, EnabledBy: "PERF_OB_OBJECT",
				Doc:    "A kernel object was created.",
				Fields: objectFields},
			{Name: "DeleteObject", Type: 0x31, Since: 2, EnabledBy: "PERF_OB_OBJECT",
				Doc:    "A kernel object was deleted.",
				Fields: objectFields},
			{Name: "ReferenceObject", Type: 0x32, Since: 2, EnabledBy: "PERF_OB_OBJECT",
				Doc:    "References were added to a kernel object under Tag.",
				Fields: objectReferenceFields},
			{Name: "DereferenceObject", Type: 0x33, Since: 2, EnabledBy: "PERF_OB_OBJECT",
				Doc:    "References to a kernel object were dropped under Tag.",
				Fields: objectReferenceFields},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	objectFields = []Field{
		{Name: "object", Kind: Pointer, Doc: "Address of the object; joins the events of one object."},
		{Name: "object_type", Kind: U16, Doc: "Number of the object's type; the TypeDCStart and TypeDCEnd events name it."},
	}
	objectTypeFields = []Field{
		{Name: "object_type", Kind: U16, Doc: "Number that stands for this type in the other Object events."},
		{Name: "reserved", Kind: U16, Doc: "Reserved."},
		{Name: "type_name", Kind: Text16, Doc: "Name of the object type."},
	}
	objectReferenceFields = []Field{
		{Name: "object", Kind: Pointer, Doc: "Address of the object; joins the events of one object."},
		{Name: "tag", Kind: U32, Doc: "Tag of the reference, four characters."},
		{Name: "count", Kind: U32, Doc: "Number of references taken or dropped at once; by its name, not documented."},
	}
	handleFields = []Field{
		{Name: "object", Kind: Pointer, Doc: "Address of the object; joins the events of one object."},
		{Name: "handle", Kind: U32, Doc: "Handle value; the high bit marks a kernel handle."},
		{Name: "object_type", Kind: U16, Doc: "Number of the object's type; the TypeDCStart and TypeDCEnd events name it."},
		{Name: "object_name", Kind: Text16, Doc: "Name of the object; empty if it has none."},
	}
	handleRundownFields = []Field{
		{Name: "object", Kind: Pointer, Doc: "Address of the object; joins the events of one object."},
		{Name: "process_id", Kind: U32, Doc: "Process that holds the handle."},
		{Name: "handle", Kind: U32, Doc: "Handle value; the high bit marks a kernel handle."},
		{Name: "object_type", Kind: U16, Doc: "Number of the object's type; the TypeDCStart and TypeDCEnd events name it."},
		{Name: "object_name", Kind: Text16, Doc: "Name of the object; empty if it has none."},
	}
)
