package schema

import "slices"

func kernelCc() eventClass {
	return eventClass{
		certainty: Uncertain,
		enabledBy: "PERF_CC",
		natural:   true,
		events: []Event{
			{Name: "WorkItemEnqueue", Type: 0x00, Files: []string{"file_object_key"},
				Doc: "A cache manager work item was queued (1 read-ahead, 2 write-behind, 3 lazy-write scan, 4 set event).",
				Ref: refStruct + "PERFINFO_CC_WORKITEM_ENQUEUE",
				Fields: []Field{
					ccWorkItemKey,
					ccFileObjectKey,
					{Name: "queue_type", Kind: U8, Values: "cc_work_queue", Doc: "Queue of the work item: 1 fast teardown, 2 express, 3 regular, 4 post tick, 5 asynchronous read, 6 completed asynchronous read."},
					{Name: "work_item_type", Kind: U8, Values: "cc_work_item_type", Doc: "Kind of work: 1 read ahead, 2 write behind, 3 lazy write scan, 4 set event."},
					{Name: "requeue", Kind: U8, Doc: "1 if the work item is put back on the queue."},
					{Name: "reserved", Kind: U8, Doc: "Reserved."},
				}},
			{Name: "WorkItemDequeue", Type: 0x01,
				Doc:    "A cache manager work item was taken from its queue; joins by WorkItemKey.",
				Ref:    refStruct + "PERFINFO_CC_WORKITEM_DEQUEUE",
				Fields: []Field{ccWorkItemKey}},
			{Name: "WorkItemComplete", Type: 0x02,
				Doc:    "A cache manager work item was finished; joins by WorkItemKey.",
				Ref:    refStruct + "PERFINFO_CC_WORKITEM_COMPLETE",
				Fields: []Field{ccWorkItemKey}},
			{Name: "ReadAhead", Type: 0x03,
				Doc: "The cache manager read ahead: offset, size, priority, detected pattern.",
				Ref: refStruct + "PERFINFO_CC_READ_AHEAD",
				Fields: []Field{
					ccWorkItemKey,
					{Name: "file_offset", Kind: U64, Unit: InBytes, Doc: "Position where the read ahead starts."},
					{Name: "size", Kind: U32, Unit: InBytes, Doc: "Number of bytes read ahead."},
					{Name: "page_priority", Kind: U32, Doc: "Priority of the pages read, 0 to 7."},
					{Name: "detected_pattern", Kind: U32, Doc: "Access pattern found: sequential and so on; values not documented."},
					{Name: "reserved", Kind: U32, Doc: "Reserved."},
				}},
			{Name: "LazyWriteScan", Type: 0x05,
				Doc: "A lazy writer scan: why it ran, pages to write and the dirty page figures.",
				Ref: refStruct + "PERFINFO_CC_LAZY_WRITE_SCAN",
				Fields: []Field{
					ccWorkItemKey,
					{Name: "reason_for_flush", Kind: U32, Values: "cc_flush_reason", Doc: "Why pages are written: 1 low memory, 2 power, 4 periodic scan, 8 waiting teardown, 16 flush while coalescing."},
					{Name: "pages_to_write", Kind: U32, Unit: InPages, Doc: "Number of pages to write in this pass."},
					{Name: "total_dirty_pages", Kind: Size, Unit: InPages, Doc: "Number of dirty pages in the cache."},
					{Name: "available_pages", Kind: Size, Unit: InPages, Doc: "Number of available pages."},
					{Name: "dirty_page_threshold", Kind: Size, Unit: InPages, Doc: "Number of dirty pages from which writers are held back."},
					{Name: "number_of_mapped_vacbs", Kind: Size, Doc: "Number of mapped cache views."},
					{Name: "top_dirty_page_threshold", Kind: Size, Unit: InPages, Doc: "Upper end of the dirty page threshold."},
					{Name: "bottom_dirty_page_threshold", Kind: Size, Unit: InPages, Doc: "Lower end of the dirty page threshold."},
					{Name: "average_available_pages", Kind: Size, Unit: InPages, Doc: "Average number of available pages."},
					{Name: "average_dirty_pages", Kind: Size, Unit: InPages, Doc: "Average number of dirty pages."},
					{Name: "consecutive_workless_lazywrite_scans", Kind: Size, Doc: "Number of lazy write scans in a row that found nothing to do."},
				}},
			{Name: "CanIWriteFail", Type: 0x06, Files: []string{"file_object_key"},
				Doc: "A cached write of BytesToWrite was not let through at once because too many pages are dirty.",
				Ref: refStruct + "PERFINFO_CC_CAN_WRITE_FAIL",
				Fields: []Field{
					ccFileObjectKey,
					{Name: "total_dirty_pages", Kind: Size, Unit: InPages, Doc: "Number of dirty pages in the cache."},
					{Name: "dirty_page_threshold", Kind: Size, Unit: InPages, Doc: "Number of dirty pages from which writers are held back."},
					{Name: "bytes_to_write", Kind: U32, Unit: InBytes, Doc: "Number of bytes the writer wanted to write."},
				}},
			{Name: "FlushCache", Type: 0x09, Files: []string{"file_object_key"},
				Doc: "A range of a cached file is flushed.",
				Ref: refStruct + "PERFINFO_CC_FLUSH_CACHE",
				Fields: slices.Concat(ccFlushFields, []Field{
					{Name: "shared_cache_map_flags", Kind: U32, Doc: "Flags of the shared cache map; bits not documented."},
					{Name: "flags", Kind: U32, Values: "cc_flush_flags", Doc: "1 lazy writer, 2 fast lazy write, 4 full flush forced."},
					{Name: "reserved", Kind: U32, Doc: "Reserved."},
				})},
			{Name: "FlushSection", Type: 0x0a, Files: []string{"file_object_key"},
				Doc: "A range of a file's section is flushed as part of a cache flush.",
				Ref: refStruct + "PERFINFO_CC_FLUSH_SECTION",
				Fields: slices.Concat(ccFlushFields, []Field{
					{Name: "mm_flush_flags", Kind: U32, Doc: "Flags passed to the memory manager's flush; bits not documented."},
				})},
			{Name: "ScheduleReadAhead", Type: 0x0c, Files: []string{"file_object_key"},
				Doc: "A read was judged for read-ahead: the application's read and the read-ahead scheduled.",
				Ref: refStruct + "PERFINFO_CC_SCHEDULE_READ_AHEAD",
				Fields: []Field{
					ccWorkItemKey,
					ccFileObjectKey,
					{Name: "file_offset", Kind: U64, Unit: InBytes, Doc: "Position the application reads at."},
					{Name: "length", Kind: U32, Unit: InBytes, Doc: "Number of bytes the application reads."},
					{Name: "read_ahead_unit", Kind: U32, Unit: InBytes, Doc: "Granularity of read ahead."},
					{Name: "read_ahead_length", Kind: U32, Unit: InBytes, Doc: "Number of bytes to read ahead."},
					{Name: "read_ahead_offset", Kind: U64, Unit: InBytes, Doc: "Position where the read ahead starts."},
					{Name: "read_ahead_beyond_last_byte", Kind: U64, Unit: InBytes, Doc: "High-water mark: end of what has been read ahead."},
					{Name: "read_pattern", Kind: U8, Doc: "Access pattern; values not documented."},
					{Name: "sequential_read_count", Kind: U32, Doc: "Number of sequential reads seen."},
					{Name: "shared_cache_map_flags", Kind: U32, Doc: "Flags of the shared cache map; bits not documented."},
					{Name: "bits", Kind: U32, Doc: "Bit 0 read ahead settings changed, bit 1 read ahead active."},
				}},
			{Name: "LoggedStreamInfo", Type: 0x0d, Files: []string{"file_object_key"},
				Doc: "Dirty page figures of a logged stream (one tied to a file system log by LSN) when its flush is weighed.",
				Ref: refStruct + "PERFINFO_CC_LOGGED_STREAM_INFO",
				Fields: []Field{
					ccFileObjectKey,
					{Name: "reason_for_flush", Kind: U32, Values: "cc_flush_reason", Doc: "Why pages are written: 1 low memory, 2 power, 4 periodic scan, 8 waiting teardown, 16 flush while coalescing."},
					{Name: "pages_to_write", Kind: U32, Unit: InPages, Doc: "Number of pages to write in this pass."},
					{Name: "dirty_logged_pages", Kind: Size, Unit: InPages, Doc: "Number of dirty pages of logged streams."},
					{Name: "dirty_logged_page_threshold", Kind: Size, Unit: InPages, Doc: "Number of dirty logged pages from which they are flushed."},
					{Name: "largest_lsn_for_lws", Original: "LargestLsnForLWS", Kind: I64, Doc: "Largest log sequence number for the lazy write scan."},
				}},
			{Name: "ExtraWriteBehindThread", Type: 0x0e,
				Doc: "An extra write-behind thread was added (1) or removed (2), with the dirty page figures.",
				Ref: refStruct + "PERFINFO_CC_EXTRA_WB_THREAD_INFO",
				Fields: []Field{
					{Name: "thread_action", Kind: U32, Values: "cc_thread_action", Doc: "1 extra write behind thread added, 2 removed."},
					{Name: "active_extra_wb_threads", Original: "ActiveExtraWBThreads", Kind: U32, Doc: "Number of extra write behind threads now active."},
					{Name: "total_dirty_pages", Kind: Size, Unit: InPages, Doc: "Number of dirty pages in the cache."},
					{Name: "dirty_page_threshold", Kind: Size, Unit: InPages, Doc: "Number of dirty pages from which writers are held back."},
					{Name: "available_pages", Kind: Size, Unit: InPages, Doc: "Number of available pages."},
				}},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	ccWorkItemKey   = Field{Name: "work_item_key", Kind: Pointer, Doc: "Key of the cache manager's work item; joins its events."}
	ccFileObjectKey = Field{Name: "file_object_key", Kind: Pointer, Doc: "File object of the cached file."}

	ccFlushFields = []Field{
		ccWorkItemKey,
		ccFileObjectKey,
		{Name: "file_offset", Original: "Offset", Kind: U64, Unit: InBytes, Doc: "Position in the file where the flush starts."},
		{Name: "length", Kind: U32, Unit: InBytes, Doc: "Number of bytes to flush; 0 for the whole file."},
	}
)
