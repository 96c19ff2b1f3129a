package schema

import (
	"slices"
)

func kernelRegistry() eventClass {
	return eventClass{
		events: []Event{
			{Name: "Create", Type: 0x0a, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A registry key create call, with its status and start time. KeyHandle is the key control block that KeyName is relative to.",
				Fields: registryOpenFields},
			{Name: "Open", Type: 0x0b, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A registry key open call, with its status and start time. KeyHandle is the key control block that KeyName is relative to.",
				Fields: registryOpenFields},
			{Name: "Delete", Type: 0x0c, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A registry key delete call, with its status and start time.",
				Fields: registryKeyFields},
			{Name: "Query", Type: 0x0d, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc: "A registry key query call, with its status and start time; Index is the information class.",
				Fields: slices.Concat(registryCallFields, []Field{
					{Name: "index", Kind: U32, Values: "key_info_class", Since: 1, Doc: "Information class of the query."},
					{Name: "key_handle", Kind: Pointer, Since: 2, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
					{Name: "key_name", Kind: Text16, Doc: "Name of the key, of the value, or of the key relative to the one in KeyHandle."},
				})},
			{Name: "SetValue", Type: 0x0e, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A registry value was set; KeyName holds the value's name.",
				Fields: registryValueFields},
			{Name: "DeleteValue", Type: 0x0f, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A registry value was deleted; KeyName holds the value's name.",
				Fields: registryValueFields},
			{Name: "QueryValue", Type: 0x10, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc: "A registry value was queried; KeyName holds the value's name.",
				Fields: slices.Concat(registryCallFields, []Field{
					{Name: "index", Kind: U32, Values: "key_value_info_class", Since: 1, Doc: "Information class of the query."},
					{Name: "key_handle", Kind: Pointer, Since: 2, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
					{Name: "key_name", Kind: Text16, Doc: "Name of the value; empty for the default value."},
				})},
			{Name: "EnumerateKey", Type: 0x11, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc: "A subkey was enumerated; Index is its position.",
				Fields: slices.Concat(registryCallFields, []Field{
					{Name: "index", Kind: U32, Since: 1, Doc: "Index of the subkey."},
					{Name: "key_handle", Kind: Pointer, Since: 2, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
					{Name: "key_name", Kind: Text16, Doc: "Name of the key, of the value, or of the key relative to the one in KeyHandle."},
				})},
			{Name: "EnumerateValueKey", Type: 0x12, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc: "A value was enumerated; Index is its position.",
				Fields: slices.Concat(registryCallFields, []Field{
					{Name: "index", Kind: U32, Since: 1, Doc: "Index of the value."},
					{Name: "key_handle", Kind: Pointer, Since: 2, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
					{Name: "key_name", Kind: Text16, Doc: "Name of the key, of the value, or of the key relative to the one in KeyHandle."},
				})},
			{Name: "QueryMultipleValue", Type: 0x13, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "Several registry values were queried in one call.",
				Fields: registryKeyFields},
			{Name: "SetInformation", Type: 0x14, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc: "Information was set on a registry key; Index is the information class.",
				Fields: slices.Concat(registryCallFields, []Field{
					{Name: "index", Kind: U32, Values: "key_set_info_class", Since: 1, Doc: "Information class that is set."},
					{Name: "key_handle", Kind: Pointer, Since: 2, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
					{Name: "key_name", Kind: Text16, Doc: "Name of the key, of the value, or of the key relative to the one in KeyHandle."},
				})},
			{Name: "Flush", Type: 0x15, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A registry key was flushed to disk.",
				Fields: registryKeyFields},
			{Name: "RunDown", Type: 0x16, Since: 1, Before: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc: "One open key and its name, version 1 layout; later versions call this hook KCBCreate.",
				Fields: []Field{
					{Name: "status", Kind: Pointer, Doc: "Result of the operation, an NTSTATUS; 0 is success."},
					{Name: "key_handle", Kind: Pointer, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
					{Name: "elapsed_time", Kind: I64, Doc: "Duration of the operation; unit not documented."},
					{Name: "index", Kind: U32, Doc: "Index of the subkey or value, or the information class, by the operation; 0 if none."},
					{Name: "key_name", Kind: Text16, Doc: "Full name of the key that KeyHandle stands for."},
				}},
			{Name: "KCBCreate", Type: 0x16, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A key control block came to be: gives the full key name for KeyHandle.",
				Fields: registryKCBFields},
			{Name: "KCBDelete", Type: 0x17, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A key control block went away: ends the name of KeyHandle.",
				Fields: registryKCBFields},
			{Name: "KCBRundownBegin", Type: 0x18, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "One key open when the trace starts: full name for KeyHandle.",
				Fields: registryKCBFields},
			{Name: "KCBRundownEnd", Type: 0x19, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "One key open when the trace ends: full name for KeyHandle.",
				Fields: registryKCBFields},
			{Name: "Virtualize", Type: 0x1a, Since: 2, Certainty: Documented, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A registry operation was redirected by registry virtualization.",
				Fields: registryKeyCallSince2Fields},
			{Name: "Close", Type: 0x1b, Since: 2, Certainty: Verified, EnabledBy: "EVENT_TRACE_FLAG_REGISTRY", Ref: refVistaMOF,
				Doc:    "A registry key was closed.",
				Fields: registryKeyCallSince2Fields},
			{Name: "SetSecurity", Type: 0x1c, Since: 2, Certainty: Verified, Ref: refWindows10MOF,
				Doc:    "The security descriptor of a registry key was set.",
				Fields: registryKeyCallSince2Fields},
			{Name: "QuerySecurity", Type: 0x1d, Since: 2, Certainty: Verified, Ref: refWindows10MOF,
				Doc:    "The security descriptor of a registry key was queried.",
				Fields: registryKeyCallSince2Fields},
			{Name: "TxRCommit", Type: 0x1e, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc:    "A registry transaction (TxR) was committed, with its status and unit-of-work count.",
				Fields: registryTransactionFields},
			{Name: "TxRPrepare", Type: 0x1f, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc:    "A registry transaction (TxR) was prepared, with its status and unit-of-work count.",
				Fields: registryTransactionFields},
			{Name: "TxRRollback", Type: 0x20, Since: 2, Certainty: Documented, Ref: refWindows10MOF,
				Doc:    "A registry transaction (TxR) was rolled back, with its status and unit-of-work count. phnt gives this hook number another name, CMCELLREFERRED.",
				Fields: registryTransactionFields},
			{Name: "Counters", Type: 0x22, Since: 2, Certainty: Verified, Ref: refWindows10MOF,
				Doc: "Registry counters. Order by phnt: open keys, delayed-close keys, allocator pages, free, used, lookup hits, misses found, misses not found, view maps, unmaps, hive shrinks.",
				Fields: []Field{
					{Name: "counter1", Kind: U64, Doc: "Number of keys open in the system."},
					{Name: "counter2", Kind: U64, Doc: "Number of keys kept open after their last close (delayed close)."},
					{Name: "counter3", Kind: U64, Unit: InPages, Doc: "Number of pages of the private allocator for keys."},
					{Name: "counter4", Kind: U64, Doc: "Number of free blocks of the private allocator."},
					{Name: "counter5", Kind: U64, Doc: "Number of used blocks of the private allocator."},
					{Name: "counter6", Kind: U64, Doc: "Number of key lookups answered from the cache."},
					{Name: "counter7", Kind: U64, Doc: "Number of lookups not in the cache whose key was found in the hive."},
					{Name: "counter8", Kind: U64, Doc: "Number of lookups whose key does not exist."},
					{Name: "counter9", Kind: U64, Doc: "Number of hive views mapped."},
					{Name: "counter10", Kind: U64, Doc: "Number of hive views unmapped."},
					{Name: "counter11", Kind: U64, Doc: "Number of times a hive was shrunk."},
				}},
			{Name: "Config", Type: 0x23, Since: 2, Certainty: Verified, Ref: refWindows10MOF,
				Doc: "Number of the current control set.",
				Fields: []Field{
					{Name: "current_control_set", Kind: U32, Doc: "Number of the control set in use."},
				}},
			{Name: "HiveInit", Type: 0x24, Since: 2, Certainty: Documented, EnabledBy: "PERF_REG_HIVE", Files: []string{"file_name"}, Ref: refWindows10MOF,
				Doc: "A registry hive was initialized from FileName.",
				Fields: []Field{
					{Name: "hive", Kind: Pointer, Doc: "Address of the hive; joins the hive events."},
					{Name: "operation_type", Kind: U32, Doc: "How the hive is made: new, from a file, from memory; values not documented."},
					{Name: "pool_tag", Kind: U32, Doc: "Pool tag of the hive's memory, four characters."},
					{Name: "size", Kind: U32, Unit: InBytes, Doc: "Size of the hive."},
					{Name: "file_name", Kind: Text16, Doc: "Path of the hive's file; empty if the hive is only in memory."},
				}},
			{Name: "HiveDestroy", Type: 0x25, Since: 2, Certainty: Documented, EnabledBy: "PERF_REG_HIVE", Files: []string{"file_name"}, Ref: refWindows10MOF,
				Doc: "A registry hive was destroyed.",
				Fields: []Field{
					{Name: "hive", Kind: Pointer, Doc: "Address of the hive; joins the hive events."},
					{Name: "file_name", Kind: Text16, Doc: "Path of the hive's file; empty if the hive is only in memory."},
					{Name: "path", Kind: Text16, Doc: "Registry path where the hive is linked."},
				}},
			{Name: "HiveLink", Type: 0x26, Since: 2, Certainty: Documented, EnabledBy: "PERF_REG_HIVE", Ref: refWindows10MOF,
				Doc: "A registry hive was linked into the registry at Path.",
				Fields: []Field{
					{Name: "hive", Kind: Pointer, Doc: "Address of the hive; joins the hive events."},
					{Name: "path", Kind: Text16, Doc: "Registry path where the hive is linked."},
				}},
			{Name: "HiveDCEnd", Type: 0x27, Since: 2, Certainty: Documented, EnabledBy: "PERF_REG_HIVE", Files: []string{"file_name"}, Ref: refWindows10MOF,
				Doc: "One hive loaded when the trace ends, with size and loaded key count.",
				Fields: []Field{
					{Name: "size", Kind: U64, Unit: InBytes, Doc: "Size of the hive."},
					{Name: "hive", Kind: Pointer, Doc: "Address of the hive; joins the hive events."},
					{Name: "loaded_key_count", Kind: U32, Doc: "Number of keys of the hive that are in memory."},
					{Name: "file_name", Kind: Text16, Doc: "Path of the hive's file; empty if the hive is only in memory."},
					{Name: "link_path", Kind: Text16, Doc: "Registry path where the hive is linked."},
				}},
			{Name: "HiveDirty", Type: 0x28, Since: 2, Certainty: Documented, EnabledBy: "PERF_REG_HIVE", Ref: refWindows10MOF,
				Doc: "A registry hive became dirty (unsaved changes), with the reason.",
				Fields: []Field{
					{Name: "hive", Kind: Pointer, Doc: "Address of the hive; joins the hive events."},
					{Name: "link_path", Kind: Text16, Doc: "Registry path where the hive is linked."},
					{Name: "dirty_reason", Kind: U32, Doc: "Why the hive became dirty; values not documented."},
				}},
			{Name: "ChangeNotify", Type: 0x30, Since: 2, Certainty: Documented, EnabledBy: "PERF_REG_NOTIF", Ref: refWindows10MOF,
				Doc: "A registry change notification was registered on a key.",
				Fields: []Field{
					{Name: "notification", Kind: Pointer, Doc: "Address of the notification; identifies it."},
					{Name: "key_handle", Kind: Pointer, Doc: "Key control block of the key that is watched."},
					{Name: "type", Kind: U8, Doc: "Kind of notification; values not documented."},
					{Name: "watch_subtree", Kind: U8, Doc: "1 if the subkeys are watched too."},
					{Name: "is_primary", Original: "Primary", Kind: U8, Doc: "1 if this is the main key of the notification."},
				}},
			{Name: "NotifDeliver", Type: 0x31, Certainty: Uncertain, Natural: true, EnabledBy: "PERF_REG_NOTIF", Ref: refStruct,
				Doc: "A registry change notification was delivered; payload kept raw. Not documented beyond its name.",
				Fields: []Field{
					{Name: "raw", Kind: Bytes, Length: Rest, Doc: "Payload of the delivered notification; layout not documented."},
				}},
		},
	}
}

// Fields that several events have, and lists of them.
var (
	// The start of calls that versions before 2 have too.
	registryCallFields = []Field{
		{Name: "initial_time", Kind: Ticks, Unit: InTicks, Since: 2, Doc: "Time the operation started; the event is logged at its end."},
		{Name: "status", Kind: U32, Values: "ntstatus", Since: 2, Doc: "Result of the operation, an NTSTATUS; 0 is success."},
		{Name: "status", Kind: WideU32, Values: "ntstatus", Before: 2, Doc: "Result of the operation, an NTSTATUS; 0 is success."},
		{Name: "key_handle", Kind: Pointer, Before: 2, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
		{Name: "elapsed_time", Kind: I64, Before: 2, Doc: "Duration of the operation; unit not documented."},
	}
	// The start of events that begin with version 2; the name follows.
	registryCallSince2Fields = []Field{
		{Name: "initial_time", Kind: Ticks, Unit: InTicks, Doc: "Time the operation started; the event is logged at its end."},
		{Name: "status", Kind: U32, Values: "ntstatus", Doc: "Result of the operation, an NTSTATUS; 0 is success."},
		{Name: "index", Kind: U32, Doc: "Index of the subkey or value, or the information class, by the operation; 0 if none."},
		{Name: "key_handle", Kind: Pointer, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
	}
	registryTransactionFields = []Field{
		{Name: "txr_guid", Original: "TxrGUID", Kind: GUIDs, Doc: "GUID of the registry transaction."},
		{Name: "status", Kind: U32, Values: "ntstatus", Doc: "Result of the operation, an NTSTATUS; 0 is success."},
		{Name: "uow_count", Kind: U32, Doc: "Number of units of work in the transaction."},
		{Name: "operation_time", Kind: U64, Doc: "Time of the operation; clock not documented."},
		{Name: "hive", Kind: Text16, Doc: "Path of the hive."},
	}
)

// The start of calls about a key or a value; the name follows.
var registryKeyCallFields = slices.Concat(registryCallFields, []Field{
	{Name: "index", Kind: U32, Since: 1, Doc: "Index of the subkey or value, or the information class, by the operation; 0 if none."},
	{Name: "key_handle", Kind: Pointer, Since: 2, Doc: "Key control block of the key, an address despite the name; the KCB events give its path. 0 for none."},
})

var registryOpenFields = slices.Concat(registryKeyCallFields, []Field{
	{Name: "key_name", Kind: Text16, Doc: "Path to create or open, relative to the key in KeyHandle if that is not 0."},
})

var registryKeyFields = slices.Concat(registryKeyCallFields, []Field{
	{Name: "key_name", Kind: Text16, Doc: "Name of the key, of the value, or of the key relative to the one in KeyHandle."},
})

var registryValueFields = slices.Concat(registryKeyCallFields, []Field{
	{Name: "key_name", Kind: Text16, Doc: "Name of the value; empty for the default value."},
})

var registryKCBFields = slices.Concat(registryCallSince2Fields, []Field{
	{Name: "key_name", Kind: Text16, Doc: "Full name of the key that KeyHandle stands for."},
})

var registryKeyCallSince2Fields = slices.Concat(registryCallSince2Fields, []Field{
	{Name: "key_name", Kind: Text16, Doc: "Name of the key, of the value, or of the key relative to the one in KeyHandle."},
})
