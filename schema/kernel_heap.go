package schema

import (
	"slices"
)

func kernelHeap() eventClass {
	return eventClass{
		certainty: Documented,
		events: []Event{
			{Name: "Create", Type: 0x20, Before: 3, Ref: refVistaMOF,
				Doc: "A user-mode heap was created. The process is the header's.",
				Fields: []Field{
					heapHandle,
					{Name: "heap_flags", Kind: U32, Values: "heap_flags", Doc: "Flags the heap was created with."},
					{Name: "reserved_space", Kind: Size, Unit: InBytes, Before: 2, Optional: true, Doc: "Address space the heap reserves."},
					{Name: "committed_space", Kind: Size, Unit: InBytes, Before: 2, Optional: true, Doc: "Memory the heap has committed."},
					{Name: "allocated_space", Kind: Size, Unit: InBytes, Before: 2, Optional: true, Doc: "Memory allocated from the heap."},
				}},
			{Name: "Create", Type: 0x20, Since: 3, Ref: refVistaMOF,
				Doc: "A user-mode heap was created. The process is the header's.",
				Fields: []Field{
					heapHandle,
					{Name: "heap_flags", Kind: U32, Values: "heap_flags", Doc: "Flags the heap was created with."},
					{Name: "reserved_space", Kind: Size, Unit: InBytes, Doc: "Address space the heap reserves."},
					{Name: "committed_space", Kind: Size, Unit: InBytes, Doc: "Memory the heap has committed."},
					{Name: "allocated_space", Kind: Size, Unit: InBytes, Doc: "Memory allocated from the heap."},
				}},
			{Name: "Alloc", Type: 0x21, Ref: refVistaMOF,
				Doc: "A heap block was allocated. The process is the header's.",
				Fields: []Field{
					heapHandle,
					{Name: "alloc_size", Kind: Size, Unit: InBytes, Doc: "Size of the allocation."},
					{Name: "alloc_address", Kind: Pointer, Doc: "Address of the allocation."},
					{Name: "source_id", Kind: U32, Values: "heap_source", Doc: "Part of the heap that served it: 1 lookaside, 2 low fragmentation, 3 main path, 4 slow path, 6 segment heap; 5 is invalid."},
				}},
			{Name: "ReAlloc", Type: 0x22, Ref: refVistaMOF,
				Doc: "A heap block was resized, and perhaps moved. The process is the header's.",
				Fields: []Field{
					heapHandle,
					{Name: "new_alloc_address", Kind: Pointer, Doc: "Address after the reallocation."},
					{Name: "old_alloc_address", Kind: Pointer, Doc: "Address before the reallocation."},
					{Name: "new_alloc_size", Kind: Size, Unit: InBytes, Doc: "Size after the reallocation."},
					{Name: "old_alloc_size", Kind: Size, Unit: InBytes, Doc: "Size before the reallocation."},
					{Name: "source_id", Kind: U32, Values: "heap_source", Doc: "Part of the heap that served it: 1 lookaside, 2 low fragmentation, 3 main path, 4 slow path, 6 segment heap; 5 is invalid."},
				}},
			{Name: "Destroy", Type: 0x23, Ref: refVistaMOF,
				Doc:    "A heap was destroyed. The process is the header's.",
				Fields: []Field{heapHandle}},
			{Name: "Free", Type: 0x24, Ref: refVistaMOF,
				Doc: "A heap block was freed. The process is the header's.",
				Fields: []Field{
					heapHandle,
					{Name: "free_address", Kind: Pointer, Doc: "Address of the block freed."},
					{Name: "source_id", Kind: U32, Values: "heap_source", Doc: "Part of the heap that served it: 1 lookaside, 2 low fragmentation, 3 main path, 4 slow path, 6 segment heap; 5 is invalid."},
				}},
			{Name: "Expand", Type: 0x25, Ref: refVistaMOF,
				Doc: "A heap grew by committing more memory, with its totals after. The process is the header's.",
				Fields: slices.Concat([]Field{
					heapHandle,
					{Name: "committed_size", Kind: Size, Unit: InBytes, Doc: "Memory committed by this expansion."},
					{Name: "commit_address", Kind: Pointer, Doc: "Address of the memory committed."},
				}, heapSpaceFields)},
			{Name: "SnapShot", Type: 0x26, Before: 3, Ref: refVistaMOF,
				Doc: "Totals of one heap of process ProcessId at rundown.",
				Fields: slices.Concat(heapSnapShotFields, []Field{
					{Name: "allocated_space", Kind: Size, Unit: InBytes, Before: 2, Optional: true, Doc: "Memory allocated from the heap."},
				})},
			{Name: "SnapShot", Type: 0x26, Since: 3, Ref: refVistaMOF,
				Doc: "Totals of one heap of process ProcessId at rundown.",
				Fields: slices.Concat(heapSnapShotFields, []Field{
					{Name: "allocated_space", Kind: Size, Unit: InBytes, Doc: "Memory allocated from the heap."},
				})},
			{Name: "Contract", Type: 0x2a, Ref: refVistaMOF,
				Doc: "A heap shrank by decommitting memory, with its totals after. The process is the header's.",
				Fields: slices.Concat([]Field{
					heapHandle,
					{Name: "de_committed_size", Kind: Size, Unit: InBytes, Doc: "Memory given back by this contraction."},
					{Name: "de_commit_address", Kind: Pointer, Doc: "Address of the memory given back."},
				}, heapSpaceFields)},
			{Name: "Lock", Type: 0x2b, Ref: refVistaMOF,
				Doc:    "A heap was locked. The process is the header's.",
				Fields: []Field{heapHandle}},
			{Name: "Unlock", Type: 0x2c, Ref: refVistaMOF,
				Doc:    "A heap was unlocked. The process is the header's.",
				Fields: []Field{heapHandle}},
			{Name: "Validate", Type: 0x2d, Ref: refVistaMOF,
				Doc:    "A heap was validated. The process is the header's.",
				Fields: []Field{heapHandle}},
			{Name: "Walk", Type: 0x2e, Ref: refVistaMOF,
				Doc:    "A heap was walked. The process is the header's.",
				Fields: []Field{heapHandle}},
			{Name: "SubsegmentAlloc", Type: 0x2f, Ref: refWindows10MOF,
				Doc:    "The low-fragmentation heap allocated a subsegment.",
				Fields: heapBlockFields},
			{Name: "SubsegmentFree", Type: 0x30, Ref: refWindows10MOF,
				Doc:    "The low-fragmentation heap freed a subsegment.",
				Fields: heapBlockFields},
			{Name: "SubsegmentAllocCached", Type: 0x31, Ref: refWindows10MOF,
				Doc:    "The low-fragmentation heap took a subsegment from its cache.",
				Fields: heapBlockFields},
			{Name: "SubsegmentFreeCached", Type: 0x32, Ref: refWindows10MOF,
				Doc:    "The low-fragmentation heap put a subsegment into its cache.",
				Fields: heapBlockFields},
			{Name: "Commit", Type: 0x33, Ref: refWindows10MOF,
				Doc:    "A heap committed memory; Caller is a code for the place in the heap manager.",
				Fields: heapCommitFields},
			{Name: "Decommit", Type: 0x34, Ref: refWindows10MOF,
				Doc:    "A heap decommitted memory; Caller is a code for the place in the heap manager.",
				Fields: heapCommitFields},
			{Name: "SubsegmentInit", Type: 0x35, Ref: refWindows10MOF,
				Doc: "The low-fragmentation heap initialized a subsegment with BlockCount blocks.",
				Fields: slices.Concat(heapSubsegmentFields, []Field{
					{Name: "block_size", Kind: Size, Unit: InBytes, Doc: "Size of one block of the subsegment."},
					{Name: "block_count", Kind: Size, Doc: "Number of blocks of the subsegment."},
					{Name: "affinity_index", Kind: U32, Doc: "Index of the affinity slot the subsegment belongs to."},
				})},
			{Name: "AffinityManagerEnable", Type: 0x36, Ref: refWindows10MOF,
				Doc: "Affinity slots were enabled for a low-fragmentation heap bucket. Not documented beyond its name.",
				Fields: []Field{
					heapHandle,
					{Name: "bucket_index", Kind: U32, Doc: "Index of the bucket (size class) of the low fragmentation heap."},
				}},
			{Name: "AffinitySlotAssigned", Type: 0x37, Ref: refWindows10MOF,
				Doc: "A heap affinity slot was assigned. Not documented beyond its name.",
				Fields: []Field{
					{Name: "slot_index", Kind: U32, Doc: "Index of the affinity slot."},
				}},
			{Name: "SubSegmentActivated", Type: 0x38, Ref: refWindows10MOF,
				Doc:    "A low-fragmentation heap subsegment became active. Not documented beyond its name.",
				Fields: heapSubsegmentFields},
			{Name: "AffinitySlotChanged", Type: 0x39, Ref: refWindows10MOF,
				Doc: "The affinity slot of a heap subsegment changed. Not documented beyond its name.",
				Fields: slices.Concat(heapAffinityFields, []Field{
					{Name: "slot_index", Kind: U32, Doc: "Index of the affinity slot."},
				})},
			{Name: "SubsegmentReuseThresholdActivated", Type: 0x3a, Ref: refWindows10MOF,
				Doc: "The reuse threshold of a low-fragmentation heap bucket came into force. Not documented beyond its name.",
				Fields: slices.Concat(heapAffinityFields, []Field{
					{Name: "bucket_index", Kind: U32, Doc: "Index of the bucket (size class) of the low fragmentation heap."},
				})},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	// Also used for the heap ranges of PageFault.
	heapHandle = Field{Name: "heap_handle", Kind: Pointer, Doc: "Address of the heap; identifies it in its process."}

	heapSubsegmentFields = []Field{
		heapHandle,
		{Name: "sub_segment", Kind: Pointer, Doc: "Address of the subsegment."},
	}
	heapSnapShotFields = []Field{
		heapHandle,
		{Name: "free_space", Kind: Size, Unit: InBytes, Doc: "Free space in the heap."},
		{Name: "committed_space", Kind: Size, Unit: InBytes, Doc: "Memory the heap has committed."},
		{Name: "reserved_space", Kind: Size, Unit: InBytes, Doc: "Address space the heap reserves."},
		{Name: "heap_flags", Kind: U32, Values: "heap_flags", Doc: "Flags the heap was created with."},
		{Name: "process_id", Kind: U32, Doc: "Process that owns the heap."},
		{Name: "large_ucr_space", Original: "LargeUCRSpace", Kind: Size, Unit: InBytes, Doc: "Space in large uncommitted ranges."},
		{Name: "free_list_length", Kind: U32, Doc: "Number of blocks on the free list."},
		{Name: "ucr_length", Original: "UCRLength", Kind: U32, Doc: "Number of uncommitted ranges."},
	}
	heapCommitFields = []Field{
		heapHandle,
		{Name: "block", Kind: Pointer, Doc: "Address of the block."},
		{Name: "size", Kind: Size, Unit: InBytes, Doc: "Size of the block."},
		{Name: "caller", Kind: Pointer, Doc: "Heap routine that did it, a number from 1 to 13."},
	}
	heapSpaceFields = []Field{
		{Name: "free_space", Kind: Size, Unit: InBytes, Doc: "Free space in the heap."},
		{Name: "committed_space", Kind: Size, Unit: InBytes, Doc: "Memory the heap has committed."},
		{Name: "reserved_space", Kind: Size, Unit: InBytes, Doc: "Address space the heap reserves."},
		{Name: "no_of_uc_rs", Original: "NoOfUCRs", Kind: U32, Doc: "Number of uncommitted ranges."},
		{Name: "allocated_space", Kind: Size, Unit: InBytes, Doc: "Memory allocated from the heap."},
	}
	heapAffinityFields = []Field{
		{Name: "heap", Kind: Pointer, Doc: "Address of the heap; identifies it in its process."},
		{Name: "sub_segment", Kind: Pointer, Doc: "Address of the subsegment."},
	}
)

var heapBlockFields = slices.Concat(heapSubsegmentFields, []Field{
	{Name: "sub_segment_size", Kind: Size, Unit: InBytes, Doc: "Size of the subsegment."},
	{Name: "block_size", Kind: Size, Unit: InBytes, Doc: "Size of one block of the subsegment."},
})
