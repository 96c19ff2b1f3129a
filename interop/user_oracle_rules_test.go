package interop_test

import (
	"path"
	"strings"
	"time"
)

// userRules has the rules for values that the library computes, names or reads
// differently. The bytes that it misreads:
//
//	PrimitiveTypesTest, line 2  metadata "int64_type" 00 0a: the in-type is UInt64, the
//	                            bytes 34ffffffffffffff, printed as -204.
//	                            system_time_type e507 0900 0400 0900 0e00 3b00 2300 1f03:
//	                            14:59:35.799, printed as 35.035: the seconds (0x23) twice.
//	                            metadata "char_type" 84 02: UInt8 as a character, 4d, which
//	                            is M; printed as 77.
//	Exception, line 452         HRESULT 02000780: win:UInt32 in the EventInfo record.
var userRules = rules{
	runtime: clrRules, runtimeRundown: clrRules,
	runtime + "/GC/CreateSegment": {
		"Address": inHex("address"), "Size": inHex("size"),
		"Type": rule{pick: func(r eventRow) rule {
			if r.text("type") != "3" {
				return column("type")
			}
			return knows("a name that ClrEtwAll.man does not have yet", func(*comparison, eventRow) string { return "PinnedObjectHeap" })
		}},
	},
	runtime + "/GC/AllocationTick": {
		"TypeID": inHex("type_id"), "Address": inHex("address"),
		"ObjectSize": since("object_size", "0"),
	},
	runtime + "/GC/HeapStats": {
		"TotalHeapSize": sum("generation_size"), "TotalPromoted": sum("total_promoted_size"),
		"GenerationSize4": since("generation_size4", "0"), "TotalPromotedSize4": since("total_promoted_size4", "0"),
		"Depth": computed("the last of three generations of which something was kept", func(_ *comparison, r eventRow) string {
			for _, generation := range []string{"2", "1"} {
				if r.number("total_promoted_size"+generation) != 0 {
					return generation
				}
			}
			return "0"
		}),
	},
	runtime + "/GC/Start": {"ClientSequenceNumber": since("client_sequence_number", "0")},
	runtime + "/GC/FinalizeObject": {
		"ObjectID": inHex("object_id"), "TypeID": inHex("type_id"),
		"TypeName": knows("name of type_id, which is in the table of BulkType", func(c *comparison, r eventRow) string { return c.typeName(r.number("type_id")) }),
	},
	runtime + "/Type/BulkType": {
		"TypeID_0":   computed("the first of the structures", func(_ *comparison, r eventRow) string { return address(bulkTypes(r.text("values"))[0].ID) }),
		"TypeName_0": computed("the first of the structures", func(_ *comparison, r eventRow) string { return bulkTypes(r.text("values"))[0].Name }),
	},
	runtime + "/AppDomainResourceManagement/ThreadCreated": {
		"Flags": computed("the number, of which the library has no names", func(_ *comparison, r eventRow) string { return r.text("flags") }),
	},
	runtime + "/Contention/Start": {
		"LockID": absent("0x00000000"), "AssociatedObjectID": absent("0x00000000"), "LockOwnerThreadID": absent("0"),
	},
	runtime + "/Contention/Stop": {"DurationNs": absent("0.000")},
	runtime + "/Exception/Start": {
		"ExceptionEIP": inHex("exception_eip"),
		"ExceptionHRESULT": misreads("ExceptionHRESULT: unsigned, printed as signed", func(r eventRow) string {
			return grouped(int64(int32(r.number("exception_hresult"))))
		}),
	},
	runtime + "/GC/MarkWithType": {
		"Promoted": column("bytes"),
		"Type":     computed("the number, of which the library has no names", func(_ *comparison, r eventRow) string { return r.text("type") }),
	},
	runtime + "/GC/FitBucketInfo":     {"BucketKind": named("bucket_kind", map[uint64]string{1: "PlugsInCondemned"})},
	runtime + "/GC/GlobalHeapHistory": {"GlobalMechanisms": globalMechanisms},
	runtime + "/GC/PerHeapHistory": {
		"CompactMechanisms": named("compact_mechanisms", compactReasons), "ExpandMechanisms": named("expand_mechanisms", expandReasons),
		"ConcurrentCompactMechanisms": absent(""), "MemoryPressure": absent(""),
	},
	runtimePrivate + "/GC/PerHeapHistory": {
		"CompactMechanisms": named("compact_mechanisms", expandReasons), "ExpandMechanisms": named("expand_mechanisms", expandReasons),
		"FreeListAllocated": absent(""), "FreeListRejected": absent(""), "EndOfSegAllocated": absent(""),
		"CondemnedAllocated": absent(""), "PinnedAllocated": absent(""), "PinnedAllocatedAdvance": absent(""),
		"RunningFreeListEfficiency": absent(""), "ConcurrentCompactMechanisms": absent(""), "Count": absent(""),
	},
	runtimePrivate + "/GC/GlobalHeapHistory": {
		"GlobalMechanisms": globalMechanisms,
		"PauseMode":        absent(""), "MemoryPressure": absent(""), "CondemnReasons0": absent(""), "CondemnReasons1": absent(""), "Count": absent(""),
	},
	runtimePrivate + "/NgenBinder/NgenBind": {"ReasonCode": named("reason_code", map[uint64]string{0: "START_BIND", 9: "REJECT_IL_SIG"})},
	"Microsoft-Windows-Kernel-File/Create": {
		"IrpPtr": inHex("irp"), "FileObject": inHex("file_object"), "FileAttributes": computed("another name, without commas", func(_ *comparison, r eventRow) string { return r.text("create_attributes") }),
		"CreateOptions": knows("bits of create_options, which the library names as if they were attributes", func(_ *comparison, r eventRow) string {
			n := r.number("create_options") & 0xffffff
			if n&^0x60 != 0 {
				return plain(n)
			}
			return flagText(n, map[uint64]string{0x20: "FILE_ATTRIBUTE_ARCHIVE", 0x40: "FILE_ATTRIBUTE_DEVICE"})
		}),
		"CreateDisposition": knows("names of bits of create_options", func(_ *comparison, r eventRow) string { return dispositions[r.number("create_options")>>24] }),
		"ShareAccess": knows("names of bits that the manifest does not have", func(_ *comparison, r eventRow) string {
			return strings.ReplaceAll(flagText(r.number("share_access"), map[uint64]string{1: "Read", 2: "Write", 4: "Delete"}), "Read, Write", "ReadWrite")
		}),
		"FileName": file,
	},
	"PerfView": {"keywords": inHex("keywords")},
	"PerfView/KernelEnableParameters": {
		"keywords": knows("names of bits; ours is the name of the whole, Default", func(_ *comparison, r eventRow) string { return kernelKeywords(r, "keywords") }),
		"stacks":   knows("names of bits; ours is the name of the whole, Default", func(_ *comparison, r eventRow) string { return kernelKeywords(r, "stacks") }),
	},
	"ManifestData": {"PayloadLength": computed("payload_size", func(_ *comparison, r eventRow) string { return r.text("payload_size") })},
	"solar_system/PrimitiveTypesTest": {
		"char_type": misreads("char_type: a character, printed as its number", func(r eventRow) string { return plain(uint64(r.text("char_type")[0])) }),
		"system_time_type": misreads("system_time_type: the milliseconds are those of the seconds", func(r eventRow) string {
			at := time.UnixMicro(int64(r.number("system_time_type"))).UTC().Truncate(time.Second)
			return timeText(at.Add(time.Duration(at.Second()) * time.Millisecond))
		}),
	},
}

