package schema

import (
	"slices"
)

func kernelFileIo() eventClass {
	return eventClass{
		events: []Event{
			{Name: "Name", Type: 0x00, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DISK_FILE_IO", Files: []string{"file_name"}, Ref: refVistaMOF,
				Doc:    "Maps a file key to a file name, so that disk and file events can be named.",
				Fields: fileNameFields},
			{Name: "FileCreate", Type: 0x20, Since: 1, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_FILE_IO", Files: []string{"file_name"}, Ref: refVistaMOF,
				Doc:    "Maps a file key to a name when the file's kernel object is first set up. Not the open call itself; that is create.",
				Fields: fileNameFields},
			{Name: "NameSame", Type: 0x21, Certainty: Uncertain, Natural: true,
				Doc: "File object NewFile has the same name as OldFile. Not documented beyond its name.",
				Ref: refStruct + "PERFINFO_FILENAME_SAME_INFORMATION",
				Fields: []Field{
					{Name: "old_file", Kind: Pointer, Doc: "Key of the file known so far."},
					{Name: "new_file", Kind: Pointer, Doc: "Key that now stands for the same name."},
				}},
			{Name: "NameNull", Type: 0x22, Certainty: Uncertain, Natural: true,
				Doc: "File object FileObject has no name. Not documented beyond its name.",
				Ref: refStruct + "PERFINFO_FILEOBJECT_INFORMATION",
				Fields: []Field{
					{Name: "file_object", Kind: Pointer, Doc: "Key of the file; FileKey of the FileIo events and FileObject of the DiskIo events refer to it."},
				}},
			{Name: "FileDelete", Type: 0x23, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_FILE_IO", Files: []string{"file_name"}, Ref: refVistaMOF,
				Doc:    "A file key and its name end when the file's kernel object goes away. Not the deletion of a file; that is delete.",
				Fields: fileNameFields},
			{Name: "FileRundown", Type: 0x24, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_FILE_IO", Files: []string{"file_name"}, Ref: refVistaMOF,
				Doc:    "File key and name of one open file, listed at rundown (the end of the trace).",
				Fields: fileNameFields},
			{Name: "MapFile", Type: 0x25, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_VAMAP", Owner: Owner{Process: "process_id", KeepThread: true}, Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "A view of a data file (not an image) was mapped into ProcessId.",
				Fields: fileMapFields},
			{Name: "UnmapFile", Type: 0x26, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_VAMAP", Owner: Owner{Process: "process_id", KeepThread: true}, Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "A view of a data file was unmapped from ProcessId.",
				Fields: fileMapFields},
			{Name: "MapFileDCStart", Type: 0x27, Since: 2, Certainty: Documented, EnabledBy: "PERF_VAMAP", Owner: Owner{Process: "process_id"}, Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "One file view mapped in ProcessId when the trace starts.",
				Fields: fileMapFields},
			{Name: "MapFileDCEnd", Type: 0x28, Since: 2, Certainty: Documented, EnabledBy: "PERF_VAMAP", Owner: Owner{Process: "process_id"}, Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "One file view mapped in ProcessId when the trace ends.",
				Fields: fileMapFields},
			{Name: "Create", Type: 0x40, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_object"}, Ref: refVistaMOF,
				Doc: "A file open or create request, logged as it begins, with path and options. TTID is the calling thread; operation_end has the result, by IrpPtr.",
				Fields: []Field{
					{Name: "irp_ptr", Kind: Pointer, Doc: "Address of the I/O request packet; joins the start and end of one operation."},
					{Name: "ttid", Original: "TTID", Kind: WideU32, Before: 3, Doc: "Thread that does the operation."},
					{Name: "file_object", Kind: Pointer, Doc: "Identity of the open file: the address of its file object. Matches from create to close."},
					{Name: "ttid", Original: "TTID", Kind: U32, Since: 3, Doc: "Thread that does the operation."},
					{Name: "create_options", Kind: U32, Parts: []Part{{"create_options", 0, 0xffffff}, {"create_disposition", 24, 0xff}}, Doc: "Create options in bits 0-23, create disposition in bits 24-31."},
					{Name: "file_attributes", Kind: U32, Values: "file_attributes", Doc: "Attributes for the file, used if it is created."},
					{Name: "share_access", Kind: U32, Values: "share_access", Doc: "What other openers may do: 1 read, 2 write, 4 delete."},
					{Name: "open_path", Kind: Text16, Doc: "Path to open, in NT form."},
				}},
			{Name: "Cleanup", Type: 0x41, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc:    "The last handle to a file object was closed.",
				Fields: fileOperationFields},
			{Name: "Close", Type: 0x42, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc:    "A file object was freed.",
				Fields: fileOperationFields},
			{Name: "Read", Type: 0x43, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc:    "A file read request as it begins, cached or not; TTID is the calling thread.",
				Fields: fileReadWriteFields},
			{Name: "Write", Type: 0x44, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc:    "A file write request as it begins, cached or not; TTID is the calling thread.",
				Fields: fileReadWriteFields},
			{Name: "SetInfo", Type: 0x45, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc: "A request to set file information of class InfoClass.",
				Fields: slices.Concat(fileRequestFields, []Field{
					{Name: "extra_info", Kind: Pointer, Doc: "Value set, for classes that have one: disposition or file size."},
					{Name: "ttid", Original: "TTID", Kind: U32, Since: 3, Doc: "Thread that does the operation."},
					{Name: "info_class", Kind: U32, Values: "file_info_class", Doc: "Information class of the request."},
				})},
			{Name: "Delete", Type: 0x46, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc: "A request to delete a file, made by setting its delete disposition.",
				Fields: slices.Concat(fileRequestFields, []Field{
					{Name: "extra_info", Kind: Pointer, Doc: "Disposition asked for: 1 delete, 0 keep."},
					{Name: "ttid", Original: "TTID", Kind: U32, Since: 3, Doc: "Thread that does the operation."},
					{Name: "info_class", Kind: U32, Values: "file_info_class", Doc: "Information class of the request."},
				})},
			{Name: "Rename", Type: 0x47, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc: "A request to rename a file; rename_path gives the new path.",
				Fields: slices.Concat(fileRequestFields, []Field{
					{Name: "extra_info", Kind: Pointer, Doc: "Extra value of the operation; not documented for renames and links."},
					{Name: "ttid", Original: "TTID", Kind: U32, Since: 3, Doc: "Thread that does the operation."},
					{Name: "info_class", Kind: U32, Values: "file_info_class", Doc: "Information class of the request."},
				})},
			{Name: "DirEnum", Type: 0x48, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc: "A directory listing request with its search pattern in FileName.",
				Fields: slices.Concat(directoryFields, []Field{
					{Name: "info_class", Kind: U32, Values: "file_info_class", Doc: "Information class of the listing."},
					{Name: "file_index", Kind: U32, Doc: "Index from which the listing continues; 0 at the start."},
					{Name: "file_name", Kind: Text16, Doc: "Pattern of the names to list; empty for all."},
				})},
			{Name: "Flush", Type: 0x49, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc:    "A request to flush a file's buffers to disk.",
				Fields: fileOperationFields},
			{Name: "QueryInfo", Type: 0x4a, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc: "A request to query file information of class InfoClass.",
				Fields: slices.Concat(fileRequestFields, []Field{
					{Name: "extra_info", Kind: Pointer, Doc: "Extra value of the query; not documented."},
					{Name: "ttid", Original: "TTID", Kind: U32, Since: 3, Doc: "Thread that does the operation."},
					{Name: "info_class", Kind: U32, Values: "file_info_class", Doc: "Information class of the request."},
				})},
			{Name: "FSControl", Type: 0x4b, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc: "A file system control request; InfoClass is the control code.",
				Fields: slices.Concat(fileRequestFields, []Field{
					{Name: "extra_info", Kind: Pointer, Doc: "Extra value of the control request; not documented."},
					{Name: "ttid", Original: "TTID", Kind: U32, Since: 3, Doc: "Thread that does the operation."},
					{Name: "info_class", Kind: U32, Doc: "Code of the control request; Microsoft's page calls it an information class, by the operation it is an FSCTL code."},
				})},
			{Name: "OperationEnd", Type: 0x4c, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO", Ref: refVistaMOF,
				Doc: "End of a file operation: NtStatus and ExtraInfo (such as bytes moved). Joins to its start by IrpPtr.",
				Fields: []Field{
					{Name: "irp_ptr", Kind: Pointer, Doc: "Address of the I/O request packet that ends; matches the start event."},
					{Name: "extra_info", Kind: Pointer, Doc: "Value the file system returned: for reads and writes, the number of bytes done."},
					{Name: "nt_status", Kind: U32, Values: "ntstatus", Doc: "Result of the operation."},
				}},
			{Name: "DirNotify", Type: 0x4d, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_FILE_IO_INIT", Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refVistaMOF,
				Doc: "A request for notification of changes in a directory.",
				Fields: slices.Concat(directoryFields, []Field{
					{Name: "info_class", Kind: U32, Doc: "Information class of the notification."},
					{Name: "file_index", Kind: U32, Doc: "Index from which the listing continues; 0 at the start."},
					{Name: "file_name", Kind: Text16, Doc: "Pattern or name of the notification; often empty."},
				})},
			{Name: "CreateNew", Type: 0x4e, Certainty: Uncertain, Natural: true, Owner: Owner{Thread: "issuing_thread_id"}, Files: []string{"file_object"},
				Doc: "A file was newly created by an open request; fields as in create. Not documented beyond its name.",
				Ref: refStruct + "PERFINFO_FILE_CREATE",
				Fields: []Field{
					{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
					{Name: "file_object", Kind: Pointer, Doc: "Identity of the open file: the address of its file object. Matches from create to close."},
					{Name: "issuing_thread_id", Kind: U32, Doc: "Thread that issued the request."},
					{Name: "options", Kind: U32, Parts: []Part{{"create_options", 0, 0xffffff}, {"create_disposition", 24, 0xff}}, Doc: "Create options in bits 0-23, create disposition in bits 24-31."},
					{Name: "attributes", Kind: U32, Values: "file_attributes", Doc: "Attributes of the new file."},
					{Name: "share_access", Kind: U32, Values: "share_access", Doc: "What other openers may do: 1 read, 2 write, 4 delete."},
					{Name: "open_path", Kind: Text16, Doc: "Path to open, in NT form."},
				}},
			{Name: "DletePath", Type: 0x4f, Since: 3, Certainty: Verified, Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refWindows10MOF,
				Doc: "Path of the file named by a delete request (the published event name is misspelt); joins by IrpPtr.",
				Fields: []Field{
					{Name: "irp_ptr", Kind: Pointer, Doc: "Address of the I/O request packet; joins the start and end of one operation."},
					{Name: "file_object", Kind: Pointer, Doc: "Identity of the open file: the address of its file object. Matches from create to close."},
					{Name: "file_key", Kind: Pointer, Doc: "Key of the file; matches FileObject of the FileIo name events."},
					{Name: "extra_info", Kind: Pointer, Doc: "Disposition asked for: 1 delete, 0 keep."},
					{Name: "ttid", Original: "TTID", Kind: U32, Doc: "Thread that does the operation."},
					{Name: "info_class", Kind: U32, Values: "file_info_class", Doc: "Information class of the request."},
					{Name: "file_name", Kind: Text16, Doc: "Path of the file deleted."},
				}},
			{Name: "RenamePath", Type: 0x50, Since: 3, Certainty: Verified, Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refWindows10MOF,
				Doc: "Target path of a rename request; joins by IrpPtr.",
				Fields: slices.Concat(fileTargetPathFields, []Field{
					{Name: "file_name", Kind: Text16, Doc: "New path of the file renamed."},
				})},
			{Name: "SetLinkPath", Type: 0x51, Since: 3, Certainty: Documented, Owner: Owner{Thread: "ttid"}, Files: []string{"file_key", "file_object"}, Ref: refWindows10MOF,
				Doc: "Path of the hard link made by a set-link request; joins by IrpPtr.",
				Fields: slices.Concat(fileTargetPathFields, []Field{
					{Name: "file_name", Kind: Text16, Doc: "Path of the new hard link."},
				})},
			{Name: "SetLink", Type: 0x52, Certainty: Uncertain, Natural: true, Owner: Owner{Thread: "issuing_thread_id"}, Files: []string{"file_key", "file_object"},
				Doc: "A request to make a hard link to a file.",
				Ref: refStruct + "PERFINFO_FILE_INFORMATION",
				Fields: []Field{
					{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
					{Name: "file_object", Kind: Pointer, Doc: "Identity of the open file: the address of its file object. Matches from create to close."},
					{Name: "file_key", Kind: Pointer, Doc: "Key of the file; matches FileObject of the FileIo name events."},
					{Name: "extra_information", Kind: Pointer, Doc: "Extra value of the operation; not documented for links."},
					{Name: "issuing_thread_id", Kind: U32, Doc: "Thread that issued the request."},
					{Name: "info_class", Kind: U32, Values: "file_info_class", Doc: "Information class of the request."},
				}},
			{Name: "PreOpInit", Type: 0x60, Since: 3, Certainty: Documented, EnabledBy: "PERF_FLT_IO_INIT", Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "A minifilter's pre-operation callback (RoutineAddr) was called.",
				Fields: filterCallbackFields},
			{Name: "PostOpInit", Type: 0x61, Since: 3, Certainty: Documented, EnabledBy: "PERF_FLT_IO_INIT", Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "A minifilter's post-operation callback (RoutineAddr) was called.",
				Fields: filterCallbackFields},
			{Name: "PreOpCompletion", Type: 0x62, Since: 3, Certainty: Documented, EnabledBy: "PERF_FLT_IO", Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "A minifilter's pre-operation callback returned; InitialTime is when it was called.",
				Fields: filterCompletionFields},
			{Name: "PostOpCompletion", Type: 0x63, Since: 3, Certainty: Documented, EnabledBy: "PERF_FLT_IO", Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "A minifilter's post-operation callback returned; InitialTime is when it was called.",
				Fields: filterCompletionFields},
			{Name: "PreOpFailure", Type: 0x64, Since: 3, Certainty: Documented, EnabledBy: "PERF_FLT_IO_FAILURE", Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "A minifilter's pre-operation callback failed the request with Status.",
				Fields: filterFailureFields},
			{Name: "PostOpFailure", Type: 0x65, Since: 3, Certainty: Documented, EnabledBy: "PERF_FLT_IO_FAILURE", Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "A minifilter's post-operation callback failed the request with Status.",
				Fields: filterFailureFields},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	fileNameFields = []Field{
		{Name: "file_object", Kind: Pointer, Doc: "Key of the file; FileKey of the FileIo events and FileObject of the DiskIo events refer to it."},
		{Name: "file_name", Kind: Text16, Doc: "Path of the file, in NT form."},
	}
	fileMapFields = []Field{
		{Name: "view_base", Kind: Pointer, Doc: "First address of the mapped view."},
		{Name: "file_object", Kind: Pointer, Doc: "Key of the mapped file; matches FileObject of the FileIo name events."},
		{Name: "misc_info", Kind: U64, Doc: "Flags of the mapping; bits not documented."},
		{Name: "view_size", Kind: Size, Unit: InBytes, Doc: "Size of the mapped view."},
		{Name: "process_id", Kind: U32, Doc: "Process that maps the file."},
	}
	// Most requests about an open file begin with these.
	fileRequestFields = []Field{
		{Name: "irp_ptr", Kind: Pointer, Doc: "Address of the I/O request packet; joins the start and end of one operation."},
		{Name: "ttid", Original: "TTID", Kind: WideU32, Before: 3, Doc: "Thread that does the operation."},
		{Name: "file_object", Kind: Pointer, Doc: "Identity of the open file: the address of its file object. Matches from create to close."},
		{Name: "file_key", Kind: Pointer, Doc: "Key of the file; matches FileObject of the FileIo name events."},
	}
	fileTargetPathFields = []Field{
		{Name: "irp_ptr", Kind: Pointer, Doc: "Address of the I/O request packet; joins the start and end of one operation."},
		{Name: "file_object", Kind: Pointer, Doc: "Identity of the open file: the address of its file object. Matches from create to close."},
		{Name: "file_key", Kind: Pointer, Doc: "Key of the file; matches FileObject of the FileIo name events."},
		{Name: "extra_info", Kind: Pointer, Doc: "Extra value of the operation; not documented for renames and links."},
		{Name: "ttid", Original: "TTID", Kind: U32, Doc: "Thread that does the operation."},
		{Name: "info_class", Kind: U32, Values: "file_info_class", Doc: "Information class of the request."},
	}
	filterCallbackFields = []Field{
		{Name: "routine_addr", Kind: Pointer, Code: true, Doc: "Address of the minifilter's callback routine."},
		{Name: "file_object", Kind: Pointer, Doc: "Address of the file object the filtered operation works on."},
		{Name: "file_context", Kind: Pointer, Doc: "File system's context of the file; identifies the file to the filter manager."},
		{Name: "irp_ptr", Kind: Pointer, Doc: "Address of the I/O request packet; joins the start and end of one operation."},
		{Name: "callback_data_ptr", Kind: Pointer, Doc: "Address of the minifilter's callback data; joins the events of one operation."},
		{Name: "major_function", Kind: U32, Values: "major_function", Doc: "Major function code of the filtered operation; a negative number in 32 bits for operations that are no IRP."},
	}
)

var fileOperationFields = slices.Concat(fileRequestFields, []Field{
	{Name: "ttid", Original: "TTID", Kind: U32, Since: 3, Doc: "Thread that does the operation."},
})

var fileReadWriteFields = slices.Concat([]Field{
	{Name: "file_offset", Original: "Offset", Kind: U64, Unit: InBytes, Doc: "Position in the file where the operation starts."},
}, fileOperationFields, []Field{
	{Name: "io_size", Kind: U32, Unit: InBytes, Doc: "Number of bytes asked for; the number done is in the OperationEnd event."},
	{Name: "io_flags", Kind: U32, Parts: []Part{{"irp_flags", 0, 0xfffffffffff1ffff}, {"irp_priority", 17, 0x7}}, Doc: "Flags of the I/O request packet."},
	{Name: "extra_flags", Kind: U32, Values: "file_io_extra_flags", Since: 3, Optional: true, Doc: "1 the request uses a memory descriptor list (MDL). Null in older layouts."},
})

var directoryFields = slices.Concat(fileOperationFields, []Field{
	{Name: "length", Kind: U32, Unit: InBytes, Doc: "Size of the caller's buffer."},
})

var filterCompletionFields = slices.Concat([]Field{
	{Name: "initial_time", Kind: Ticks, Unit: InTicks, Doc: "Time the minifilter's callback was entered; the event is logged when it returns."},
}, filterCallbackFields)

var filterFailureFields = slices.Concat(filterCallbackFields, []Field{
	{Name: "status", Kind: U32, Values: "ntstatus", Doc: "Result of the minifilter's callback, an NTSTATUS."},
})
