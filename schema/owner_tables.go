package schema

// life returns the columns for the time in which something existed. began and ended
// are the prefixes of the columns for its start and end.
func life(began, ended string) []Column {
	return []Column{
		{Name: began + "_time", Type: Timestamp, Nullable: true, Doc: "When it began, UTC. NULL if unknown."},
		{Name: began + "_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "The same instant in ns since 1970-01-01 UTC."},
		{Name: ended + "_time", Type: Timestamp, Nullable: true, Doc: "When it ended, UTC. NULL if unknown."},
		{Name: ended + "_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "The same instant in ns since 1970-01-01 UTC."},
		{Name: "valid_from_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "First instant, in ns since 1970-01-01 UTC, at which the id has this meaning. NULL if no other meaning precedes it."},
		{Name: "valid_to_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Last such instant. NULL if no other meaning follows it."},
		{Name: "known_from", Type: String, List: true, Doc: "Kinds of event that record it: start, end, rundown_start (it existed when recording began), rundown_end (it existed when recording ended); and sibling if only other traces of the session have these events."},
	}
}

// Processes has the processes recorded in the trace.
var Processes = table("processes", "One row per process recorded in the trace, by id and time. A reused id has several rows.", []string{"process_id"}, []Column{
	{Name: "process_id", Type: Int64, Encoding: Rising, Doc: "Id of the process."},
	{Name: "process_ref", Type: Int64, Encoding: Rising, Doc: "Key of the process: process_id << 32 | the number of earlier processes with that id. Unique in the trace, the same in every run."},
	{Name: "parent_process_id", Type: Int64, Nullable: true, Doc: "Id of the process that created it; the id may have been reused since. NULL if unknown."},
	{Name: "parent_process_ref", Type: Int64, Nullable: true, Doc: "Key of the process that created it: the one that had the parent's id when this one began. NULL if the trace does not record it."},
	{Name: "parent_process_name", Type: String, Nullable: true, Doc: "Image name of that process. NULL if unknown."},
	{Name: "unique_process_key", Type: String, Nullable: true, Encoding: Varied, Doc: "Address of the process object in the kernel, in hexadecimal (0xffffca868b77e0c0), as in the events of the process. NULL if unknown."},
	{Name: "process_name", Type: String, Nullable: true, Doc: "Image name, without a path; the kernel cuts it at 15 characters. NULL if unknown."},
	{Name: "image_path", Type: String, Nullable: true, Doc: "Path of the image, with a drive letter if the trace has it: from the event of the process, or of the image with its name that was loaded in it first. NULL if neither has it."},
	{Name: "command_line", Type: String, Nullable: true, Encoding: Varied, Doc: "Command line. NULL if unknown."},
	{Name: "package_full_name", Type: String, Nullable: true, Doc: "Full name of the app package. NULL if there is none."},
	{Name: "application_id", Type: String, Nullable: true, Doc: "Application id within the package. NULL if there is none."},
	{Name: "user_sid", Type: String, Nullable: true, Doc: "SID of the user. NULL if unknown."},
	{Name: "session_id", Type: Int64, Nullable: true, Doc: "Terminal session. NULL if unknown."},
	{Name: "exit_code", Type: Int64, Nullable: true, Doc: "Exit code, often an NTSTATUS. NULL if the end is unknown."},
	{Name: "is_32_bit", Type: Boolean, Nullable: true, Doc: "Whether it is a 32-bit process on a 64-bit system (Wow64). NULL if unknown."},
	{Name: "first_seen_ns", Type: Int64, Encoding: Varied, Doc: "Time of the first event that records it, ns since 1970-01-01 UTC. Windows records the processes that already exist in the order in which they began."},
}, life("start", "end"))

// Threads has the threads recorded in the trace.
var Threads = table("threads", "One row per thread recorded in the trace, by id and time. A reused id has several rows.", []string{"thread_id"}, []Column{
	{Name: "thread_id", Type: Int64, Encoding: Rising, Doc: "Id of the thread."},
	{Name: "process_id", Type: Int64, Doc: "Process it belongs to."},
	{Name: "process_ref", Type: Int64, Nullable: true, Doc: "Key of that process: joins processes, with trace. NULL if the trace does not record it."},
	{Name: "process_name", Type: String, Nullable: true, Doc: "Image name of that process. NULL if unknown."},
	{Name: "thread_name", Type: String, Nullable: true, Doc: "Its latest name. NULL if unknown."},
	{Name: "start_address", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "Win32StartAddr: the function it was created to run. NULL if unknown."},
	{Name: "base_priority", Type: Int32, Nullable: true, Doc: "Base priority, 0 to 31. NULL if unknown."},
}, life("start", "end"))

// Images has the images recorded in the trace.
var Images = table("images", "One row per image in a process, by process, base and time. The kernel's images are in process 0.", []string{"process_id", "image_base"}, []Column{
	{Name: "process_id", Type: Int64, Encoding: Rising, Doc: "Process in which it is loaded; 0 for the kernel."},
	{Name: "process_ref", Type: Int64, Nullable: true, Encoding: Rising, Doc: "Key of that process: joins processes, with trace. NULL if the trace does not record it."},
	{Name: "process_name", Type: String, Nullable: true, Doc: "Image name of that process. NULL if unknown."},
	{Name: "image_base", Type: Uint64, Encoding: Varied, Doc: "Address of its first byte."},
	{Name: "image_size", Type: Uint64, Encoding: Varied, Doc: "Size in memory, bytes."},
	{Name: "image_name", Type: String, Nullable: true, Doc: "Last part of its path: the module. NULL if unknown."},
	{Name: "image_path", Type: String, Nullable: true, Doc: "Its path, with a drive letter if the trace has it. NULL if unknown."},
	{Name: "checksum", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Checksum in its header. NULL if it is 0 or unknown."},
	{Name: "time_date_stamp", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Time stamp in its header: seconds since 1970, or a hash. NULL if it is 0 or unknown."},
	{Name: "pdb_name", Type: String, Nullable: true, Doc: "Name or path of its symbol file (ImageID/DbgID_RSDS). NULL if unknown."},
	{Name: "pdb_guid", Type: String, Nullable: true, Doc: "GUID of that symbol file. NULL if unknown."},
	{Name: "pdb_age", Type: Int64, Nullable: true, Doc: "Age of that symbol file. NULL if unknown."},
	{Name: "file_version", Type: String, Nullable: true, Doc: "Version in its resources (ImageID/FileVersion). NULL if unknown."},
	{Name: "product_name", Type: String, Nullable: true, Doc: "Product in its resources. NULL if unknown."},
	{Name: "company_name", Type: String, Nullable: true, Doc: "Company in its resources. NULL if unknown."},
}, life("load", "unload"))

// Files has the names of file objects.
var Files = table("files", "One row per file object or file key with a name, by address and time. A reused address has several rows.", []string{"file_object"}, []Column{
	{Name: "file_object", Type: Uint64, Encoding: Varied, Doc: "Address of the file object; for disk and memory events, the file key."},
	{Name: "file_name", Type: String, Encoding: Varied, Doc: "Path, with a drive letter if the trace has it."},
	{Name: "first_seen_ns", Type: Int64, Encoding: Varied, Doc: "Time of the first event that names it, ns since 1970-01-01 UTC."},
	{Name: "last_seen_ns", Type: Int64, Encoding: Varied, Doc: "Time of the last event that names it, ns since 1970-01-01 UTC."},
}, life("open", "close"))