// clrRules has the rules by field for all events of the .NET runtime.
var clrRules = map[string]rule{
	"MethodStartAddress": inHex("method_start_address"),
	"HandleID":           inHex("handle_id"), "ObjectID": inHex("object_id"),
	"RangeStart": inHex("range_start"), "RangeUsedLength": inHex("range_used_length"), "RangeReservedLength": inHex("range_reserved_length"),
	"ReJITID": absent("0"), "OptimizationTier": absent("Unknown"),
	"ModuleILFileName": computed("the end of module_il_path", func(_ *comparison, r eventRow) string {
		return path.Base(strings.ReplaceAll(r.text("module_il_path"), `\`, "/"))
	}),
	"StartupMode":   zeroIs("None", "startup_mode"),
	"AssemblyFlags": zeroIs("None", "assembly_flags"),
}

// zeroIs is the rule for a number for which the schema has all names except that of 0.
func zeroIs(name, column string) rule {
	return rule{how: direct, reason: "of the same name", text: func(c *comparison, r eventRow, l *oracleLine) string {
		if r.number(column) == 0 {
			return name
		}
		return userValue(c, l.table, column, r)
	}}
}

// globalMechanisms has the rule for the mechanisms of a GC.
var globalMechanisms = computed("names of bits, with commas", func(_ *comparison, r eventRow) string {
	return strings.ReplaceAll(r.text("global_mechanisms_text"), "|", ", ")
})

// kernelKeywords prints the kernel's keyword bits by their names in PerfView's manifest.
func kernelKeywords(r eventRow, column string) string {
	return strings.ReplaceAll(flagText(r.number(column), map[uint64]string{1: "Process", 2: "Thread", 4: "ImageLoad"}), ", ", "|")
}

// The names that the library prints for numbers.
var (
	compactReasons = map[uint64]string{1<<31 | 1<<1: "compact_high_frag", 1<<31 | 1<<3: "compact_loh_forced"}
	expandReasons  = map[uint64]string{0: "not_specified"}
	dispositions   = map[uint64]string{0: "SUPERSEDE", 1: "OPEN_EXISTING", 2: "CREATE_NEW", 3: "OPEN_ALWAYS", 5: "CREATE_ALWAYS"}
)
