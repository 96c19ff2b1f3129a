package schema

import "sync"

// sharedIDs are columns that very many tables have. Their field ids are their places here, from 1 on,
// which take a byte of a footer; the ids of others take five. Names may only be added, at the end.
var sharedIDs = []string{
	TraceColumn.Name,
	"event_ref", "timestamp", "time_ns", "processor", "process_id", "thread_id", "id_source", "process_name", "header_type", "pointer_size",
	"provider_id", "provider_name", "event_name", KindColumn, "payload_size", PayloadColumn,
	"event_id", "event_version", "level", "opcode", "task", "keyword", "activity_id", "related_activity_id",
	RestColumn, MessageColumn, FieldsColumn, FileNameColumn, "header_process_id", "header_thread_id", "stack_id",
}

var sharedIDsByName = sync.OnceValue(func() map[string]int32 {
	ids := make(map[string]int32, len(sharedIDs))
	for i, name := range sharedIDs {
		ids[name] = int32(i) + 1
	}
	return ids
})

// HashedFieldID is the least field id of a column that few tables have: lower ones are of columns that
// very many tables share.
const HashedFieldID = 1_000

// hashedCount is the number of ids from HashedFieldID on. They end below those that Apache Iceberg
// reserves (from 2,147,483,447).
const hashedCount = 2_000_000_000

// FieldID returns the id of a column in the schema of a Parquet file. It depends on nothing but the
// path: the column's name or, in a structure, the names of the structures around it and its own,
// joined by dots; "element" follows the name of a list for its elements. So a column has one id in
// every file, table, trace and version. The id is the place of a shared column, or else 1,000 + the
// 64-bit FNV-1a hash of the path in UTF-8, modulo 2,000,000,000.
func FieldID(path string) int32 {
	if id := sharedIDsByName()[path]; id > 0 {
		return id
	}
	h := uint64(0xcbf29ce484222325)
	for i := range len(path) {
		h = (h ^ uint64(path[i])) * 0x100000001b3
	}
	return HashedFieldID + int32(h%hashedCount)
}
