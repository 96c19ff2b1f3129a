package schema

import (
	"slices"
)

func kernelDiskIo() eventClass {
	return eventClass{
		events: []Event{
			{Name: "Read", Type: 0x0a, Before: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DISK_IO", Owner: Owner{Thread: "issuing_thread_id"}, Files: []string{"file_object"}, Ref: refVistaMOF,
				Doc:    "One physical disk read that completed; IssuingThreadId is the thread that asked for it and HighResResponseTime the time it took.",
				Fields: diskReadWriteBefore2Fields},
			{Name: "Read", Type: 0x0a, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_IO", Owner: Owner{Thread: "issuing_thread_id"}, Files: []string{"file_object"}, Ref: refVistaMOF,
				Doc:    "One physical disk read that completed; IssuingThreadId is the thread that asked for it and HighResResponseTime the time it took.",
				Fields: diskReadWriteFields},
			{Name: "Write", Type: 0x0b, Before: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DISK_IO", Owner: Owner{Thread: "issuing_thread_id"}, Files: []string{"file_object"}, Ref: refVistaMOF,
				Doc:    "One physical disk write that completed; IssuingThreadId is the thread that asked for it and HighResResponseTime the time it took.",
				Fields: diskReadWriteBefore2Fields},
			{Name: "Write", Type: 0x0b, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_IO", Owner: Owner{Thread: "issuing_thread_id"}, Files: []string{"file_object"}, Ref: refVistaMOF,
				Doc:    "One physical disk write that completed; IssuingThreadId is the thread that asked for it and HighResResponseTime the time it took.",
				Fields: diskReadWriteFields},
			{Name: "ReadInit", Type: 0x0c, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_IO_INIT", Owner: Owner{Thread: "issuing_thread_id"}, Ref: refVistaMOF,
				Doc:    "One disk read at its start; joins to its disk_read row by Irp.",
				Fields: diskInitFields},
			{Name: "WriteInit", Type: 0x0d, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_IO_INIT", Owner: Owner{Thread: "issuing_thread_id"}, Ref: refVistaMOF,
				Doc:    "One disk write at its start; joins to its disk_write row by Irp.",
				Fields: diskInitFields},
			{Name: "FlushBuffers", Type: 0x0e, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_IO", Owner: Owner{Thread: "issuing_thread_id"}, Ref: refVistaMOF,
				Doc: "One disk flush that completed; IssuingThreadId is the thread that asked for it.",
				Fields: slices.Concat(diskFlushFields, []Field{
					{Name: "issuing_thread_id", Kind: U32, Since: 3, Doc: "Thread that issued the request."},
				})},
			{Name: "FlushInit", Type: 0x0f, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_DISK_IO_INIT", Owner: Owner{Thread: "issuing_thread_id"}, Ref: refVistaMOF,
				Doc:    "One disk flush at its start; joins to its disk_flush_buffers row by Irp.",
				Fields: diskInitFields},
			{Name: "RedirectedInit", Type: 0x10, Certainty: Uncertain, Natural: true, Files: []string{"file_key"},
				Doc: "An I/O was redirected; ties the Irp to a FileKey at its start. Not documented beyond its name.",
				Ref: refStruct + "WMI_DISKIO_IO_REDIRECTED_INIT",
				Fields: []Field{
					{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
					{Name: "file_key", Kind: Pointer, Doc: "Key of the file whose I/O was redirected."},
				}},
			{Name: "DrvMjFnCall", Type: 0x22, Since: 1, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DRIVER", Files: []string{"file_object"}, Ref: refVistaMOF,
				Doc: "A driver's dispatch routine for an IRP major function was called; pairs with the return event by Irp and UniqMatchId.",
				Fields: []Field{
					{Name: "uniq_match_id", Kind: U32, Before: 2, Doc: "Number that joins the call and return events of one driver call or completion."},
					{Name: "routine_addr", Kind: Pointer, Code: true, Before: 2, Doc: "Address of the driver's major function routine called."},
					{Name: "irp", Kind: Pointer, Before: 2, Doc: "Address of the I/O request packet; joins the events of one request."},
					{Name: "major_function", Kind: U32, Values: "major_function", Doc: "Major function code of the request (IRP_MJ)."},
					{Name: "minor_function", Kind: U32, Doc: "Minor function code of the request; its meaning depends on the major function."},
					{Name: "routine_addr", Kind: Pointer, Code: true, Since: 2, Doc: "Address of the driver's major function routine called."},
					{Name: "file_object", Kind: Pointer, Doc: "Address of the file object of the request; 0 if none."},
					{Name: "irp", Kind: Pointer, Since: 2, Doc: "Address of the I/O request packet; joins the events of one request."},
					{Name: "uniq_match_id", Kind: U32, Since: 2, Doc: "Number that joins the call and return events of one driver call or completion."},
				}},
			{Name: "DrvMjFnRet", Type: 0x23, Since: 1, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DRIVER", Ref: refVistaMOF,
				Doc: "A driver's dispatch routine returned; pairs with the call event by Irp and UniqMatchId.",
				Fields: []Field{
					{Name: "uniq_match_id", Kind: U32, Before: 2, Doc: "Number that joins the call and return events of one driver call or completion."},
					{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
					{Name: "uniq_match_id", Kind: U32, Since: 2, Doc: "Number that joins the call and return events of one driver call or completion."},
				}},
			{Name: "DrvComplRout", Type: 0x25, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DRIVER", Ref: refVistaMOF,
				Doc: "A driver's completion routine ran for an IRP.",
				Fields: []Field{
					{Name: "routine", Kind: Pointer, Code: true, Doc: "Address of the completion routine."},
					{Name: "irp_ptr", Kind: Pointer, Doc: "Address of the I/O request packet that completes."},
					{Name: "uniq_match_id", Kind: U32, Doc: "Number that joins the call and return events of one driver call or completion."},
				}},
			{Name: "DrvComplReq", Type: 0x34, Since: 1, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DRIVER", Ref: refVistaMOF,
				Doc: "A driver completed an IRP; RoutineAddr is the dispatch routine of the driver that held it.",
				Fields: slices.Concat([]Field{
					{Name: "routine_addr", Kind: Pointer, Code: true, Doc: "Address of the major function routine of the driver that handled the request when it completed."},
				}, driverMatchFields)},
			{Name: "DrvComplReqRet", Type: 0x35, Since: 1, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_DRIVER", Ref: refVistaMOF,
				Doc:    "IRP completion returned to the driver; pairs with driver_complete_request by Irp and UniqMatchId.",
				Fields: driverMatchFields},
			{Name: "BootPrefetchInformation", Type: 0x36, Certainty: Uncertain, Natural: true,
				Doc: "A boot prefetch action with its status and page count. Not documented beyond its name.",
				Ref: refStruct + "PERFINFO_BOOT_PREFETCH_INFORMATION",
				Fields: []Field{
					{Name: "action", Kind: I32, Doc: "Action of the boot prefetcher; values not documented."},
					{Name: "status", Kind: U32, Values: "ntstatus", Doc: "Result of the boot prefetcher's action, an NTSTATUS."},
					{Name: "pages", Kind: I32, Unit: InPages, Doc: "Number of pages concerned."},
				}},
			{Name: "OpticalRead", Type: 0x37, Since: 3, Certainty: Documented, EnabledBy: "PERF_OPTICAL_IO", Owner: Owner{Thread: "issuing_thread_id"}, Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "One optical disc read that completed; fields as in disk_read.",
				Fields: opticalReadWriteFields},
			{Name: "OpticalWrite", Type: 0x38, Since: 3, Certainty: Documented, EnabledBy: "PERF_OPTICAL_IO", Owner: Owner{Thread: "issuing_thread_id"}, Files: []string{"file_object"}, Ref: refWindows10MOF,
				Doc:    "One optical disc write that completed; fields as in disk_write.",
				Fields: opticalReadWriteFields},
			{Name: "OpticalFlushBuffers", Type: 0x39, Since: 3, Certainty: Documented, EnabledBy: "PERF_OPTICAL_IO", Owner: Owner{Thread: "issuing_thread_id"}, Ref: refWindows10MOF,
				Doc: "One optical disc flush that completed; fields as in disk_flush_buffers.",
				Fields: slices.Concat(diskFlushFields, []Field{
					{Name: "issuing_thread_id", Kind: U32, Doc: "Thread that issued the request."},
				})},
			{Name: "OpticalReadInit", Type: 0x3a, Since: 3, Certainty: Documented, EnabledBy: "PERF_OPTICAL_IO_INIT", Owner: Owner{Thread: "issuing_thread_id"}, Ref: refWindows10MOF,
				Doc:    "One optical disc read at its start; joins to optical_read by Irp.",
				Fields: opticalInitFields},
			{Name: "OpticalWriteInit", Type: 0x3b, Since: 3, Certainty: Documented, EnabledBy: "PERF_OPTICAL_IO_INIT", Owner: Owner{Thread: "issuing_thread_id"}, Ref: refWindows10MOF,
				Doc:    "One optical disc write at its start; joins to optical_write by Irp.",
				Fields: opticalInitFields},
			{Name: "OpticalFlushInit", Type: 0x3c, Since: 3, Certainty: Documented, EnabledBy: "PERF_OPTICAL_IO_INIT", Owner: Owner{Thread: "issuing_thread_id"}, Ref: refWindows10MOF,
				Doc:    "One optical disc flush at its start; joins to optical_flush_buffers by Irp.",
				Fields: opticalInitFields},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	// Version 2 and later; the thread follows.
	diskTransferFields = []Field{
		{Name: "disk_number", Kind: U32, Doc: "Number of the physical disk."},
		{Name: "irp_flags", Kind: U32, Parts: []Part{{"irp_flags", 0, 0xfffffffffff1ffff}, {"irp_priority", 17, 0x7}}, Doc: "Flags of the I/O request packet, such as paging I/O, no cache or synchronous."},
		{Name: "transfer_size", Kind: U32, Unit: InBytes, Doc: "Number of bytes transferred."},
		{Name: "reserved", Kind: U32, Doc: "Reserved; public headers define I/O flags next to this layout: 1 backup, 2 prefetch, 4 write aggregation."},
		{Name: "byte_offset", Kind: U64, Unit: InBytes, Doc: "Position of the transfer, from the start of the physical disk."},
		{Name: "file_object", Kind: Pointer, Doc: "Key of the file; matches FileObject of the FileIo name events. 0 if the transfer belongs to no file."},
		{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
		{Name: "high_res_response_time", Kind: U64, Unit: InTicks, Doc: "Time from the request's start to its completion, measured by the partition manager."},
	}
	diskReadWriteBefore2Fields = []Field{
		{Name: "disk_number", Kind: U32, Doc: "Number of the physical disk."},
		{Name: "irp_flags", Kind: U32, Parts: []Part{{"irp_flags", 0, 0xfffffffffff1ffff}, {"irp_priority", 17, 0x7}}, Doc: "Flags of the I/O request packet, such as paging I/O, no cache or synchronous."},
		{Name: "transfer_size", Kind: U32, Unit: InBytes, Doc: "Number of bytes transferred."},
		{Name: "response_time", Kind: U32, Since: 1, Doc: "Time from the request's start to its completion, coarse clock; unit not documented."},
		{Name: "reserved", Kind: U32, Before: 1, Doc: "Reserved; public headers define I/O flags next to this layout: 1 backup, 2 prefetch, 4 write aggregation."},
		{Name: "byte_offset", Kind: U64, Unit: InBytes, Doc: "Position of the transfer, from the start of the physical disk."},
		{Name: "file_object", Kind: Pointer, Doc: "Key of the file; matches FileObject of the FileIo name events. 0 if the transfer belongs to no file."},
		{Name: "high_res_response_time", Kind: U64, Unit: InTicks, Since: 1, Doc: "Time from the request's start to its completion, measured by the partition manager."},
	}
	diskFlushFields = []Field{
		{Name: "disk_number", Kind: U32, Doc: "Number of the physical disk."},
		{Name: "irp_flags", Kind: U32, Parts: []Part{{"irp_flags", 0, 0xfffffffffff1ffff}, {"irp_priority", 17, 0x7}}, Doc: "Flags of the I/O request packet, such as paging I/O, no cache or synchronous."},
		{Name: "high_res_response_time", Kind: U64, Unit: InTicks, Doc: "Time from the request's start to its completion, measured by the partition manager."},
		{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
	}
	diskInitFields = []Field{
		{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
		{Name: "issuing_thread_id", Kind: U32, Since: 3, Doc: "Thread that issued the request."},
	}
	opticalInitFields = []Field{
		{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
		{Name: "issuing_thread_id", Kind: U32, Doc: "Thread that issued the request."},
	}
	driverMatchFields = []Field{
		{Name: "irp", Kind: Pointer, Doc: "Address of the I/O request packet; joins the events of one request."},
		{Name: "uniq_match_id", Kind: U32, Doc: "Number that joins the call and return events of one driver call or completion."},
	}
)

var diskReadWriteFields = slices.Concat(diskTransferFields, []Field{
	{Name: "issuing_thread_id", Kind: U32, Since: 3, Doc: "Thread that issued the request."},
})

var opticalReadWriteFields = slices.Concat(diskTransferFields, []Field{
	{Name: "issuing_thread_id", Kind: U32, Doc: "Thread that issued the request."},
})
